isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = wrong::path;

    opcode ADD {
        encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb; }
        syntax { ADD Rd, Ra, Rb; }
        operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
        semantics { Rd = Ra.value.wrapping_add(Rb.value); }
    }
}

fn main() {}
