mod base {
    isa_core::define_isa! {
        pub(crate) isa Base: u16;

        enum Mode: 2 { A = 0, B = 1, C = 2 }
    }
}

isa_core::define_isa! {
    isa Toy: u16;

    use crate::base::Base;

    enum Mode: 2 { X = 0, Y = 1, Z = 2, W = 3 }

    opcode MOVE {
        encoding { field<0, 2> Mode mode; }
        syntax { MOVE.mode; }
    }
}

fn main() {}
