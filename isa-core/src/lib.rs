//! Generates instruction sets from declarative specifications with [`define_isa!`], and contains the
//! code that all generated sets share.
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
//! To write your first set, start with the [tutorial]. The documentation of [`define_isa!`] is the
//! language reference.
//!
//! | module | contents |
//! |---|---|
//! | [`operand`] | operand types: registers, predicates, immediates and others, and the traits for your own |
//! | [`machine`] | the traits through which `execute` accesses a machine, and a complete machine state |
//! | [`table`] | the tables that `define_isa!` generates from a specification |
//! | [`text`] | positions in assembly text, printed lines, labels |
//! | [`parse`], [`print`](mod@print) | the parser and the printer of single instructions |
//! | [`asm`] | the assembler and the disassembler of programs |
//! | [`error`] | the errors for words and texts that are not valid instructions |
//! | [`describe`] | a whole set as JSON, for other programs |
//! | [`explain`] | an explanation of each bit of a word, as text, JSON and HTML |
//! | [`json`] | a small JSON writer |
//! | [`shown`] | a filter that replaces control characters and similar characters in text from outside |
//! | [`codes`] | an explanation of each error code of the macro |
//! | [`tutorial`] | a small set, its assembler and its simulator, from an empty file |
//! | [`corners`] | special cases of real architectures, each with an example |
//!
//! The crate is `no_std` and has no unsafe code. Decoding, encoding, printing into a
//! [`Line`](text::Line) and executing do not allocate. The feature `alloc`, which is on by default, adds
//! the assembler and the disassembler of whole programs. The feature `describe`, which is also on by
//! default, adds [`describe`] and, in the tables, the groups and examples that it shows. Programs
//! without it are smaller. With the feature `simd`, which needs `std`, warps use the vector
//! instructions that the processor supports at run time. The feature `serde` implements
//! `Serialize` and `Deserialize` for the instructions of every set. An instruction is serialized as
//! assembly text in human-readable formats, and as its word in binary formats. The feature `source`
//! stores the source text of semantics in the tables.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

#[doc = include_str!("language.md")]
#[macro_export]
macro_rules! define_isa {
    ($($specification:tt)*) => {
        // Passes `$crate` to the macro, so that generated code can refer to this crate from the crate
        // of the caller.
        $crate::__define_isa! { [$crate] $($specification)* }
    };
}

#[doc(hidden)]
pub use isa_macros::define_isa as __define_isa;

#[doc(hidden)]
#[path = "glue/mod.rs"]
pub mod __private;
#[cfg(feature = "alloc")]
pub mod asm;
mod bits;
pub mod codes;
mod decode;
#[cfg(feature = "describe")]
pub mod describe;
pub mod error;
pub mod explain;
mod inst;
mod isa;
#[cfg(feature = "alloc")]
pub mod json;
pub mod machine;
mod modifiers;
pub mod operand;
pub mod parse;
pub mod print;
mod replace;
pub mod shown;
mod stream;
pub mod table;
pub mod text;

#[doc = include_str!("tutorial.md")]
pub mod tutorial {}

#[doc = include_str!("corners.md")]
pub mod corners {}

pub use error::{DecodeError, EncodeError, ParseError};
pub use inst::{Operand, Operands};
pub use isa::{IndexedError, Isa, Stream};
pub use modifiers::DroppedModifiers;
pub use replace::ReplaceError;

/// Whether tables leave out data that only makes printing and parsing faster. It is true for
/// WebAssembly, because a web page has to load the code and a small size is more important. The
/// template interpreter then prints and parses without this data.
pub(crate) const IS_SMALL: bool = cfg!(target_family = "wasm");
