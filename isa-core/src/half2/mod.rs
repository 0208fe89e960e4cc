//! Half-precision arithmetic, one lane at a time, bit for bit.
//!
//! The functions are generic over the two formats, [`f16`] and [`bf16`]. Those
//! types come from the crate `half`; none of its arithmetic or text conversion
//! is used, because it rounds in one mode only, and some of it twice.
//!
//! The rounding mode and the rules for NaNs are parameters: there is no global
//! state. No function allocates, and none panics, on any input.
//!
//! ```
//! use isa_core::half2::{self, Rounding, f16};
//!
//! let a = f16::from_bits(0x2e66);
//! let b = f16::from_bits(0xbc00);
//! let sum = half2::add(b, a, Rounding::TowardZero);
//! assert_eq!(sum.to_bits(), 0xbb33);
//! ```

mod add;
mod exact;
mod fma;
mod format;
mod mul;
mod round;

pub use half::{bf16, f16};

pub use add::add;
pub use fma::fma;
pub use format::{Format, Half};
pub use mul::mul;
pub use round::Rounding;
