mod family {
    #[derive(Debug)]
    pub struct Overflow;

    isa_core::define_isa! {
        pub isa Family: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        trap crate::family::Overflow;
        opcode INC {
            encoding { field<8, 8> Reg rd; }
            syntax { INC Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; }
            semantics { Rd = Rd.checked_add(1).ok_or(Overflow)?; }
        }
    }
}

#[derive(Debug)]
pub struct Stop;

isa_core::define_isa! {
    pub isa Toy: u32;
    trap crate::Stop;
    include crate::family::Family;
}

fn main() {}
