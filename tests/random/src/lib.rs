//! Random specifications and their meaning, computed by an enumeration that shares no code with the
//! compiler or the run-time library.

mod case;
mod claims;
pub mod compiled;
pub mod edits;
pub mod encodings;
pub mod kinds;
mod loose;
pub mod make;
pub mod mutants;
pub mod operands;
mod orders;
pub mod own;
pub mod printing;
pub mod random;
pub mod reading;
pub mod report;
mod resolved;
pub mod shrink;
pub mod spec;
pub mod text;
pub mod texts;
pub mod verdict;
mod views;
pub mod words;
pub mod write;
