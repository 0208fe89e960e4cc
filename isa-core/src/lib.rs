//! Instruction sets from declarative specifications: [`define_isa!`] and the library that its
//! generated code uses.
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
//! New here? Start with the [tutorial]. The reference of the language is [`define_isa!`].
//!
//! | module | contents |
//! |---|---|
//! | [`operand`] | operand types: registers, predicates, constant memory, immediates, traits for others |
//! | [`machine`] | the traits that `execute` requires, and a machine state that implements them |
//! | [`table`] | the tables that are generated from a specification |
//! | [`asm`] | the cursor for parsing, the line for printing, and programs with labels |
//! | [`error`] | the errors for invalid words and texts |
//! | [`describe`] | a whole set as JSON, for other programs |
//! | [`explain`] | the meaning of each bit of a word, as text, JSON and HTML |
//! | [`json`] | a small JSON writer |
//! | [`shown`] | the characters of untrusted text that are safe to print |
//! | [`codes`] | the meaning of each error code of the macro |
//! | [`half2`] | bit-exact arithmetic of 16-bit floats |
//! | [`tutorial`] | a small set, its assembler and its simulator, from an empty file |
//! | [`corners`] | other features that real architectures require, each with an example |
//!
//! The crate is `no_std` and contains no unsafe code. Decoding, encoding, printing into a
//! [`Line`](asm::Line) and executing do not allocate.
//!
//! The feature `alloc`, which is on by default, adds the assembler and the disassembler of whole
//! programs. The feature `describe`, which is also on by default, adds [`describe`] and stores the
//! groups and examples that it contains in the tables. Programs without it are smaller. The feature
//! `simd`, which needs `std`, lets warps and slices of lanes use the vector instructions of the
//! processor, which are detected at run time. The feature `serde` implements `Serialize` and
//! `Deserialize` for the instructions of every set: as text in human-readable formats, otherwise as
//! the word. The feature `source` stores the source text of semantics in the tables.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

#[doc = include_str!("language.md")]
#[macro_export]
macro_rules! define_isa {
    ($($specification:tt)*) => {
        // Passes the path of this crate, as the caller knows it, to the macro.
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
