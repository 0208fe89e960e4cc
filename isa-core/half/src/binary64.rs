//! Implements bf16 arithmetic in binary64 and binary32. The code contains no branches, so the
//! compiler can vectorize a loop over lanes.
//!
//! These formats are sufficient for bf16 (8 bits of precision, multiples of 2^-133 below 2^128):
//!
//! - Every value is a binary32 value followed by zeros, and therefore a binary64 value.
//! - A product of two values has at most 16 bits. It is zero or between 2^-266 and 2^256, so one
//!   binary64 multiplication computes it exactly.
//! - A sum of two values, or of a product and a value, spans up to 523 bits and may not fit. TwoSum
//!   returns the rounded sum and the exact error. No step overflows, and all steps are multiples of
//!   2^-266, so no step underflows.
//! - Sum and error are rounded to binary32 *to odd*: see [`exact`](crate::exact). This requires 8 + 2
//!   bits, and binary32 has 24. Below 2^-126 both formats have fewer bits, because their last places
//!   are fixed at 2^-133 and 2^-149. These places still differ by 16 bits. A sum that overflows
//!   binary32 is rounded to the largest binary32 value, which is odd. Like any other value, it is then
//!   rounded to bf16, which gives infinity or the largest bf16 value.
//! - bf16 and binary32 have the same exponents, so the final rounding to bf16 adds a number to the bits
//!   of the binary32 value and drops their lower half.
//!
//! Operands and results below 2^-126 are subnormal in binary32, so converting them is slow on some
//! processors.

use crate::format::NAN;
use crate::rounding::Rounding;

/// The bit that is set in the upper half of every binary64 NaN that an operation returns.
const QUIET: u32 = 1 << 19;

/// A rounding mode as numbers, which are computed once for a loop.
#[derive(Clone, Copy)]
pub(crate) struct Direction {
    /// The sign bit if all values must be negated before and after the operation, or else 0. A value is
    /// rounded towards negative by rounding the negated value towards positive. The negation also gives
    /// a sum that is exactly zero the correct sign.
    flip: u32,
    /// The number that is added to a positive value before its lower half is dropped.
    increment: u32,
    /// The bits of `increment` that are inverted for a negative value.
    of_negative: u32,
    /// 1 if the last kept bit is also added, which rounds ties to even.
    ties: u32,
}

impl From<Rounding> for Direction {
    #[inline(always)]
    fn from(rounding: Rounding) -> Self {
        let (nearest, away) = (rounding.is(0b0001).into(), u32::from(rounding.is(0b0110)));
        let flip = u32::from(rounding.is(0b0010)) << 31;
        Direction {
            flip,
            increment: nearest * 0x7fff + away * 0xffff,
            of_negative: away * 0xffff,
            ties: nearest,
        }
    }
}

#[inline(always)]
pub(crate) fn add(a: u16, b: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let (sum, error) = two_sum(decode(a, direction.flip), decode(b, direction.flip));
    round(sum, error, direction)
}

#[inline(always)]
pub(crate) fn mul(a: u16, b: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    round(decode(a, direction.flip) * decode(b, 0), 0.0, direction)
}

#[inline(always)]
pub(crate) fn fma(a: u16, b: u16, c: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let product = decode(a, direction.flip) * decode(b, 0);
    let (sum, error) = two_sum(product, decode(c, direction.flip));
    round(sum, error, direction)
}

/// Converts 16 bits to binary64, after an exclusive or of their binary32 bits with `flip`. A NaN
/// remains a NaN.
#[inline(always)]
fn decode(bits: u16, flip: u32) -> f64 {
    f32::from_bits(u32::from(bits) << 16 ^ flip).into()
}

/// Returns the rounded sum and its exact error (TwoSum by Knuth). Either operand may be the larger
/// one.
#[inline(always)]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let of_y = sum - x;
    (sum, (x - (sum - of_y)) + (y - of_y))
}

/// Rounds `sum + error` to bf16 once. A NaN gives 0x7fff.
#[inline(always)]
fn round(sum: f64, error: f64, direction: Direction) -> u16 {
    let near = sum as f32;
    // The error of `near`, rounded without a change of its sign: the difference of `sum` and `near` is
    // exact, and if the difference is not zero, it is larger than `error`. The error is not subnormal,
    // so its upper half shows the sign and whether the error is zero. If `sum` is infinite or a NaN,
    // the error is a NaN, and `near` remains unchanged. If only `near` is infinite, the error is
    // infinite, and `near` becomes the next smaller value.
    let lacks = ((sum - f64::from(near)) + error).to_bits();
    let lacks = (lacks >> 32) as u32;
    // After the addition of the quiet bit, a NaN is negative, and a zero is equal to the quiet bit.
    let size = (lacks & !(1 << 31)).wrapping_add(QUIET).cast_signed();
    let inexact = u32::from(size > QUIET.cast_signed());
    // Rounds to odd: truncates, then sets the last bit if the sum is inexact.
    let opposed = (near.to_bits() ^ lacks) >> 31;
    let odd = near.to_bits().wrapping_sub(inexact & opposed) | inexact;

    let negative = (odd.cast_signed() >> 31).cast_unsigned();
    let increment = direction.increment ^ (negative & direction.of_negative);
    let ties = odd >> 16 & direction.ties;
    // A carry out of the fraction correctly increments the exponent. Infinity produces no carry.
    let rounded = (odd.wrapping_add(increment + ties) ^ direction.flip) >> 16;
    (if near.is_nan() { NAN.into() } else { rounded }) as u16
}
