isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 2 { NEG = 0, SUM = 1 }

    group GUARDED {
        encoding { field<2, 1> Bit pg; field<8, 8> Reg rd; field<16, 8> Reg ra; }
    }
    optype ADD : [GUARDED] {
        syntax { ADD.pg Rd, Ra, SrcB; }
        semantics { Rd = Ra.value; }
    }
    opcode ADD_R : [ADD] {
        encoding { field<0, 2> Op op == NEG; field<24, 8> Reg rb; }
        operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
    }
    opcode ADD_U : [ADD] {
        encoding { field<0, 2> Op op == SUM; field<24, 6> UReg ub; }
        operands { InList<ra, ub>; OutList<rd>; Order<rd, ra, ub>; }
    }

    operand UReg: 6 = isa_defs::base::UReg;
    enum Bit: 1 { OFF = 0, ON = 1 }
}

fn main() {}
