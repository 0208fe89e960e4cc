//! Defines the trait for code that is generic over the two formats, with their arithmetic.

use core::fmt;

use half::{bf16, f16};

use crate::format::{FloatFormat, SIGN};

mod sealed {
    use crate::rounding::Rounding;
    use crate::{binary32, binary64};

    /// The arithmetic of a format on bit patterns. Because this trait is not public,
    /// [`Half`](super::Half) can only be implemented for the formats that the proofs cover.
    pub trait Arithmetic {
        /// Returns `a + b`.
        fn add(a: u16, b: u16, rounding: Rounding) -> u16;
        /// Returns `a * b`.
        fn mul(a: u16, b: u16, rounding: Rounding) -> u16;
        /// Returns `a * b + c`.
        fn fma(a: u16, b: u16, c: u16, rounding: Rounding) -> u16;
    }

    macro_rules! arithmetic {
        ($format:ident, $carrier:ident) => {
            impl Arithmetic for half::$format {
                #[cfg_attr(not(target_family = "wasm"), inline(always))]
                #[cfg_attr(target_family = "wasm", inline(never))]
                fn add(a: u16, b: u16, rounding: Rounding) -> u16 {
                    $carrier::add(a, b, rounding)
                }
                #[cfg_attr(not(target_family = "wasm"), inline(always))]
                #[cfg_attr(target_family = "wasm", inline(never))]
                fn mul(a: u16, b: u16, rounding: Rounding) -> u16 {
                    $carrier::mul(a, b, rounding)
                }
                #[cfg_attr(not(target_family = "wasm"), inline(always))]
                #[cfg_attr(target_family = "wasm", inline(never))]
                fn fma(a: u16, b: u16, c: u16, rounding: Rounding) -> u16 {
                    $carrier::fma(a, b, c, rounding)
                }
            }
        };
    }
    arithmetic!(f16, binary32);
    arithmetic!(bf16, binary64);
}

/// A 16-bit float type: [`f16`](struct@f16) or [`bf16`].
///
/// The functions of this module are generic over it. It is sealed, because the proofs of the
/// algorithms cover only these two formats.
///
/// `from_bits` and `to_bits` do the same as the inherent methods of both types, so generic code looks
/// like code for one type.
///
/// ```
/// use isa_half::{Half, bf16, f16};
///
/// fn one<H: Half>() -> u16 {
///     H::from_bits(H::FORMAT.one()).to_bits()
/// }
/// assert_eq!(one::<f16>(), 0x3c00);
/// assert_eq!(one::<bf16>(), 0x3f80);
/// ```
pub trait Half: sealed::Arithmetic + Copy + fmt::Debug + Send + Sync + 'static {
    /// The format of this type.
    const FORMAT: FloatFormat;

    /// Returns the value that is encoded as `bits`. Every bit pattern is a value.
    #[must_use]
    fn from_bits(bits: u16) -> Self;

    /// Returns the 16 bits of the value unchanged, including a NaN payload.
    #[must_use]
    fn to_bits(self) -> u16;
}

impl Half for f16 {
    const FORMAT: FloatFormat = FloatFormat::F16;

    #[inline(always)]
    fn from_bits(bits: u16) -> Self {
        Self::from_bits(bits)
    }

    #[inline(always)]
    fn to_bits(self) -> u16 {
        self.to_bits()
    }
}

impl Half for bf16 {
    const FORMAT: FloatFormat = FloatFormat::BF16;

    #[inline(always)]
    fn from_bits(bits: u16) -> Self {
        Self::from_bits(bits)
    }

    #[inline(always)]
    fn to_bits(self) -> u16 {
        self.to_bits()
    }
}

/// Returns the bits without the sign. As integers, these have the same order as the magnitudes; NaNs
/// are the largest.
#[inline(always)]
pub(crate) fn magnitude<H: Half>(x: H) -> u16 {
    x.to_bits() & !SIGN
}

/// Returns whether `x` is a NaN of any payload.
#[inline(always)]
pub(crate) fn is_nan<H: Half>(x: H) -> bool {
    magnitude(x) > H::FORMAT.infinity()
}
