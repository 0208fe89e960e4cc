//! A second set, of 16-bit words: a field in two pieces, a mnemonic with a dot, and a general
//! opcode that contains a special case.

use isa_core::table::InstructionSet;

isa_core::define_isa! {
    /// Words of 16 bits.
    pub(crate) isa Small: u16;

    operand Imm6: 6 = isa_core::operand::Unsigned<6>;
    enum Op: 4 { LI = 1, FENCE = 2, FENCE_I = 3 }

    opcode LI {
        encoding { field<0, 4> Op op == LI; field<15, 1 : 4, 5> Imm6 imm; }
        syntax { li imm; }
    }

    /// The opcode has its own name if the immediate is 0.
    opcode CLEAR inside LI {
        encoding { field<0, 4> Op op == LI; field<15, 1 : 4, 5> Imm6 imm == 0; }
        syntax { clear; }
    }

    opcode FENCE { encoding { field<0, 4> Op op == FENCE; } syntax { fence; } }

    opcode FENCE_I { encoding { field<0, 4> Op op == FENCE_I; } syntax { "fence.i"; } }
}

/// The tables of the set.
pub(crate) static SMALL: &InstructionSet = Small::SET;
