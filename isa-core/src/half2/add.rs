//! Addition.

use super::format::Half;
use super::round::Rounding;

/// `a + b`, exact and then rounded once.
///
/// Special values follow IEEE 754. A sum that is exactly zero is +0 if the
/// operands' signs differ, but -0 under [`Rounding::TowardNegative`]. Any NaN
/// result is 0x7fff. Never panics.
///
/// ```
/// use isa_core::half2::{Rounding, add, f16};
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
