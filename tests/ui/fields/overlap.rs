isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    group DEST { encoding { field<7, 8> Reg rd; } }

    opcode MOVE : [DEST] {
        encoding { field<6, 2> Mode mode; }
        syntax { MOVE.mode rd; }
    }
}

fn main() {}
