//! Shared code of the tests: vector files, a recording machine, the test campaigns of this project,
//! and fuzz targets. Code that works for any set is in `isa_verify`.

pub mod accepted;
pub mod fuzz;
pub mod half_support;
pub mod machine;
pub mod page;
pub mod processor;
pub mod provenance;
pub mod share;
pub mod strict;
pub mod tools;
pub mod vectors;
pub mod verify;
pub mod video;
pub mod work;

/// The Rust code blocks of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The Rust code blocks of the READMEs of the published crates.
#[cfg(doctest)]
#[doc = include_str!("../../isa-macros/README.md")]
#[doc = include_str!("../../isa-macros/compiler/README.md")]
#[doc = include_str!("../../isa-core/README.md")]
#[doc = include_str!("../../isa-defs/README.md")]
#[doc = include_str!("../../isa-core/cli/README.md")]
#[doc = include_str!("../../isa-core/verify/README.md")]
#[doc = include_str!("../../isa-core/export/README.md")]
#[doc = include_str!("../../isa-defs/riscv/README.md")]
#[doc = include_str!("../../isa-defs/a64/README.md")]
pub struct Pages;
