mod first {
    isa_core::define_isa! {
        pub(crate) isa First: u16;

        enum Mode: 2 { A = 0, B = 1, C = 2 }

        opcode MOVE {
            encoding { field<0, 2> Mode mode; field<8, 4> Low low == ZERO; }
            syntax { MOVE.mode; }
        }

        enum Low: 4 { ZERO = 0, ONE = 1 }
    }
}

mod second {
    isa_core::define_isa! {
        pub(crate) isa Second: u16;

        enum Flag: 2 { X = 0, Y = 1 }

        opcode COPY {
            encoding { field<0, 2> Flag flag; }
            syntax { COPY.flag; }
        }
    }
}

isa_core::define_isa! {
    isa Both: u16;

    include crate::first::First;
    include crate::second::Second;
}

fn main() {}
