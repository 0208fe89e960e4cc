//! A64 beside tools that were written elsewhere: LLVM and QEMU.

mod accepted;
mod cases;
mod checked;
mod emulated;
mod executed;
mod listed;
mod objects;
mod programs;
mod sample;
mod set;
mod spelling;
mod tools;
