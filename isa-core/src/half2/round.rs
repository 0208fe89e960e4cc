//! Defines the rounding modes, and rounds binary64 numbers to 16 bits.

use super::format::Half;

/// The rounding mode for a result that is not a value of the format.
///
/// The modes are the rounding directions of IEEE 754 that the instruction set supports. The
/// modifier of each is in parentheses.
///
/// ```
/// use isa_core::half2::{Rounding, f16, mul};
///
/// let tiny = f16::from_bits(0x0001);
/// let up = mul(tiny, tiny, Rounding::TowardPositive);
/// assert_eq!(up.to_bits(), 0x0001);
/// assert_eq!(mul(tiny, tiny, Rounding::default()).to_bits(), 0x0000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rounding {
    /// To the nearest value, ties to the value with an even last bit (`.RN`). Overflow gives
    /// infinity.
    #[default]
    NearestEven,
    /// To the nearest value that is not above (`.RM`). Overflow gives the largest finite value, or
    /// negative infinity.
    TowardNegative,
    /// To the nearest value that is not below (`.RP`). Overflow gives positive infinity, or the
    /// most negative finite value.
    TowardPositive,
    /// To the nearest value that is not larger in magnitude (`.RZ`). Overflow gives the largest
    /// finite value of its sign.
    TowardZero,
}

impl Rounding {
    /// Returns whether the mode is in a set of modes. Bit n of the set is the n-th mode. The function
    /// uses a shift instead of a branch, so that the compiler can move it out of a loop over lanes.
    #[inline(always)]
    pub(super) fn is(self, modes: u8) -> bool {
        modes >> self as u8 & 1 == 1
    }
}

/// The parts of a binary64 magnitude that are needed to round it to 16 bits.
struct Cut {
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
fn cut<H: Half>(magnitude: u64) -> Cut {
    let format = H::FORMAT;
    let min_normal = 1024 - u64::from(format.bias);
    let exponent = magnitude >> 52;
    let hidden = u64::from(exponent != 0) << 52;
    // Below the smallest normal value, the last place of the result is fixed, so each smaller
    // exponent drops one more bit. If 63 bits are dropped, the significand, which is below 2^53, is
    // less than half of the last place, and dropping more bits would not change the result.
    let normal = 52 - format.fraction_bits;
    let below = min_normal.saturating_sub(exponent).min(u64::from(63 - normal));
    Cut {
        significand: (magnitude & ((1 << 52) - 1)) | hidden,
        dropped: normal + below as u32,
        exponent: exponent.max(min_normal) - min_normal,
    }
}

/// Rounds the binary64 that is encoded as `bits` to the nearest value of `H`, ties to even. The
/// result is infinity if the binary64 is too large. The binary64 must not be a NaN or negative.
#[inline]
pub(super) fn round_binary64<H: Half>(bits: u64) -> H {
    let format = H::FORMAT;
    let Cut { significand, dropped, exponent } = cut::<H>(bits);
    // The increment carries if the dropped bits are above a tie, or equal to a tie and the last
    // place is odd.
    let increment = (1 << (dropped - 1)) - 1 + (significand >> dropped & 1);
    // A carry out of the fraction correctly increments the exponent.
    let rounded = ((significand + increment) >> dropped) + (exponent << format.fraction_bits);
    H::from_bits(rounded.min(format.infinity().into()) as u16)
}
