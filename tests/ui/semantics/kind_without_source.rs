/// All of it.
pub trait Machine {
    /// The value of a register.
    fn reg(&self, number: u8) -> u32;
}

isa_core::registers! {
    /// A register, of which nothing says how a machine has it.
    pub R: 5 = "r0" to "r31" of u32;
}

isa_core::define_isa! {
    pub isa Toy: u16;
    machine crate::Machine;

    operand R: 5;

    opcode mov {
        encoding { field<0, 5> R rd; field<5, 5> R rr; }
        syntax { mov rd, rr; }
        operands { InList<rr>; OutList<rd>; Order<rd, rr>; }
        semantics { rd = rr.value; }
    }
}

fn main() {}
