//! The arithmetic by vector instructions of x86-64 processors.
//!
//! `fearless_simd` proves that the processor has the instructions, so that nothing here is unsafe.
//! Rounding modes are constants, as they are part of the instructions.
//!
//! The roads are those of [`binary32`](crate::half2::binary32) and
//! [`binary64`](crate::half2::binary64), whose proofs hold here too, with these differences:
//!
//! - Conversion between f16 and binary32 is an instruction, in any rounding mode, with infinities,
//!   NaNs and overflow as IEEE 754 says.
//! - A sum to nearest of two values needs no rounding to odd: rounding twice to nearest gives what
//!   rounding once gives if the wider format has at least 2 p + 2 bits, which are 24 for f16 and
//!   18 for bf16 (S. A. Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30(3),
//!   1995); a sum below the normal values is exact, since all values are multiples of the smallest.
//! - AVX-512 has the rounding mode in each instruction. Rounding twice in one direction is rounding
//!   once, so no error term is needed there; and of the sums rounded down and up, which are
//!   neighbours unless the sum is exact, the odd one is the sum rounded to odd.
//! - AVX2 computes sums and products of bf16 in binary32, of which a vector has twice as many
//!   lanes: see [`avx2_bf16`].

use super::Settings;

pub(in crate::half2) mod avx2;
mod avx2_bf16;
pub(in crate::half2) mod avx512;

/// The kernels of one format for one level of instructions.
pub struct Kernels<L> {
    pub(in crate::half2) add: OfTwo<L>,
    pub(in crate::half2) mul: OfTwo<L>,
    pub(in crate::half2) fma: OfThree<L>,
}

type OfTwo<L> = fn(L, Settings, &[u16], &[u16], &mut [u16]);
type OfThree<L> = fn(L, Settings, &[u16], &[u16], &[u16], &mut [u16]);

/// Rounding modes as the instructions have them.
const NEAREST: i32 = 0;
const DOWN: i32 = 1;
const UP: i32 = 2;
const ZERO: i32 = 3;

/// Calls a function that has the rounding mode as a constant.
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

/// The kernels of a format: for each operation and rounding mode a loop over blocks, in which the
/// named functions work on as many lanes as a vector has.
macro_rules! kernels {
    (
        $module:ident: $level:ident, $format:ty, $vectors:ident, $add:ident, $mul:ident, $fma:ident
    ) => {
        pub(in crate::half2) mod $module {
            use super::*;

            fearless_simd::kernel! {
                pub(in crate::half2) fn add(
                    simd: $level, settings: Settings, a: &[u16], b: &[u16], out: &mut [u16],
                ) {
                    with_mode!(settings.rounding, MODE => {
                        apply::<$format, 2>(
                            settings, [a, b], out, #[inline(always)] |sources, out| {
                                $vectors(simd, sources, out, #[inline(always)] |[a, b]| {
                                    $add::<MODE>(a, b)
                                });
                            },
                        );
                    });
                }
            }

            fearless_simd::kernel! {
                pub(in crate::half2) fn mul(
                    simd: $level, settings: Settings, a: &[u16], b: &[u16], out: &mut [u16],
                ) {
                    with_mode!(settings.rounding, MODE => {
                        apply::<$format, 2>(
                            settings, [a, b], out, #[inline(always)] |sources, out| {
                                $vectors(simd, sources, out, #[inline(always)] |[a, b]| {
                                    $mul::<MODE>(a, b)
                                });
                            },
                        );
                    });
                }
            }

            fearless_simd::kernel! {
                pub(in crate::half2) fn fma(
                    simd: $level,
                    settings: Settings,
                    a: &[u16],
                    b: &[u16],
                    c: &[u16],
                    out: &mut [u16],
                ) {
                    with_mode!(settings.rounding, MODE => {
                        apply::<$format, 3>(
                            settings, [a, b, c], out, #[inline(always)] |sources, out| {
                                $vectors(simd, sources, out, #[inline(always)] |[a, b, c]| {
                                    $fma::<MODE>(a, b, c)
                                });
                            },
                        );
                    });
                }
            }
        }
    };
}
use kernels;
