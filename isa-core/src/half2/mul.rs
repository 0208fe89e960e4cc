//! Multiplication.

use super::exact::to_binary64;
use super::format::Half;
use super::round::{Rounding, round_binary64};

/// `a * b`, exact and then rounded once.
///
/// Special values follow IEEE 754: the sign is that of the operands taken
/// together, also of a zero; zero times infinity is a NaN. Any NaN result is
/// 0x7fff. Never panics.
///
/// ```
/// use isa_core::half2::{Rounding, bf16, mul};
///
/// let three = bf16::from_bits(0x4040);
/// let minus_zero = bf16::from_bits(0x8000);
/// assert_eq!(mul(three, three, Rounding::NearestEven).to_bits(), 0x4110);
/// assert_eq!(mul(three, minus_zero, Rounding::NearestEven).to_bits(), 0x8000);
/// ```
#[inline]
#[must_use]
pub fn mul<H: Half>(a: H, b: H, rounding: Rounding) -> H {
    // Exact: see the notes on binary64 in `exact`.
    let product = to_binary64(a) * to_binary64(b);
    round_binary64(product.to_bits(), rounding)
}
