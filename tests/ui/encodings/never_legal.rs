isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }
    enum Bit: 1 { ZERO = 0, ONE = 1 }

    opcode MOVE {
        encoding { field<0, 1> Bit bit; field<8, 8> Reg rd; }
        syntax { MOVE.bit rd; }
        exception {
            EncodingError<Illegal, "not zero"> = bit == ZERO;
            EncodingError<Illegal, "not one"> = bit == ONE;
        }
    }
}

fn main() {}
