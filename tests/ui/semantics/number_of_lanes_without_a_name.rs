isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;

    opcode LD {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; }
        syntax { LD Rd, Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        semantics<4> { Rd = Ra.value; }
    }
}

fn main() {}
