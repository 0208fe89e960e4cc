isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    group MOVES {
        encoding { field<0, 2> Mode mode; field<8, 8> Reg rd; }
        exception { EncodingError<Illegal, "not with B or C"> = mode in {B, C}; }
    }

    opcode MOVE : [MOVES] {
        encoding { field<2, 2> Mode kind == A; }
        syntax { MOVE.mode rd; }
    }

    opcode COPY : [MOVES] {
        encoding { field<2, 2> Mode kind == B; field<0, 2> Mode mode == C; }
        syntax { COPY rd; }
    }
}

fn main() {}
