isa_core::define_isa! {
    pub isa Toy: u16 | u24;
    bytes little_endian_halfwords;

    enum Length: 1 { LONG = 1 }
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode MOVE {
        encoding { word<16>; field<0, 2> Mode mode; }
        syntax { MOVE.mode; }
    }
    opcode LOAD {
        encoding { word<24>; field<23, 1> Length length == LONG; field<0, 2> Mode mode; }
        syntax { LOAD.mode; }
    }
}

fn main() {}
