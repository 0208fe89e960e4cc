//! AVX2 with F16C: eight lanes at a time.

use core::arch::x86_64::*;

use fearless_simd::{Avx2, SimdBase, SimdInto, u16x8};

use super::{DOWN, NEAREST, UP, ZERO, kernels, with_mode};
use crate::half2::lanes::Settings;
use crate::half2::lanes::block::{Block, LANES, apply};

kernels!(f16: Avx2, half::f16, by_eights, add_f16, mul_f16, fma_f16);
kernels!(bf16: Avx2, half::bf16, by_eights, add_bf16, mul_bf16, fma_bf16);

/// Applies `step` to the lanes of a block, eight at a time.
#[inline(always)]
fn by_eights<const N: usize>(
    simd: Avx2,
    sources: [&Block; N],
    out: &mut Block,
    step: impl Fn([__m128i; N]) -> __m128i,
) {
    for i in (0..LANES).step_by(8) {
        let eights = sources.map(|source| u16x8::from_slice(simd, &source[i..i + 8]).into());
        let results: u16x8<Avx2> = step(eights).simd_into(simd);
        results.store_slice(&mut out[i..i + 8]);
    }
}

/// Changes all signs if rounding is towards negative, which is towards positive of the negated.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn flip<const MODE: i32>(bits: __m128i) -> __m128i {
    if MODE == DOWN { _mm_xor_si128(bits, _mm_set1_epi16(i16::MIN)) } else { bits }
}

/// Makes any NaN 0x7fff, given infinity.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn one_nan(bits: __m128i, infinity: i16) -> __m128i {
    let nan = _mm_set1_epi16(i16::MAX);
    let is_nan = _mm_cmpgt_epi16(_mm_and_si128(bits, nan), _mm_set1_epi16(infinity));
    _mm_blendv_epi8(bits, nan, is_nan)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn add_f16<const MODE: i32>(a: __m128i, b: __m128i) -> __m128i {
    let x = _mm256_cvtph_ps(flip::<MODE>(a));
    let y = _mm256_cvtph_ps(flip::<MODE>(b));
    let sum = if MODE == NEAREST { _mm256_add_ps(x, y) } else { sum_to_odd(x, y) };
    round_f16::<MODE>(sum)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn mul_f16<const MODE: i32>(a: __m128i, b: __m128i) -> __m128i {
    round_f16::<MODE>(_mm256_mul_ps(_mm256_cvtph_ps(flip::<MODE>(a)), _mm256_cvtph_ps(b)))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn fma_f16<const MODE: i32>(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    let product = _mm256_mul_ps(_mm256_cvtph_ps(flip::<MODE>(a)), _mm256_cvtph_ps(b));
    round_f16::<MODE>(sum_to_odd(product, _mm256_cvtph_ps(flip::<MODE>(c))))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn sum_to_odd(x: __m256, y: __m256) -> __m256 {
    let sum = _mm256_add_ps(x, y);
    let of_y = _mm256_sub_ps(sum, x);
    let of_x = _mm256_sub_ps(sum, of_y);
    let error = _mm256_add_ps(_mm256_sub_ps(x, of_x), _mm256_sub_ps(y, of_y));
    // False for the NaN that infinities and NaNs have as their error.
    let inexact = _mm256_cmp_ps::<_CMP_NEQ_OQ>(error, _mm256_setzero_ps());
    _mm256_castsi256_ps(to_odd(sum, error, inexact))
}

/// Cuts off what `error` says, then sets the last bit, where `inexact` is all ones.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn to_odd(sum: __m256, error: __m256, inexact: __m256) -> __m256i {
    let (sum, inexact) = (_mm256_castps_si256(sum), _mm256_castps_si256(inexact));
    let opposed = _mm256_srai_epi32::<31>(_mm256_xor_si256(sum, _mm256_castps_si256(error)));
    let cut = _mm256_add_epi32(sum, _mm256_and_si256(opposed, inexact));
    _mm256_or_si256(cut, _mm256_srli_epi32::<31>(inexact))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn round_f16<const MODE: i32>(value: __m256) -> __m128i {
    let bits = match MODE {
        NEAREST => _mm256_cvtps_ph::<NEAREST>(value),
        ZERO => _mm256_cvtps_ph::<ZERO>(value),
        _ => _mm256_cvtps_ph::<UP>(value),
    };
    one_nan(flip::<MODE>(bits), 0x7c00)
}

/// Eight binary64, the first four and the last four.
type Eight = [__m256d; 2];

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn decode(bits: __m128i) -> Eight {
    let single = _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(bits));
    let last = _mm256_extracti128_si256::<1>(single);
    [_mm256_castsi256_si128(single), last].map(|four| _mm256_cvtps_pd(_mm_castsi128_ps(four)))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn product([a, b]: Eight, [x, y]: Eight) -> Eight {
    [_mm256_mul_pd(a, x), _mm256_mul_pd(b, y)]
}

/// In binary32, of which a vector has twice as many as of binary64. It has the exponents of bf16, and
/// every step of TwoSum is a multiple of 2^-133, so nothing underflows. A step overflows only where
/// the sum does, since each is within a rounding of an operand or of the sum, and bf16 ends at
/// 2^128 - 2^120. The sum is infinite then, which [`lower`] looks at.
///
/// Products are not for binary32: those below 2^-126 are subnormal in it, where multiplications are
/// slow on many processors.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn add_bf16<const MODE: i32>(a: __m128i, b: __m128i) -> __m128i {
    let (x, y) = (single(flip::<MODE>(a)), single(flip::<MODE>(b)));
    if MODE == NEAREST {
        return one_nan(upper_halves::<MODE>(_mm256_castps_si256(_mm256_add_ps(x, y))), 0x7f80);
    }
    let sum = upper_halves::<MODE>(_mm256_castps_si256(sum_to_odd(x, y)));
    one_nan(flip::<MODE>(lower::<MODE>(sum, a, b)), 0x7f80)
}

/// The values of bf16 bits.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn single(bits: __m128i) -> __m256 {
    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(bits)))
}

/// Makes an infinity that no operand was the largest value, where the direction is towards zero.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn lower<const MODE: i32>(sum: __m128i, a: __m128i, b: __m128i) -> __m128i {
    let size = |bits| _mm_and_si128(bits, _mm_set1_epi16(i16::MAX));
    let is_special = _mm_cmpgt_epi16(_mm_max_epi16(size(a), size(b)), _mm_set1_epi16(0x7f7f));
    let is_infinite = _mm_cmpeq_epi16(size(sum), _mm_set1_epi16(0x7f80));
    let beyond = _mm_andnot_si128(is_special, is_infinite);
    let towards_zero = match MODE {
        ZERO => beyond,
        _ => _mm_and_si128(beyond, _mm_srai_epi16::<15>(sum)),
    };
    _mm_add_epi16(sum, towards_zero)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn mul_bf16<const MODE: i32>(a: __m128i, b: __m128i) -> __m128i {
    let product = product(decode(flip::<MODE>(a)), decode(b));
    round_bf16::<MODE>(product.map(|product| narrow(product)))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn fma_bf16<const MODE: i32>(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    let (x, y) = (product(decode(flip::<MODE>(a)), decode(b)), decode(flip::<MODE>(c)));
    round_bf16::<MODE>([narrow_sum(x[0], y[0]), narrow_sum(x[1], y[1])])
}

/// The binary32 nearest to a binary64, and what it lacks.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn narrow(value: __m256d) -> (__m128, __m256d) {
    let near = _mm256_cvtpd_ps(value);
    (near, _mm256_sub_pd(value, _mm256_cvtps_pd(near)))
}

/// The same for a sum, which may have more bits than a binary64.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn narrow_sum(x: __m256d, y: __m256d) -> (__m128, __m256d) {
    let sum = _mm256_add_pd(x, y);
    let of_y = _mm256_sub_pd(sum, x);
    let of_x = _mm256_sub_pd(sum, of_y);
    let error = _mm256_add_pd(_mm256_sub_pd(x, of_x), _mm256_sub_pd(y, of_y));
    let (near, lacks) = narrow(sum);
    (near, _mm256_add_pd(lacks, error))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn round_bf16<const MODE: i32>([first, last]: [(__m128, __m256d); 2]) -> __m128i {
    let near = _mm256_set_m128(last.0, first.0);
    // The upper halves of what is lacking, in order.
    let lacks = (_mm256_castpd_ps(first.1), _mm256_castpd_ps(last.1));
    let lacks = _mm256_castps_pd(_mm256_shuffle_ps::<0b11_01_11_01>(lacks.0, lacks.1));
    let lacks = _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(lacks));
    // Those of zero and, because they become negative, of NaNs are not larger than the quiet bit.
    let size = _mm256_and_si256(_mm256_castps_si256(lacks), _mm256_set1_epi32(i32::MAX));
    let quiet = _mm256_set1_epi32(1 << 19);
    let inexact = _mm256_cmpgt_epi32(_mm256_add_epi32(size, quiet), quiet);
    let odd = to_odd(near, lacks, _mm256_castsi256_ps(inexact));

    one_nan(flip::<MODE>(upper_halves::<MODE>(odd)), 0x7f80)
}

/// Rounds to bf16 what was rounded to odd, but for overflow and the NaN. The lower half of a NaN is
/// zero, so nothing carries out of it.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn upper_halves<const MODE: i32>(odd: __m256i) -> __m128i {
    let increment = match MODE {
        NEAREST => {
            let last = _mm256_and_si256(_mm256_srli_epi32::<16>(odd), _mm256_set1_epi32(1));
            _mm256_add_epi32(last, _mm256_set1_epi32(0x7fff))
        }
        ZERO => _mm256_setzero_si256(),
        _ => _mm256_andnot_si256(_mm256_srai_epi32::<31>(odd), _mm256_set1_epi32(0xffff)),
    };
    let bits = _mm256_srli_epi32::<16>(_mm256_add_epi32(odd, increment));
    _mm_packus_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256::<1>(bits))
}
