isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }
    enum Bit: 1 { ZERO = 0, ONE }

    opcode MOVE {
        encoding { field<0, 2> Mode mode; field<8, 8> Reg rd; field<2, 1> Bit bit; }
        syntax { MOVE.mode.bit rd; }
    }
}

fn main() {}
