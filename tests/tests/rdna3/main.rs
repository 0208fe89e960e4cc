//! Compares the packed half instructions of RDNA3 (gfx1100) with LLVM.
//!
//! The set contains the instructions of the formats VOP3P and VOP2 for 16-bit numbers, the latter in
//! their form `e32`. It covers the parts of the language that these formats need: words whose literal
//! exists only if a source requires it, a literal that several sources share, and trailing attributes
//! with several bits, which are accepted in any order.

mod assembled;
mod checked;
mod listed;
mod llvm;
mod operands;
mod sample;
mod set;
