isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Half: 1 { H0 = 0, H1 = 1 }

    opcode MOVE {
        encoding { field<0, 1> Half ra.half; field<8, 8> Reg rd; field<16, 8> Reg ra; }
        syntax { MOVE Rd, Ra.half; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; Lanes<ra> = 16 * is_high(ra.half); }
    }
}

const fn is_high(half: u64) -> bool {
    half == 1
}

fn main() {}
