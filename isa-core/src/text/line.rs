//! The buffer into which one instruction is printed.

use core::fmt;

use crate::text::{ShortText, digits};

/// The size of the buffer for one instruction. After the maximum length of a line, it contains space
/// for one more copy of fixed size.
pub(crate) const ROOM: usize = Line::CAPACITY + COPY;

/// The number of bytes of each copy of fixed size.
pub(crate) const COPY: usize = ShortText::SIZE;

/// One line of assembly text in a fixed buffer.
///
/// Printing appends to a line and never allocates. Generated code asserts at compile time that the
/// longest line of each opcode fits; text beyond [`Line::CAPACITY`] would be dropped.
#[derive(Clone, Copy)]
pub struct Line {
    bytes: [u8; ROOM],
    len: usize,
}

impl Line {
    /// The maximum length of a line, in bytes.
    pub const CAPACITY: usize = 512;

    /// Creates an empty line.
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

    /// Returns the whole buffer, for callers that write to it directly.
    #[inline]
    pub(crate) const fn room(&mut self) -> &mut [u8; ROOM] {
        &mut self.bytes
    }

    /// Returns the first `N` bytes of the buffer, even if the text is shorter.
    #[inline]
    pub(crate) fn head<const N: usize>(&self) -> &[u8; N] {
        const { assert!(N <= ROOM, "`N` exceeds the buffer of a line") };
        self.bytes.first_chunk().unwrap_or(&[0; N])
    }

    /// Sets the length of the text to `len`, after the caller wrote all bytes up to that position.
    #[inline]
    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len.min(Self::CAPACITY);
    }

    /// Appends the first `len` bytes. It copies all `N` bytes, because a copy of fixed size is fast.
    #[inline]
    fn push_head<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        self.push_with(|place| {
            *place = *bytes;
            len
        });
    }

    /// Appends the ASCII text that `write` writes to the start of a buffer of `N` bytes; `write` returns
    /// the length of the text. `N` is at most 32, because the buffer is a part of the line.
    ///
    /// ```
    /// use isa_core::text::Line;
    ///
    /// let mut line = Line::new();
    /// line.push_with(|buffer: &mut [u8; 2]| {
    ///     *buffer = *b"R1";
    ///     2
    /// });
    /// assert_eq!(line.as_str(), "R1");
    /// ```
    #[inline]
    pub fn push_with<const N: usize>(&mut self, write: impl FnOnce(&mut [u8; N]) -> usize) {
        const { assert!(Line::CAPACITY + N <= ROOM, "too little room after the longest line") };
        let place = self.bytes.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut);
        let end = self.len + place.map_or(0, write);
        if end <= Self::CAPACITY {
            self.len = end;
        }
    }

    /// Appends a number in decimal.
    #[inline]
    pub fn push_decimal(&mut self, number: u64) {
        const EIGHT: u64 = 100_000_000;
        if number >= EIGHT {
            self.push_decimal_long(number / EIGHT);
            return self.push_head(&digits::decimal((number % EIGHT) as u32).to_le_bytes(), 8);
        }
        let (text, len) = digits::without_zeros(digits::decimal(number as u32));
        self.push_head(&text.to_le_bytes(), len);
    }

    #[cold]
    fn push_decimal_long(&mut self, number: u64) {
        self.push_decimal(number);
    }

    /// Appends a number in lower-case hexadecimal, without `0x`, with at least `digits` digits.
    #[inline]
    pub fn push_hex(&mut self, number: u128, digits: u32) {
        let needed = (128 - number.leading_zeros()).div_ceil(4).max(digits).max(1);
        let mut first = (needed - 1) % 16 + 1;
        for place in (0..needed.div_ceil(16)).rev() {
            let part = number.unbounded_shr(64 * place) as u64;
            let (high, low) = (digits::hex((part >> 32) as u32), digits::hex(part as u32));
            let text = u128::from(high) | u128::from(low) << 64;
            self.push_head(&(text >> (8 * (16 - first))).to_le_bytes(), first as usize);
            first = 16;
        }
    }

    /// Returns the text so far.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Returns the text so far.
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

#[cfg(test)]
mod tests {
    use crate::text::Line;

    #[test]
    fn a_full_line_takes_nothing_more() {
        let mut line = Line::new();
        for _ in 0..Line::CAPACITY {
            line.push(b'x');
        }
        line.push(b'y');
        line.push_str("z");
        assert!(
            line.as_bytes().len() == Line::CAPACITY
                && line.as_bytes().iter().all(|&byte| byte == b'x')
        );
        line.clear();
        assert_eq!(line.as_str(), "");
        line.push_str("ab");
        line.push_decimal(90);
        line.push_hex(0xabc, 5);
        assert_eq!(line.as_str(), "ab9000abc");
    }
}
