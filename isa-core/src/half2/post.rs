//! What the modifiers make of an operand or a result.

use super::format::{Half, NAN, SIGN, is_nan, magnitude};

/// A subnormal becomes the zero of its sign; all else stays (`.FTZ`).
///
/// It applies to operands before the operation, and to a result after rounding:
/// a result is subnormal if it is so as a 16-bit value. Never panics.
///
/// ```
/// use isa_core::half2::{f16, flush};
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
/// A NaN gives +0, and so do -0 and all below it. Never panics.
///
/// ```
/// use isa_core::half2::{bf16, saturate};
///
/// assert_eq!(saturate(bf16::from_bits(0x7f80)).to_bits(), 0x3f80);
/// assert_eq!(saturate(bf16::from_bits(0x8000)).to_bits(), 0x0000);
/// assert_eq!(saturate(bf16::from_bits(0x7fff)).to_bits(), 0x0000);
/// ```
#[inline(always)]
#[must_use]
pub fn saturate<H: Half>(x: H) -> H {
    let negative = x.to_bits() >= SIGN;
    // Positive patterns order as their values do.
    let clamped = x.to_bits().min(H::FORMAT.one());
    H::from_bits(if negative | is_nan(x) { 0 } else { clamped })
}

/// Values below +0 become +0 (`.RELU`); -0, which equals it, stays, and so
/// does a NaN, of either sign. Never panics.
///
/// ```
/// use isa_core::half2::{f16, relu};
///
/// assert_eq!(relu(f16::from_bits(0xbc00)).to_bits(), 0x0000);
/// assert_eq!(relu(f16::from_bits(0x8000)).to_bits(), 0x8000);
/// assert_eq!(relu(f16::from_bits(0xfe00)).to_bits(), 0xfe00);
/// ```
#[inline(always)]
#[must_use]
pub fn relu<H: Half>(x: H) -> H {
    // The values below zero are one run of patterns, from the smallest
    // negative subnormal to negative infinity.
    let below = (x.to_bits() > SIGN) & !is_nan(x);
    H::from_bits(if below { 0 } else { x.to_bits() })
}

/// Any NaN becomes 0x7fff, in both formats and without its sign; all else
/// stays. Never panics.
///
/// The arithmetic functions here apply it to their results already.
///
/// ```
/// use isa_core::half2::{canonical_nan, f16};
///
/// assert_eq!(canonical_nan(f16::from_bits(0xfc01)).to_bits(), 0x7fff);
/// assert_eq!(canonical_nan(f16::from_bits(0xfc00)).to_bits(), 0xfc00);
/// ```
#[inline(always)]
#[must_use]
pub fn canonical_nan<H: Half>(x: H) -> H {
    H::from_bits(if is_nan(x) { NAN } else { x.to_bits() })
}
