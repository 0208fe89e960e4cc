// The source has no assembly syntax, so it is the mnemonic and the arguments in their order.
isa_core::registers! {
    /// A register. /* its names and its type are not in the source */
    pub Reg: 5 = "x0" to "x31" of u64;
}

isa_core::define_isa! {
    /// The instructions that `rv_toy` lists.
    pub isa RvToy: u16 | u32;

    /// A register.
    operand Reg: 5;

    /// A number.
    operand Imm12: 12 = isa_core::operand::Signed<12>; /* not in the source */

    /// A number.
    operand Bimm12: 12 = isa_core::operand::Relative<12, 1>; /* not in the source */

    /// A number.
    operand Jimm20: 20 = isa_core::operand::Relative<20, 1>; /* not in the source */

    /// A number.
    operand Fm: 4 = isa_core::operand::Unsigned<4>; /* not in the source */

    /// A number.
    operand Pred: 4 = isa_core::operand::Unsigned<4>; /* not in the source */

    /// A number.
    operand Succ: 4 = isa_core::operand::Unsigned<4>; /* not in the source */

    /// A number.
    operand Shamtw: 5 = isa_core::operand::Unsigned<5>; /* not in the source */

    /// A register of a small subset.
    enum CReg: 3 { /* the names are not in the source */
        x8 = 0,
        x9 = 1,
        x10 = 2,
        x11 = 3,
        x12 = 4,
        x13 = 5,
        x14 = 6,
        x15 = 7,
    }

    /// A number.
    operand CNzuimm10: 8 = isa_core::operand::Unsigned<8, 2>; /* not in the source */

    /// A number.
    operand CNzimm6: 6 = isa_core::operand::Signed<6>; /* not in the source */

    /// A number.
    operand CNzimm18: 6 = isa_core::operand::Signed<6>; /* not in the source */

    /// A number.
    operand CNzimm10: 6 = isa_core::operand::Signed<6, 4>; /* not in the source */

    /// A number.
    operand CImm12: 11 = isa_core::operand::Relative<11, 1>; /* not in the source */

    /// A number.
    operand CUimm8spS: 6 = isa_core::operand::Unsigned<6, 2>; /* not in the source */

    /// Bits that only distinguish instructions.
    operand Bits1: 1 = isa_core::operand::Unsigned<1>;

    /// Bits that only distinguish instructions.
    operand Bits2: 2 = isa_core::operand::Unsigned<2>;

    /// Bits that only distinguish instructions.
    operand Bits3: 3 = isa_core::operand::Unsigned<3>;

    /// Bits that only distinguish instructions.
    operand Bits4: 4 = isa_core::operand::Unsigned<4>;

    /// Bits that only distinguish instructions.
    operand Bits5: 5 = isa_core::operand::Unsigned<5>;

    /// Bits that only distinguish instructions.
    operand Bits7: 7 = isa_core::operand::Unsigned<7>;

    /// Bits that only distinguish instructions.
    operand Bits12: 12 = isa_core::operand::Unsigned<12>;

    /// Bits that only distinguish instructions.
    operand Bits13: 13 = isa_core::operand::Unsigned<13>;

    /// Two equal operands, written as one.
    format TwiceReg = isa_core::operand::Duplicated<Reg>;

    // A sample of the form of riscv-opcodes: some of the base, compressed words, names for parts.

    opcode ADDI {
        encoding {
            word<32>;
            field< 0,  2> Bits2 bits1_0   == 3;
            field< 2,  5> Bits5 bits6_2   == 0x04;
            field< 7,  5> Reg   rd;
            field<12,  3> Bits3 bits14_12 == 0;
            field<15,  5> Reg   rs1;
            field<20, 12> Imm12 imm12;
        }
        syntax { addi rd, rs1, imm12; }
    }

    opcode ANDI {
        encoding {
            word<32>;
            field< 0,  2> Bits2 bits1_0   == 3;
            field< 2,  5> Bits5 bits6_2   == 0x04;
            field< 7,  5> Reg   rd;
            field<12,  3> Bits3 bits14_12 == 7;
            field<15,  5> Reg   rs1;
            field<20, 12> Imm12 imm12;
        }
        syntax { andi rd, rs1, imm12; }
    }

    opcode SW {
        encoding {
            word<32>;
            field< 0, 2>        Bits2 bits1_0   == 3;
            field< 2, 5>        Bits5 bits6_2   == 0x08;
            field<25, 7 : 7, 5> Imm12 imm12;
            field<12, 3>        Bits3 bits14_12 == 2;
            field<15, 5>        Reg   rs1;
            field<20, 5>        Reg   rs2;
        }
        syntax { sw rs1, rs2, imm12; }
    }

    opcode BGE {
        encoding {
            word<32>;
            field< 0, 2>                       Bits2  bits1_0   == 3;
            field< 2, 5>                       Bits5  bits6_2   == 0x18;
            field<31, 1 : 7, 1 : 25, 6 : 8, 4> Bimm12 bimm12;
            field<12, 3>                       Bits3  bits14_12 == 5;
            field<15, 5>                       Reg    rs1;
            field<20, 5>                       Reg    rs2;
        }
        syntax { bge rs1, rs2, bimm12; }
    }

    opcode JAL {
        encoding {
            word<32>;
            field<0, 2>                           Bits2  bits1_0 == 3;
            field<2, 5>                           Bits5  bits6_2 == 0b11011;
            field<7, 5>                           Reg    rd;
            field<31, 1 : 12, 8 : 20, 1 : 21, 10> Jimm20 jimm20;
        }
        syntax { jal rd, jimm20; }
    }

    opcode FENCE {
        encoding {
            word<32>;
            field< 0, 2> Bits2 bits1_0   == 3;
            field< 2, 5> Bits5 bits6_2   == 0x03;
            field< 7, 5> Reg   rd;
            field<12, 3> Bits3 bits14_12 == 0;
            field<15, 5> Reg   rs1;
            field<20, 4> Succ  succ;
            field<24, 4> Pred  pred;
            field<28, 4> Fm    fm;
        }
        syntax { fence fm, pred, succ, rs1, rd; }
    }

    // a hint inside the fences
    opcode FENCE_TSO inside FENCE {
        encoding {
            word<32>;
            field< 0, 2> Bits2 bits1_0   == 3;
            field< 2, 5> Bits5 bits6_2   == 0x03;
            field< 7, 5> Bits5 bits11_7  == 0;
            field<12, 3> Bits3 bits14_12 == 0;
            field<15, 5> Bits5 bits19_15 == 0;
            field<20, 4> Bits4 bits23_20 == 3;
            field<24, 4> Bits4 bits27_24 == 3;
            field<28, 4> Bits4 bits31_28 == 8;
        }
        syntax { "fence.tso"; }
    }

    opcode ECALL {
        encoding {
            word<32>;
            field< 0,  2> Bits2  bits1_0   == 3;
            field< 2,  5> Bits5  bits6_2   == 0x1c;
            field< 7, 13> Bits13 bits19_7  == 0;
            field<20, 12> Bits12 bits31_20 == 0;
        }
        syntax { ecall; }
    }

    opcode FSGNJ_S {
        encoding {
            word<32>;
            field< 0, 2> Bits2 bits1_0   == 3;
            field< 2, 5> Bits5 bits6_2   == 0x14;
            field< 7, 5> Reg   rd;
            field<12, 3> Bits3 bits14_12 == 0;
            field<15, 5> Reg   rs1;
            field<20, 5> Reg   rs2;
            field<25, 7> Bits7 bits31_25 == 0x10;
        }
        syntax { "fsgnj.s" rd, rs1, rs2; }
    }

    // names
    alias NOP of ADDI {
        encoding {
            rd == 0;
            rs1 == 0;
            imm12 == 0;
        }
        syntax { nop; }
    }

    alias MV of ADDI {
        encoding { imm12 == 0; }
        syntax { mv rd, rs1; }
    }

    synonym BLE of BGE {
        syntax { ble rs2, rs1, bimm12; }
    }

    alias BGEZ of BGE before BLEZ {
        encoding { rs2 == 0; }
        syntax { bgez rs1, bimm12; }
    }

    alias BLEZ of BGE {
        encoding { rs1 == 0; }
        syntax { blez rs2, bimm12; }
    }

    alias J of JAL {
        encoding { rd == 0; }
        syntax { j jimm20; }
    }

    synonym SCALL of ECALL {
        syntax { scall; }
    }

    // an argument that is equal to another, of an instruction that is here and of one that is not
    alias FMV_S of FSGNJ_S {
        encoding { where rs2 == rs1; }
        syntax { "fmv.s" rd, rs1_rs2; }
        operands { AsmFormat<rs1_rs2: rs1, rs2> = TwiceReg(); }
    }

    // $pseudo_op of rv_other::fsgnjx.s, which is missing or different
    opcode FABS_S {
        encoding {
            word<32>;
            field< 0, 2> Bits2 bits1_0   == 3;
            field< 2, 5> Bits5 bits6_2   == 0x14;
            field< 7, 5> Reg   rd;
            field<12, 3> Bits3 bits14_12 == 2;
            field<15, 5> Reg   rs1;
            field<20, 5> Reg   rs2;
            field<25, 7> Bits7 bits31_25 == 0x10;
            where rs2 == rs1;
        }
        syntax { "fabs.s" rd, rs1_rs2; }
        operands { AsmFormat<rs1_rs2: rs1, rs2> = TwiceReg(); }
    }

    // bits that are a part of an argument
    // $pseudo_op of rv_toy::andi, which is missing or different
    opcode SMALL inside ANDI {
        encoding {
            word<32>;
            field< 0, 2> Bits2  bits1_0   == 3;
            field< 2, 5> Bits5  bits6_2   == 0x04;
            field< 7, 5> Reg    rd;
            field<12, 3> Bits3  bits14_12 == 7;
            field<15, 5> Reg    rs1;
            field<20, 5> Shamtw shamtw;
            field<25, 7> Bits7  bits31_25 == 0;
        }
        syntax { small rd, rs1, shamtw; }
    }

    // $pseudo_op of rv_other::gone, which is missing or different
    opcode ORC_B {
        encoding {
            word<32>;
            field< 0,  7> Bits7  bits6_0   == 0x13;
            field< 7,  5> Reg    rd;
            field<12,  3> Bits3  bits14_12 == 5;
            field<15,  5> Reg    rs1;
            field<20, 12> Bits12 bits31_20 == 0x287;
        }
        syntax { "orc.b" rd, rs1; }
    }

    // $import rv_other::clz: defined in another file

    // quadrants
    opcode C_ADDI4SPN {
        encoding {
            word<16>;
            field< 0, 2>                      Bits2     bits1_0   == 0;
            field< 2, 3>                      CReg      rd_p;
            field<7, 4 : 11, 2 : 5, 1 : 6, 1> CNzuimm10 c_nzuimm10;
            field<13, 3>                      Bits3     bits15_13 == 0;
        }
        syntax { "c.addi4spn" rd_p, c_nzuimm10; }
    }

    opcode C_NOP {
        encoding {
            word<16>;
            field< 0, 2>        Bits2   bits1_0   == 1;
            field<12, 1 : 2, 5> CNzimm6 c_nzimm6;
            field< 7, 5>        Bits5   bits11_7  == 0;
            field<13, 3>        Bits3   bits15_13 == 0;
        }
        syntax { "c.nop" c_nzimm6; }
    }

    opcode C_ADDI {
        encoding {
            word<16>;
            field< 0, 2>        Bits2   bits1_0   == 1;
            field<12, 1 : 2, 5> CNzimm6 c_nzimm6;
            field< 7, 5>        Reg     rd_rs1_n0 != 0;
            field<13, 3>        Bits3   bits15_13 == 0;
        }
        syntax { "c.addi" rd_rs1_n0, c_nzimm6; }
    }

    opcode C_LUI {
        encoding {
            word<16>;
            field< 0, 2>        Bits2    bits1_0   == 1;
            field<12, 1 : 2, 5> CNzimm18 c_nzimm18;
            field< 7, 5>        Reg      rd_n2     != {0, 2};
            field<13, 3>        Bits3    bits15_13 == 3;
        }
        syntax { "c.lui" rd_n2, c_nzimm18; }
    }

    opcode C_ADDI16SP {
        encoding {
            word<16>;
            field< 0, 2>                             Bits2    bits1_0   == 1;
            field<12, 1 : 3, 2 : 5, 1 : 2, 1 : 6, 1> CNzimm10 c_nzimm10;
            field< 7, 5>                             Bits5    bits11_7  == 2;
            field<13, 3>                             Bits3    bits15_13 == 3;
        }
        syntax { "c.addi16sp" c_nzimm10; }
    }

    opcode C_J {
        encoding {
            word<16>;
            field< 0, 2>                                                   Bits2  bits1_0   == 1;
            field<12, 1 : 8, 1 : 9, 2 : 6, 1 : 7, 1 : 2, 1 : 11, 1 : 3, 3> CImm12 c_imm12;
            field<13, 3>                                                   Bits3  bits15_13 == 5;
        }
        syntax { "c.j" c_imm12; }
    }

    opcode C_MV {
        encoding {
            word<16>;
            field< 0, 2> Bits2 bits1_0   == 2;
            field< 2, 5> Reg   c_rs2_n0  != 0;
            field< 7, 5> Reg   rd_n0     != 0;
            field<12, 1> Bits1 bit12     == 0;
            field<13, 3> Bits3 bits15_13 == 4;
        }
        syntax { "c.mv" rd_n0, c_rs2_n0; }
    }

    opcode C_JR {
        encoding {
            word<16>;
            field< 0, 2> Bits2 bits1_0   == 2;
            field< 2, 5> Bits5 bits6_2   == 0;
            field< 7, 5> Reg   rs1_n0    != 0;
            field<12, 1> Bits1 bit12     == 0;
            field<13, 3> Bits3 bits15_13 == 4;
        }
        syntax { "c.jr" rs1_n0; }
    }

    opcode C_SWSP {
        encoding {
            word<16>;
            field< 0, 2>       Bits2     bits1_0   == 2;
            field< 2, 5>       Reg       c_rs2;
            field<7, 2 : 9, 4> CUimm8spS c_uimm8sp_s;
            field<13, 3>       Bits3     bits15_13 == 6;
        }
        syntax { "c.swsp" c_rs2, c_uimm8sp_s; }
    }
}
