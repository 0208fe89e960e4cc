//! Implements minimum and maximum.

use crate::format::{NAN, SIGN};
use crate::half_float::{Half, is_nan};

/// Selects the minimum or the maximum of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extremum {
    /// The smaller value.
    Minimum,
    /// The larger value.
    Maximum,
}

/// Returns the minimum or the maximum of `a` and `b`, as HMNMX2 defines it.
///
/// -0 is smaller than +0, in either operand order. With `propagate_nan` (`.NAN`), a NaN operand
/// gives 0x7fff. Otherwise, if one operand is a NaN, the result is the other operand, and if both
/// are NaNs, the result is 0x7fff. Every other result is one of the operands, bit for bit. Never
/// panics.
///
/// ```
/// use isa_half::{Extremum, f16, min_max};
///
/// let (zero, minus_zero) = (f16::from_bits(0x0000), f16::from_bits(0x8000));
/// let nan = f16::from_bits(0xfe00);
/// let least = min_max(Extremum::Minimum, false, zero, minus_zero);
/// assert_eq!(least.to_bits(), 0x8000);
/// assert_eq!(min_max(Extremum::Maximum, false, nan, zero).to_bits(), 0x0000);
/// assert_eq!(min_max(Extremum::Maximum, true, nan, zero).to_bits(), 0x7fff);
/// ```
#[inline(always)]
#[must_use]
pub fn min_max<H: Half>(which: Extremum, propagate_nan: bool, a: H, b: H) -> H {
    let (nan_a, nan_b) = (is_nan(a), is_nan(b));
    let a_below = order_key(a) < order_key(b);
    let takes_a = nan_b | (!nan_a & (a_below == matches!(which, Extremum::Minimum)));
    let chosen = if takes_a { a } else { b };
    let nan = (nan_a & nan_b) | ((nan_a | nan_b) & propagate_nan);
    H::from_bits(if nan { NAN } else { chosen.to_bits() })
}

/// Converts a value to an integer, so that the integers have the same order as the values. -0 is
/// directly below +0.
///
/// The bit patterns of negative values have the reverse order; flipping all bits except the sign
/// corrects it.
#[inline(always)]
fn order_key<H: Half>(x: H) -> i16 {
    let bits = x.to_bits();
    let turned = if bits >= SIGN { bits ^ !SIGN } else { bits };
    turned.cast_signed()
}
