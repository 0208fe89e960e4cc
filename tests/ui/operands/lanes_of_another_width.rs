isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;

    opcode MOVE {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; }
        syntax { MOVE Rd, Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; Bitwidth<ra> = 32; Lanes<ra> = 24; }
    }
}

fn main() {}
