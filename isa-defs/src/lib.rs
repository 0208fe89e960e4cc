//! The HALU half-precision instruction set, defined with `define_isa!`, and the `isa` tool.
#![cfg_attr(not(feature = "cli"), no_std)]

pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
pub mod gpu;
pub mod halu;
pub mod video;
