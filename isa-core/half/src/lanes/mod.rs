//! Computes many lanes at once. The operands are slices of 16-bit patterns, or registers with two lanes
//! each, such as the registers of a warp.
//!
//! An [`Engine`] selects the processor instructions to use. Every engine returns the same bits as the
//! functions of [`isa_half`](crate) for single lanes; engines differ only in speed. Without the feature
//! `simd`, only the portable engine exists, whose loops the compiler vectorizes. With the feature,
//! [`Engine::new`] detects the instructions of the processor.
//!
//! ```
//! use isa_half::lanes::{Engine, Settings};
//! use isa_half::{Rounding, f16};
//!
//! let down = Settings { rounding: Rounding::TowardNegative, ..Settings::default() };
//! let (ones, tiny) = ([0x3c00; 32], [0x8001; 32]);
//! let mut sums = [0; 32];
//! Engine::new().add::<f16>(down, &ones, &tiny, &mut sums);
//! assert_eq!(sums, [0x3bff; 32]);
//! ```

mod block;
mod layout;
mod packed;
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
mod x86;

use crate::half_float::Half;
use crate::rounding::Rounding;
use block::{apply_each, apply_each_packed, apply_to_one, in_blocks, in_registers};
use layout::LANES;
pub use packed::{HalfSelect, PackedOperand, pack};

/// The rounding mode, and the modifiers of operands and results.
///
/// They are applied in the order of the instruction set: operands are flushed, the exact result is
/// rounded once, `.SAT` or else `.RELU` is applied, the result is flushed, and every NaN becomes
/// 0x7fff. The default is rounding to nearest without modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// The rounding mode for a result that is not a value of the format.
    pub rounding: Rounding,
    /// Whether subnormal operands are replaced by zero: [`flush`](crate::flush).
    pub flush_operands: bool,
    /// Whether results are clamped to the range 0 to 1: [`saturate`](crate::saturate).
    pub saturate: bool,
    /// Whether negative results become 0: [`relu`](crate::relu). `saturate` includes it.
    pub relu: bool,
    /// Whether subnormal results become zero: [`flush`](crate::flush).
    pub flush_result: bool,
}

/// The processor instructions that are used.
///
/// Each function processes as many lanes or registers as the shortest slice contains, and does not
/// change the rest of `out`. No function panics.
#[derive(Debug, Clone, Copy)]
pub struct Engine(Backend);

#[derive(Debug, Clone, Copy)]
enum Backend {
    Portable,
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    Avx2(fearless_simd::Avx2),
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    Avx512(fearless_simd::Avx512),
}

/// Defines the functions of an operation: for slices of lanes, and for registers of two lanes each.
macro_rules! operation {
    (
        $(#[$of_lanes:meta])* $operation:ident,
        $(#[$of_registers:meta])* $packed:ident: $count:literal, $($source:ident),+
    ) => {
        $(#[$of_lanes])*
        #[inline]
        pub fn $operation<H: Half>(
            self,
            settings: Settings,
            $($source: &[u16],)+
            out: &mut [u16],
        ) {
            in_blocks::<_, $count, LANES>(
                [$($source),+],
                out,
                #[inline(always)]
                |[$($source),+], out| match self.0 {
                    Backend::Portable => apply_each::<H, $count>(
                        settings,
                        [$($source),+],
                        out,
                        #[inline(always)]
                        |[$($source),+]| H::$operation($($source,)+ settings.rounding),
                    ),
                    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                    Backend::Avx2(simd) => (const { x86::avx2_kernels(H::FORMAT) }.$operation)(simd, settings, $($source,)+ out),
                    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                    Backend::Avx512(simd) => (const { x86::avx512_kernels(H::FORMAT) }.$operation)(simd, settings, $($source,)+ out),
                },
            );
        }

        $(#[$of_registers])*
        #[inline]
        pub fn $packed<H: Half>(
            self,
            settings: Settings,
            $($source: PackedOperand<'_>,)+
            out: &mut [u32],
        ) {
            let takes_one = matches!(self.0, Backend::Portable);
            in_registers(
                takes_one,
                [$($source),+],
                out,
                #[inline(always)]
                |[$($source),+], out| match (self.0, out) {
                    (Backend::Portable, [out]) => {
                        *out = apply_to_one::<H, $count>(
                            settings,
                            [$($source),+],
                            #[inline(always)]
                            |[$($source),+]| H::$operation($($source,)+ settings.rounding),
                        )
                    }
                    (Backend::Portable, out) => apply_each_packed::<H, $count>(
                        settings,
                        [$($source),+],
                        out,
                        #[inline(always)]
                        |[$($source),+]| H::$operation($($source,)+ settings.rounding),
                    ),
                    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                    (Backend::Avx2(simd), out) => {
                        (const { x86::avx2_kernels(H::FORMAT) }.$packed)(simd, settings, $($source,)+ out)
                    }
                    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                    (Backend::Avx512(simd), out) => {
                        (const { x86::avx512_kernels(H::FORMAT) }.$packed)(simd, settings, $($source,)+ out)
                    }
                },
            );
        }
    };
}

impl Engine {
    /// The instructions of every processor of the compilation target.
    pub const PORTABLE: Self = Engine(Backend::Portable);

    /// Returns the fastest engine for this processor.
    ///
    /// The first call detects the processor's features; later calls reuse the result.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        {
            let level = fearless_simd::Level::new();
            if let Some(simd) = level.as_avx512() {
                return Engine(Backend::Avx512(simd));
            }
            if let Some(simd) = level.as_avx2() {
                return Engine(Backend::Avx2(simd));
            }
        }
        Self::PORTABLE
    }

    /// Returns all engines that this processor supports, from the portable one to the fastest.
    pub fn all() -> impl Iterator<Item = Self> {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        let found = {
            let level = fearless_simd::Level::new();
            [level.as_avx2().map(Backend::Avx2), level.as_avx512().map(Backend::Avx512)]
        };
        #[cfg(not(all(feature = "simd", target_arch = "x86_64")))]
        let found: [Option<Backend>; 0] = [];
        core::iter::once(Backend::Portable).chain(found.into_iter().flatten()).map(Engine)
    }

    /// Returns the name for reports: `portable`, `avx2` or `avx512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Backend::Portable => "portable",
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Backend::Avx2(_) => "avx2",
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Backend::Avx512(_) => "avx512",
        }
    }

    operation! {
        /// Computes `a + b` in each lane: [`add()`](crate::add()).
        add,
        /// Computes `a + b` in both lanes of each register.
        add_packed: 2, a, b
    }

    operation! {
        /// Computes `a * b` in each lane: [`mul()`](crate::mul()).
        mul,
        /// Computes `a * b` in both lanes of each register.
        mul_packed: 2, a, b
    }

    operation! {
        /// Computes `a * b + c` in each lane, rounded once: [`fma()`](crate::fma()).
        fma,
        /// Computes `a * b + c` in both lanes of each register, rounded once.
        fma_packed: 3, a, b, c
    }
}

impl Default for Engine {
    /// Returns the fastest engine: [`Engine::new`].
    fn default() -> Self {
        Engine::new()
    }
}
