isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Pred: 3 = isa_core::operand::Pred;
    enum Op: 2 { ONE = 0, TWO = 1 }
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode MOVE {
        encoding { field<0, 2> Op op == ONE; field<4, 3> Pred pg = PT; field<8, 8> Reg rd; }
        syntax { {pg} MOVE rd; }
    }
}

fn main() {}
