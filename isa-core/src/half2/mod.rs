//! Half-precision arithmetic.
