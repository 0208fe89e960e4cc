mod family {
    isa_core::define_isa! {
        pub(crate) isa Family: u32;
        bytes big_endian;
        operand Reg: 8 = isa_core::operand::Reg;
        opcode NEG { encoding { field<0, 8> Reg rd; } syntax { NEG Rd; } }
    }
}

isa_core::define_isa! {
    isa Whole: u32;
    include crate::family::Family;
}

fn main() {}
