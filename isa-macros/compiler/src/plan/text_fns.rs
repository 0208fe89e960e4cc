//! The text functions of a Rust type.

use crate::model::text::Writer;

/// What writes and reads a field whose text only Rust code knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TextFns {
    /// An operand kind, an index into [`Model::kinds`](crate::model::Model::kinds).
    Kind(usize),
    /// A format, an index into [`Model::formats`](crate::model::Model::formats).
    Format(usize),
}

impl TextFns {
    /// `None` for the names of a set, which are no code.
    pub(super) fn of(writer: Writer) -> Option<Self> {
        match writer {
            Writer::Names => None,
            Writer::Kind(kind) => Some(TextFns::Kind(kind)),
            Writer::Format(format) => Some(TextFns::Format(format)),
        }
    }
}
