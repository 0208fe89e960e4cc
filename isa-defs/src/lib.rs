//! A 128-bit GPU instruction set, defined with [`define_isa!`](isa_core::define_isa), and the `isa`
//! tool.
//!
//! ```
//! use isa_core::machine::{GeneralRegs, State};
//! use isa_core::operand::Reg;
//! use isa_defs::gpu::Gpu;
//! use isa_defs::halu::Hadd2Rr;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let add = Hadd2Rr::new(Reg::R0, Reg::R1, Reg::R2).ftz(true);
//! let word: u128 = add.encode()?;
//! assert_eq!(word, 0x1000_00000002_01007130);
//! assert_eq!(Gpu::decode(word)?.to_string(), "HADD2.FTZ R0, R1, R2;");
//!
//! let mut machine = State::new();
//! machine.set_reg(1, 0x3c00_4000);
//! machine.set_reg(2, 0x3c00_3c00);
//! "HADD2.FTZ R0, R1, R2;".parse::<Gpu>()?.execute(&mut machine);
//! assert_eq!(machine.reg(0), 0x4000_4200);
//! # Ok(())
//! # }
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`base`] | definitions that the families share: enums, operand types, the guard |
//! | [`halu`] | HADD2, HMUL2, HFMA2, HMNMX2, HSETP2, HSET2: pairs of 16-bit floats |
//! | [`video`] | vadd2 to vmax4: SIMD within a register, after PTX |
//! | [`gpu`] | both families as one set |
//! | `cli` | the `isa` tool as a function, with the default feature `cli` |
//!
//! Without default features the crate is `no_std` and depends only on `isa-core` and `isa-half`.
#![cfg_attr(not(feature = "cli"), no_std)]
#![forbid(unsafe_code)]

pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
pub mod gpu;
pub mod halu;
pub mod video;
