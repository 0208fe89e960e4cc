isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;

    machine isa_core::machine::Machine;
    machine isa_core::machine::State;
}

fn main() {}
