//! In which order the bytes of words stand in memory.

/// The order in which the bytes of a word stand in memory.
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
    /// The lowest byte first, as RISC-V has it.
    #[default]
    LittleEndian,
    /// The highest byte first, as most MIPS, SPARC and S/390 have it.
    BigEndian,
    /// Units of 16 bits, the highest first, and in each the low byte first, as Thumb-2 and AVR have it.
    LittleEndianHalfwords,
}

impl ByteOrder {
    /// The word of so many bits that bytes begin with. Bytes that are not there are 0.
    #[inline]
    #[must_use]
    pub const fn word(self, bytes: &[u8], bits: u8) -> u128 {
        self.swapped(little_endian(bytes), bits)
    }

    /// The bytes of a word of so many bits; those behind `bits / 8` are 0.
    #[inline]
    #[must_use]
    pub const fn bytes(self, word: u128, bits: u8) -> [u8; 16] {
        self.swapped(word, bits).to_le_bytes()
    }

    /// The bytes of a number of so many bytes, of which there are 16 at most.
    #[cfg(feature = "alloc")]
    pub(crate) fn bytes_of(self, number: u128, length: usize) -> impl Iterator<Item = u8> {
        let length = length.min(16);
        self.bytes(number, length as u8 * 8).into_iter().take(length)
    }

    /// Whether numbers in memory have their highest byte first.
    #[must_use]
    pub const fn is_big_endian(self) -> bool {
        matches!(self, ByteOrder::BigEndian)
    }

    /// The order of numbers in data, which no instruction is made of.
    #[cfg(feature = "alloc")]
    pub(crate) const fn of_data(self) -> Self {
        match self {
            ByteOrder::BigEndian => self,
            _ => ByteOrder::LittleEndian,
        }
    }

    /// The name in a specification.
    #[cfg(feature = "alloc")]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ByteOrder::LittleEndian => "little_endian",
            ByteOrder::BigEndian => "big_endian",
            ByteOrder::LittleEndianHalfwords => "little_endian_halfwords",
        }
    }

    /// The bits of a word as a number whose bytes stand the lowest first, or back.
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

/// The first 16 bytes as a number.
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

    /// By the words of the definition, a byte after the other.
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
            // A byte alone stands as it does in any order; other half-words are whole.
            let has = |bits: &u8| {
                order != ByteOrder::LittleEndianHalfwords || *bits == 8 || bits.is_multiple_of(16)
            };
            for bits in (8..=128).step_by(8).filter(has) {
                let bytes = order.bytes(word, bits);
                assert_eq!(bytes, one_by_one(order, word, bits), "{order:?} {bits}");
                let own = word & !u128::MAX.unbounded_shl(bits.into());
                assert_eq!(order.word(&bytes, bits), own);
                // Some bytes alone are the word with zeros for the others.
                for count in 0..usize::from(bits / 8) {
                    let mut some = bytes;
                    some[count..].fill(0);
                    assert_eq!(order.word(&bytes[..count], bits), order.word(&some, bits));
                }
            }
        }
    }
}
