//! The SHIFT family: the bits of a register, moved to the left or to the right.

isa_core::define_isa! {
    /// The shifts of the 128-bit instruction set.
    pub isa Shift: u128;

    use crate::base::Base;

    /// The operation, one number for each optype.
    enum ShiftOp: 8 { SHL = 0x50, SHR = 0x51 }

    /// The handling of distances of 32 or more.
    enum Far: 1 {
        /// All bits are moved out.
        ZERO = 0,
        /// The distance modulo 32.
        WRAP = 1,
    }

    /// Every shift.
    group SHIFT : [GUARDED] {
        encoding {
            field<16, 8> Reg rd;
            field<24, 8> Reg ra;
            field<72, 1> Far far = ZERO;
        }
        syntax   { {@{!}pg} .. {.far} Rd, Ra, SrcB $sched $req; }
        operands { OutList<rd>; Bitwidth<rd> = 32; Bitwidth<ra> = 32; }
    }

    /// The distance is in a register.
    group BY_REG {
        encoding { field<8, 4> SType stype == RR; field<32, 8> Reg rb; }
        operands { InList<pg, ra, rb>; Order<pg, rd, ra, rb>; Bitwidth<rb> = 32; }
    }

    /// The distance is in a uniform register.
    group BY_UREG {
        encoding { field<8, 4> SType stype == RU; field<32, 6> UReg urb; }
        operands { InList<pg, ra, urb>; Order<pg, rd, ra, urb>; Bitwidth<urb> = 32; }
    }

    /// Moves bits to the left: `Rd = Ra << SrcB`.
    optype SHL : [SHIFT] {
        encoding  { field<0, 8> ShiftOp op == SHL; }
        syntax    { SHL }
        semantics {
            let moved = Ra.value.wrapping_shl(SrcB.value);
            Rd = if SrcB.value < 32 || far == Far::WRAP { moved } else { 0 };
        }
        examples  { SHL R0, R1, R2; @!P0 SHL.WRAP R3, R6, UR1 ?WAIT2; }
    }

    opcode SHL_RR : [SHL, BY_REG] {}
    opcode SHL_RU : [SHL, BY_UREG] {}

    /// Moves bits to the right: `Rd = Ra >> SrcB`.
    optype SHR : [SHIFT] {
        encoding  { field<0, 8> ShiftOp op == SHR; }
        syntax    { SHR }
        semantics {
            let moved = Ra.value.wrapping_shr(SrcB.value);
            Rd = if SrcB.value < 32 || far == Far::WRAP { moved } else { 0 };
        }
        examples  { SHR R0, R1, R2; }
    }

    opcode SHR_RR : [SHR, BY_REG] {}
    opcode SHR_RU : [SHR, BY_UREG] {}
}
