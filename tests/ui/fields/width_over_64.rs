isa_core::define_isa! {
    pub isa Toy: u128;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode MOVE {
        encoding { field<0, 2> Mode mode; field<8, 65> Reg rd; }
        syntax { MOVE.mode rd; }
    }
}

fn main() {}
