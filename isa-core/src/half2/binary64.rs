//! bf16 arithmetic through binary64 and binary32, without a choice in it, so that a loop over
//! lanes becomes vector code.
//!
//! Why that is enough for bf16 (8 bits of precision, multiples of 2^-133 below 2^128):
//!
//! - Every value is a binary32 value, with zeros behind it, and so a binary64 value.
//! - A product of two values has at most 16 bits and lies between 2^-266 and 2^256 or is zero, so
//!   one binary64 multiplication computes it exactly.
//! - A sum of two values, or of a product and a value, spans up to 523 bits and need not fit.
//!   TwoSum gives it as the rounded sum and the exact error. Nothing overflows, and all steps are
//!   multiples of 2^-266, so nothing underflows.
//! - Sum and error are rounded to binary32 *to odd*: see [`exact`](super::exact). That asks for
//!   8 + 2 bits, and binary32 has 24; below 2^-126 both have the fewer bits down to a fixed last
//!   place, 2^-133 and 2^-149, which is still 16 bits between them. What overflows binary32 is
//!   rounded to its largest value, the odd one, and from there as any other: to 2^128, infinity,
//!   or to the largest bf16.
//! - The exponents of bf16 and binary32 are the same, so the one rounding to bf16 adds to the bits
//!   and drops the lower half.
//!
//! Operands and results below 2^-126 are subnormal in binary32, where the conversions are slow on
//! some processors.

use super::format::NAN;
use super::round::Rounding;

/// In the upper half of a binary64, the bit that every NaN has that an operation returns.
const QUIET: u32 = 1 << 19;

/// Rounding as numbers, which a loop computes once.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    /// The sign bit where everything is negated, before and after: towards negative is towards
    /// positive of the negated, and so is the sign of an exact zero sum.
    flip: u32,
    /// What is added to a positive value before its lower half is dropped.
    increment: u32,
    /// What a negative value has changed in it.
    of_negative: u32,
    /// 1 if the last place kept is added too, which makes ties even.
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
pub(super) fn add(a: u16, b: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let (sum, error) = two_sum(decode(a, direction.flip), decode(b, direction.flip));
    round(sum, error, direction)
}

#[inline(always)]
pub(super) fn mul(a: u16, b: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    round(decode(a, direction.flip) * decode(b, 0), 0.0, direction)
}

#[inline(always)]
pub(super) fn fma(a: u16, b: u16, c: u16, rounding: Rounding) -> u16 {
    let direction = Direction::from(rounding);
    let product = decode(a, direction.flip) * decode(b, 0);
    let (sum, error) = two_sum(product, decode(c, direction.flip));
    round(sum, error, direction)
}

/// The value of these 16 bits with `flip` on them, as a binary32 has it; a NaN stays a NaN.
#[inline(always)]
fn decode(bits: u16, flip: u32) -> f64 {
    f32::from_bits(u32::from(bits) << 16 ^ flip).into()
}

/// TwoSum (Knuth): the rounded sum, and what it lacks, whichever operand is larger.
#[inline(always)]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let of_y = sum - x;
    (sum, (x - (sum - of_y)) + (y - of_y))
}

/// Rounds `sum + error` to bf16, once; a NaN gives 0x7fff.
#[inline(always)]
fn round(sum: f64, error: f64, direction: Direction) -> u16 {
    let near = sum as f32;
    // What `near` lacks, up to a rounding that keeps its sign: the difference of the two is exact,
    // and if it is not zero it is larger than `error`. The upper half says the sign, and whether
    // it is zero: it is no subnormal. Infinities and NaNs give a NaN here, and stay as they are;
    // where `near` alone is infinite this is infinite, and `near` becomes the value below.
    let lacks = ((sum - f64::from(near)) + error).to_bits();
    let lacks = (lacks >> 32) as u32;
    // With the quiet bit of a NaN added a NaN becomes negative, and zero is that bit.
    let size = (lacks & !(1 << 31)).wrapping_add(QUIET).cast_signed();
    let inexact = u32::from(size > QUIET.cast_signed());
    // To odd: cut off, then the last bit set if anything was lost.
    let opposed = (near.to_bits() ^ lacks) >> 31;
    let odd = near.to_bits().wrapping_sub(inexact & opposed) | inexact;

    let negative = (odd.cast_signed() >> 31).cast_unsigned();
    let increment = direction.increment ^ (negative & direction.of_negative);
    let ties = odd >> 16 & direction.ties;
    // A carry out of the fraction raises the exponent, as it should; infinity has none.
    let rounded = (odd.wrapping_add(increment + ties) ^ direction.flip) >> 16;
    (if near.is_nan() { NAN.into() } else { rounded }) as u16
}
