//! Implements the kernels for AVX2 with F16C, sixteen lanes at a time. Results are stored as vectors of
//! the size with which they are loaded later, because the processor stalls if it loads a whole vector
//! just after its halves were stored separately.

mod bf16_steps;

use core::arch::x86_64::*;

use fearless_simd::{Avx2, SimdBase, SimdInto, u16x16, u32x8};

use super::{DOWN, NEAREST, UP, ZERO, bytes_of, kernels, operation, with_mode};
use crate::lanes::block::{apply, apply_packed};
use crate::lanes::layout::{LANES, LaneBlock, RegisterBlock};
use crate::lanes::{PackedOperand, Settings};
use bf16_steps::{add_bf16, fma_bf16, mul_bf16};

kernels!(f16: Avx2, half::f16, by_sixteens, add_f16, mul_f16, fma_f16);
kernels!(bf16: Avx2, half::bf16, by_sixteens, add_bf16, mul_bf16, fma_bf16);

/// The modifiers of an operand: the byte shuffle for four registers, the mask of the bits that are
/// kept, and the mask of the bits that are then inverted.
type ModifierVectors = [__m256i; 3];

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn modifier_vectors(operand: PackedOperand<'_>) -> ModifierVectors {
    let bytes = _mm256_broadcastsi128_si256(bytes_of(operand.select));
    let [keep, flip] = operand.signs().map(u32::cast_signed);
    [bytes, _mm256_set1_epi32(keep), _mm256_set1_epi32(flip)]
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn apply_modifiers([bytes, keep, flip]: ModifierVectors, registers: __m256i) -> __m256i {
    let lanes = _mm256_shuffle_epi8(registers, bytes);
    _mm256_xor_si256(_mm256_and_si256(lanes, keep), flip)
}

/// Returns the lanes of a row of registers after `step` was applied.
#[inline(always)]
fn read(simd: Avx2, row: &RegisterBlock, step: impl Fn(__m256i) -> __m256i) -> LaneBlock {
    let mut block = [0; LANES];
    for (lanes, registers) in block.chunks_exact_mut(16).zip(row.chunks_exact(8)) {
        let registers = u32x8::from_slice(simd, registers).into();
        let changed: u16x16<Avx2> = step(registers).simd_into(simd);
        changed.store_slice(lanes);
    }
    block
}

/// Applies `step` to the lanes of a block, sixteen at a time.
#[inline(always)]
fn by_sixteens<const N: usize>(
    simd: Avx2,
    sources: [&LaneBlock; N],
    out: &mut LaneBlock,
    step: impl Fn([__m256i; N]) -> __m256i,
) {
    for i in (0..LANES).step_by(16) {
        let sixteens = sources.map(|source| u16x16::from_slice(simd, &source[i..i + 16]).into());
        let results: u16x16<Avx2> = step(sixteens).simd_into(simd);
        results.store_slice(&mut out[i..i + 16]);
    }
}

/// Inverts all signs if the mode rounds towards negative. A value is then rounded towards negative by
/// rounding the negated value towards positive.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn flip<const MODE: i32>(bits: __m256i) -> __m256i {
    if MODE == DOWN { _mm256_xor_si256(bits, _mm256_set1_epi16(i16::MIN)) } else { bits }
}

/// Replaces every NaN by 0x7fff. `infinity` contains the bits of infinity.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn one_nan(bits: __m256i, infinity: i16) -> __m256i {
    let nan = _mm256_set1_epi16(i16::MAX);
    let size = _mm256_and_si256(bits, nan);
    _mm256_blendv_epi8(bits, nan, _mm256_cmpgt_epi16(size, _mm256_set1_epi16(infinity)))
}

/// Returns the values of the first eight lanes and of the last eight.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn singles(bits: __m256i) -> [__m256; 2] {
    [
        _mm256_cvtph_ps(_mm256_castsi256_si128(bits)),
        _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(bits)),
    ]
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn add_f16<const MODE: i32>(a: __m256i, b: __m256i) -> __m256i {
    let (x, y) = (singles(flip::<MODE>(a)), singles(flip::<MODE>(b)));
    round_f16::<MODE>(if MODE == NEAREST {
        [_mm256_add_ps(x[0], y[0]), _mm256_add_ps(x[1], y[1])]
    } else {
        [sum_to_odd(x[0], y[0]), sum_to_odd(x[1], y[1])]
    })
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn mul_f16<const MODE: i32>(a: __m256i, b: __m256i) -> __m256i {
    let (x, y) = (singles(flip::<MODE>(a)), singles(b));
    round_f16::<MODE>([_mm256_mul_ps(x[0], y[0]), _mm256_mul_ps(x[1], y[1])])
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn fma_f16<const MODE: i32>(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    let (x, y, z) = (singles(flip::<MODE>(a)), singles(b), singles(flip::<MODE>(c)));
    round_f16::<MODE>([
        sum_to_odd(_mm256_mul_ps(x[0], y[0]), z[0]),
        sum_to_odd(_mm256_mul_ps(x[1], y[1]), z[1]),
    ])
}

/// Returns the sum rounded to odd, with TwoSum (Knuth).
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn sum_to_odd(x: __m256, y: __m256) -> __m256 {
    let sum = _mm256_add_ps(x, y);
    let of_y = _mm256_sub_ps(sum, x);
    let of_x = _mm256_sub_ps(sum, of_y);
    let error = _mm256_add_ps(_mm256_sub_ps(x, of_x), _mm256_sub_ps(y, of_y));
    // For infinities and NaNs the error is a NaN, so the comparison is false.
    to_odd(sum, error, _mm256_cmp_ps::<_CMP_NEQ_OQ>(error, _mm256_setzero_ps()))
}

/// Truncates the sum according to `error`, then sets the last bit if `inexact` is all ones.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn to_odd(sum: __m256, error: __m256, inexact: __m256) -> __m256 {
    let (sum, inexact) = (_mm256_castps_si256(sum), _mm256_castps_si256(inexact));
    let opposed = _mm256_srai_epi32::<31>(_mm256_xor_si256(sum, _mm256_castps_si256(error)));
    let cut = _mm256_add_epi32(sum, _mm256_and_si256(opposed, inexact));
    _mm256_castsi256_ps(_mm256_or_si256(cut, _mm256_srli_epi32::<31>(inexact)))
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn round_f16<const MODE: i32>([first, last]: [__m256; 2]) -> __m256i {
    let bits = _mm256_set_m128i(eight_f16::<MODE>(last), eight_f16::<MODE>(first));
    one_nan(flip::<MODE>(bits), 0x7c00)
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
fn eight_f16<const MODE: i32>(values: __m256) -> __m128i {
    match MODE {
        NEAREST => _mm256_cvtps_ph::<NEAREST>(values),
        ZERO => _mm256_cvtps_ph::<ZERO>(values),
        _ => _mm256_cvtps_ph::<UP>(values),
    }
}
