//! f16 arithmetic through binary32, without a choice in it, so that a loop over lanes becomes
//! vector code.
//!
//! Why binary32 is enough for f16 (11 bits of precision, multiples of 2^-24 below 2^16):
//!
//! - Every value is a binary32 value, and none is subnormal there.
//! - A product of two values has at most 22 bits and lies between 2^-48 and 2^32 or is zero, so
//!   one multiplication computes it exactly.
//! - A sum of two values, or of a product and a value, need not fit. It is rounded to 24 bits *to
//!   odd*: see [`exact`](super::exact). That asks for 11 + 2 bits.
//!
//! All operands and results here are multiples of 2^-48 below 2^33. So is each step of TwoSum,
//! which therefore neither overflows nor underflows, nor meets a subnormal.

use super::format::NAN;
use super::round::Rounding;

const SIGN: u32 = 1 << 31;

const INFINITY: u32 = 0xff << 23;

/// 2^16, to which everything rounds that is too large for f16 and rounds up.
const BEYOND: u32 = (127 + 16) << 23;

/// 2^-14, the smallest normal f16.
const MIN_NORMAL: u32 = (127 - 14) << 23;

/// Rounding as numbers, which a loop computes once.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    /// The sign bit where everything is negated, before and after: towards negative is towards
    /// positive of the negated, and so is the sign of an exact zero sum.
    flip: u32,
    /// 1 if not to nearest.
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
pub(super) fn add(a: u16, b: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let (x, y) = (decode(a, direction.flip), decode(b, direction.flip));
    let (sum, error) = two_sum(x, y);
    round(sum, to_odd(sum, error), direction)
}

#[inline(always)]
pub(super) fn mul(a: u16, b: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let product = decode(a, direction.flip) * decode(b, 0);
    round(product, product.to_bits(), direction)
}

#[inline(always)]
pub(super) fn fma(a: u16, b: u16, c: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let product = decode(a, direction.flip) * decode(b, 0);
    let (sum, error) = two_sum(product, decode(c, direction.flip));
    round(sum, to_odd(sum, error), direction)
}

/// The value of these 16 bits with `flip` on them; a NaN stays a NaN.
///
/// The exponent field is raised by 224, so that 31, infinity and NaN, becomes 255, and all else is
/// 2^112 times too large. A subnormal, `f * 2^-14`, then reads `(1 + f) * 2^97` where `f * 2^98` is
/// meant: what it is below 2^98 is taken away once more. All of it is exact.
#[inline(always)]
fn decode(bits: u16, flip: u32) -> f32 {
    let bits = u32::from(bits) ^ flip;
    let read = f32::from_bits((bits & 0x7fff) << 13 | 224 << 23);
    let above = read - f32::from_bits(225 << 23);
    // As the vector instruction for the minimum has it: a NaN gives zero.
    let below = if above < 0.0 { above } else { 0.0 };
    let size = (read + below) * f32::from_bits((127 - 112) << 23);
    f32::from_bits(size.to_bits() | (bits & 0x8000) << 16)
}

/// TwoSum (Knuth): the rounded sum, and what it lacks, whichever operand is larger.
#[inline(always)]
fn two_sum(x: f32, y: f32) -> (f32, f32) {
    let sum = x + y;
    let of_y = sum - x;
    (sum, (x - (sum - of_y)) + (y - of_y))
}

/// The bits of a finite `sum + error` rounded to odd: cut off, then the last bit set if anything
/// was lost. An error that is not zero comes with a sum that is not zero, so nothing borrows from
/// the sign. For infinities and NaNs, whose error is a NaN, the bits mean nothing.
#[inline(always)]
fn to_odd(sum: f32, error: f32) -> u32 {
    let inexact = u32::from(error.to_bits() << 1 != 0);
    let opposed = (sum.to_bits() ^ error.to_bits()) >> 31;
    sum.to_bits().wrapping_sub(inexact & opposed) | inexact
}

/// Rounds to f16, once; a NaN gives 0x7fff.
///
/// `odd` has the bits of the value, `value` is it up to rounding, and says what it is if it is not
/// finite.
#[inline(always)]
fn round(value: f32, odd: u32, direction: Direction) -> u16 {
    let size = value.to_bits() & !SIGN;
    let up = direction.up & !(value.to_bits() >> 31);
    let down = direction.directed ^ up;

    // Too large, and infinity: 2^16, which is infinity in f16; or what is next below, which is cut
    // to the largest value. Signed comparisons, which more processors have for vectors.
    let finite = size.wrapping_sub(INFINITY) >> 31;
    let limit = (BEYOND - (down & finite)).cast_signed();
    let clamped = (odd & !SIGN).cast_signed().min(limit);

    // The last place of the result is u = 2^-10 of the value's power of two, and no less than
    // 2^-24. The value is at most 2^11 u, so its sum with 2^23 u lies below 2^24 u, where binary32
    // has just the multiples of u: the processor rounds it to the nearest, ties to even.
    let power = clamped.max(MIN_NORMAL.cast_signed()).cast_unsigned() & INFINITY;
    let ruler = power + (13 << 23);
    let exact = f32::from_bits(clamped.cast_unsigned());
    let measured = exact + f32::from_bits(ruler);
    // How many u that is, and where it was rounded in the wrong direction, one more or less. The
    // difference is exact, because the two are within a factor of 2.
    let nearest = measured - f32::from_bits(ruler);
    let raised = u32::from(nearest < exact) & up;
    let lowered = u32::from(nearest > exact) & down;
    let units = (measured.to_bits() - ruler + raised).wrapping_sub(lowered);

    // From 1,024 units on the hidden bit is among them and raises the exponent, as does a carry.
    let magnitude = ((power - MIN_NORMAL) >> 13).wrapping_add(units);
    let sign = (value.to_bits() >> 16 & 0x8000) ^ direction.flip;
    (if size > INFINITY { NAN.into() } else { magnitude | sign }) as u16
}
