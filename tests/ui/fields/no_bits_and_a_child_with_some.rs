isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;

    group STACK { encoding { field<> Reg stack == 14; } }
    opcode PUSH : [STACK] {
        encoding { field<0, 8> Reg stack == 14; field<8, 8> Reg ra; }
        syntax { PUSH stack, ra; }
    }
}

fn main() {}
