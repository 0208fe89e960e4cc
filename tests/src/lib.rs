//! What the tests share: vector files, a recording machine, a random number generator.

pub mod machine;
pub mod random;
pub mod strict;
pub mod vectors;
