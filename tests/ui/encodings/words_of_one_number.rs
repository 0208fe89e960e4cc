isa_core::define_isa! {
    pub isa Toy: u16 | u32;
    bytes little_endian_halfwords;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode SHORT {
        encoding { word<16>; field<14, 2> Mode mode == B; field<0, 8> Reg rd; }
        syntax { SHORT rd; }
    }

    opcode LONG {
        encoding { word<32>; field<30, 2> Mode mode == A; field<14, 2> Mode low; field<0, 8> Reg rd; }
        syntax { LONG.low rd; }
    }
}

fn main() {}
