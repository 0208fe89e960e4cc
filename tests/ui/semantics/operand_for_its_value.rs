isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;

    opcode ADD {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
        syntax { ADD Rd, Ra, Rb; }
        operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
        semantics { Rd = Ra + Rb.value; }
    }
}

fn main() {}
