//! Exact values and sums in binary64, ahead of the one rounding.
//!
//! Why binary64 is enough, for f16 (11 bits of precision, multiples of 2^-24
//! below 2^16) and bf16 (8 bits, multiples of 2^-133 below 2^128) alike:
//!
//! - Every value of both formats is a binary64 value, and none is subnormal
//!   there.
//! - A product of two values has at most 22 bits and lies between 2^-266 and
//!   2^256 or is zero, so one binary64 multiplication computes it exactly.
//! - A sum does not always fit: an f16 `a * b + c` spans 2^-48 to 2^33, a bf16
//!   `a + b` 2^-133 to 2^129. [`sum_to_odd`] therefore rounds it to 53 bits
//!   *to odd*: an exact sum stays, any other becomes the one of its two
//!   neighbours whose last bit is 1. Rounding that to p bits, in any mode,
//!   gives what rounding the exact sum to p bits gives if p + 2 <= 53 (S. Boldo
//!   and G. Melquiond, "Emulation of FMA and Correctly Rounded Sums: Proved
//!   Algorithms Using Rounding to Odd", IEEE Trans. Computers 57(4), 2008).
//!   The reason: values of p bits and the midpoints between them have at most
//!   p + 1 bits, so their last bit of 53 is 0. The odd result is none of them,
//!   lies on the same side of each as the exact sum, and no directed mode and
//!   no tie can confuse the two. Subnormal results only make p smaller.

use super::format::{Half, magnitude};

/// The sign bit of binary64.
pub(super) const SIGN64: u64 = 1 << 63;

/// The value of `x`, exactly; a NaN stays a NaN.
///
/// No step meets a binary64 subnormal, which many processors handle slowly, and
/// none is a choice, which compilers would make a jump that is guessed wrong.
#[inline]
pub(super) fn to_binary64<H: Half>(x: H) -> f64 {
    let format = H::FORMAT;
    let rebias = i64::from(1023 - format.bias) << 52;
    let bits = i64::from(magnitude(x));
    // All ones if the condition holds, else zero.
    let tiny = (bits - i64::from(format.min_normal())) >> 63;
    let special = (i64::from(format.largest()) - bits) >> 63;
    // An exponent field of all ones, 2 * bias + 1, must become 2047, which is
    // 2 * (1023 - bias) more. Zero and subnormals are read as if their hidden
    // bit were 1, with the exponent of the smallest normal; what that adds is
    // then taken away.
    let exponent = rebias + (special & rebias) + (tiny & (1 << 52));
    let read = (bits << (52 - format.fraction_bits)) + exponent;
    let hidden = tiny & (rebias + (1 << 52));
    let value = f64::from_bits(read.cast_unsigned()) - f64::from_bits(hidden.cast_unsigned());
    value.copysign(f64::from_bits(u64::from(x.to_bits()) << 48))
}

/// The bits of `x + y` rounded to odd, for finite `x` and `y` whose sum does
/// not overflow binary64; infinities and NaNs add as IEEE 754 says.
#[inline]
pub(super) fn sum_to_odd(x: f64, y: f64) -> u64 {
    // TwoSum (Knuth): `sum + error` is exactly `x + y`, whichever is larger.
    // Nothing overflows, and an addition that underflows is exact.
    let sum = x + y;
    let of_y = sum - x;
    let error = (x - (sum - of_y)) + (y - of_y);
    // An infinite `sum` makes `error` a NaN, for which both tests are false.
    let inexact = u64::from((error > 0.0) | (error < 0.0));
    // Truncated towards zero, then the last bit set. A non-zero error means a
    // non-zero sum, so nothing borrows from the sign.
    let opposed = (sum.to_bits() ^ error.to_bits()) >> 63;
    (sum.to_bits() - (inexact & opposed)) | inexact
}
