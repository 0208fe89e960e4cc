//! Defines the rounding modes.

/// The rounding mode for a result that is not a value of the format.
///
/// The modes are the rounding directions of IEEE 754 that the instruction set supports. The
/// modifier of each is in parentheses.
///
/// ```
/// use isa_half::{Rounding, f16, mul};
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
    pub(crate) fn is(self, modes: u8) -> bool {
        modes >> self as u8 & 1 == 1
    }
}
