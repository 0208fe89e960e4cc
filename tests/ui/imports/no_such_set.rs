isa_core::define_isa! {
    pub isa Toy: u16;

    use crate::base::Base;

    opcode MOVE : [ALL] { syntax { MOVE; } }
}

fn main() {}
