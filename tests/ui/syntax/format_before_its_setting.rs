isa_core::define_isa! {
    pub isa Toy: u64;

    operand Reg: 8 = isa_core::operand::Reg;
    operand F16ImmX2: 32 = isa_defs::base::F16ImmX2;
    format CvtFImm = isa_defs::base::CvtFImm;
    enum Op: 2 { ONE = 0, TWO = 1 }
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode MOVE {
        encoding { field<0, 2> Op op == ONE; field<2, 2> Mode mode = A; field<8, 32> F16ImmX2 imm; }
        syntax { MOVE imm $mode; }
        operands { InList<imm>; OutList<>; Order<imm>; AsmFormat<imm> = CvtFImm(imm, mode); }
    }
}

fn main() {}
