isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Limit: 1 { WRAP = 0, SAT = 1 }

    opcode COPY {
        encoding { field<0, 1> Limit limit; field<8, 8> Reg rd; field<16, 8> Reg ra; }
        syntax { COPY.limit Rd, Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        semantics { Rd = if limit == Limit::CLAMP { 0 } else { Ra.value }; }
    }
}

fn main() {}
