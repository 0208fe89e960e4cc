//! Converts between words and their bytes in memory.
//!
//! In all other code a word is a number. If the highest bits of a word come first in memory, words
//! of different widths begin with their highest bits. When the compiler compares encodings of
//! different widths in such a set, it shifts the short ones to the top of the widest word. The
//! decoder receives all words as numbers, with zeros above a short word.

/// The order of the bytes of a word in memory.
///
/// ```
/// use isa_core::table::ByteOrder;
///
/// let word = 0xf7ff_fffe; // of 32 bits: a Thumb-2 `bl` to itself
/// let bytes = |order: ByteOrder| order.bytes(word, 32)[..4].to_vec();
/// assert_eq!(bytes(ByteOrder::LittleEndian), [0xfe, 0xff, 0xff, 0xf7]);
/// assert_eq!(bytes(ByteOrder::BigEndian), [0xf7, 0xff, 0xff, 0xfe]);
/// assert_eq!(bytes(ByteOrder::LittleEndianHalfwords), [0xff, 0xf7, 0xfe, 0xff]);
/// assert_eq!(ByteOrder::BigEndian.word(&[0x12, 0x34, 0x56], 16), 0x1234);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ByteOrder {
    /// The lowest byte first, as in RISC-V.
    #[default]
    LittleEndian,
    /// The highest byte first, as in most MIPS, SPARC and S/390.
    BigEndian,
    /// Units of 16 bits, the highest unit first, with the low byte of each unit first, as in
    /// Thumb-2 and AVR.
    LittleEndianHalfwords,
}

impl ByteOrder {
    /// Returns the word of `bits` bits at the start of `bytes`. Missing bytes are 0.
    #[inline]
    #[must_use]
    pub const fn word(self, bytes: &[u8], bits: u8) -> u128 {
        self.swapped(little_endian(bytes), bits)
    }

    /// Returns the bytes of a word of `bits` bits. The bytes after the first `bits / 8` are 0.
    #[inline]
    #[must_use]
    pub const fn bytes(self, word: u128, bits: u8) -> [u8; 16] {
        self.swapped(word, bits).to_le_bytes()
    }

    /// Returns the bytes of a number of `length` bytes, at most 16.
    #[cfg(feature = "alloc")]
    pub(crate) fn bytes_of(self, number: u128, length: usize) -> impl Iterator<Item = u8> {
        let length = length.min(16);
        self.bytes(number, length as u8 * 8).into_iter().take(length)
    }

    /// Returns whether the highest byte of a number comes first in memory.
    #[must_use]
    pub const fn is_big_endian(self) -> bool {
        matches!(self, ByteOrder::BigEndian)
    }

    /// Returns the byte order of numbers in data directives.
    #[cfg(feature = "alloc")]
    pub(crate) const fn of_data(self) -> Self {
        match self {
            ByteOrder::BigEndian => self,
            _ => ByteOrder::LittleEndian,
        }
    }

    /// Returns the name in a specification.
    #[cfg(feature = "describe")]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ByteOrder::LittleEndian => "little_endian",
            ByteOrder::BigEndian => "big_endian",
            ByteOrder::LittleEndianHalfwords => "little_endian_halfwords",
        }
    }

    /// Converts a word to the number whose little-endian bytes are the bytes in memory, or back.
    #[inline]
    const fn swapped(self, number: u128, bits: u8) -> u128 {
        let number = number & !u128::MAX.unbounded_shl(bits as u32);
        let above = 128u32.saturating_sub(bits as u32);
        match self {
            ByteOrder::LittleEndian => number,
            _ if bits < 16 => number,
            ByteOrder::BigEndian => number.swap_bytes().unbounded_shr(above),
            ByteOrder::LittleEndianHalfwords => {
                const LOW: u128 = u128::MAX / 0x101;
                let other = number.swap_bytes().unbounded_shr(above);
                (other & LOW) << 8 | (other >> 8) & LOW
            }
        }
    }
}

/// Returns the first 16 bytes as a little-endian number.
#[inline]
const fn little_endian(bytes: &[u8]) -> u128 {
    if let Some(bytes) = bytes.first_chunk() {
        return u128::from_le_bytes(*bytes);
    }
    let (mut number, mut at) = (0, bytes.len());
    while at > 0 {
        at -= 1;
        number = number << 8 | bytes[at] as u128;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the bytes one by one, as the documentation defines them.
    fn one_by_one(order: ByteOrder, word: u128, bits: u8) -> [u8; 16] {
        let count = usize::from(bits / 8);
        let byte = |place: usize| (word >> (8 * place)) as u8;
        core::array::from_fn(|at| match order {
            _ if at >= count => 0,
            _ if count == 1 => byte(0),
            ByteOrder::LittleEndian => byte(at),
            ByteOrder::BigEndian => byte(count - 1 - at),
            ByteOrder::LittleEndianHalfwords => byte(count - 2 - (at & !1) + (at & 1)),
        })
    }

    #[test]
    fn bytes_stand_as_defined_and_give_the_word_back() {
        let word = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;
        for order in
            [ByteOrder::LittleEndian, ByteOrder::BigEndian, ByteOrder::LittleEndianHalfwords]
        {
            // A single byte is the same in any order. Other widths of half-word order are multiples
            // of 16 bits.
            let has = |bits: &u8| {
                order != ByteOrder::LittleEndianHalfwords || *bits == 8 || bits.is_multiple_of(16)
            };
            for bits in (8..=128).step_by(8).filter(has) {
                let bytes = order.bytes(word, bits);
                assert_eq!(bytes, one_by_one(order, word, bits), "{order:?} {bits}");
                let own = word & !u128::MAX.unbounded_shl(bits.into());
                assert_eq!(order.word(&bytes, bits), own);
                // A prefix of the bytes gives the same word as the prefix followed by zeros.
                for count in 0..usize::from(bits / 8) {
                    let mut some = bytes;
                    some[count..].fill(0);
                    assert_eq!(order.word(&bytes[..count], bits), order.word(&some, bits));
                }
            }
        }
    }
}
