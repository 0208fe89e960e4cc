//! Implements absolute value and negation.

use crate::format::SIGN;
use crate::half_float::Half;

/// Returns `x` with its sign bit cleared, even if `x` is a NaN (`|...|` in the instruction set). No
/// other bit changes. Never panics.
///
/// ```
/// use isa_half::{abs, f16};
///
/// assert_eq!(abs(f16::from_bits(0xbc00)).to_bits(), 0x3c00);
/// assert_eq!(abs(f16::from_bits(0xfe01)).to_bits(), 0x7e01);
/// ```
#[inline(always)]
#[must_use]
pub fn abs<H: Half>(x: H) -> H {
    H::from_bits(x.to_bits() & !SIGN)
}

/// Returns `x` with its sign bit inverted, even if `x` is a NaN (the prefix `-` in the instruction set,
/// which is applied after `|...|`). No other bit changes. Never panics.
///
/// ```
/// use isa_half::{f16, neg};
///
/// assert_eq!(neg(f16::from_bits(0x0000)).to_bits(), 0x8000);
/// assert_eq!(neg(f16::from_bits(0x7e01)).to_bits(), 0xfe01);
/// ```
#[inline(always)]
#[must_use]
pub fn neg<H: Half>(x: H) -> H {
    H::from_bits(x.to_bits() ^ SIGN)
}
