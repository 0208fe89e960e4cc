isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 1 { MOVE = 0, ADD = 1 }

    opcode MOVE {
        encoding { field<0, 1> Op op == MOVE; field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
        syntax { MOVE Rd, Ra, rb; }
        operands { InList<ra, rb, rd>; OutList<rd>; Order<rd, ra, rb>; }
    }

    opcode ADD {
        encoding { field<0, 1> Op op == ADD; field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
        syntax { ADD Rd, Ra, Rb; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra, rb>; }
    }
}

fn main() {}
