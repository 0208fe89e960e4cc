//! Writes text into a fixed buffer.

use core::fmt::{self, Write};

/// A writer into a fixed buffer. It returns an error if a string does not fit.
pub(crate) struct BufferWriter<'a> {
    buffer: &'a mut [u8],
    /// The length of the text that was written so far, in bytes.
    pub(crate) length: usize,
}

impl<'a> BufferWriter<'a> {
    /// Creates an empty text in `buffer`.
    pub(crate) fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, length: 0 }
    }

    /// Returns the text that was written so far.
    pub(crate) fn as_str(&self) -> &str {
        // Only whole strings are written, so the bytes are valid UTF-8.
        let text = self.buffer.get(..self.length).unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }
}

impl Write for BufferWriter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let space = self.buffer.get_mut(self.length..end).ok_or(fmt::Error)?;
        space.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
