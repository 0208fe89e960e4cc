isa_core::define_isa! {
    pub isa Toy: u16 | u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode SHORT {
        encoding { word<16>; field<0, 2> Mode mode; field<8, 8> Reg rd; }
        syntax { SHORT.mode rd; }
    }

    opcode LONG {
        encoding { word<32>; field<0, 2> Mode mode == A; field<24, 8> Reg rd; }
        syntax { LONG rd; }
    }
}

fn main() {}
