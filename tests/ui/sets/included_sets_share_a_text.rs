pub mod first {
    isa_core::define_isa! {
        pub isa First: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 2 { ONE = 0 }

        opcode MOVE_ONE {
            encoding { field<0, 2> Op op == ONE; field<8, 8> Reg rd; }
            syntax { MOVE rd; }
        }
    }
}

pub mod second {
    isa_core::define_isa! {
        pub isa Second: u16;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 2 { TWO = 1 }

        opcode MOVE_TWO {
            encoding { field<0, 2> Op op == TWO; field<8, 8> Reg rd; }
            syntax { MOVE rd; }
        }
    }
}

isa_core::define_isa! {
    pub isa Both: u16;

    include crate::first::First;
    include crate::second::Second;
}

fn main() {}
