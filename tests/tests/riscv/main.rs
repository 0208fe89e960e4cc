//! Compares RISC-V with independent tools: LLVM, the GNU assembler and disassembler, and the GNU
//! compiler.

mod accepted;
mod assembled;
mod code;
mod effects;
mod executed;
mod instructions;
mod labels;
mod listed;
mod objects;
mod programs;
mod reserved;
mod sample;
mod spelling;
mod tools;
