isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 7 = isa_core::operand::Reg;

    opcode MOVE {
        encoding { field<8, 7> Reg rd; field<0, 1> Bit bit == ONE; }
        syntax { MOVE rd; }
    }

    enum Bit: 1 { ZERO = 0, ONE = 1 }
}

fn main() {}
