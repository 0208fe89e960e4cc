//! Registers and numbers that all extensions of the set use.

pub use super::csr::Csr;
pub use super::fence::Accesses;
pub use super::reg::{CReg, Mask, Reg};

isa_core::define_isa! {
    /// Declarations shared by the parts of the set.
    pub isa Base: u16 | u32;

    machine crate::machine::Machine;
    trap crate::machine::Trap;

    /// A register.
    operand Reg: 5;
    /// One of the eight registers that three bits can name.
    operand CReg: 3;
    /// A register with the bits to set or to clear.
    operand Mask: 5;
    /// A control and status register.
    operand Csr: 12;
    /// Which kinds of accesses a fence orders.
    operand Accesses: 4;
    /// The upper part of a number, as a 16-bit word has it.
    operand CUpper: 6 = isa_core::operand::ComputedImmediate<crate::upper::Upper6>;

    for $N in 1, 2, 3, 4, 6, 7, 12 {
        /// A small part of a word, of $N bits, that only tells instructions apart.
        operand Bits$$N: $N = isa_core::operand::Unsigned<$N>;
    }

    /// The size of a number in memory, and how it is extended to 64 bits.
    enum Size: 3 { B = 0, H = 1, W = 2, D = 3, BU = 4, HU = 5, WU = 6 }

    /// A number to calculate with, or an offset in bytes.
    operand Imm12: 12 = isa_core::operand::AddressPartOr<crate::parts::Low, isa_core::operand::Signed<12>>;
    /// The upper 20 of 32 bits.
    operand Upper: 20 = isa_core::operand::AddressPartOr<crate::parts::High, isa_core::operand::Unsigned<20>>;
    /// A number that replaces a register.
    operand Uimm5: 5 = isa_core::operand::Unsigned<5>;
    /// How far to shift 64 bits.
    operand Shamt: 6 = isa_core::operand::Unsigned<6>;
    /// How far to shift 32 bits.
    operand ShamtW: 5 = isa_core::operand::Unsigned<5>;
    /// How far to branch, in bytes.
    operand Branch: 12 = isa_core::operand::Relative<12, 1>;
    /// How far to jump, in bytes.
    operand Jump: 20 = isa_core::operand::Relative<20, 1>;
}
