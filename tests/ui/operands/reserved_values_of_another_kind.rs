isa_core::define_isa! {
    pub isa Toy: u32;

    operand CMem: 22 = isa_defs::base::CMem, reserved("x1");

    opcode MOVE {
        encoding { field<8, 22> CMem ca; }
        syntax { MOVE ca; }
    }
}

fn main() {}
