//! Minimum and maximum.

use super::format::{Half, NAN, SIGN, is_nan};

/// Which of two values is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extremum {
    /// The smaller of the two.
    Minimum,
    /// The larger of the two.
    Maximum,
}

/// The smaller or the larger of `a` and `b`, as HMNMX2 chooses it.
///
/// -0 is below +0, in either operand order. With `propagate_nan` (`.NAN`) any
/// NaN operand gives 0x7fff; without it one NaN gives the other operand, and
/// two give 0x7fff. Any other result is one operand, bit for bit. Never panics.
///
/// ```
/// use isa_core::half2::{Extremum, f16, min_max};
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

/// An integer that orders as the value does, with -0 just below +0.
///
/// Negative patterns grow downwards: flipping all but their sign turns them
/// round.
#[inline(always)]
fn order_key<H: Half>(x: H) -> i16 {
    let bits = x.to_bits();
    let turned = if bits >= SIGN { bits ^ !SIGN } else { bits };
    turned.cast_signed()
}
