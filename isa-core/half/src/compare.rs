//! Implements comparison.

use crate::format::SIGN;
use crate::half_float::{Half, is_nan, magnitude};

/// A comparison of HSETP2 and HSET2.
///
/// Two values are in exactly one of four relations: less, equal, greater or, if at least one is a NaN,
/// unordered. Each variant is the mask of the relations for which it is true: 1 less, 2 equal, 4
/// greater, 8 unordered. The variants whose names end in `u`, and [`Compare::Nan`], include unordered.
/// The others do not, not even [`Compare::Ne`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Compare {
    /// Less than.
    Lt = LESS,
    /// Equal.
    Eq = EQUAL,
    /// Less than or equal.
    Le = LESS | EQUAL,
    /// Greater than.
    Gt = GREATER,
    /// Less than or greater than: false if an operand is a NaN.
    Ne = LESS | GREATER,
    /// Greater than or equal.
    Ge = GREATER | EQUAL,
    /// No operand is a NaN.
    Num = LESS | EQUAL | GREATER,
    /// At least one operand is a NaN.
    Nan = UNORDERED,
    /// Less than, or an operand is a NaN.
    Ltu = LESS | UNORDERED,
    /// Equal, or an operand is a NaN.
    Equ = EQUAL | UNORDERED,
    /// Less than or equal, or an operand is a NaN.
    Leu = LESS | EQUAL | UNORDERED,
    /// Greater than, or an operand is a NaN.
    Gtu = GREATER | UNORDERED,
    /// Not equal, or an operand is a NaN.
    Neu = LESS | GREATER | UNORDERED,
    /// Greater than or equal, or an operand is a NaN.
    Geu = GREATER | EQUAL | UNORDERED,
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

/// Returns whether `a` and `b` are in one of the relations of `op`.
///
/// -0 equals +0. Subnormals are compared as they are; for `.FTZ`, apply [`flush`](crate::flush) to
/// both operands first. Never panics.
///
/// ```
/// use isa_half::{Compare, compare, f16};
///
/// let (zero, minus_zero) = (f16::from_bits(0x0000), f16::from_bits(0x8000));
/// let nan = f16::from_bits(0x7fff);
/// assert!(compare(Compare::Eq, zero, minus_zero));
/// assert!(!compare(Compare::Ne, zero, nan));
/// assert!(compare(Compare::Neu, zero, nan));
/// ```
#[inline(always)]
#[must_use]
pub fn compare<H: Half>(op: Compare, a: H, b: H) -> bool {
    let (key_a, key_b) = (value_key(a), value_key(b));
    let less = u8::from(key_a < key_b) * LESS;
    let equal = u8::from(key_a == key_b) * EQUAL;
    let greater = u8::from(key_a > key_b) * GREATER;
    let unordered = is_nan(a) | is_nan(b);
    let relation = if unordered { UNORDERED } else { less | equal | greater };
    op as u8 & relation != 0
}

/// Converts a value to an integer, so that the integers have the same order as the values. Both zeros
/// become 0.
#[inline(always)]
fn value_key<H: Half>(x: H) -> i16 {
    let size = magnitude(x).cast_signed();
    if x.to_bits() >= SIGN { -size } else { size }
}
