//! Instruction sets from declarative specifications: [`define_isa!`], and what the code that it
//! generates stands on.
//!
//! ```
//! use isa_core::machine::{GeneralRegs, State};
//!
//! isa_core::define_isa! {
//!     /// A set of one instruction.
//!     pub isa Tiny: u16;
//!     operand Reg: 8 = isa_core::operand::Reg;
//!     enum Op: 8 { NEG = 1 }
//!
//!     /// Changes the sign of a register.
//!     opcode NEG {
//!         encoding  { field<8, 8> Op op == NEG; field<0, 8> Reg rd; }
//!         syntax    { NEG Rd; }
//!         operands  { InList<rd>; OutList<rd>; Order<rd>; }
//!         semantics { Rd = Rd.wrapping_neg(); }
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let neg: Tiny = "NEG R5;".parse()?;
//! let mut machine = State::new();
//! machine.set_reg(5, 1);
//! neg.execute(&mut machine);
//! assert_eq!(machine.reg(5), u32::MAX);
//! assert_eq!(neg.encode()?, 0x0105);
//! # Ok(())
//! # }
//! ```
//!
//! Who writes a first set starts with the [tutorial]; [`define_isa!`] is the reference.
//!
//! | module | has |
//! |---|---|
//! | [`operand`] | operand kinds: registers, predicates, constant memory, immediates, and the traits for others |
//! | [`machine`] | the traits that `execute` works through, and a ready machine state |
//! | [`table`] | the tables that a specification becomes |
//! | [`asm`] | the cursor that text is read by, the line that it is written to; programs with labels |
//! | [`error`] | why a word or a text is no instruction |
//! | [`describe`] | a whole set as JSON, for other programs |
//! | [`explain`] | what each bit of a word means, as text, JSON and HTML |
//! | [`json`] | JSON objects in the making |
//! | [`shown`] | which characters of text from outside may be shown |
//! | [`codes`] | what each code of an error of the macro means |
//! | [`half2`] | arithmetic of 16-bit floats, bit for bit |
//! | [`tutorial`] | a small set, its assembler and its simulator, from an empty file |
//! | [`corners`] | what real architectures ask for besides, each with an example |
//!
//! The crate is `no_std` and has no unsafe code. Decoding, encoding, printing into a
//! [`Line`](asm::Line) and executing do not allocate. The feature `alloc`, which is on by default,
//! adds the assembler and the disassembler of whole programs. The feature `describe`, which is also on by
//! default, adds [`describe`] and, in the tables, the groups and examples that it shows. Programs without it
//! are smaller. The feature `simd`, which needs `std`, lets
//! warps and slices of lanes use the vector instructions that the processor turns out to have. The
//! feature `serde` implements `Serialize` and `Deserialize` for the instructions of every set: as text in
//! formats that people read, as the word in others. The feature `source` keeps the text of semantics
//! in the tables.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

#[doc = include_str!("language.md")]
#[macro_export]
macro_rules! define_isa {
    ($($specification:tt)*) => {
        // Tells generated code under which name this crate is known where the call stands.
        $crate::__define_isa! { [$crate] $($specification)* }
    };
}

#[doc(hidden)]
pub use isa_macros::define_isa as __define_isa;

#[doc(hidden)]
#[path = "glue/mod.rs"]
pub mod __private;
pub mod asm;
pub mod codes;
mod decode;
#[cfg(feature = "describe")]
pub mod describe;
mod digits;
pub mod error;
pub mod explain;
pub mod half2;
mod inst;
mod isa;
#[cfg(feature = "alloc")]
pub mod json;
pub mod machine;
mod modifiers;
pub mod operand;
mod replace;
pub mod shown;
mod stream;
pub mod table;

#[doc = include_str!("tutorial.md")]
pub mod tutorial {}

#[doc = include_str!("corners.md")]
pub mod corners {}

pub use error::{DecodeError, EncodeError, ParseError};
pub use inst::{Operand, Operands};
pub use isa::{AtIndex, Isa, Stream};
pub use modifiers::Lost;
pub use replace::ReplaceError;
