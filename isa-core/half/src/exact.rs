//! Converts values exactly to binary64, and explains why sums are rounded to odd.
//!
//! Every value of both formats is a binary64 value, and none is a subnormal of binary64.
//!
//! A sum may not fit the wider format in which it is computed, [`binary32`](crate::binary32) or
//! [`binary64`](crate::binary64). It is then rounded *to odd*: a sum that fits is unchanged, and any
//! other sum is replaced by the neighbouring value whose last bit is 1. If p + 2 <= q, rounding this
//! value of q bits to p bits, in any mode, gives the same result as rounding the exact sum to p bits
//! (S. Boldo and G. Melquiond, "Emulation of FMA and Correctly Rounded Sums: Proved Algorithms Using
//! Rounding to Odd", IEEE Trans. Computers 57(4), 2008). The reason is that values of p bits and the
//! midpoints between them have at most p + 1 bits, so their last bit is 0 if they are written with q
//! bits. The last bit of the odd value is 1, so it is not one of these values or midpoints. The odd
//! value and the exact sum are between the same two of them, so every mode rounds both in the same way.
//! If the result is subnormal, p is smaller and the condition still holds.

use crate::half_float::{Half, magnitude};

/// Converts `x` to binary64 exactly. A NaN remains a NaN.
///
/// No step uses a binary64 subnormal, which many processors handle slowly. There is no branch,
/// because it would be mispredicted.
#[inline]
pub(crate) fn to_binary64<H: Half>(x: H) -> f64 {
    let format = H::FORMAT;
    let rebias = i64::from(1023 - format.bias) << 52;
    let bits = i64::from(magnitude(x));
    // All ones if the condition is true, or else zero.
    let tiny = (bits - i64::from(format.min_normal())) >> 63;
    let special = (i64::from(format.largest()) - bits) >> 63;
    // An exponent field of all ones, 2 * bias + 1, must become 2047, so 2 * (1023 - bias) is added.
    // Zero and subnormals are first converted as if their hidden bit were 1, with the exponent of the
    // smallest normal value. The excess is then subtracted.
    let exponent = rebias + (special & rebias) + (tiny & (1 << 52));
    let read = (bits << (52 - format.fraction_bits)) + exponent;
    let hidden = tiny & (rebias + (1 << 52));
    let value = f64::from_bits(read.cast_unsigned()) - f64::from_bits(hidden.cast_unsigned());
    value.copysign(f64::from_bits(u64::from(x.to_bits()) << 48))
}
