//! Defines the two 16-bit formats, and the bits that they share.

/// A 16-bit binary floating-point format.
///
/// Bit 15 is the sign, followed by `exponent_bits` of biased exponent and `fraction_bits` of
/// fraction. An exponent of all ones means infinity (if the fraction is zero) or NaN; an exponent
/// of zero means zero or a subnormal. All other properties of a format follow from these fields.
/// The two constants are the only formats.
///
/// ```
/// use isa_half::FloatFormat;
///
/// assert_eq!(FloatFormat::F16.infinity(), 0x7c00);
/// assert_eq!(FloatFormat::BF16.largest_value(), 3.3895313892515355e38);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FloatFormat {
    /// The name in Rust, in lower case: `f16` or `bf16`.
    pub name: &'static str,
    /// Width of the exponent field in bits.
    pub exponent_bits: u32,
    /// Width of the fraction field in bits, without the hidden bit.
    pub fraction_bits: u32,
    /// The number that is added to an exponent to get its field.
    pub bias: u32,
}

impl FloatFormat {
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

/// The sign bit of both formats.
pub(crate) const SIGN: u16 = 0x8000;

/// The only NaN that arithmetic returns, in both formats.
pub(crate) const NAN: u16 = 0x7fff;
