//! Definitions that all instruction families share: enums, operand types, the guard and the issue
//! fields.
//!
//! Each number of the instruction set that is not a bit position is defined here, exactly once.

mod barriers;
mod constant_memory;
mod half_immediate;
mod uniform_register;
mod wait;

pub use barriers::Barriers;
pub use constant_memory::CMem;
pub use half_immediate::{CvtFImm, F16ImmX2};
pub use uniform_register::UReg;
pub use wait::Wait;

isa_core::define_isa! {
    /// Declarations shared by the families of the 128-bit instruction set.
    pub isa Base: u128;

    machine isa_core::machine::Machine;

    // ---- operand types ------------------------------------------------------------------------

    /// A general register: `R0` to `R254`, or `RZ`, which reads as 0 and ignores writes.
    operand Reg: 8 = isa_core::operand::Reg;

    /// A uniform register: `UR0` to `UR62`, or `URZ`, which reads as 0.
    operand UReg: 6;

    /// A predicate: `P0` to `P6`, or `PT`, which is always true and ignores writes.
    operand Pred: 3 = isa_core::operand::Pred;

    /// A word of constant memory, `c[bank][offset]`; the offset is a multiple of 4 bytes.
    operand CMem: 22, reserved("1x", "x1");

    /// Two 16-bit floats. The low half belongs to lane 0.
    operand F16ImmX2: 32;

    /// The number of cycles to wait before the next instruction is issued.
    operand Wait: 4;

    /// The barriers to wait for.
    operand Barriers: 6;

    /// Two lanes as floats in the format of the instruction, the high lane first.
    format CvtFImm;

    // ---- prefix and suffix operators ----------------------------------------------------------

    affix "-" = neg;
    affix "!" = not;
    affix "|" "|" = abs;

    // ---- enums --------------------------------------------------------------------------------

    /// The operation, one number for each optype.
    enum Optype: 8 {
        HADD2 = 0x30, HFMA2 = 0x31, HMUL2 = 0x32, HSET2 = 0x33, HSETP2 = 0x34, HMNMX2 = 0x40,

        vadd2 = 0x80, vsub2 = 0x81, vavrg2 = 0x82, vabsdiff2 = 0x83, vmin2 = 0x84, vmax2 = 0x85,
        vadd4 = 0x88, vsub4 = 0x89, vavrg4 = 0x8a, vabsdiff4 = 0x8b, vmin4 = 0x8c, vmax4 = 0x8d,
    }

    /// The location of each source: `R` is a register, `U` a uniform register, `C` constant memory
    /// and `I` an immediate.
    enum SType: 4 {
        RR = 1,  RI = 3,  RC = 5,  RU = 7,
        RRR = 2, RRI = 4, RRC = 6, RIR = 8, RCR = 10, RUR = 12, RRU = 14,
    }

    /// Whether a predicate is inverted. `True` inverts it.
    enum PModi: 1 { False = 0, True = 1 }

    /// Whether the sign of a source is changed (`neg`) or removed (`abs`). `True` inverts or clears the
    /// sign bit, also of NaN.
    enum SignModi: 1 { False = 0, True = 1 }

    /// The halves of a packed source that lanes 1 and 0 read.
    enum HSel2: 2 {
        /// Each lane reads its own half.
        H1_H0 = 0,
        /// Both lanes read the low half.
        H0_H0 = 2,
        /// Both lanes read the high half.
        H1_H1 = 3,
    }

    /// Whether subnormal numbers are replaced by zeros of the same sign. With `FTZ`, this applies to the
    /// sources, and to results that are subnormal after rounding.
    enum FPFtz: 1 { NoFTZ = 0, FTZ = 1 }

    /// Whether the result is clamped to the range from 0 to 1. With `SAT`, a result below 0, -0 and NaN
    /// become +0, and a result above 1 becomes 1.
    enum FPSat: 1 { NoSAT = 0, SAT = 1 }

    /// Whether a negative result becomes 0. With `RELU`, a result below 0 becomes +0; -0 stays -0, and NaN
    /// stays NaN.
    enum RELU: 1 { NoRELU = 0, RELU = 1 }

    /// Whether a NaN in either source makes the result NaN. Otherwise, if one source is NaN, the result is
    /// the other source.
    enum NAN: 1 { NoNAN = 0, NAN = 1 }

    /// Whether the result is one 32-bit float instead of two 16-bit floats. With `F32`, the result of lane
    /// 0, rounded to 16 bits, is converted exactly to a 32-bit float; NaN becomes 0x7FFFFFFF.
    enum HF32: 1 { NoF32 = 0, F32 = 1 }

    /// The rounding of the exact result.
    enum FPRound: 2 {
        /// To nearest, ties to even.
        RN = 0,
        /// Toward negative infinity.
        RM = 1,
        /// Toward positive infinity.
        RP = 2,
        /// Toward zero.
        RZ = 3,
    }

    /// The format of the 16-bit floats.
    enum HFmtV2: 1 {
        /// IEEE 754 binary16.
        F16_V2 = 0,
        /// bfloat16.
        BF16_V2 = 1,
    }

    /// A comparison of two sources: less, equal, less or equal, greater, not equal, greater or equal. If a
    /// source is NaN, the comparisons `LT` to `GE` are false, `NE` included, and the comparisons `LTU` to
    /// `GEU` are true. -0 equals +0.
    enum FCMPOp: 4 {
        LT = 1,  EQ = 2,   LE = 3,   GT = 4,   NE = 5,   GE = 6,
        /// Neither source is NaN.
        NUM = 7,
        /// A source is NaN.
        NAN = 8,
        LTU = 9, EQU = 10, LEU = 11, GTU = 12, NEU = 13, GEU = 14,
    }

    /// The operation that combines the result of a comparison with a predicate: true if both are true, if
    /// at least one is true, or if exactly one is true.
    enum LOPOp: 2 { AND = 0, OR = 1, XOR = 2 }

    /// The bits that represent a truth value in a lane.
    enum BVal: 1 {
        /// All ones, or 0.
        BM = 0,
        /// 1.0 in the instruction's format, or 0.
        BF = 1,
    }

    /// The type of the lanes of a video operand: unsigned or signed. Source lanes are extended with zeros
    /// or with their sign; the type of the destination is the range to which `.sat` clamps.
    enum VType: 1 { u32 = 0, s32 = 1 }

    // ---- groups -------------------------------------------------------------------------------

    /// Every instruction. The fields control when it is issued.
    group ALL {
        encoding {
            field<112, 4> Wait     sched = 0;
            field<116, 6> Barriers req   = {};
        }
    }

    /// Every instruction with a guard. If the guard is false, the instruction does nothing.
    group GUARDED : [ALL] {
        encoding {
            field<12, 3> Pred  pg     = PT;
            field<15, 1> PModi pg.not = False;
        }
        guard { pg.value != bool::from(pg.not) }
    }
}
