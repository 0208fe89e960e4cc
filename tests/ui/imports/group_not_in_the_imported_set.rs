mod base {
    isa_core::define_isa! {
        pub(crate) isa Base: u16;

        enum Mode: 2 { A = 0, B = 1, C = 2 }

        group ALL { encoding { field<0, 2> Mode mode = A; } }
    }
}

isa_core::define_isa! {
    isa Toy: u16;

    use crate::base::Base;

    opcode MOVE : [EVERY] { syntax { MOVE{.mode}; } }
}

fn main() {}
