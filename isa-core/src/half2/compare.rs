//! Comparison.

use super::format::{Half, SIGN, is_nan, magnitude};

/// A relation to test for, of those that HSETP2 and HSET2 have.
///
/// Two values are in exactly one of four relations: less, equal, greater or,
/// if either is a NaN, unordered. Each variant holds the set of relations for
/// which it is true, as a mask: 1 less, 2 equal, 4 greater, 8 unordered. The
/// ordered forms leave out unordered, [`Compare::Ne`] included; the forms in
/// `u` have it.
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
    /// Less than or greater than: false on a NaN.
    Ne = LESS | GREATER,
    /// Greater than or equal.
    Ge = GREATER | EQUAL,
    /// Neither is a NaN.
    Num = LESS | EQUAL | GREATER,
    /// At least one is a NaN.
    Nan = UNORDERED,
    /// Less than, or a NaN is there.
    Ltu = LESS | UNORDERED,
    /// Equal, or a NaN is there.
    Equ = EQUAL | UNORDERED,
    /// Less than or equal, or a NaN is there.
    Leu = LESS | EQUAL | UNORDERED,
    /// Greater than, or a NaN is there.
    Gtu = GREATER | UNORDERED,
    /// Not equal, or a NaN is there.
    Neu = LESS | GREATER | UNORDERED,
    /// Greater than or equal, or a NaN is there.
    Geu = GREATER | EQUAL | UNORDERED,
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const UNORDERED: u8 = 8;

/// Whether `a` and `b` are in a relation that `op` names.
///
/// -0 equals +0. Subnormals are compared as they are; `.FTZ` is
/// [`flush`](super::flush) on both operands before. Never panics.
///
/// ```
/// use isa_core::half2::{Compare, compare, f16};
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

/// An integer that orders as the value does, both zeros being 0.
#[inline(always)]
fn value_key<H: Half>(x: H) -> i16 {
    let size = magnitude(x).cast_signed();
    if x.to_bits() >= SIGN { -size } else { size }
}
