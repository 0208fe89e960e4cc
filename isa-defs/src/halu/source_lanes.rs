//! Functions that return the halves that a HALU instruction reads from a source.

use crate::base::{HF32, HSel2};

/// Returns the halves that a source selector chooses, as a bit set: bit 0 is the low half.
///
/// ```
/// use isa_defs::base::HSel2;
/// use isa_defs::halu::half_lanes;
///
/// assert_eq!(half_lanes(HSel2::H1_H1.to_bits()), 0b10);
/// ```
#[must_use]
pub const fn half_lanes(hsel2: u64) -> u64 {
    const LOW: u64 = HSel2::H0_H0.to_bits();
    const HIGH: u64 = HSel2::H1_H1.to_bits();
    match hsel2 {
        LOW => 0b01,
        HIGH => 0b10,
        _ => 0b11,
    }
}

/// Returns the halves that a source selector chooses in an instruction with `.F32`, which ignores
/// lane 1.
///
/// ```
/// use isa_defs::base::{HF32, HSel2};
/// use isa_defs::halu::low_lanes;
///
/// let both = HSel2::H1_H0.to_bits();
/// assert_eq!(low_lanes(both, HF32::NoF32.to_bits()), 0b11);
/// assert_eq!(low_lanes(both, HF32::F32.to_bits()), 0b01);
/// ```
#[must_use]
pub const fn low_lanes(hsel2: u64, f32: u64) -> u64 {
    let lanes = half_lanes(hsel2);
    // The low half goes to lane 0, unless the high half goes to both lanes.
    if f32 == HF32::F32.to_bits() && lanes & 1 == 1 { 0b01 } else { lanes }
}
