//! The HALU half-precision instruction set, defined with `define_isa!`, and the `isa` tool.
#![no_std]

pub mod base;
pub mod halu;
