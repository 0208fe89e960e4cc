isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;

    opcode MOVE {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
        syntax { MOVE Rd, Ra, rb; }
        operands { InList<ra, rb, rd>; OutList<rd>; Order<rd, ra, rb>; }
    }

    opcode ADD {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
        syntax { ADD Rd, Ra, Rb; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra, rb>; }
    }
}

fn main() {}
