//! The 128-bit instruction set with one more instruction, which exchanges the halves of a register.

isa_core::define_isa! {
    /// Moves of packed 16-bit floats.
    pub isa HalfMoves: u128;

    use isa_defs::halu::Halu;

    /// The operation. No opcode of `Gpu` uses this number.
    enum MoveOp: 8 { HSWAP2 = 0x38 }

    /// Exchanges the two halves of a register.
    opcode HSWAP2 : [HALU, D_REG] {
        encoding {
            field<0, 8>  MoveOp op == HSWAP2;
            field<24, 8> Reg ra;
        }
        syntax    { HSWAP2 Rd, Ra $sched $req; }
        operands  { InList<pg, ra>; Order<pg, rd, ra>; Bitwidth<ra> = 32; }
        semantics { Rd = Ra.value.rotate_left(16); }
        examples  { HSWAP2 R0, R1; @!P0 HSWAP2 R2, R2 ?WAIT4; }
    }
}

isa_core::define_isa! {
    /// The instructions of `Gpu`, and the moves.
    pub isa Extended: u128;

    include isa_defs::gpu::Gpu;
    include self::HalfMoves;
}

#[cfg(test)]
mod tests {
    use isa_core::machine::{GeneralRegs, State};

    use super::Extended;

    #[test]
    fn swaps_and_adds() -> Result<(), Box<dyn std::error::Error>> {
        let mut machine = State::new();
        machine.set_reg(1, 0x3c00_4000);
        for text in ["HSWAP2 R2, R1;", "HADD2 R0, R1, R2;"] {
            text.parse::<Extended>()?.execute(&mut machine);
        }
        assert_eq!(machine.reg(2), 0x4000_3c00);
        assert_eq!(machine.reg(0), 0x4200_4200);
        Ok(())
    }
}
