//! Implements addition.

use crate::half_float::Half;
use crate::rounding::Rounding;

/// Returns `a + b`, computed exactly and then rounded once.
///
/// Special values follow IEEE 754. If the sum is exactly zero and the signs of the operands differ, the
/// result is +0, or -0 with [`Rounding::TowardNegative`]. Every NaN result is 0x7fff. Never panics.
///
/// ```
/// use isa_half::{Rounding, add, f16};
///
/// let largest = f16::from_bits(0x7bff);
/// let tiny = f16::from_bits(0x0001);
/// assert_eq!(add(largest, tiny, Rounding::NearestEven).to_bits(), 0x7bff);
/// assert_eq!(add(largest, tiny, Rounding::TowardPositive).to_bits(), 0x7c00);
/// ```
#[inline(always)]
#[must_use]
pub fn add<H: Half>(a: H, b: H, rounding: Rounding) -> H {
    H::from_bits(H::add(a.to_bits(), b.to_bits(), rounding))
}
