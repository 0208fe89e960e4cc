//! The order of bytes, as the item `bytes` says it.

/// The order in which the bytes of words stand in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ByteOrder {
    #[default]
    LittleEndian,
    BigEndian,
    /// Units of 16 bits, the highest first.
    LittleEndianHalfwords,
}

impl ByteOrder {
    pub(crate) const ALL: [Self; 3] =
        [ByteOrder::LittleEndian, ByteOrder::BigEndian, ByteOrder::LittleEndianHalfwords];

    /// The word for the order in the item `bytes`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ByteOrder::LittleEndian => "little_endian",
            ByteOrder::BigEndian => "big_endian",
            ByteOrder::LittleEndianHalfwords => "little_endian_halfwords",
        }
    }

    /// How far the bits of a word lie above those that a shorter one of the same start has at their place:
    /// nothing where the lowest bits stand first.
    pub(crate) const fn above(self, bits: u8, shorter: u8) -> u8 {
        match self {
            ByteOrder::LittleEndian => 0,
            _ => bits - shorter,
        }
    }
}
