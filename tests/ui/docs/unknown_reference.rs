isa_core::define_isa! {
    /// A set; [`Mode::SLOWER`] is no value.
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Mode: 2 {
        /// Not [`SLOV`].
        FAST = 0,
        SLOW = 1,
    }

    /// Copies what [`rd.neg`] negates.
    opcode MOVE {
        encoding {
            /// As [`mods`] says.
            field<0, 2> Mode mode;
            field<8, 8> Reg rd;
        }
        syntax { MOVE.mode rd; }
    }
}

fn main() {}
