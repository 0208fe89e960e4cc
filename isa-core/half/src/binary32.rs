//! Implements f16 arithmetic in binary32. The code contains no branches, so the compiler can
//! vectorize a loop over lanes.
//!
//! binary32 is sufficient for f16 (11 bits of precision, multiples of 2^-24 below 2^16):
//!
//! - Every value of f16 is a zero, normal, infinite or NaN value of binary32, never a subnormal.
//! - A product of two values has at most 22 bits. It is zero or between 2^-48 and 2^32, so one
//!   multiplication computes it exactly.
//! - A sum of two values, or of a product and a value, may need more bits. It is rounded to 24 bits *to
//!   odd*, which is correct because these are at least 11 + 2 bits: see [`exact`](crate::exact).
//!
//! All operands and results, and the results of all steps of TwoSum, are multiples of 2^-48 below 2^33.
//! No step overflows or underflows, and no step uses a subnormal.

use crate::format::NAN;
use crate::rounding::Rounding;

const SIGN: u32 = 1 << 31;

const INFINITY: u32 = 0xff << 23;

/// 2^16, which represents every value that is too large for f16 and is rounded up to infinity.
const BEYOND: u32 = (127 + 16) << 23;

/// 2^-14, the smallest normal f16.
const MIN_NORMAL: u32 = (127 - 14) << 23;

/// A rounding mode as numbers, which are computed once for a loop.
#[derive(Clone, Copy)]
pub(crate) struct Direction {
    /// The sign bit if all values must be negated before and after the operation, or else 0. A value is
    /// rounded towards negative by rounding the negated value towards positive. The negation also gives
    /// a sum that is exactly zero the correct sign.
    flip: u32,
    /// 1 unless the mode rounds to nearest.
    directed: u32,
    /// 1 if positive values are rounded away from zero.
    up: u32,
}

impl From<Rounding> for Direction {
    #[inline(always)]
    fn from(rounding: Rounding) -> Self {
        let flip = u32::from(rounding.is(0b0010)) << 15;
        Direction { flip, directed: rounding.is(0b1110).into(), up: rounding.is(0b0110).into() }
    }
}

#[inline(always)]
pub(crate) fn add(a: u16, b: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let (x, y) = (decode(a, direction.flip), decode(b, direction.flip));
    let (sum, error) = two_sum(x, y);
    round(sum, to_odd(sum, error), direction)
}

#[inline(always)]
pub(crate) fn mul(a: u16, b: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let product = decode(a, direction.flip) * decode(b, 0);
    round(product, product.to_bits(), direction)
}

#[inline(always)]
pub(crate) fn fma(a: u16, b: u16, c: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let product = decode(a, direction.flip) * decode(b, 0);
    let (sum, error) = two_sum(product, decode(c, direction.flip));
    round(sum, to_odd(sum, error), direction)
}

/// Converts 16 bits to binary32 after an exclusive or with `flip`. A NaN remains a NaN.
///
/// Adding 224 to the exponent field changes the field of infinity and NaN from 31 to 255. All other
/// values become too large by the factor 2^112. A subnormal, `f * 2^-14`, becomes `(1 + f) * 2^97`
/// instead of `f * 2^98`. This is corrected by adding the difference from 2^98, which is negative, to
/// the value. Each step is exact.
#[inline(always)]
fn decode(bits: u16, flip: u32) -> f32 {
    let bits = u32::from(bits) ^ flip;
    let read = f32::from_bits((bits & 0x7fff) << 13 | 224 << 23);
    let above = read - f32::from_bits(225 << 23);
    // The comparison is written in the operand order of the vector instruction for the minimum, for
    // which a NaN gives zero.
    let below = if above < 0.0 { above } else { 0.0 };
    let size = (read + below) * f32::from_bits((127 - 112) << 23);
    f32::from_bits(size.to_bits() | (bits & 0x8000) << 16)
}

/// Returns the rounded sum and its exact error (TwoSum by Knuth). Either operand may be the larger
/// one.
#[inline(always)]
fn two_sum(x: f32, y: f32) -> (f32, f32) {
    let sum = x + y;
    let of_y = sum - x;
    (sum, (x - (sum - of_y)) + (y - of_y))
}

/// Returns the bits of a finite `sum + error` rounded to odd: truncated, with the last bit set if the
/// sum is inexact. If the error is not zero, the sum is not zero either, so the subtraction does not
/// change the sign bit. For infinities and NaNs, whose error is a NaN, the bits are meaningless.
#[inline(always)]
fn to_odd(sum: f32, error: f32) -> u32 {
    let inexact = u32::from(error.to_bits() << 1 != 0);
    let opposed = (sum.to_bits() ^ error.to_bits()) >> 31;
    sum.to_bits().wrapping_sub(inexact & opposed) | inexact
}

/// Rounds to f16 once. A NaN gives 0x7fff.
///
/// `odd` contains the bits of the value rounded to odd. `value` is the same value as rounded by the
/// processor, which is used for infinities and NaNs.
#[inline(always)]
fn round(value: f32, odd: u32, direction: Direction) -> u16 {
    let size = value.to_bits() & !SIGN;
    let up = direction.up & !(value.to_bits() >> 31);
    let down = direction.directed ^ up;

    // Infinity and finite values that are too large become 2^16, which is converted to infinity in f16.
    // In a mode that rounds them down, they become the next smaller number, which is truncated to the
    // largest value of f16. The comparisons are signed because more processors support these for
    // vectors.
    let finite = size.wrapping_sub(INFINITY) >> 31;
    let limit = (BEYOND - (down & finite)).cast_signed();
    let clamped = (odd & !SIGN).cast_signed().min(limit);

    // The last place of the result is u = 2^-10 times the value's power of two, but at least 2^-24.
    // The value is at most 2^11 u, so its sum with 2^23 u is below 2^24 u. In this range binary32
    // contains exactly the multiples of u, so the processor rounds the sum to the nearest, ties to
    // even.
    let power = clamped.max(MIN_NORMAL.cast_signed()).cast_unsigned() & INFINITY;
    let ruler = power + (13 << 23);
    let exact = f32::from_bits(clamped.cast_unsigned());
    let measured = exact + f32::from_bits(ruler);
    // The number of units u. If the processor rounded in the wrong direction, 1 is added or subtracted.
    // The difference is exact because both numbers are within a factor of 2.
    let nearest = measured - f32::from_bits(ruler);
    let raised = u32::from(nearest < exact) & up;
    let lowered = u32::from(nearest > exact) & down;
    let units = (measured.to_bits() - ruler + raised).wrapping_sub(lowered);

    // If there are at least 1,024 units, they include the hidden bit, which increments the exponent. A
    // carry also increments the exponent.
    let magnitude = ((power - MIN_NORMAL) >> 13).wrapping_add(units);
    let sign = (value.to_bits() >> 16 & 0x8000) ^ direction.flip;
    (if size > INFINITY { NAN.into() } else { magnitude | sign }) as u16
}
