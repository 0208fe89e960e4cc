mod base {
    isa_core::define_isa! {
        pub isa Base: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Mode: 2 { A = 0, B = 1, C = 2 }

        group MOVES {
            encoding { field<0, 2> Mode mode = A; field<8, 8> Reg rd; }
            exception { EncodingError<Illegal, "only A"> = mode != A; }
        }
    }
}

isa_core::define_isa! {
    pub isa Toy: u16;

    use crate::base::Base;

    opcode MOVE : [MOVES] {
        syntax { MOVE{.mode} Rd; }
        exception { EncodingError<Illegal, "no B"> = mode == B; }
    }
}

fn main() {}
