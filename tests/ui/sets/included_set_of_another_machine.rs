/// More than the default machine.
pub trait Hart: isa_core::machine::GeneralRegs {}

mod family {
    isa_core::define_isa! {
        pub isa Family: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        machine crate::Hart;
        opcode INC {
            encoding { field<8, 8> Reg rd; }
            syntax { INC Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; }
            semantics { Rd = Rd.wrapping_add(1); }
        }
    }
}

isa_core::define_isa! {
    pub isa Toy: u32;
    include crate::family::Family;
}

fn main() {}
