isa_core::define_isa! {
    isa Toy: u32;
    bytes big;
    operand Reg: 8 = isa_core::operand::Reg;
    opcode NEG { encoding { field<0, 8> Reg rd; } syntax { NEG Rd; } }
}

fn main() {}
