mod base {
    isa_core::define_isa! {
        pub(crate) isa Base: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Mode: 2 { A = 0, B = 1, C = 2 }
    }
}

mod other {
    isa_core::define_isa! {
        pub(crate) isa Other: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Mode: 2 { X = 0, Y = 1, Z = 2 }
    }
}

isa_core::define_isa! {
    isa Toy: u16;

    use crate::base::Base;
    use crate::other::Other;

    opcode MOVE {
        encoding { field<0, 2> Mode mode; field<8, 8> Reg rd; }
        syntax { MOVE.mode Rd; }
    }
}

fn main() {}
