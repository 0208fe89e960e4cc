//! Identifies the text functions of a Rust type.

use crate::model::text::Writer;

/// The functions that print and parse a field, if only Rust code knows its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TextFns {
    /// An operand type, an index into [`Model::kinds`](crate::model::Model::kinds).
    Kind(usize),
    /// A format, an index into [`Model::formats`](crate::model::Model::formats).
    Format(usize),
}

impl TextFns {
    /// Returns the text functions, or `None` for the names of a value set, which need no code.
    pub(super) fn of(writer: Writer) -> Option<Self> {
        match writer {
            Writer::Names => None,
            Writer::Kind(kind) => Some(TextFns::Kind(kind)),
            Writer::Format(format) => Some(TextFns::Format(format)),
        }
    }
}
