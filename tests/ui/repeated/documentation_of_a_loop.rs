isa_core::define_isa! {
    pub isa Toy: u16;

    enum Mode: 2 { A = 0, B = 1, C = 2 }

    /// Moves.
    for $N in 0, 1 {
        opcode MOVE$$N {
            encoding { field<0, 2> Mode mode; field<2, 1> Bit n == $N; }
            syntax { MOVE$$N.mode; }
        }
    }
    operand Bit: 1 = isa_core::operand::Unsigned<1>;
}

fn main() {}
