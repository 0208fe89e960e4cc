//! What the tests share: vector files, a recording machine, a random number generator.

pub mod machine;
pub mod random;
pub mod vectors;

/// The Rust blocks of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
