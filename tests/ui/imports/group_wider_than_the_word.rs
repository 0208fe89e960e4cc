mod base {
    isa_core::define_isa! {
        pub(crate) isa Both: u16 | u32;
        operand Reg: 8 = isa_core::operand::Reg;
        group WIDE { encoding { word<32>; field<24, 8> Reg rd; } }
        group WIDEST { encoding { word<32>; field<20, 8> Reg rd; } }
    }
}

isa_core::define_isa! {
    isa Narrow: u16;
    use crate::base::Both;
    opcode INC : [WIDE] { syntax { INC Rd; } }
}

fn main() {}
