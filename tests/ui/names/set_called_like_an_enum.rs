isa_core::define_isa! {
    pub isa Op: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 8 { INC = 1, DEC = 2 }

    opcode INC { encoding { field<8, 8> Op op == INC; field<0, 8> Reg rd; } syntax { INC Rd; } }
    opcode DEC { encoding { field<8, 8> Op op == DEC; field<0, 8> Reg rd; } syntax { DEC Rd; } }
}

fn main() {}
