//! Declarations that all parts of the set use: the guard, the control word and the positions of
//! operands.

pub use super::operand::*;

isa_core::define_isa! {
    /// Declarations shared by the parts of the set.
    pub isa Base: u128;

    // ---- chips --------------------------------------------------------------------------------
    // Each feature means a chip or a newer one, so a chip has its own feature and those of the older
    // chips: `requires SM80 and not SM90` holds for sm_80, sm_86 and sm_89.

    /// Turing, sm_75.
    feature SM75;
    /// Ampere, sm_80, or newer.
    feature SM80: SM75;
    /// Ampere, sm_86, or newer.
    feature SM86: SM80;
    /// Ada, sm_89, or newer.
    feature SM89: SM86;
    /// Hopper, sm_90, or newer.
    feature SM90: SM89;
    /// Blackwell, sm_100, or newer.
    feature SM100: SM90;
    /// Blackwell, sm_120.
    feature SM120: SM100;

    // ---- operand types ------------------------------------------------------------------------

    /// A register: `R0` to `R254`, or `RZ`, which is 0.
    operand Reg: 8 = isa_core::operand::Reg;
    /// A predicate: `P0` to `P6`, or `PT`, which is true.
    operand Pred: 3 = isa_core::operand::Pred;
    /// A uniform register of chips before sm_100.
    operand UReg: 6;
    /// A uniform register of sm_100 and newer chips.
    operand WideUReg: 8;
    /// A uniform predicate.
    operand UPred: 3;
    /// A barrier of divergent branches.
    operand Barrier: 4;
    /// A word of constant memory, printed as `c[0x0] [0x0]`.
    operand Spaced: 19;
    /// A word of constant memory, printed as `c[0x0][0x0]`.
    operand Bank: 19;
    /// A word of constant memory in a bank that a uniform register describes, with a blank.
    operand BoundSpaced: 20;
    /// A word of constant memory in a bank that a uniform register describes.
    operand Bound: 20;
    /// 32 bits as a number.
    operand Word: 32 = isa_core::operand::PrefixedHex<32>;
    /// 32 bits as a signed number.
    operand SignedWord: 32 = isa_core::operand::SignedHex<32>;
    /// 32 bits as a float.
    operand Float: 32 = crate::operand::Float<false>;
    /// The high half of a 64-bit float.
    operand Double: 32 = crate::operand::Float<true>;
    /// Two 16-bit floats.
    format Halves = crate::operand::Halves<false>;
    /// The cycles until the next instruction is issued.
    operand Stall: 4;
    /// Whether another warp runs first.
    operand Yield: 1;
    /// The barrier that is released when the results are written.
    operand WriteBarrier: 3;
    /// The barrier that is released when the sources are read.
    operand ReadBarrier: 3;
    /// The barriers that the instruction waits for.
    operand Waits: 6;
    for $N in 1..13 {
        /// A number of $N bits.
        operand Bits$$N: $N = isa_core::operand::Unsigned<$N>;
    }

    affix "-" = neg;
    affix "!" = not;
    affix "~" = inv;
    affix "|" "|" = abs;

    /// Whether a sign, a bit pattern or a predicate is inverted, or a sign removed.
    enum Flip: 1 { OFF = 0, ON = 1 }
    /// Whether the register stays in the operand cache for the next instruction.
    enum Reuse: 1 { LOAD = 0, reuse = 1 }
    /// The operation that combines a comparison with a predicate.
    enum Logic: 2 { AND = 0, OR = 1, XOR = 2 }
    /// A comparison of floats: with `U`, it is also true if a source is NaN.
    enum Compare: 4 {
        F = 0, LT = 1, EQ = 2, LE = 3, GT = 4, NE = 5, GE = 6, NUM = 7,
        NAN = 8, LTU = 9, EQU = 10, LEU = 11, GTU = 12, NEU = 13, GEU = 14, T = 15,
    }

    // ---- units --------------------------------------------------------------------------------

    /// The part of the processor that executes an instruction. The module `schedule` has the latencies of
    /// each unit. An opcode that does not declare its unit has the unit `UNKNOWN`.
    enum Unit: 5 {
        // Integers and logic; comparisons, selections and copies; sums and copies of two registers.
        UNKNOWN = 0, ALU = 1, SELECT = 2, ADD = 3, PAIR = 4,
        // Products and floats; products of 64 bits; 16-bit floats; the unit for matrices; 64-bit floats.
        FMA = 5, WIDE = 6, HALF = 7, HALF_MMA = 8, DOUBLE = 9, MATRIX = 10,
        // Special registers that are read in a fixed time; votes; approximated functions and conversions.
        CLOCK = 11, VOTE = 12, FUNCTION = 13,
        // Shared memory and exchanges between threads; other memory; other instructions with a variable latency.
        SHARED = 14, MEMORY = 15, OTHER = 16,
        // The uniform datapath; copies into uniform registers, without and with a vector register as source.
        UNIFORM = 17, UNIFORM_MOVE = 18, TO_UNIFORM = 19,
        // Branches; barriers of all threads of a block; special registers that are read in a variable time.
        CONTROL = 20, SYNC = 21, SPECIAL = 22,
    }
    /// The unit that executes the opcode.
    property unit: Unit;

    // ---- every instruction --------------------------------------------------------------------

    /// Every instruction: the form of its operands, and the control word.
    group ALL {
        encoding {
            field<  9, 3> Bits3        form;
            field<105, 4> Stall        stall  = 1;
            field<109, 1> Yield        stay   = 1;
            field<110, 3> WriteBarrier wr     = 7;
            field<113, 3> ReadBarrier  rd     = 7;
            field<116, 6> Waits        req    = 0;
        }
        exception {
            EncodingError<IllegalControl, "an instruction that stays must stall for 1 to 11 cycles">
                = stay == 1 and (stall == 0 or stall > 11);
        }
        properties { unit = UNKNOWN; }
    }
    /// Every instruction with a guard.
    group GUARDED : [ALL] {
        encoding { field<12, 3> Pred pg = PT; field<15, 1> Flip pg.not = OFF; }
        syntax   { {@{!}pg} .. $stall $stay $wr $rd $req; }
    }
    /// Every instruction whose result is a register.
    group RESULT : [GUARDED] { encoding { field<16, 8> Reg d; } }

    // ---- positions of sources -----------------------------------------------------------------

    /// Source A is a register.
    group A : [ALL] {
        encoding { field<24, 8> Reg a; field<122, 1> Reuse a.reuse = LOAD; }
        exception {
            EncodingError<IllegalControl, "the operand cache is lost if another warp runs first"> = stay == 0 and a.reuse == reuse;
        }
    }
    group A_NEG { encoding { field<72, 1> Flip a.neg = OFF; } }
    group A_ABS { encoding { field<73, 1> Flip a.abs = OFF; } }

    for $S, $REUSE in (b, 123), (c, 124) {
        for $AT, $NEG, $ABS in (32, 63, 62), (64, 75, 74) {
            /// The source is a register at bit $AT.
            group ${S}_R_$AT : [ALL] {
                encoding { field<$AT, 8> Reg $S; field<$REUSE, 1> Reuse $S.reuse = LOAD; }
                exception {
                    EncodingError<IllegalControl, "the operand cache is lost if another warp runs first"> = stay == 0 and $S.reuse == reuse;
                }
            }
            group ${S}_NEG_$AT { encoding { field<$NEG, 1> Flip $S.neg = OFF; } }
            group ${S}_ABS_$AT { encoding { field<$ABS, 1> Flip $S.abs = OFF; } }
            group ${S}_INV_$AT { encoding { field<$NEG, 1> Flip $S.inv = OFF; } }
        }
        /// A register at bit 32 that never stays in the operand cache.
        group ${S}_PLAIN { encoding { field<32, 8> Reg $S; } }
        /// The source is 32 bits, printed as an unsigned number, a signed number or a float.
        group ${S}_I { encoding { field<32, 32> Word $S; } }
        group ${S}_S { encoding { field<32, 32> SignedWord $S; } }
        group ${S}_F { encoding { field<32, 32> Float $S; } }
        /// The source is the high half of a 64-bit float.
        group ${S}_D { encoding { field<32, 32> Double $S; } }
        /// The source is in constant memory.
        group ${S}_C { encoding { field<40, 19> Bank $S; } }
        group ${S}_CS { encoding { field<40, 19> Spaced $S; } }
        /// The source is in constant memory of a bank that a uniform register describes.
        group ${S}_X { encoding { field<91, 1> Bits1 uniform == 1; field<40, 14 : 32, 6> Bound $S; } }
        group ${S}_XS { encoding { field<91, 1> Bits1 uniform == 1; field<40, 14 : 32, 6> BoundSpaced $S; } }
        /// The source is a uniform register.
        group ${S}_U { encoding { field<91, 1> Bits1 uniform == 1; field<32, 6> UReg $S; } }
        group ${S}_W { encoding { field<91, 1> Bits1 uniform == 1; field<32, 8> WideUReg $S; } }
    }
}
