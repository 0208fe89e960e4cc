//! What the tests share: vector files, a recording machine, a random number generator, and an
//! independent view of instruction sets to compare the engine with.

pub mod condition;
pub mod count;
pub mod fuzz;
pub mod garble;
pub mod half_support;
pub mod machine;
pub mod model;
pub mod processor;
pub mod provenance;
pub mod random;
pub mod reading;
pub mod share;
pub mod space;
pub mod spelling;
pub mod strict;
pub mod text;
pub mod tools;
pub mod vectors;
pub mod verify;
pub mod video;
pub mod work;

/// The Rust blocks of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The Rust blocks of the pages of the published crates.
#[cfg(doctest)]
#[doc = include_str!("../../isa-macros/README.md")]
#[doc = include_str!("../../isa-macros/spec/README.md")]
#[doc = include_str!("../../isa-core/README.md")]
#[doc = include_str!("../../isa-defs/README.md")]
#[doc = include_str!("../../isa-defs/tool/README.md")]
pub struct Pages;
