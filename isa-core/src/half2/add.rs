//! Addition.

use super::exact::{SIGN64, sum_to_odd, to_binary64};
use super::format::Half;
use super::round::{Rounding, round_binary64};

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
#[inline]
#[must_use]
pub fn add<H: Half>(a: H, b: H, rounding: Rounding) -> H {
    let (x, y) = (to_binary64(a), to_binary64(b));
    let sum = if const { sum_fits::<H>() } { (x + y).to_bits() } else { sum_to_odd(x, y) };
    round_binary64(zero_sum_sign(sum, x, y, rounding), rounding)
}

/// Whether every sum of two values is a binary64 value: whether the bits from
/// the last place of a subnormal to the carry out of the largest value are at
/// most 53. They are 41 for f16, 262 for bf16.
const fn sum_fits<H: Half>() -> bool {
    let below_one = H::FORMAT.bias - 1 + H::FORMAT.fraction_bits;
    let from_one = H::FORMAT.bias + 2;
    below_one + from_one <= 53
}

/// Gives a zero `sum` of `x` and `y` the sign that `rounding` asks for.
///
/// Binary64 adds to nearest: an exact zero is -0 only if both operands are.
/// Towards negative it is +0 only if both are: -0 if either has the sign.
#[inline]
pub(super) fn zero_sum_sign(sum: u64, x: f64, y: f64, rounding: Rounding) -> u64 {
    let zero = sum & !SIGN64 == 0;
    if zero & matches!(rounding, Rounding::TowardNegative) {
        (x.to_bits() | y.to_bits()) & SIGN64
    } else {
        sum
    }
}
