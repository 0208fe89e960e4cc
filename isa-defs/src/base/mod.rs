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

    /// Whether a predicate is inverted.
    enum PModi: 1 {
        /// The predicate is used unchanged.
        False = 0,
        /// The predicate is inverted.
        True = 1,
    }

    /// Whether the sign of a source is changed (`neg`) or removed (`abs`).
    enum SignModi: 1 {
        /// The sign is kept.
        False = 0,
        /// The sign bit is inverted (`neg`) or cleared (`abs`), also of NaN.
        True = 1,
    }

    /// The halves of a packed source that lanes 1 and 0 read.
    enum HSel2: 2 {
        /// Each lane reads its own half.
        H1_H0 = 0,
        /// Both lanes read the low half.
        H0_H0 = 2,
        /// Both lanes read the high half.
        H1_H1 = 3,
    }

    /// Whether subnormal numbers are replaced by zeros of the same sign.
    enum FPFtz: 1 {
        /// Subnormal numbers are exact.
        NoFTZ = 0,
        /// Subnormal sources, and results that are subnormal after rounding, become zeros of the same
        /// sign.
        FTZ = 1,
    }

    /// Whether the result is clamped to the range from 0 to 1.
    enum FPSat: 1 {
        /// The result is not clamped.
        NoSAT = 0,
        /// A result below 0, -0 and NaN become +0, and a result above 1 becomes 1.
        SAT = 1,
    }

    /// Whether a negative result becomes 0.
    enum RELU: 1 {
        /// The result keeps its sign.
        NoRELU = 0,
        /// A result below 0 becomes +0. -0 stays -0, and NaN stays NaN.
        RELU = 1,
    }

    /// Whether a NaN in either source makes the result NaN.
    enum NAN: 1 {
        /// If one source is NaN, the result is the other source.
        NoNAN = 0,
        /// If a source is NaN, the result is NaN.
        NAN = 1,
    }

    /// Whether the result is one 32-bit float instead of two 16-bit floats.
    enum HF32: 1 {
        /// The result is two 16-bit floats.
        NoF32 = 0,
        /// The result of lane 0, rounded to 16 bits, is converted exactly to a 32-bit float. NaN
        /// becomes 0x7FFFFFFF.
        F32 = 1,
    }

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

    /// A comparison. If a source is NaN, the comparisons `LT` to `GE` are false, and the
    /// comparisons `LTU` to `GEU` are true.
    enum FCMPOp: 4 {
        /// `a < b`; false if a source is NaN.
        LT = 1,
        /// `a == b`; false if a source is NaN.
        EQ = 2,
        /// `a <= b`; false if a source is NaN.
        LE = 3,
        /// `a > b`; false if a source is NaN.
        GT = 4,
        /// `a != b`; false if a source is NaN.
        NE = 5,
        /// `a >= b`; false if a source is NaN.
        GE = 6,
        /// Neither source is NaN.
        NUM = 7,
        /// A source is NaN.
        NAN = 8,
        /// `a < b`, or a source is NaN.
        LTU = 9,
        /// `a == b`, or a source is NaN.
        EQU = 10,
        /// `a <= b`, or a source is NaN.
        LEU = 11,
        /// `a > b`, or a source is NaN.
        GTU = 12,
        /// `a != b`, or a source is NaN.
        NEU = 13,
        /// `a >= b`, or a source is NaN.
        GEU = 14,
    }

    /// The operation that combines the result of a comparison with a predicate.
    enum LOPOp: 2 {
        /// True if both are true.
        AND = 0,
        /// True if at least one is true.
        OR = 1,
        /// True if exactly one is true.
        XOR = 2,
    }

    /// The bits that represent a truth value in a lane.
    enum BVal: 1 {
        /// All ones, or 0.
        BM = 0,
        /// 1.0 in the instruction's format, or 0.
        BF = 1,
    }

    /// The type of the lanes of a video operand. Source lanes are extended with zeros or with their sign;
    /// the type of the destination is the range to which `.sat` clamps.
    enum VType: 1 {
        /// Unsigned integers.
        u32 = 0,
        /// Signed integers.
        s32 = 1,
    }

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
