//! What can go wrong: a word that is no instruction, fields that make none, text that is none.
//!
//! Errors hold references to the tables instead of text. They are built without allocation, and
//! the work of finding helpful words, near misses and alternatives is done when one is shown.

#[cfg(feature = "alloc")]
mod assemble;
mod closest;
mod decode;
mod list;
mod near;
mod none;
mod parse;

#[cfg(feature = "alloc")]
pub(crate) use assemble::sort_by_key;
#[cfg(feature = "alloc")]
pub use assemble::{AssembleError, AssembleErrorKind, AssembleErrors, Missing};
pub use decode::{DecodeError, DecodeErrorKind, EncodeError};
#[cfg(feature = "alloc")]
pub(crate) use near::nearest;
pub use none::NoInstruction;
pub use parse::{ParseError, ParseErrorKind};

#[allow(dead_code, reason = "called at compile time alone, which Rust 1.88 does not count")]
const fn promise<T: core::error::Error + Send + Sync + 'static>() {}

const _: () = {
    promise::<DecodeError>();
    promise::<EncodeError>();
    promise::<NoInstruction>();
    promise::<ParseError>();
    #[cfg(feature = "alloc")]
    promise::<AssembleErrors>();
    promise::<crate::asm::Fault>();
    promise::<crate::operand::OutOfRange>();
};
