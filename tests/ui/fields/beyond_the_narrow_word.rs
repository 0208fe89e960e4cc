isa_core::define_isa! {
    isa Mixed: u16 | u32;
    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 2 { INC = 1, DEC = 2 }

    group WIDE { encoding { field<0, 2> Op op; field<24, 8> Reg rd; } }

    opcode INC { encoding { word<16>; field<0, 2> Op op == INC; field<12, 8> Reg rd; } syntax { INC Rd; } }
    opcode DEC : [WIDE] { encoding { word<16>; op == DEC; } syntax { DEC Rd; } }
}

fn main() {}
