//! Compares A64 with independent tools: LLVM, QEMU and the GNU assembler.

mod accepted;
mod cases;
mod checked;
mod effects;
mod emulated;
mod executed;
mod gnu;
mod listed;
mod objects;
mod programs;
mod sample;
mod set;
mod spelling;
mod tools;
