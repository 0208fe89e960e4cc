//! Represents short texts as numbers, and sets of bytes as bit sets.

use crate::operand::{is_any_name, is_notation};

/// A text of at most eight bytes, which is compared with a word under a mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    pub(crate) key: u64,
    mask: u64,
    pub(crate) len: u8,
}

impl Chunk {
    /// The maximum number of bytes.
    pub(crate) const MOST: usize = 8;

    /// Creates a chunk from a text.
    ///
    /// # Panics
    ///
    /// Panics at compile time if the text has more than eight bytes.
    #[must_use]
    pub const fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        assert!(bytes.len() <= Self::MOST, "a chunk has at most eight bytes");
        let (mut key, mut mask, mut i) = (0, 0, 0);
        while i < bytes.len() {
            key |= (bytes[i] as u64) << (8 * i);
            mask |= 0xff << (8 * i);
            i += 1;
        }
        Chunk { key, mask, len: i as u8 }
    }

    /// A chunk that never matches.
    pub(crate) const NEVER: Chunk = Chunk { key: 1, mask: 0, len: 0 };

    /// Returns the bytes as a number, the first in the lowest bits.
    pub(crate) const fn key(self) -> u64 {
        self.key
    }

    /// Appends another chunk. Returns `None` if both have more than eight bytes.
    pub(crate) const fn then(self, Chunk { key, mask, len }: Chunk) -> Option<Self> {
        if (self.len + len) as usize > Self::MOST {
            return None;
        }
        let shift = 8 * self.len as u32;
        let (key, mask) = (key.unbounded_shl(shift), mask.unbounded_shl(shift));
        Some(Chunk { key: self.key | key, mask: self.mask | mask, len: self.len + len })
    }

    /// Returns whether the text may be the beginning of a word: it is empty, or begins with a
    /// letter, a digit or `_`.
    pub(crate) const fn begins_as_word(self) -> bool {
        let first = self.key as u8;
        self.len == 0 || first.is_ascii_alphanumeric() || first == b'_'
    }

    /// Returns whether the text is at the start of `bytes`, which are eight bytes with the first one in
    /// the lowest bits.
    #[inline]
    pub(crate) const fn begins(&self, bytes: u64) -> bool {
        bytes & self.mask == self.key
    }

    /// Returns the number of bytes.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.len as usize
    }
}

/// The decimal digits as bits of a 64-bit set.
const DIGITS: u64 = 0x3ff << b'0';

/// A set of bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const NONE: ByteSet = ByteSet([0; 4]);
    pub(crate) const ALL: ByteSet = ByteSet([u64::MAX; 4]);

    #[inline]
    pub(crate) const fn has(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }

    pub(crate) const fn with(mut self, byte: u8) -> Self {
        self.0[(byte >> 6) as usize] |= 1 << (byte & 63);
        self
    }

    pub(crate) const fn or(self, ByteSet(b): ByteSet) -> Self {
        let ByteSet(a) = self;
        ByteSet([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// Adds the bytes that are possible at index `place` of a form, in both letter cases. If the form
    /// does not determine this index, all bytes are added.
    pub(crate) const fn with_form(mut self, form: &[u8], place: usize) -> Self {
        let is_rest = place >= form.len()
            || form[place] == b'*' && place + 1 == form.len()
            || is_notation(form, place);
        if is_rest || is_any_name(form, place) {
            return Self::ALL;
        }
        if !form[place].is_ascii_digit() {
            let byte = form[place];
            return self.with(byte.to_ascii_lowercase()).with(byte.to_ascii_uppercase());
        }
        self.0[0] |= DIGITS;
        self
    }
}
