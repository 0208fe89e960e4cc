//! A64, the base integer instructions of AArch64 and one group of SIMD, written with what `isa-core`
//! offers to every author.
//!
//! The texts are those of LLVM.
//!
//! ```
//! use isa_a64::A64;
//!
//! let add: A64 = "add x0, sp, #1, lsl #12;".parse().unwrap();
//! assert_eq!(add.encode().unwrap(), 0x9140_07e0);
//! assert_eq!(A64::decode(0xf100_07ff).unwrap().to_string(), "cmp sp, #1;");
//! assert_eq!("subs xzr, sp, #1;".parse::<A64>().unwrap().encode().unwrap(), 0xf100_07ff);
//! ```

// A body that stands once for 32 and for 64 bits converts what is wide enough already in one of them.
#![allow(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "bodies of loops serve several sizes"
)]

mod base;
pub mod branch;
pub mod cpu;
pub mod exclusive;
pub mod formats;
pub mod immediate;
pub mod machine;
pub mod memory;
pub mod number;
pub mod pair;
mod reg;
pub mod register;
pub mod simd;
pub mod simulator;

pub use base::*;
pub use machine::{Machine, Trap};

isa_core::define_isa! {
    /// The base integer instructions of AArch64, and one group of SIMD.
    pub isa A64: u32;

    machine crate::machine::Machine;
    trap crate::machine::Trap;

    include crate::immediate::Immediate;
    include crate::register::Register;
    include crate::branch::Branch;
    include crate::memory::OneRegister;
    include crate::pair::TwoRegisters;
    include crate::exclusive::Exclusive;
    include crate::simd::Simd;
}

/// The command line of the set, in which statements end with their lines.
#[cfg(feature = "tool")]
#[must_use]
pub fn tool() -> isa_tool::Tool<A64> {
    isa_tool::Tool::new("a64").lines("").machine(A64::execute::<simulator::Simulator>)
}
