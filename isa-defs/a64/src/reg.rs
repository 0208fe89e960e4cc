//! Registers: `w0` to `w30`, `x0` to `x30`, and number 31, which is always 0 in some operands and
//! the stack pointer in others.

use super::machine::{Nzcv, Registers, Vectors};

isa_core::registers! {
    /// The low 32 bits of a register; number 31 is 0.
    pub W: 5 = "w0" to "w30", "wzr" of u32, in Registers { reg, set_reg };
    /// The low 32 bits of a register; number 31 is the stack pointer.
    pub Wsp: 5 = "w0" to "w30", "wsp" of u32, in Registers { reg_or_sp, set_reg_or_sp };
    /// A register; number 31 is 0.
    pub X: 5 = "x0" to "x30", "xzr" of u64, in Registers { reg, set_reg };
    /// A register; number 31 is the stack pointer.
    pub Xsp: 5 = "x0" to "x30", "sp" of u64, in Registers { reg_or_sp, set_reg_or_sp };
    /// A register of 128 bits.
    pub V: 5 = "v0" to "v31" of u128, in Vectors { v, set_v };
    /// The four flags, which instructions read and write without an encoded field.
    pub Flags: 1 = "nzcv" of Nzcv, 4 bit, in Registers { nzcv, set_nzcv };
}
