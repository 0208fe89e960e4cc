//! Rounding modes, and the rounding of a number that was read.

use super::format::Half;

/// How a result that is not a value of the format is rounded.
///
/// These are the rounding-direction attributes of IEEE 754 that the
/// instruction set has, with the modifier that names each.
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
    /// To the nearest value, ties to the one with an even last bit (`.RN`).
    /// Overflow gives infinity.
    #[default]
    NearestEven,
    /// To the nearest value that is not above (`.RM`). Overflow gives the
    /// largest finite value, or negative infinity.
    TowardNegative,
    /// To the nearest value that is not below (`.RP`). Overflow gives positive
    /// infinity, or the most negative finite value.
    TowardPositive,
    /// To the nearest value that is not larger in magnitude (`.RZ`). Overflow
    /// gives the largest finite value of its sign.
    TowardZero,
}

impl Rounding {
    /// Whether this is one of a set of modes, whose bits stand in their order: a shift, so that a
    /// loop over lanes has no choice in it and computes this once.
    #[inline(always)]
    pub(super) fn is(self, modes: u8) -> bool {
        modes >> self as u8 & 1 == 1
    }
}

/// Where a binary64 magnitude is cut to make a 16-bit one.
struct Cut {
    /// The significand, hidden bit included: below 2^53.
    significand: u64,
    /// How many of its low bits are rounded away, 42 to 63.
    dropped: u32,
    /// What the exponent adds to the result, in units of its exponent field.
    /// The hidden bit of a normal result adds one more.
    exponent: u64,
}

/// Cuts the magnitude of a binary64, given as its bits without the sign.
///
/// The exponents of infinities and NaNs count as one above the largest.
#[inline]
fn cut<H: Half>(magnitude: u64) -> Cut {
    let format = H::FORMAT;
    let min_normal = 1024 - u64::from(format.bias);
    let exponent = magnitude >> 52;
    let hidden = u64::from(exponent != 0) << 52;
    // Below the smallest normal the last place of the result stays where it
    // is, so one more bit goes for each step down. From 63 dropped bits on the
    // significand, below 2^53, is less than half of that last place, and more
    // steps change nothing.
    let normal = 52 - format.fraction_bits;
    let below = min_normal.saturating_sub(exponent).min(u64::from(63 - normal));
    Cut {
        significand: (magnitude & ((1 << 52) - 1)) | hidden,
        dropped: normal + below as u32,
        exponent: exponent.max(min_normal) - min_normal,
    }
}

/// The value of `H` nearest to the binary64 with these bits, which is no NaN and not negative, ties
/// to even; infinity past the largest.
#[inline]
pub(super) fn round_binary64<H: Half>(bits: u64) -> H {
    let format = H::FORMAT;
    let Cut { significand, dropped, exponent } = cut::<H>(bits);
    // What is added before the low bits are dropped carries from the tie on where the last place
    // is odd, behind it where it is even.
    let increment = (1 << (dropped - 1)) - 1 + (significand >> dropped & 1);
    // A carry out of the fraction raises the exponent, as it should.
    let rounded = ((significand + increment) >> dropped) + (exponent << format.fraction_bits);
    H::from_bits(rounded.min(format.infinity().into()) as u16)
}
