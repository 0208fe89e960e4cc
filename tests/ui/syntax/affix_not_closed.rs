isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 { A = 0, B = 1, C = 2 }
    enum Bit: 1 { OFF = 0, ON = 1 }
    affix "|" "|" = abs;

    opcode MOVE {
        encoding { field<0, 1> Bit rd.abs = OFF; field<8, 8> Reg rd; }
        syntax { MOVE {|}rd; }
    }
}

fn main() {}
