//! Implements the kernels for AVX-512, sixteen lanes at a time. Each instruction contains its rounding
//! mode.

use core::arch::x86_64::*;

use fearless_simd::{Avx512, SimdBase, SimdInto, u16x16, u16x32, u32x16};

use super::{DOWN, NEAREST, UP, ZERO, bytes_of, kernels, operation, with_mode};
use crate::lanes::block::{apply, apply_packed};
use crate::lanes::layout::{LANES, LaneBlock, RegisterBlock};
use crate::lanes::{PackedOperand, Settings};

kernels!(f16: Avx512, half::f16, by_sixteens, add_f16, mul_f16, fma_f16);
kernels!(bf16: Avx512, half::bf16, by_sixteens, add_bf16, mul_bf16, fma_bf16);

/// The encoding of rounding modes in arithmetic instructions.
const TO_NEAREST: i32 = NEAREST | _MM_FROUND_NO_EXC;
const TO_DOWN: i32 = DOWN | _MM_FROUND_NO_EXC;
const TO_UP: i32 = UP | _MM_FROUND_NO_EXC;
const TO_ZERO: i32 = ZERO | _MM_FROUND_NO_EXC;

/// Calls an instruction with the rounding mode of a constant.
macro_rules! in_mode {
    ($mode:ident, $instruction:ident($($operand:expr),*)) => {
        match $mode {
            NEAREST => $instruction::<TO_NEAREST>($($operand),*),
            DOWN => $instruction::<TO_DOWN>($($operand),*),
            UP => $instruction::<TO_UP>($($operand),*),
            _ => $instruction::<TO_ZERO>($($operand),*),
        }
    };
}

/// The modifiers of an operand: the byte shuffle for four registers, the mask of the bits that are
/// kept, and the mask of the bits that are then inverted.
type ModifierVectors = [__m512i; 3];

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn modifier_vectors(operand: PackedOperand<'_>) -> ModifierVectors {
    let bytes = _mm512_broadcast_i32x4(bytes_of(operand.select));
    let [keep, flip] = operand.signs().map(u32::cast_signed);
    [bytes, _mm512_set1_epi32(keep), _mm512_set1_epi32(flip)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn apply_modifiers([bytes, keep, flip]: ModifierVectors, registers: __m512i) -> __m512i {
    let lanes = _mm512_shuffle_epi8(registers, bytes);
    _mm512_xor_si512(_mm512_and_si512(lanes, keep), flip)
}

/// Returns the lanes of a row of registers after `step` was applied.
#[inline(always)]
fn read(simd: Avx512, row: &RegisterBlock, step: impl Fn(__m512i) -> __m512i) -> LaneBlock {
    let registers = u32x16::from_slice(simd, row).into();
    let lanes: u16x32<Avx512> = step(registers).simd_into(simd);
    let mut block = [0; LANES];
    lanes.store_slice(&mut block);
    block
}

/// Applies `step` to the lanes of a block, sixteen at a time.
#[inline(always)]
fn by_sixteens<const N: usize>(
    simd: Avx512,
    sources: [&LaneBlock; N],
    out: &mut LaneBlock,
    step: impl Fn([__m256i; N]) -> __m256i,
) {
    for i in (0..LANES).step_by(16) {
        let sixteen = sources.map(|source| u16x16::from_slice(simd, &source[i..i + 16]).into());
        let results: u16x16<Avx512> = step(sixteen).simd_into(simd);
        results.store_slice(&mut out[i..i + 16]);
    }
}

/// Replaces every NaN by 0x7fff. `infinity` contains the bits of infinity.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn one_nan(bits: __m256i, infinity: i16) -> __m256i {
    let nan = _mm256_set1_epi16(i16::MAX);
    let is_nan = _mm256_cmpgt_epi16_mask(_mm256_and_si256(bits, nan), _mm256_set1_epi16(infinity));
    _mm256_mask_mov_epi16(bits, is_nan, nan)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn add_f16<const MODE: i32>(a: __m256i, b: __m256i) -> __m256i {
    let (x, y) = (_mm512_cvtph_ps(a), _mm512_cvtph_ps(b));
    round_f16::<MODE>(in_mode!(MODE, _mm512_add_round_ps(x, y)))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn mul_f16<const MODE: i32>(a: __m256i, b: __m256i) -> __m256i {
    round_f16::<MODE>(_mm512_mul_ps(_mm512_cvtph_ps(a), _mm512_cvtph_ps(b)))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn fma_f16<const MODE: i32>(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    let (x, y) = (_mm512_mul_ps(_mm512_cvtph_ps(a), _mm512_cvtph_ps(b)), _mm512_cvtph_ps(c));
    let sum = if MODE == NEAREST {
        odd_of(_mm512_add_round_ps::<TO_DOWN>(x, y), _mm512_add_round_ps::<TO_UP>(x, y))
    } else {
        in_mode!(MODE, _mm512_add_round_ps(x, y))
    };
    round_f16::<MODE>(sum)
}

/// Returns the odd value of two neighbouring values. If both values are equal, it returns this value.
/// For an exact zero, the values can be -0 and +0, which are both even; the function then returns the
/// second value, +0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn odd_of(down: __m512, up: __m512) -> __m512 {
    let odd = _mm512_test_epi32_mask(_mm512_castps_si512(down), _mm512_set1_epi32(1));
    _mm512_mask_mov_ps(up, odd, down)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn round_f16<const MODE: i32>(value: __m512) -> __m256i {
    one_nan(in_mode!(MODE, _mm512_cvtps_ph(value)), 0x7c00)
}

/// WideDoubles binary64 numbers: the first eight and the last eight.
type WideDoubles = [__m512d; 2];

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn decode(bits: __m256i) -> WideDoubles {
    let single = _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(bits)));
    let last = _mm512_extractf32x8_ps::<1>(single);
    [_mm512_castps512_ps256(single), last].map(|eight| _mm512_cvtps_pd(eight))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn add_bf16<const MODE: i32>(a: __m256i, b: __m256i) -> __m256i {
    let (x, y) = (decode(a), decode(b));
    let sum = |i: usize| in_mode!(MODE, _mm512_add_round_pd(x[i], y[i]));
    round_bf16::<MODE>([sum(0), sum(1)])
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn mul_bf16<const MODE: i32>(a: __m256i, b: __m256i) -> __m256i {
    round_bf16::<MODE>(product(decode(a), decode(b)))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn product([a, b]: WideDoubles, [x, y]: WideDoubles) -> WideDoubles {
    [_mm512_mul_pd(a, x), _mm512_mul_pd(b, y)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn fma_bf16<const MODE: i32>(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    let (x, y) = (product(decode(a), decode(b)), decode(c));
    if MODE == NEAREST {
        let down = [0, 1].map(|i| _mm512_add_round_pd::<TO_DOWN>(x[i], y[i]));
        let up = [0, 1].map(|i| _mm512_add_round_pd::<TO_UP>(x[i], y[i]));
        return nearest_bf16(down, up);
    }
    let sum = |i: usize| in_mode!(MODE, _mm512_add_round_pd(x[i], y[i]));
    round_bf16::<MODE>([sum(0), sum(1)])
}

/// Rounds to bf16. In a directed mode the value is first rounded to binary32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn round_bf16<const MODE: i32>(value: WideDoubles) -> __m256i {
    if MODE == NEAREST {
        return nearest_bf16(value, value);
    }
    let near = value.map(|value| in_mode!(MODE, _mm512_cvt_roundpd_ps(value)));
    let near = joined(near);
    let bits = _mm512_castps_si512(near);
    let sign = _mm512_srai_epi32::<31>(bits);
    let away = _mm512_set1_epi32(0xffff);
    let increment = match MODE {
        DOWN => _mm512_and_si512(sign, away),
        UP => _mm512_andnot_si512(sign, away),
        _ => _mm512_setzero_si512(),
    };
    upper_halves(_mm512_add_epi32(bits, increment))
}

/// Rounds a value to nearest. The value is passed as two binary64 values, one rounded down and one
/// rounded up. Both are rounded to binary32 in the same directions, and the odd result is used.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn nearest_bf16(down: WideDoubles, up: WideDoubles) -> __m256i {
    let down = joined(down.map(|value| _mm512_cvt_roundpd_ps::<TO_DOWN>(value)));
    let up = joined(up.map(|value| _mm512_cvt_roundpd_ps::<TO_UP>(value)));
    let odd = _mm512_castps_si512(odd_of(down, up));
    let last = _mm512_and_si512(_mm512_srli_epi32::<16>(odd), _mm512_set1_epi32(1));
    let increment = _mm512_add_epi32(last, _mm512_set1_epi32(0x7fff));
    upper_halves(_mm512_add_epi32(odd, increment))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn joined([first, last]: [__m256; 2]) -> __m512 {
    _mm512_insertf32x8::<1>(_mm512_castps256_ps512(first), last)
}

/// Returns the upper half of each value. A NaN remains a NaN, because its lower half was zero and
/// produced no carry.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
fn upper_halves(bits: __m512i) -> __m256i {
    one_nan(_mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(bits)), 0x7f80)
}
