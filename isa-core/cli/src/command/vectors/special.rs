//! Special values of operands, and the relation between the lanes of a value.

/// A value at a boundary of a number format, with its name.
pub(crate) type SpecialValue = (u128, &'static str);

/// Values of 16 bits: of `f16`, of `bf16`, and of integers. Each value is listed once.
const OF_16_BITS: &[SpecialValue] = &[
    (0x0000, "+0"),
    (0x8000, "-0, least integer"),
    (0x0001, "least subnormal, 1"),
    (0x8001, "-least subnormal"),
    (0x03ff, "f16 greatest subnormal"),
    (0x0400, "f16 least normal"),
    (0x007f, "bf16 greatest subnormal, 127"),
    (0x0080, "bf16 least normal, 128"),
    (0x3c00, "f16 1"),
    (0xbc00, "f16 -1"),
    (0x3f80, "bf16 1"),
    (0xbf80, "bf16 -1"),
    (0x7bff, "f16 greatest"),
    (0xfbff, "f16 least"),
    (0x7f7f, "bf16 greatest"),
    (0xff7f, "bf16 least"),
    (0x7c00, "f16 +INF"),
    (0xfc00, "f16 -INF"),
    (0x7f80, "bf16 +INF"),
    (0xff80, "bf16 -INF"),
    (0x7c01, "f16 signaling NaN"),
    (0x7e00, "f16 quiet NaN"),
    (0x7f81, "bf16 signaling NaN"),
    (0x7fc0, "bf16 quiet NaN"),
    (0x7fff, "NaN, greatest integer"),
    (0xffff, "-NaN, -1"),
];

const OF_1_BIT: &[SpecialValue] = &[(0, "false"), (1, "true")];

const OF_8_BITS: &[SpecialValue] =
    &[(0, "0"), (1, "1"), (0x7f, "greatest"), (0x80, "least"), (0xff, "-1")];

const OF_32_BITS: &[SpecialValue] =
    &[(0, "0"), (1, "1"), (0x7fff_ffff, "greatest"), (0x8000_0000, "least"), (0xffff_ffff, "-1")];

const OF_64_BITS: &[SpecialValue] = &[
    (0, "0"),
    (1, "1"),
    (0x7fff_ffff, "greatest of 32 bits"),
    (0xffff_ffff_8000_0000, "least of 32 bits"),
    (0xffff_ffff, "-1 of 32 bits"),
    (0x7fff_ffff_ffff_ffff, "greatest"),
    (0x8000_0000_0000_0000, "least"),
    (0xffff_ffff_ffff_ffff, "-1"),
];

/// Returns the special values of a lane or a register of `bits` bits.
pub(crate) const fn special_values(bits: u32) -> &'static [SpecialValue] {
    match bits {
        1 => OF_1_BIT,
        0..=8 => OF_8_BITS,
        9..=16 => OF_16_BITS,
        17..=32 => OF_32_BITS,
        _ => OF_64_BITS,
    }
}

/// The relation of the other lanes of a value to its lowest lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LaneRelation {
    /// The value is not divided into lanes.
    Whole,
    /// All lanes are equal.
    Equal,
    /// Each other lane differs from the lowest lane only in the sign bit.
    Opposite,
    Other,
}

impl LaneRelation {
    /// The relations of a value with several lanes.
    pub(crate) const OF_LANES: &[LaneRelation] =
        &[LaneRelation::Equal, LaneRelation::Opposite, LaneRelation::Other];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            LaneRelation::Whole => "one lane",
            LaneRelation::Equal => "equal lanes",
            LaneRelation::Opposite => "opposite lanes",
            LaneRelation::Other => "other lanes",
        }
    }

    /// Returns the relation of the lanes of `bits` bits in a value of `width` bits.
    pub(crate) fn of(value: u128, bits: u32, width: u32) -> Self {
        if width <= bits {
            return LaneRelation::Whole;
        }
        let mask = u128::MAX >> (128 - bits);
        let low = value & mask;
        let mut others = (1..width / bits).map(|lane| value >> (lane * bits) & mask);
        if others.clone().all(|lane| lane == low) {
            LaneRelation::Equal
        } else if others.all(|lane| lane == low ^ 1 << (bits - 1)) {
            LaneRelation::Opposite
        } else {
            LaneRelation::Other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_values_are_different_and_fit() {
        for bits in [1, 8, 16, 32, 64] {
            let values = special_values(bits);
            for (place, (value, name)) in values.iter().enumerate() {
                assert_eq!(value >> bits, 0, "{name}");
                assert!(values[..place].iter().all(|(other, _)| other != value), "{name}");
            }
        }
    }

    #[test]
    fn relations_of_lanes() {
        for (value, bits, width, relation) in [
            (0x3c00_3c00, 16, 32, LaneRelation::Equal),
            (0xbc00_3c00, 16, 32, LaneRelation::Opposite),
            (0x3c01_3c00, 16, 32, LaneRelation::Other),
            (0x8181_8101, 8, 32, LaneRelation::Opposite),
            (0x0181_8101, 8, 32, LaneRelation::Other),
            (7, 32, 32, LaneRelation::Whole),
        ] {
            assert_eq!(LaneRelation::of(value, bits, width), relation, "{value:#x}");
        }
    }
}
