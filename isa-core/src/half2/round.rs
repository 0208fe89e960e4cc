//! The one rounding, from binary64 to 16 bits.

use super::exact::SIGN64;
use super::format::{Half, NAN};

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
    /// Whether an inexact value of this sign is rounded away from zero,
    /// whatever lies nearer.
    #[inline]
    fn is_away(self, negative: bool) -> bool {
        match self {
            Self::NearestEven | Self::TowardZero => false,
            Self::TowardNegative => negative,
            Self::TowardPositive => !negative,
        }
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
    let below = min_normal
        .saturating_sub(exponent)
        .min(u64::from(63 - normal));
    Cut {
        significand: (magnitude & ((1 << 52) - 1)) | hidden,
        dropped: normal + below as u32,
        exponent: exponent.max(min_normal) - min_normal,
    }
}

/// Rounds the binary64 with these bits to `H`, once; a NaN gives 0x7fff.
#[inline]
pub(super) fn round_binary64<H: Half>(bits: u64, rounding: Rounding) -> H {
    let format = H::FORMAT;
    let infinity = u64::from(format.infinity());
    let negative = bits >= SIGN64;
    let magnitude = bits & !SIGN64;
    let Cut {
        significand,
        dropped,
        exponent,
    } = cut::<H>(magnitude);

    // What is added before the low bits are dropped, below 2^63: the last
    // place less one bit rounds up all but exact values, half of that less one
    // bit (or, beside an odd last place, none) all from the tie on.
    let nearest = matches!(rounding, Rounding::NearestEven);
    let away = rounding.is_away(negative);
    let all = (1 << dropped) - 1;
    let last = (significand >> dropped) & 1;
    let ties = (all >> 1) + last;
    let increment = if nearest {
        ties
    } else if away {
        all
    } else {
        0
    };
    // A carry out of the fraction raises the exponent, as it should.
    let rounded = ((significand + increment) >> dropped) + (exponent << format.fraction_bits);

    let special = magnitude >= 0x7ff << 52;
    let beyond = infinity - u64::from(!(nearest | away | special));
    let finite_or_beyond = if rounded >= infinity { beyond } else { rounded };
    let pattern = finite_or_beyond as u16 | (u16::from(negative) << 15);
    let is_nan = magnitude > 0x7ff << 52;
    H::from_bits(if is_nan { NAN } else { pattern })
}

/// Whether the binary64 with these bits lies halfway between two neighbours in
/// `H`, the largest finite value and the first one beyond it included.
#[inline]
pub(super) fn is_midpoint<H: Half>(bits: u64) -> bool {
    let cut = cut::<H>(bits & !SIGN64);
    let low = cut.significand & ((1 << cut.dropped) - 1);
    low == 1 << (cut.dropped - 1)
}
