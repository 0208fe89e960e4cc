isa_core::define_isa! {
    pub isa Toy: u32;

    operand Reg: 8 = isa_core::operand::Reg;

    opcode ADD {
        encoding { field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 8> Reg rb; field<24, 8> Reg rc; }
        syntax { ADD Rd, Src, Src, Rc; }
        operands { InList<ra, rb, rc>; OutList<rd>; Order<rd, ra, rb, rc>; }
        semantics { Rd = Src.value.wrapping_add(Rc.value); }
    }
}

fn main() {}
