//! The formats of 32-bit instructions.

isa_core::define_isa! {
    /// The formats of 32-bit instructions.
    pub isa Formats: u32;

    use super::base::Base;

    /// The major opcode, named as in the opcode map of the manual.
    enum Major: 7 {
        LOAD = 0x03, MISC_MEM = 0x0f, OP_IMM = 0x13, AUIPC = 0x17, OP_IMM_32 = 0x1b,
        STORE = 0x23, AMO = 0x2f, OP = 0x33, LUI = 0x37, OP_32 = 0x3b,
        BRANCH = 0x63, JALR = 0x67, JAL = 0x6f, SYSTEM = 0x73,
    }

    /// Every 32-bit instruction.
    group WORD { encoding { field<0, 7> Major opcode; } }

    /// An operation on two registers, with the result in a third.
    group R : [WORD] {
        encoding {
            field< 7, 5> Reg rd;
            field<12, 3> Bits3 funct3;
            field<15, 5> Reg rs1;
            field<20, 5> Reg rs2;
            field<25, 7> Bits7 funct7;
        }
        syntax   { .. rd, rs1, rs2; }
        operands { InList<rs1, rs2>; OutList<rd>; Order<rd, rs1, rs2>; }
    }

    /// An operation on a register and an immediate, with the result in a register.
    group I : [WORD] {
        encoding {
            field< 7,  5> Reg rd;
            field<15,  5> Reg rs1;
            field<20, 12> Imm12 imm;
        }
        operands { InList<rs1, imm>; OutList<rd>; }
    }

    /// A store of one register at a second register plus an offset.
    group S : [WORD] {
        encoding {
            field<15, 5> Reg rs1;
            field<20, 5> Reg rs2;
            field<25, 7 : 7, 5> Imm12 imm;
        }
        syntax   { .. rs2, imm "(" rs1 ")"; }
        operands { InList<rs2, imm, rs1>; OutList<>; Order<rs2, imm, rs1>; }
    }

    /// A branch that compares two registers.
    group B : [WORD] {
        encoding {
            field<12, 3> Bits3 funct3;
            field<15, 5> Reg rs1;
            field<20, 5> Reg rs2;
            field<31, 1 : 7, 1 : 25, 6 : 8, 4> Branch offset;
        }
        syntax   { .. rs1, rs2, offset; }
        operands { InList<rs1, rs2, offset>; OutList<>; Order<rs1, rs2, offset>; }
    }

    /// An operation on the upper part of a number, with the result in a register.
    group U : [WORD] {
        encoding { field<7, 5> Reg rd; field<12, 20> Upper imm; }
        syntax   { .. rd, imm; }
        operands { InList<imm>; OutList<rd>; Order<rd, imm>; }
    }

    /// A jump that writes the return address to a register.
    group J : [WORD] {
        encoding { field<7, 5> Reg rd; field<31, 1 : 12, 8 : 20, 1 : 21, 10> Jump offset; }
        syntax   { .. rd, offset; }
        operands { InList<offset>; OutList<rd>; Order<rd, offset>; }
    }
}
