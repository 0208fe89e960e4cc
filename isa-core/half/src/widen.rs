//! Converts lanes to binary32.

use crate::exact::to_binary64;
use crate::half_float::{Half, is_nan};

/// Returns the bits of `x` as an f32, exactly (`.F32` of HADD2).
///
/// Every value of both formats is an f32 value. A NaN of any sign and payload gives 0x7fff_ffff.
/// Never panics.
///
/// ```
/// use isa_half::{f16, widen_to_f32_bits};
///
/// assert_eq!(widen_to_f32_bits(f16::from_bits(0xc000)), 0xc000_0000);
/// assert_eq!(widen_to_f32_bits(f16::from_bits(0xfe00)), 0x7fff_ffff);
/// ```
#[inline]
#[must_use]
pub fn widen_to_f32_bits<H: Half>(x: H) -> u32 {
    // Both conversions are exact, so no intermediate result is rounded.
    let value = to_binary64(x) as f32;
    if is_nan(x) { 0x7fff_ffff } else { value.to_bits() }
}
