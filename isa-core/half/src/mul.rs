//! Implements multiplication.

use crate::half_float::Half;
use crate::rounding::Rounding;

/// Returns `a * b`, computed exactly and then rounded once.
///
/// Special values follow IEEE 754: the sign is the exclusive or of the operands' signs, even if the
/// result is zero, and zero times infinity is a NaN. Every NaN result is 0x7fff. Never panics.
///
/// ```
/// use isa_half::{Rounding, bf16, mul};
///
/// let three = bf16::from_bits(0x4040);
/// let minus_zero = bf16::from_bits(0x8000);
/// assert_eq!(mul(three, three, Rounding::NearestEven).to_bits(), 0x4110);
/// assert_eq!(mul(three, minus_zero, Rounding::NearestEven).to_bits(), 0x8000);
/// ```
#[inline(always)]
#[must_use]
pub fn mul<H: Half>(a: H, b: H, rounding: Rounding) -> H {
    H::from_bits(H::mul(a.to_bits(), b.to_bits(), rounding))
}
