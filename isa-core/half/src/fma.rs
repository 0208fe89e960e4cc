//! Implements fused multiplication and addition.

use crate::half_float::Half;
use crate::rounding::Rounding;

/// Returns `a * b + c`, computed exactly and then rounded once.
///
/// The product is not rounded. Special values follow IEEE 754: zero times infinity is a NaN for any
/// `c`, and so is the sum of opposite infinities. If the result is exactly zero and the signs of the
/// product and of `c` differ, the result is +0, or -0 with [`Rounding::TowardNegative`]. Every NaN
/// result is 0x7fff. Never panics.
///
/// ```
/// use isa_half::{Rounding, f16, fma};
///
/// // (1 + 2^-10)^2 - (1 + 2^-9) is 2^-20: a rounded product would give 0.
/// let a = f16::from_bits(0x3c01);
/// let c = f16::from_bits(0xbc02);
/// assert_eq!(fma(a, a, c, Rounding::NearestEven).to_bits(), 0x0010);
/// ```
#[inline(always)]
#[must_use]
pub fn fma<H: Half>(a: H, b: H, c: H, rounding: Rounding) -> H {
    H::from_bits(H::fma(a.to_bits(), b.to_bits(), c.to_bits(), rounding))
}
