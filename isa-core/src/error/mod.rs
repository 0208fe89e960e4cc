//! Errors: invalid words, fields that cannot be encoded, invalid assembly, and errors in programs.
//!
//! An error contains references to the tables instead of text, so it is created without allocation.
//! Messages, suggestions and alternatives are computed only when the error is printed.

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
