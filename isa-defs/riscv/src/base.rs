//! Registers and numbers that all extensions of the set use.

pub use super::csr::Csr;
pub use super::fence::Accesses;
pub use super::reg::{CReg, Mask, Reg};

isa_core::define_isa! {
    /// Declarations shared by the parts of the set.
    pub isa Base: u16 | u32;

    machine crate::machine::HartState {
        pc: pc, next, branch;
        jump: jump, branch;
        load: load;
        store: store;
        state: reg, set_reg;
    }
    trap crate::machine::Trap;

    /// Multiplication and division.
    feature M;
    /// Atomic operations on memory.
    feature A;
    /// The most common instructions in 16 bits.
    feature C;
    /// Control and status registers.
    feature Zicsr;
    /// The fence between stores and later instruction fetches.
    feature Zifencei;

    /// A register.
    operand Reg: 5;
    /// One of the eight registers that 16-bit instructions encode in three bits.
    operand CReg: 3;
    /// A register that contains the bits to set or to clear.
    operand Mask: 5;
    /// A control and status register.
    operand Csr: 12;
    /// The types of accesses that a fence orders.
    operand Accesses: 4;
    /// The upper part of a number, as 16-bit instructions encode it.
    operand CUpper: 6 = isa_core::operand::ComputedImmediate<crate::upper::Upper6>;

    for $N in 1, 2, 3, 4, 6, 7, 12 {
        /// A field of $N bits that is not an operand, for example a part of the opcode.
        operand Bits$$N: $N = isa_core::operand::Unsigned<$N>;
    }

    /// The size of a number in memory, and its extension to 64 bits.
    enum Size: 3 { B = 0, H = 1, W = 2, D = 3, BU = 4, HU = 5, WU = 6 }

    /// A signed number, or an offset in bytes.
    operand Imm12: 12 = isa_core::operand::AddressPartOr<crate::parts::Low, isa_core::operand::Signed<12>>;
    /// The upper 20 bits of a 32-bit number.
    operand Upper: 20 = isa_core::operand::AddressPartOr<crate::parts::High, isa_core::operand::Unsigned<20>>;
    /// An unsigned number.
    operand Uimm5: 5 = isa_core::operand::Unsigned<5>;
    /// The distance of a shift of 64 bits.
    operand Shamt: 6 = isa_core::operand::Unsigned<6>;
    /// The distance of a shift of 32 bits.
    operand ShamtW: 5 = isa_core::operand::Unsigned<5>;
    /// The distance of a branch in bytes.
    operand Branch: 12 = isa_core::operand::Relative<12, 1>;
    /// The distance of a jump in bytes.
    operand Jump: 20 = isa_core::operand::Relative<20, 1>;
}
