isa_core::define_isa! {
    pub isa Toy: u16;

    operand Four: 4 = isa_core::operand::Unsigned<4>;
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    opcode MOVE {
        encoding { field<0, 2> Mode mode = A; field<8, 4> Four rd; field<12, 4> Four ra; }
        syntax { MOVE{.mode} rd, ra; }
        operands { InList<ra>; OutList<rd>; Order<rd>; }
    }
}

fn main() {}
