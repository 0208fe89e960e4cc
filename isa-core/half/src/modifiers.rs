//! Implements the modifiers that change an operand or a result.

use crate::format::{NAN, SIGN};
use crate::half_float::{Half, is_nan, magnitude};

/// Replaces a subnormal by a zero with the same sign, and returns all other values unchanged (`.FTZ`).
///
/// Use it for operands before the operation, and for a result after rounding. A result is subnormal
/// if the rounded 16-bit value is subnormal. Never panics.
///
/// ```
/// use isa_half::{f16, flush};
///
/// assert_eq!(flush(f16::from_bits(0x83ff)).to_bits(), 0x8000);
/// assert_eq!(flush(f16::from_bits(0x8400)).to_bits(), 0x8400);
/// ```
#[inline(always)]
#[must_use]
pub fn flush<H: Half>(x: H) -> H {
    let tiny = magnitude(x) < H::FORMAT.min_normal();
    H::from_bits(if tiny { x.to_bits() & SIGN } else { x.to_bits() })
}

/// Clamps to the range from +0 to 1 (`.SAT`).
///
/// A NaN, -0 and all negative values become +0. Never panics.
///
/// ```
/// use isa_half::{bf16, saturate};
///
/// assert_eq!(saturate(bf16::from_bits(0x7f80)).to_bits(), 0x3f80);
/// assert_eq!(saturate(bf16::from_bits(0x8000)).to_bits(), 0x0000);
/// assert_eq!(saturate(bf16::from_bits(0x7fff)).to_bits(), 0x0000);
/// ```
#[inline(always)]
#[must_use]
pub fn saturate<H: Half>(x: H) -> H {
    let negative = x.to_bits() >= SIGN;
    // The bit patterns of positive values have the same order as the values.
    let clamped = x.to_bits().min(H::FORMAT.one());
    H::from_bits(if negative | is_nan(x) { 0 } else { clamped })
}

/// Replaces values below zero by +0 (`.RELU`). -0 remains unchanged because it is equal to zero. A NaN
/// of either sign also remains unchanged. Never panics.
///
/// ```
/// use isa_half::{f16, relu};
///
/// assert_eq!(relu(f16::from_bits(0xbc00)).to_bits(), 0x0000);
/// assert_eq!(relu(f16::from_bits(0x8000)).to_bits(), 0x8000);
/// assert_eq!(relu(f16::from_bits(0xfe00)).to_bits(), 0xfe00);
/// ```
#[inline(always)]
#[must_use]
pub fn relu<H: Half>(x: H) -> H {
    // The values below zero are a contiguous range of bit patterns, from the smallest negative
    // subnormal to negative infinity.
    let below = (x.to_bits() > SIGN) & !is_nan(x);
    H::from_bits(if below { 0 } else { x.to_bits() })
}

/// Replaces every NaN by 0x7fff, in both formats and regardless of its sign. All other values
/// remain. Never panics.
///
/// The arithmetic functions of this crate already return canonical NaNs.
///
/// ```
/// use isa_half::{canonical_nan, f16};
///
/// assert_eq!(canonical_nan(f16::from_bits(0xfc01)).to_bits(), 0x7fff);
/// assert_eq!(canonical_nan(f16::from_bits(0xfc00)).to_bits(), 0xfc00);
/// ```
#[inline(always)]
#[must_use]
pub fn canonical_nan<H: Half>(x: H) -> H {
    H::from_bits(if is_nan(x) { NAN } else { x.to_bits() })
}
