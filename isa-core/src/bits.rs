//! Sets of words as masked patterns, and bits of words.

/// A masked pattern: the set of words whose bits under `mask` are equal to `value`.
///
/// Bits outside of `mask` can have any value. `value` contains only bits of `mask`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cube {
    /// The bits that are compared.
    pub mask: u128,
    /// The required value of the bits under the mask.
    pub value: u128,
}

impl Cube {
    /// Creates the set of words whose bits under `mask` are equal to `value`.
    #[must_use]
    pub const fn new(mask: u128, value: u128) -> Self {
        Cube { mask, value }
    }

    /// Returns whether `word` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, word: u128) -> bool {
        word & self.mask == self.value
    }
}

/// Returns a word with the low `width` bits set, for a `width` of up to 128.
pub(crate) const fn low_bits(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// Returns the halves of a word, the low half first.
#[inline]
pub(crate) const fn halves(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}

/// An iterator over the indexes of the set bits, from the lowest.
#[derive(Clone)]
pub(crate) struct SetBits(pub(crate) u64);

impl Iterator for SetBits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
