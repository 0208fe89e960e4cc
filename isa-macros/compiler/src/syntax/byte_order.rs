//! The byte order that the item `bytes` declares.

/// The order of the bytes of a word in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ByteOrder {
    #[default]
    LittleEndian,
    BigEndian,
    /// Units of 16 bits, the most significant first. Each unit is little-endian.
    LittleEndianHalfwords,
}

impl ByteOrder {
    pub(crate) const ALL: [Self; 3] =
        [ByteOrder::LittleEndian, ByteOrder::BigEndian, ByteOrder::LittleEndianHalfwords];

    /// Returns the word for the order in the item `bytes`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ByteOrder::LittleEndian => "little_endian",
            ByteOrder::BigEndian => "big_endian",
            ByteOrder::LittleEndianHalfwords => "little_endian_halfwords",
        }
    }

    /// Returns the number of the lowest of the first `shorter` bits in memory, in a word of `bits`
    /// bits. It is 0 if the lowest bits come first.
    pub(crate) const fn above(self, bits: u8, shorter: u8) -> u8 {
        match self {
            ByteOrder::LittleEndian => 0,
            _ => bits - shorter,
        }
    }
}
