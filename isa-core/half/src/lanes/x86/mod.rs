//! Implements the arithmetic with vector instructions of x86-64 processors.
//!
//! `fearless_simd` proves that the processor supports the instructions, so this code contains no
//! `unsafe`. Rounding modes are compile-time constants, because they are encoded in the instructions.
//!
//! The algorithms are those of [`binary32`](crate::binary32) and
//! [`binary64`](crate::binary64), whose proofs also apply here, with these differences:
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
//!   many lanes: see `avx2/bf16_steps.rs`.

use core::arch::x86_64::{__m128i, _mm_set_epi64x};

use fearless_simd::{Avx2, Avx512};

use super::{HalfSelect, PackedOperand, Settings};
use crate::format::FloatFormat;

mod avx2;
#[allow(clippy::incompatible_msrv, reason = "the feature `simd` needs Rust 1.89, the rest 1.88")]
mod avx512;

/// The kernels of one format for one instruction set extension.
pub(super) struct Kernels<L> {
    pub(super) add: TwoOperands<L>,
    pub(super) mul: TwoOperands<L>,
    pub(super) fma: ThreeOperands<L>,
    pub(super) add_packed: TwoPackedOperands<L>,
    pub(super) mul_packed: TwoPackedOperands<L>,
    pub(super) fma_packed: ThreePackedOperands<L>,
}

type TwoOperands<L> = fn(L, Settings, &[u16], &[u16], &mut [u16]);
type ThreeOperands<L> = fn(L, Settings, &[u16], &[u16], &[u16], &mut [u16]);
type TwoPackedOperands<L> = fn(L, Settings, PackedOperand<'_>, PackedOperand<'_>, &mut [u32]);
type ThreePackedOperands<L> =
    fn(L, Settings, PackedOperand<'_>, PackedOperand<'_>, PackedOperand<'_>, &mut [u32]);

/// Defines the function that selects the kernels of a format.
macro_rules! kernels_of {
    ($(#[$doc:meta])* $function:ident: $level:ident, $module:ident) => {
        $(#[$doc])*
        pub(super) const fn $function(format: FloatFormat) -> Kernels<$level> {
            if format.exponent_bits == FloatFormat::F16.exponent_bits {
                Kernels {
                    add: $module::f16::add,
                    mul: $module::f16::mul,
                    fma: $module::f16::fma,
                    add_packed: $module::f16::add_packed,
                    mul_packed: $module::f16::mul_packed,
                    fma_packed: $module::f16::fma_packed,
                }
            } else {
                Kernels {
                    add: $module::bf16::add,
                    mul: $module::bf16::mul,
                    fma: $module::bf16::fma,
                    add_packed: $module::bf16::add_packed,
                    mul_packed: $module::bf16::mul_packed,
                    fma_packed: $module::bf16::fma_packed,
                }
            }
        }
    };
}

kernels_of! {
    /// Returns the kernels for AVX2.
    avx2_kernels: Avx2, avx2
}

kernels_of! {
    /// Returns the kernels for AVX-512.
    avx512_kernels: Avx512, avx512
}

/// The encoding of rounding modes in instructions.
const NEAREST: i32 = 0;
const DOWN: i32 = 1;
const UP: i32 = 2;
const ZERO: i32 = 3;

/// Returns the byte shuffle that performs a half-select for four registers.
#[inline]
#[target_feature(enable = "sse2")]
fn bytes_of(select: HalfSelect) -> __m128i {
    match select {
        HalfSelect::Both => _mm_set_epi64x(0x0f0e_0d0c_0b0a_0908, 0x0706_0504_0302_0100),
        HalfSelect::Low => _mm_set_epi64x(0x0d0c_0d0c_0908_0908, 0x0504_0504_0100_0100),
        HalfSelect::High => _mm_set_epi64x(0x0f0e_0f0e_0b0a_0b0a, 0x0706_0706_0302_0302),
    }
}

/// Evaluates an expression with the rounding mode as a constant.
macro_rules! with_mode {
    ($rounding:expr, $mode:ident => $call:expr) => {
        match $rounding {
            crate::Rounding::NearestEven => {
                const $mode: i32 = crate::lanes::x86::NEAREST;
                $call
            }
            crate::Rounding::TowardNegative => {
                const $mode: i32 = crate::lanes::x86::DOWN;
                $call
            }
            crate::Rounding::TowardPositive => {
                const $mode: i32 = crate::lanes::x86::UP;
                $call
            }
            crate::Rounding::TowardZero => {
                const $mode: i32 = crate::lanes::x86::ZERO;
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
        pub(crate) mod $module {
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
            pub(crate) fn $lanes(
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
            pub(crate) fn $packed(
                simd: $level, settings: Settings, $($source: PackedOperand<'_>,)+ out: &mut [u32],
            ) {
                with_mode!(settings.rounding, MODE => {
                    apply_packed::<$format, _, $count>(
                        settings,
                        [$($source.registers),+],
                        [$(modifier_vectors($source)),+],
                        out,
                        #[inline(always)] |modifiers, row| {
                            read(simd, row, #[inline(always)] |lanes| {
                                apply_modifiers(modifiers, lanes)
                            })
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
