//! Errors: invalid words, fields that cannot be encoded, and invalid assembly.
//!
//! An error contains references to the tables instead of text, so it is created without allocation.
//! Messages, suggestions and alternatives are computed only when the error is printed.

mod closest;
mod decode;
pub(crate) mod list;
mod no_match;
mod parse;
pub(crate) mod suggestions;

pub use decode::{DecodeError, DecodeErrorKind, EncodeError};
#[cfg(feature = "alloc")]
pub(crate) use list::sort_by_key;
pub use no_match::NoInstruction;
pub use parse::{ParseError, ParseErrorKind};
#[cfg(feature = "alloc")]
pub(crate) use suggestions::nearest;

#[allow(dead_code, reason = "called at compile time alone, which Rust 1.88 does not count")]
const fn promise<T: core::error::Error + Send + Sync + 'static>() {}

const _: () = {
    promise::<DecodeError>();
    promise::<EncodeError>();
    promise::<NoInstruction>();
    promise::<ParseError>();
    promise::<crate::text::OperandError>();
    promise::<crate::operand::OutOfRange>();
};
