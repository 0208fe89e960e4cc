//! The buffer that one instruction is printed into.

use core::fmt;

use super::print::ROOM;

/// One line of assembly text in a fixed buffer.
///
/// Printing appends to a line and never allocates. Generated code asserts at compile time that
/// the longest line of each opcode fits; text beyond [`Line::CAPACITY`] would be dropped.
#[derive(Clone, Copy)]
pub struct Line {
    bytes: [u8; ROOM],
    len: usize,
}

impl Line {
    /// The longest line, in bytes.
    pub const CAPACITY: usize = 256;

    /// An empty line.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Line { bytes: [0; ROOM], len: 0 }
    }

    /// Appends ASCII text.
    #[inline]
    pub fn push_str(&mut self, text: &str) {
        self.push_bytes(text.as_bytes());
    }

    #[inline]
    fn push_bytes(&mut self, text: &[u8]) {
        let end = self.len + text.len();
        if end <= Self::CAPACITY
            && let Some(place) = self.bytes.get_mut(self.len..end)
        {
            place.copy_from_slice(text);
            self.len = end;
        }
    }

    /// Appends one ASCII character.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        if self.len < Self::CAPACITY
            && let Some(place) = self.bytes.get_mut(self.len)
        {
            *place = byte;
            self.len += 1;
        }
    }

    /// The bytes of an empty line, for someone who writes at places of their own.
    #[inline]
    pub(crate) const fn room(&mut self) -> Option<&mut [u8; ROOM]> {
        if self.len == 0 { Some(&mut self.bytes) } else { None }
    }

    /// The first bytes, those behind a shorter text included.
    #[inline]
    pub(crate) fn head<const N: usize>(&self) -> &[u8; N] {
        const { assert!(N <= ROOM, "a line has as many bytes") };
        self.bytes.first_chunk().unwrap_or(&[0; N])
    }

    /// Makes what has been written up to a place the text of the line.
    #[inline]
    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len.min(Self::CAPACITY);
    }

    /// Appends a number in decimal.
    pub fn push_decimal(&mut self, number: u64) {
        let mut digits = [0; 20];
        let (mut start, mut rest) = (digits.len(), number);
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.push_bytes(&digits[start..]);
    }

    /// Appends a number in lower-case hexadecimal, without `0x`, in at least `digits` digits.
    pub fn push_hex(&mut self, number: u128, digits: u32) {
        let needed = (128 - number.leading_zeros()).div_ceil(4).max(digits).max(1) as usize;
        let mut text = [b'0'; 32];
        let mut rest = number;
        for place in text.iter_mut().rev().take(needed) {
            *place = b"0123456789abcdef"[rest as usize & 15];
            rest >>= 4;
        }
        for _ in text.len()..needed {
            self.push(b'0');
        }
        self.push_bytes(&text[text.len().saturating_sub(needed)..]);
    }

    /// The text so far.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The text so far.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Empties the line.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for Line {
    fn default() -> Self {
        Line::new()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}
