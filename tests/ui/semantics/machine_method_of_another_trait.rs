/// Memory.
pub trait Memory {
    /// The word at an address.
    fn load(&self, address: u32) -> u32;
}
/// A trait of the machine that is not requested.
pub trait Jump {
    /// Continues elsewhere.
    fn jump(&mut self, target: u32);
}
/// All of it.
pub trait Hart: isa_core::machine::GeneralRegs + Memory + Jump {}

isa_core::define_isa! {
    pub isa Toy: u32;
    machine crate::Hart;
    operand Reg: 8 = isa_core::operand::Reg;

    opcode LD {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; }
        syntax { LD Rd, Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        semantics(hart: crate::Memory) { Rd = hart.load(Ra.value); hart.jump(4); }
    }
}

fn main() {}
