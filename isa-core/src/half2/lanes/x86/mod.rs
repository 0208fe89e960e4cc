//! Implements the arithmetic with vector instructions of x86-64 processors.
//!
//! `fearless_simd` proves that the processor supports the instructions, so this code contains no
//! `unsafe`. Rounding modes are compile-time constants, because they are encoded in the instructions.
//!
//! The algorithms are those of [`binary32`](crate::half2::binary32) and
//! [`binary64`](crate::half2::binary64), whose proofs also apply here, with these differences:
//!
//! - Conversion between f16 and binary32 is an instruction. It supports every rounding mode, and
//!   handles infinities, NaNs and overflow according to IEEE 754.
//! - A sum of two values that is rounded to nearest does not need rounding to odd. Rounding twice to
//!   nearest gives the same result as rounding once if the wider format has at least 2 p + 2 bits,
//!   which are 24 for f16 and 18 for bf16 (S. A. Figueroa, "When is double rounding innocuous?", SIGNUM
//!   Newsletter 30(3), 1995). A sum below the smallest normal value is exact, because all values are
//!   multiples of the smallest subnormal.
//! - AVX-512 instructions contain the rounding mode. Rounding twice in the same direction equals
//!   rounding once, so no error term is needed. Unless the sum is exact, the sum rounded down and the
//!   sum rounded up are neighbours, so the odd one of these two values is the sum rounded to odd.
//! - AVX2 computes sums and products of bf16 in binary32, because a vector then contains twice as
//!   many lanes: see [`avx2_bf16`].

use core::arch::x86_64::{__m128i, _mm_set_epi64x};

use super::{Packed, Select, Settings};

pub(in crate::half2) mod avx2;
mod avx2_bf16;
#[allow(clippy::incompatible_msrv, reason = "the feature `simd` needs Rust 1.89, the rest 1.88")]
pub(in crate::half2) mod avx512;

/// The kernels of one format for one instruction set extension.
pub struct Kernels<L> {
    pub(in crate::half2) add: OfTwo<L>,
    pub(in crate::half2) mul: OfTwo<L>,
    pub(in crate::half2) fma: OfThree<L>,
    pub(in crate::half2) add_packed: OfTwoPacked<L>,
    pub(in crate::half2) mul_packed: OfTwoPacked<L>,
    pub(in crate::half2) fma_packed: OfThreePacked<L>,
}

type OfTwo<L> = fn(L, Settings, &[u16], &[u16], &mut [u16]);
type OfThree<L> = fn(L, Settings, &[u16], &[u16], &[u16], &mut [u16]);
type OfTwoPacked<L> = fn(L, Settings, Packed<'_>, Packed<'_>, &mut [u32]);
type OfThreePacked<L> = fn(L, Settings, Packed<'_>, Packed<'_>, Packed<'_>, &mut [u32]);

/// The encoding of rounding modes in instructions.
const NEAREST: i32 = 0;
const DOWN: i32 = 1;
const UP: i32 = 2;
const ZERO: i32 = 3;

/// Returns the byte shuffle that performs a half-select for four registers.
#[inline]
#[target_feature(enable = "sse2")]
fn bytes_of(select: Select) -> __m128i {
    match select {
        Select::Both => _mm_set_epi64x(0x0f0e_0d0c_0b0a_0908, 0x0706_0504_0302_0100),
        Select::Low => _mm_set_epi64x(0x0d0c_0d0c_0908_0908, 0x0504_0504_0100_0100),
        Select::High => _mm_set_epi64x(0x0f0e_0f0e_0b0a_0b0a, 0x0706_0706_0302_0302),
    }
}

/// Evaluates an expression with the rounding mode as a constant.
macro_rules! with_mode {
    ($rounding:expr, $mode:ident => $call:expr) => {
        match $rounding {
            crate::half2::Rounding::NearestEven => {
                const $mode: i32 = crate::half2::lanes::x86::NEAREST;
                $call
            }
            crate::half2::Rounding::TowardNegative => {
                const $mode: i32 = crate::half2::lanes::x86::DOWN;
                $call
            }
            crate::half2::Rounding::TowardPositive => {
                const $mode: i32 = crate::half2::lanes::x86::UP;
                $call
            }
            crate::half2::Rounding::TowardZero => {
                const $mode: i32 = crate::half2::lanes::x86::ZERO;
                $call
            }
        }
    };
}
use with_mode;

/// Defines the kernels of a format. For each operation and rounding mode, a loop over blocks calls
/// the named functions for as many lanes as a vector contains.
macro_rules! kernels {
    (
        $module:ident: $level:ident, $format:ty, $vectors:ident, $add:ident, $mul:ident, $fma:ident
    ) => {
        pub(in crate::half2) mod $module {
            use super::*;

            operation!(add, add_packed: $level, $format, $vectors, $add, 2, a, b);
            operation!(mul, mul_packed: $level, $format, $vectors, $mul, 2, a, b);
            operation!(fma, fma_packed: $level, $format, $vectors, $fma, 3, a, b, c);
        }
    };
}
use kernels;

/// Defines the kernels of an operation, for slices of lanes and for registers of two lanes each.
macro_rules! operation {
    (
        $lanes:ident, $packed:ident: $level:ident, $format:ty, $vectors:ident, $step:ident,
        $count:literal, $($source:ident),+
    ) => {
        fearless_simd::kernel! {
            pub(in crate::half2) fn $lanes(
                simd: $level, settings: Settings, $($source: &[u16],)+ out: &mut [u16],
            ) {
                with_mode!(settings.rounding, MODE => {
                    apply::<$format, $count>(
                        settings, [$($source),+], out, #[inline(always)] |sources, out| {
                            $vectors(simd, sources, out, #[inline(always)] |[$($source),+]| {
                                $step::<MODE>($($source),+)
                            });
                        },
                    );
                });
            }
        }

        fearless_simd::kernel! {
            pub(in crate::half2) fn $packed(
                simd: $level, settings: Settings, $($source: Packed<'_>,)+ out: &mut [u32],
            ) {
                with_mode!(settings.rounding, MODE => {
                    apply_packed::<$format, _, $count>(
                        settings,
                        [$($source.registers),+],
                        [$(way($source)),+],
                        out,
                        #[inline(always)] |way, row| {
                            read(simd, row, #[inline(always)] |lanes| changed(way, lanes))
                        },
                        #[inline(always)] |sources, out| {
                            $vectors(simd, sources, out, #[inline(always)] |[$($source),+]| {
                                $step::<MODE>($($source),+)
                            });
                        },
                    );
                });
            }
        }
    };
}
use operation;
