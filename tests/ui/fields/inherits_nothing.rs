isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    group WORDS { encoding { field<0, 2> Mode mode; field<8, 8> Reg rd; } }

    opcode MOVE : [WORDS] {
        encoding { mod == A; field<2, 2> Mode other; }
        syntax { MOVE.mode.other rd; }
    }
    opcode COPY : [WORDS] {
        encoding { mode == D; field<2, 2> Mode kind; kind == B; }
        syntax { COPY rd; }
    }
    group FIXED : [WORDS] { encoding { mode == A; } }
    opcode SWAP : [FIXED] {
        encoding { mode = B; rd == ; }
        syntax { SWAP rd; }
    }
}

fn main() {}
