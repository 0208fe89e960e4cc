//! Compares A64 with independent tools: LLVM and QEMU.

mod accepted;
mod cases;
mod checked;
mod effects;
mod emulated;
mod executed;
mod listed;
mod objects;
mod programs;
mod sample;
mod set;
mod spelling;
mod tools;
