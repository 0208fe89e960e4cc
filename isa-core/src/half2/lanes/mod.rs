//! The arithmetic on many lanes at once: slices of 16-bit patterns, or of registers that have two
//! each, such as those of a warp.
//!
//! An [`Engine`] says which instructions of the processor are used. Each gives the same bits as
//! the functions of [`half2`](super) applied lane by lane; they differ in speed alone. Without the
//! feature `simd` there is the portable one, loops that the compiler makes vector code of. With it
//! [`Engine::new`] finds out what the processor has.
//!
//! ```
//! use isa_core::half2::lanes::{Engine, Settings};
//! use isa_core::half2::{Rounding, f16};
//!
//! let down = Settings { rounding: Rounding::TowardNegative, ..Settings::default() };
//! let (ones, tiny) = ([0x3c00; 32], [0x8001; 32]);
//! let mut sums = [0; 32];
//! Engine::new().add::<f16>(down, &ones, &tiny, &mut sums);
//! assert_eq!(sums, [0x3bff; 32]);
//! ```

mod block;
mod packed;
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
pub(in crate::half2) mod x86;

use super::format::Half;
use super::round::Rounding;
use block::{LANES, apply_each, apply_each_packed, apply_to_one, in_blocks, in_registers};
pub use packed::{Packed, Select, pack};

/// How results are rounded, and what is done before and after.
///
/// The order is that of the instruction set: operands are flushed, the exact result is rounded
/// once, `.SAT` or else `.RELU` applies, the result is flushed, and any NaN is 0x7fff. The default
/// is to nearest and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Settings {
    /// How a result that is not a value of the format is rounded.
    pub rounding: Rounding,
    /// Whether subnormal operands count as zero: [`flush`](super::flush).
    pub flush_operands: bool,
    /// Whether results are limited to 0 to 1: [`saturate`](super::saturate).
    pub saturate: bool,
    /// Whether negative results become 0: [`relu`](super::relu). `saturate` includes it.
    pub relu: bool,
    /// Whether subnormal results become zero: [`flush`](super::flush).
    pub flush_result: bool,
}

/// Which instructions of the processor do the work.
///
/// Each function works on as many lanes, or registers, as the shortest slice has and leaves the rest
/// of `out` as it is. None panics.
#[derive(Debug, Clone, Copy)]
pub struct Engine(Kind);

#[derive(Debug, Clone, Copy)]
enum Kind {
    Portable,
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    Avx2(fearless_simd::Avx2),
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    Avx512(fearless_simd::Avx512),
}

/// The functions of an operation: on slices of lanes, and on registers of two lanes each.
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
                    Kind::Portable => apply_each::<H, $count>(
                        settings,
                        [$($source),+],
                        out,
                        #[inline(always)]
                        |[$($source),+]| H::$operation($($source,)+ settings.rounding),
                    ),
                    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                    Kind::Avx2(simd) => (H::AVX2.$operation)(simd, settings, $($source,)+ out),
                    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                    Kind::Avx512(simd) => (H::AVX512.$operation)(simd, settings, $($source,)+ out),
                },
            );
        }

        $(#[$of_registers])*
        #[inline]
        pub fn $packed<H: Half>(
            self,
            settings: Settings,
            $($source: Packed<'_>,)+
            out: &mut [u32],
        ) {
            let takes_one = matches!(self.0, Kind::Portable);
            in_registers(
                takes_one,
                [$($source),+],
                out,
                #[inline(always)]
                |[$($source),+], out| match (self.0, out) {
                    (Kind::Portable, [out]) => {
                        *out = apply_to_one::<H, $count>(
                            settings,
                            [$($source),+],
                            #[inline(always)]
                            |[$($source),+]| H::$operation($($source,)+ settings.rounding),
                        )
                    }
                    (Kind::Portable, out) => apply_each_packed::<H, $count>(
                        settings,
                        [$($source),+],
                        out,
                        #[inline(always)]
                        |[$($source),+]| H::$operation($($source,)+ settings.rounding),
                    ),
                    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                    (Kind::Avx2(simd), out) => {
                        (H::AVX2.$packed)(simd, settings, $($source,)+ out)
                    }
                    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
                    (Kind::Avx512(simd), out) => {
                        (H::AVX512.$packed)(simd, settings, $($source,)+ out)
                    }
                },
            );
        }
    };
}

impl Engine {
    /// What every processor of the target has that the program was compiled for.
    pub const PORTABLE: Self = Engine(Kind::Portable);

    /// The fastest on this processor.
    ///
    /// The first call asks the processor; later ones read what it said.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        {
            let level = fearless_simd::Level::new();
            if let Some(simd) = level.as_avx512() {
                return Engine(Kind::Avx512(simd));
            }
            if let Some(simd) = level.as_avx2() {
                return Engine(Kind::Avx2(simd));
            }
        }
        Self::PORTABLE
    }

    /// All that this processor can run, the portable one first and the fastest last.
    pub fn all() -> impl Iterator<Item = Self> {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        let found = {
            let level = fearless_simd::Level::new();
            [level.as_avx2().map(Kind::Avx2), level.as_avx512().map(Kind::Avx512)]
        };
        #[cfg(not(all(feature = "simd", target_arch = "x86_64")))]
        let found: [Option<Kind>; 0] = [];
        core::iter::once(Kind::Portable).chain(found.into_iter().flatten()).map(Engine)
    }

    /// The name, for reports: `portable`, `avx2` or `avx512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Kind::Avx2(_) => "avx2",
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            Kind::Avx512(_) => "avx512",
        }
    }

    operation! {
        /// `a + b` in each lane: [`add()`](super::add()).
        add,
        /// `a + b` in both lanes of each register.
        add_packed: 2, a, b
    }

    operation! {
        /// `a * b` in each lane: [`mul()`](super::mul()).
        mul,
        /// `a * b` in both lanes of each register.
        mul_packed: 2, a, b
    }

    operation! {
        /// `a * b + c` in each lane, rounded once: [`fma()`](super::fma()).
        fma,
        /// `a * b + c` in both lanes of each register, rounded once.
        fma_packed: 3, a, b, c
    }
}

impl Default for Engine {
    /// The fastest: [`Engine::new`].
    fn default() -> Self {
        Engine::new()
    }
}
