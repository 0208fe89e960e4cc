//! Implements bf16 with AVX2, sixteen lanes at a time.
//!
//! Sums are computed in binary32, because a vector contains twice as many binary32 numbers as
//! binary64 numbers. binary32 has the exponents of bf16 and 16 more bits of precision, so every
//! bf16 value is a binary32 value.
//!
//! Products may exceed the range of binary32, because they are between 2^-266 and 2^256. The
//! significands are therefore multiplied as whole numbers in binary32, separately from the
//! exponents. No step uses a subnormal, because many processors handle subnormals slowly:
//!
//! - A value is `s * 2^(e - 134)`. `s` is its significand as an 8-bit whole number, and `e` is its
//!   exponent field, or 1 for a subnormal. A product is therefore `s * 2^(e - 268)`. Here `s` is the
//!   product of both significands, which has at most 16 bits, and `e` is the sum of both fields. This
//!   is exact.
//! - [`place`] multiplies by the power of two again. Below 2^-126, the smallest normal value, it drops
//!   the last places of binary32, and sets the last remaining bit if the dropped bits are not zero.
//!   This rounds to odd: see [`exact`](crate::exact). After the bits of bf16, 16 more bits
//!   remain.
//! - The final rounding to bf16 is the same as in [`binary64`](crate::binary64).
//! - If a factor is infinite or a NaN, it replaces its significand in the multiplication, so zero times
//!   infinity gives a NaN.
//!
//! Fused sums use binary64, as in [`binary64`](crate::binary64). In binary32, both parts
//! would have to be scaled by powers of two that differ from lane to lane, which takes longer.

use core::arch::x86_64::*;

use super::{NEAREST, ZERO, flip, one_nan, sum_to_odd, to_odd};

/// Larger magnitudes are NaNs.
const INFINITY: i16 = 0x7f80;

/// Sixteen lanes of 32 bits. The first element contains the first four lanes of each half of the
/// registers, the second element the last four.
type WideLanes<T> = [T; 2];

/// The number that is added to the exponents of values to get the exponents in [`SplitFloats`].
const BIAS: i16 = 268;

/// Adds sixteen lanes. Every step of TwoSum is a multiple of 2^-133, so no step underflows. A step
/// overflows only if the sum overflows. The reason is that the result of each step differs from an
/// operand or from the sum at most by a rounding error, and the largest bf16 is 2^128 - 2^120. The sum
/// is then infinite, and [`lower`] corrects it.
#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn add_bf16<const MODE: i32>(a: __m256i, b: __m256i) -> __m256i {
    let (x, y) = (singles(flip::<MODE>(a)), singles(flip::<MODE>(b)));
    if MODE == NEAREST {
        let sums = [_mm256_add_ps(x[0], y[0]), _mm256_add_ps(x[1], y[1])];
        return one_nan(upper_halves::<MODE>(sums), INFINITY);
    }
    let sum = upper_halves::<MODE>([sum_to_odd(x[0], y[0]), sum_to_odd(x[1], y[1])]);
    one_nan(flip::<MODE>(lower::<MODE>(sum, a, b)), INFINITY)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn mul_bf16<const MODE: i32>(a: __m256i, b: __m256i) -> __m256i {
    let product = product(flip::<MODE>(a), b);
    let values = product.values();
    finish::<MODE>(values, product.exponents)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
pub(super) fn fma_bf16<const MODE: i32>(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    let (a, b, c) = (singles(flip::<MODE>(a)), singles(b), singles(flip::<MODE>(c)));
    let sums = [fused(a[0], b[0], c[0]), fused(a[1], b[1], c[1])];
    one_nan(flip::<MODE>(upper_halves::<MODE>(sums)), INFINITY)
}

/// Computes `a * b + c` in binary64, rounded to odd.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn fused(a: __m256, b: __m256, c: __m256) -> __m256 {
    let (a, b, c) = (doubles(a), doubles(b), doubles(c));
    let first = narrow_sum(_mm256_mul_pd(a[0], b[0]), c[0]);
    let last = narrow_sum(_mm256_mul_pd(a[1], b[1]), c[1]);
    let near = _mm256_set_m128(last.0, first.0);
    // The upper halves of the rounding errors, in order.
    let lacks = (_mm256_castpd_ps(first.1), _mm256_castpd_ps(last.1));
    let lacks = _mm256_castps_pd(_mm256_shuffle_ps::<0b11_01_11_01>(lacks.0, lacks.1));
    let lacks = _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(lacks));
    // After the addition of the quiet bit, a zero is equal to this bit, and a NaN is negative, so
    // neither is larger than the bit.
    let size = _mm256_and_si256(_mm256_castps_si256(lacks), _mm256_set1_epi32(i32::MAX));
    let quiet = _mm256_set1_epi32(1 << 19);
    let inexact = _mm256_cmpgt_epi32(_mm256_add_epi32(size, quiet), quiet);
    to_odd(near, lacks, _mm256_castsi256_ps(inexact))
}

/// Converts eight values to binary64: the first four and the last four.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn doubles(eight: __m256) -> [__m256d; 2] {
    [
        _mm256_cvtps_pd(_mm256_castps256_ps128(eight)),
        _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(eight)),
    ]
}

/// Returns the binary32 nearest to a sum, and the rounding error.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn narrow_sum(x: __m256d, y: __m256d) -> (__m128, __m256d) {
    let sum = _mm256_add_pd(x, y);
    let of_y = _mm256_sub_pd(sum, x);
    let of_x = _mm256_sub_pd(sum, of_y);
    let error = _mm256_add_pd(_mm256_sub_pd(x, of_x), _mm256_sub_pd(y, of_y));
    let near = _mm256_cvtpd_ps(sum);
    (near, _mm256_add_pd(_mm256_sub_pd(sum, _mm256_cvtps_pd(near)), error))
}

/// Sixteen numbers, in lanes of 16 bits.
struct SplitFloats {
    /// The significands as unsigned whole numbers.
    significands: __m256i,
    /// The exponents of two by which the significands are multiplied, plus [`BIAS`].
    exponents: __m256i,
    /// The bits of the bf16 values without the sign. They are used only for infinities and NaNs.
    specials: __m256i,
    /// The sign bits.
    signs: __m256i,
}

impl SplitFloats {
    /// Returns the significands with their signs; infinities and NaNs are unchanged.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    fn values(&self) -> WideLanes<__m256> {
        let is_special = _mm256_cmpgt_epi16(self.specials, _mm256_set1_epi16(0x7f7f));
        let one = _mm256_set1_epi16(0x3f80);
        let factors = _mm256_blendv_epi8(one, self.specials, is_special);
        let factors = singles(_mm256_or_si256(factors, self.signs));
        let significands = widened(self.significands);
        [
            _mm256_mul_ps(_mm256_cvtepi32_ps(significands[0]), factors[0]),
            _mm256_mul_ps(_mm256_cvtepi32_ps(significands[1]), factors[1]),
        ]
    }
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn product(a: __m256i, b: __m256i) -> SplitFloats {
    let signs = _mm256_and_si256(_mm256_xor_si256(a, b), _mm256_set1_epi16(i16::MIN));
    let (a, b) = (split(a), split(b));
    SplitFloats {
        significands: _mm256_mullo_epi16(a.significands, b.significands),
        exponents: _mm256_add_epi16(a.exponents, b.exponents),
        specials: _mm256_max_epi16(a.specials, b.specials),
        signs,
    }
}

/// Splits bf16 values. The exponents contain half of [`BIAS`], because a product adds two of them.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn split(bits: __m256i) -> SplitFloats {
    let one = _mm256_set1_epi16(1);
    let specials = _mm256_and_si256(bits, _mm256_set1_epi16(i16::MAX));
    let exponents = _mm256_max_epi16(_mm256_srli_epi16::<7>(specials), one);
    // The hidden bit remains if the exponent is not 0.
    let rest = _mm256_slli_epi16::<7>(_mm256_sub_epi16(exponents, one));
    let significands = _mm256_sub_epi16(specials, rest);
    let signs = _mm256_xor_si256(bits, specials);
    SplitFloats { significands, exponents, specials, signs }
}

/// Converts bf16 values to binary32.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn singles(bits: __m256i) -> WideLanes<__m256> {
    let zero = _mm256_setzero_si256();
    [
        _mm256_castsi256_ps(_mm256_unpacklo_epi16(zero, bits)),
        _mm256_castsi256_ps(_mm256_unpackhi_epi16(zero, bits)),
    ]
}

/// Zero-extends 16-bit numbers to 32 bits.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn widened(numbers: __m256i) -> WideLanes<__m256i> {
    let zero = _mm256_setzero_si256();
    [_mm256_unpacklo_epi16(numbers, zero), _mm256_unpackhi_epi16(numbers, zero)]
}

/// Multiplies values that were rounded to odd by two to the power of their exponents, and rounds the
/// products to bf16. The exponents contain [`BIAS`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn finish<const MODE: i32>(values: WideLanes<__m256>, exponents: __m256i) -> __m256i {
    let exponents = widened(exponents);
    let placed = [place(values[0], exponents[0]), place(values[1], exponents[1])];
    one_nan(flip::<MODE>(upper_halves::<MODE>(placed)), INFINITY)
}

/// Multiplies a value by two to the power of the exponent without [`BIAS`], and rounds to odd.
/// Zero, infinities and NaNs are unchanged; no other value may be below 2^-126.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn place(value: __m256, exponent: __m256i) -> __m256 {
    let bits = _mm256_castps_si256(value);
    let size = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
    let hidden = _mm256_set1_epi32(1 << 23);
    // The new exponent field, minus the hidden bit that is added to it. If it is below 0, the
    // result is subnormal, and the significand is shifted by as many places.
    let less = _mm256_set1_epi32(i32::from(BIAS) + 1);
    let field = _mm256_add_epi32(_mm256_sub_epi32(_mm256_srli_epi32::<23>(size), less), exponent);
    let normal = _mm256_max_epi32(field, _mm256_setzero_si256());
    let places = _mm256_min_epu32(_mm256_sub_epi32(normal, field), _mm256_set1_epi32(31));
    let fraction = _mm256_and_si256(size, _mm256_set1_epi32((1 << 23) - 1));
    let significand = _mm256_or_si256(fraction, hidden);
    let cut = _mm256_srlv_epi32(significand, places);
    let is_exact = _mm256_cmpeq_epi32(_mm256_sllv_epi32(cut, places), significand);
    let odd = _mm256_or_si256(cut, _mm256_andnot_si256(is_exact, _mm256_set1_epi32(1)));
    // A number that is too large becomes the largest value, which is odd. The field is below 2^9, so
    // the sum fits an unsigned number of 32 bits.
    let placed = _mm256_add_epi32(odd, _mm256_slli_epi32::<23>(normal));
    let placed = _mm256_min_epu32(placed, _mm256_set1_epi32(0x7f7f_ffff));
    // Negative if the value is infinite or a NaN. Among the other values, zero has the smallest order.
    let order = _mm256_add_epi32(size, hidden);
    let stays = _mm256_cmpgt_epi32(_mm256_set1_epi32((1 << 23) + 1), order);
    let placed = _mm256_blendv_epi8(placed, size, stays);
    _mm256_castsi256_ps(_mm256_or_si256(placed, _mm256_xor_si256(bits, size)))
}

/// Rounds values that were rounded to odd to bf16. It does not replace NaNs by the canonical NaN. The
/// lower half of a NaN is zero, so it produces no carry.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn upper_halves<const MODE: i32>(odd: WideLanes<__m256>) -> __m256i {
    let rounded = [rounded::<MODE>(odd[0]), rounded::<MODE>(odd[1])];
    _mm256_packus_epi32(rounded[0], rounded[1])
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn rounded<const MODE: i32>(odd: __m256) -> __m256i {
    let odd = _mm256_castps_si256(odd);
    let increment = match MODE {
        NEAREST => {
            let last = _mm256_and_si256(_mm256_srli_epi32::<16>(odd), _mm256_set1_epi32(1));
            _mm256_add_epi32(last, _mm256_set1_epi32(0x7fff))
        }
        ZERO => _mm256_setzero_si256(),
        _ => _mm256_andnot_si256(_mm256_srai_epi32::<31>(odd), _mm256_set1_epi32(0xffff)),
    };
    _mm256_srli_epi32::<16>(_mm256_add_epi32(odd, increment))
}

/// Replaces an infinite sum of finite operands by the largest value if the mode rounds it towards
/// zero.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn lower<const MODE: i32>(sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
    let size = |bits| _mm256_and_si256(bits, _mm256_set1_epi16(i16::MAX));
    let largest = _mm256_set1_epi16(0x7f7f);
    let is_special = _mm256_cmpgt_epi16(_mm256_max_epi16(size(a), size(b)), largest);
    let is_infinite = _mm256_cmpeq_epi16(size(sum), _mm256_set1_epi16(INFINITY));
    let beyond = _mm256_andnot_si256(is_special, is_infinite);
    let towards_zero = match MODE {
        ZERO => beyond,
        _ => _mm256_and_si256(beyond, _mm256_srai_epi16::<15>(sum)),
    };
    _mm256_add_epi16(sum, towards_zero)
}
