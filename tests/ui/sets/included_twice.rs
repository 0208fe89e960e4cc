mod first {
    isa_core::define_isa! {
        pub(crate) isa First: u16;

        enum Mode: 2 { A = 0, B = 1, C = 2 }

        opcode MOVE {
            encoding { field<0, 2> Mode mode; }
            syntax { MOVE.mode; }
        }
    }
}

isa_core::define_isa! {
    isa Both: u16;

    include crate::first::First;
    include crate::first::First;
}

fn main() {}
