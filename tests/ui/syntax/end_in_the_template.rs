isa_core::define_isa! {
    pub isa Toy: u32;

    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode MOVE {
        encoding { field<0, 2> Mode mode; field<2, 2> Mode other; }
        syntax { MOVE mode ";" other; }
    }
}

fn main() {}
