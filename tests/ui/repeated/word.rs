isa_core::define_isa! {
    pub isa Toy: u16 | u32;

    operand Reg: 8 = isa_core::operand::Reg;

    opcode MOVE {
        encoding { word<16>; field<0, 8> Reg rd; word<32>; }
        syntax { MOVE Rd; }
    }
}

fn main() {}
