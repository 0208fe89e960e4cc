//! The HALU instruction set.
