//! Rounds binary64 numbers to the nearest value of a 16-bit format.

use crate::half_float::Half;

/// The parts of a binary64 magnitude that are needed to round it to 16 bits.
struct SplitMagnitude {
    /// The significand including the hidden bit: below 2^53.
    significand: u64,
    /// The number of its low bits that are rounded away: 42 to 63.
    dropped: u32,
    /// The exponent field of the result before the significand is added. The hidden bit of a normal
    /// result increments it by 1.
    exponent: u64,
}

/// Splits the magnitude of a binary64, given as its bits without the sign.
///
/// The exponent of infinities and NaNs is treated as the largest finite exponent plus 1.
#[inline]
fn split<H: Half>(magnitude: u64) -> SplitMagnitude {
    let format = H::FORMAT;
    let min_normal = 1024 - u64::from(format.bias);
    let exponent = magnitude >> 52;
    let hidden = u64::from(exponent != 0) << 52;
    // Below the smallest normal value, the last place of the result is fixed, so each smaller
    // exponent drops one more bit. If 63 bits are dropped, the significand, which is below 2^53, is
    // less than half of the last place, and dropping more bits would not change the result.
    let normal = 52 - format.fraction_bits;
    let below = min_normal.saturating_sub(exponent).min(u64::from(63 - normal));
    SplitMagnitude {
        significand: (magnitude & ((1 << 52) - 1)) | hidden,
        dropped: normal + below as u32,
        exponent: exponent.max(min_normal) - min_normal,
    }
}

/// Rounds the binary64 that is encoded as `bits` to the nearest value of `H`, ties to even. The
/// result is infinity if the binary64 is too large. The binary64 must not be a NaN or negative.
#[inline]
pub(crate) fn round_binary64<H: Half>(bits: u64) -> H {
    let format = H::FORMAT;
    let SplitMagnitude { significand, dropped, exponent } = split::<H>(bits);
    // The increment carries if the dropped bits are above a tie, or equal to a tie and the last
    // place is odd.
    let increment = (1 << (dropped - 1)) - 1 + (significand >> dropped & 1);
    // A carry out of the fraction correctly increments the exponent.
    let rounded = ((significand + increment) >> dropped) + (exponent << format.fraction_bits);
    H::from_bits(rounded.min(format.infinity().into()) as u16)
}
