//! Short texts of fixed size, which are prepared at compile time.

/// A text of at most 31 bytes, stored and copied as 32 bytes: the last byte is the length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ShortText([u8; ShortText::SIZE]);

impl ShortText {
    pub(crate) const SIZE: usize = 32;

    /// An empty text.
    pub const EMPTY: ShortText = ShortText([0; Self::SIZE]);

    /// Appends a byte. A full text is returned unchanged.
    #[must_use]
    pub const fn with(self, byte: u8) -> Self {
        let ShortText(mut bytes) = self;
        let len = self.len();
        if len < Self::SIZE - 1 {
            bytes[len] = byte;
            bytes[Self::SIZE - 1] += 1;
        }
        ShortText(bytes)
    }

    /// Appends `text`, or as much of it as fits.
    #[must_use]
    pub const fn with_str(self, text: &str) -> Self {
        self.with_bytes(text.as_bytes(), text.len())
    }

    /// Appends the first `count` bytes, or as many as fit.
    pub(crate) const fn with_bytes(self, more: &[u8], count: usize) -> Self {
        let ShortText(mut bytes) = self;
        let (mut len, mut i) = (self.len(), 0);
        while i < count && len < Self::SIZE - 1 {
            bytes[len] = more[i];
            len += 1;
            i += 1;
        }
        bytes[Self::SIZE - 1] = len as u8;
        ShortText(bytes)
    }

    /// Appends a number below 1,000 in decimal.
    #[must_use]
    pub const fn with_decimal(mut self, number: u16) -> Self {
        if number >= 100 {
            self = self.with(b'0' + (number / 100 % 10) as u8);
        }
        if number >= 10 {
            self = self.with(b'0' + (number / 10 % 10) as u8);
        }
        self.with(b'0' + (number % 10) as u8)
    }

    /// Returns the length in bytes.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len_byte() as usize
    }

    /// Returns the length as it is stored.
    #[inline(always)]
    pub(crate) const fn len_byte(&self) -> u8 {
        self.0[Self::SIZE - 1]
    }

    /// Returns whether the text is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the first seven bytes as a number, the first in the lowest bits, with the length in
    /// the highest byte.
    pub(crate) const fn head(&self) -> u64 {
        let [a, b, c, d, e, f, g, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, self.len_byte()])
    }

    /// Returns all 32 bytes.
    #[inline]
    pub(crate) const fn padded(&self) -> &[u8; Self::SIZE] {
        &self.0
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let text = self.0.get(..self.len()).unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }
}

impl core::fmt::Debug for ShortText {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Creates short texts from 32 bytes each.
///
/// # Panics
///
/// Panics at compile time if there are not enough bytes.
#[doc(hidden)]
#[must_use]
pub const fn short_texts<const N: usize>(bytes: &[u8]) -> [ShortText; N] {
    let (chunks, mut texts, mut i) = (bytes.as_chunks().0, [ShortText::EMPTY; N], 0);
    while i < N {
        texts[i] = ShortText(chunks[i]);
        i += 1;
    }
    texts
}
