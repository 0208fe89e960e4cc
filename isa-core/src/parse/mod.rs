//! Parsing of single instructions: by the fast parser, or by the template interpreter.

mod candidates;
mod fast;
mod statement;
mod template;

pub use statement::Parsed;
#[cfg(feature = "alloc")]
pub(crate) use statement::{finished, or_skip, skip_statement};
pub(crate) use template::Statement;
