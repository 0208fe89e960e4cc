isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 65 { A = 0, B = 1, C = 2 }
}

fn main() {}
