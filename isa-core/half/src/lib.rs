//! Arithmetic of 16-bit floats for the semantics of instruction sets. Every result is exact to the bit.
//!
//! The functions are generic over the two formats [`f16`](struct@f16) and [`bf16`]. These types
//! come from the crate `half`. Its arithmetic and text conversion are not used, because they
//! support only one rounding mode and sometimes round twice.
//!
//! An arithmetic instruction applies these steps to each lane, in this order:
//!
//! | step | function |
//! |---|---|
//! | absolute value, then negation | [`abs`], [`neg`] |
//! | `.FTZ` of the operands | [`flush`] |
//! | the exact operation, and one rounding | [`add()`], [`mul()`], [`fma()`] |
//! | `.SAT` or `.RELU` | [`saturate`], [`relu`] |
//! | `.FTZ` of the result | [`flush`] |
//! | NaN | [`canonical_nan`] |
//!
//! [`lanes`] contains the arithmetic on slices with vector instructions. This crate also contains
//! [`min_max`], [`compare()`], [`widen_to_f32_bits`], and the conversion between lanes and text,
//! [`parse_lane`] and [`write_lane`].
//!
//! The rounding mode and the rules for NaNs are parameters: there is no global state. No function
//! allocates or panics on any input.
//!
//! The crate is `no_std` and has no unsafe code. The feature `simd`, which needs `std`, adds the vector
//! instructions that the processor supports at run time.
//!
//! ```
//! use isa_half::{LaneError, Rounding, abs, add, f16, parse_lane, saturate};
//!
//! # fn main() -> Result<(), LaneError> {
//! let a = f16::from_bits(parse_lane::<f16>(b"0.1")?);
//! let b = f16::from_bits(parse_lane::<f16>(b"-1")?);
//! let sum = saturate(add(abs(b), a, Rounding::TowardZero));
//! assert_eq!(sum.to_bits(), 0x3c00);
//! # Ok(())
//! # }
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod add;
mod binary32;
mod binary64;
mod buffer;
mod compare;
mod decimal;
mod digits;
mod exact;
mod fma;
mod format;
mod half_float;
pub mod lanes;
mod minmax;
mod modifiers;
mod mul;
mod nearest;
mod rounding;
mod shortest;
mod sign;
mod text;
mod widen;

pub use half::{bf16, f16};

pub use add::add;
pub use compare::{Compare, compare};
pub use fma::fma;
pub use format::FloatFormat;
pub use half_float::Half;
pub use minmax::{Extremum, min_max};
pub use modifiers::{canonical_nan, flush, relu, saturate};
pub use mul::mul;
pub use rounding::Rounding;
pub use sign::{abs, neg};
pub use text::{LANE_BUFFER, LANE_TEXT_MAX, LaneError, parse_lane, write_lane};
pub use widen::widen_to_f32_bits;
