isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;

    trap core::fmt::Error;
    trap core::num::TryFromIntError;
}

fn main() {}
