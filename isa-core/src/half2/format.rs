//! Defines the two 16-bit formats, and the trait that generic code uses.

use core::fmt;

use half::{bf16, f16};

/// A 16-bit binary floating-point format.
///
/// Bit 15 is the sign, followed by `exponent_bits` of biased exponent and `fraction_bits` of
/// fraction. An exponent of all ones means infinity (if the fraction is zero) or NaN; an exponent
/// of zero means zero or a subnormal. All other properties of a format follow from these fields.
/// The two constants are the only formats.
///
/// ```
/// use isa_core::half2::Format;
///
/// assert_eq!(Format::F16.infinity(), 0x7c00);
/// assert_eq!(Format::BF16.largest_value(), 3.3895313892515355e38);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Format {
    /// The name in Rust, in lower case: `f16` or `bf16`.
    pub name: &'static str,
    /// Width of the exponent field in bits.
    pub exponent_bits: u32,
    /// Width of the fraction field in bits, without the hidden bit.
    pub fraction_bits: u32,
    /// The number that is added to an exponent to get its field.
    pub bias: u32,
}

impl Format {
    /// IEEE 754 binary16, `.F16_V2` in the instruction set.
    pub const F16: Self = Self::new("f16", 5, 10);

    /// bfloat16, the upper half of a binary32; `.BF16_V2` in the instruction set.
    pub const BF16: Self = Self::new("bf16", 8, 7);

    const fn new(name: &'static str, exponent_bits: u32, fraction_bits: u32) -> Self {
        let bias = (1 << (exponent_bits - 1)) - 1;
        Self { name, exponent_bits, fraction_bits, bias }
    }

    /// Returns the bits of positive infinity.
    #[inline(always)]
    #[must_use]
    pub const fn infinity(self) -> u16 {
        0x7fff & !((1 << self.fraction_bits) - 1)
    }

    /// Returns the bits of the largest finite value.
    #[inline(always)]
    #[must_use]
    pub const fn largest(self) -> u16 {
        self.infinity() - 1
    }

    /// Returns the bits of the smallest positive normal value.
    #[inline(always)]
    #[must_use]
    pub const fn min_normal(self) -> u16 {
        1 << self.fraction_bits
    }

    /// Returns the bits of 1.
    #[inline(always)]
    #[must_use]
    pub const fn one(self) -> u16 {
        (self.bias << self.fraction_bits) as u16
    }

    /// Returns the largest finite value as f64: `(2 - 2^-fraction_bits) * 2^bias`.
    #[must_use]
    pub const fn largest_value(self) -> f64 {
        let exponent = (1023 + self.bias as u64) << 52;
        let fraction = ((1 << self.fraction_bits) - 1) << (52 - self.fraction_bits);
        f64::from_bits(exponent | fraction)
    }
}

pub(super) mod sealed {
    use crate::half2::round::Rounding;
    use crate::half2::{binary32, binary64};
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    use {
        crate::half2::lanes::x86::{Kernels, avx2, avx512},
        fearless_simd::{Avx2, Avx512},
    };

    /// The arithmetic of a format on bit patterns. Because this trait is not public,
    /// [`Half`](super::Half) can only be implemented for the formats that the proofs cover.
    pub trait Arithmetic {
        /// Returns `a + b`.
        fn add(a: u16, b: u16, rounding: Rounding) -> u16;
        /// Returns `a * b`.
        fn mul(a: u16, b: u16, rounding: Rounding) -> u16;
        /// Returns `a * b + c`.
        fn fma(a: u16, b: u16, c: u16, rounding: Rounding) -> u16;
        /// The kernels for AVX2 and for AVX-512.
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        const AVX2: Kernels<Avx2>;
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        const AVX512: Kernels<Avx512>;
    }

    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    macro_rules! kernels {
        ($level:ident, $format:ident) => {
            Kernels {
                add: $level::$format::add,
                mul: $level::$format::mul,
                fma: $level::$format::fma,
                add_packed: $level::$format::add_packed,
                mul_packed: $level::$format::mul_packed,
                fma_packed: $level::$format::fma_packed,
            }
        };
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
                #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                const AVX2: Kernels<Avx2> = kernels!(avx2, $format);
                #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                const AVX512: Kernels<Avx512> = kernels!(avx512, $format);
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
/// use isa_core::half2::{Half, bf16, f16};
///
/// fn one<H: Half>() -> u16 {
///     H::from_bits(H::FORMAT.one()).to_bits()
/// }
/// assert_eq!(one::<f16>(), 0x3c00);
/// assert_eq!(one::<bf16>(), 0x3f80);
/// ```
pub trait Half: sealed::Arithmetic + Copy + fmt::Debug + Send + Sync + 'static {
    /// The format of this type.
    const FORMAT: Format;

    /// Returns the value that is encoded as `bits`. Every bit pattern is a value.
    #[must_use]
    fn from_bits(bits: u16) -> Self;

    /// Returns the 16 bits of the value unchanged, including a NaN payload.
    #[must_use]
    fn to_bits(self) -> u16;
}

impl Half for f16 {
    const FORMAT: Format = Format::F16;

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
    const FORMAT: Format = Format::BF16;

    #[inline(always)]
    fn from_bits(bits: u16) -> Self {
        Self::from_bits(bits)
    }

    #[inline(always)]
    fn to_bits(self) -> u16 {
        self.to_bits()
    }
}

/// The sign bit of both formats.
pub(super) const SIGN: u16 = 0x8000;

/// The only NaN that arithmetic returns, in both formats.
pub(super) const NAN: u16 = 0x7fff;

/// Returns the bits without the sign. As integers, these have the same order as the magnitudes; NaNs
/// are the largest.
#[inline(always)]
pub(super) fn magnitude<H: Half>(x: H) -> u16 {
    x.to_bits() & !SIGN
}

/// Returns whether `x` is a NaN of any payload.
#[inline(always)]
pub(super) fn is_nan<H: Half>(x: H) -> bool {
    magnitude(x) > H::FORMAT.infinity()
}
