isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;

    opcode SELF {
        encoding { field<0, 8> Reg rd; }
        syntax { SELF Rd; }
        operands { InList<>; OutList<rd>; Order<rd>; }
        semantics { Rd = 0; }
    }
}

fn main() {}
