//! Positions of errors in a line of a file, and numbers in a line.

use crate::ImportError;

/// A part of a line of a file, as the position of an error.
#[derive(Clone, Copy)]
pub(super) struct SourceSpan<'s> {
    pub(super) file: &'s str,
    pub(super) line: (usize, &'s str),
    pub(super) text: &'s str,
}

impl<'s> SourceSpan<'s> {
    pub(super) fn fault(&self, message: String) -> ImportError {
        ImportError::at(self.file, self.line, self.text, message)
    }

    pub(super) fn part(&self, text: &'s str) -> Self {
        SourceSpan { text, ..*self }
    }
}

/// Parses a number in any base of the format.
pub(super) fn number(text: &str) -> Option<u64> {
    let in_base = |start: &str, radix| crate::number(text.strip_prefix(start)?, radix);
    let based = in_base("0x", 16).or_else(|| in_base("0X", 16)).or_else(|| in_base("0b", 2));
    based.or_else(|| crate::number(text, 10))
}
