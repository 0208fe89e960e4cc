isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 4 }

    group DEST : [ALL] { encoding { field<8, 8> Rg rd; } }

    opcode MOVE : [DEST] {
        encoding { field<0, 2> Mode mode = D; }
        syntax { MOVE{.mod} rd; }
    }

    opcode COPY : [DEST] {
        encoding { field<15, 2> Mode mode; }
        syntax { COPY.mode rd, rs; }
        operand { InList<rd>; }
    }

    opcode SWAP : [DEST] { encoding { field<0, 2> Mode mode == A; } }
}

fn main() {}
