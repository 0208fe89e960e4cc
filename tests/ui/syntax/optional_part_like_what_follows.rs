isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 2 { ONE = 0, TWO = 1 }
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode MOVE {
        encoding { field<0, 2> Op op == ONE; field<8, 8> Reg ra = RZ; field<16, 8> Reg rb; }
        syntax { MOVE{, ra}, rb; }
    }
}

fn main() {}
