isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    format CvtFImm = isa_defs::base::CvtFImm;

    opcode MOVE {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; }
        syntax { MOVE Rd, Ra; }
        operands { InList<ra>; OutList<rd>; AsmFormat<ra> = CvtFIm(ra); }
    }
}

fn main() {}
