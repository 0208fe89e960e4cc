isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 2 { ONE = 0, TWO = 1 }
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode JUMP {
        encoding { field<0, 2> Op op == ONE; field<2, 2> Mode mode = A; field<8, 8> Reg rd; }
        syntax { BRA{.mode} rd; }
    }

    opcode JUMP_B {
        encoding { field<0, 2> Op op == TWO; field<8, 8> Reg rd; }
        syntax { "BRA.B" rd; }
    }
}

fn main() {}
