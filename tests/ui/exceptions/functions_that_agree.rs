const fn is_even(number: u64) -> bool {
    number % 2 == 0
}

const fn is_third(number: u64) -> bool {
    number % 3 == 0
}

isa_core::define_isa! {
    pub isa Toy: u16;
    operand Reg: 8 = isa_core::operand::Reg;

    opcode EVEN {
        encoding { field<0, 8> Reg rd; where is_even(rd); }
        syntax { EVEN rd; }
    }
    opcode THIRD {
        encoding { field<0, 8> Reg rd; where is_third(rd); }
        syntax { THIRD rd; }
    }
}

fn main() {}
