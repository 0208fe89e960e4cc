isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    format Lower = isa_defs::base::CvtFImm;

    opcode ADD {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
        syntax { ADD Rd, Ra, Rb; }
        operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; Bitwidth<ra> = 32; Bitwidth<ra> = 16;
                   AsmFormat<rb> = Lower(rb); AsmFormat<rb> = Lower(rb, rd); }
        semantics { Rd = Ra.value.wrapping_add(Rb.value); }
    }
}

fn main() {}
