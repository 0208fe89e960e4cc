//! Atomic operations and reductions.

isa_core::define_isa! {
    /// Atomic operations and reductions.
    pub isa Atomic: u128;

    use crate::memory::Memory;

    /// The operation.
    enum AtomicOp: 9 {
        ATOM = 0x18a, ATOM_CAS = 0x18b, ATOM_F = 0x1a2, ATOMG = 0x1a8, ATOMG_CAS = 0x1a9, ATOMG_F = 0x1a3, RED = 0x18e, RED_F = 0x1a6,
        ATOMS = 0x18c, ATOMS_CAS = 0x18d, QSPC = 0x1aa, REDUX = 0x1c4, CREDUX = 0xcc, MATCH = 0x1a1, ARRIVES = 0x1b0, SYNCS = 0x1a7, SYNCS_EXCH = 0x1b2, SYNCS_CCTL = 0x1b1,
    }
    /// The function of an atomic operation.
    enum Function: 4 { ADD = 0, MIN = 1, MAX = 2, INC = 3, DEC = 4, AND = 5, OR = 6, XOR = 7, EXCH = 8, SAFEADD = 9 }
    /// The function of an atomic operation without a result.
    enum ReduceFunction: 3 { ADD = 0, MIN = 1, MAX = 2, INC = 3, DEC = 4, AND = 5, OR = 6, XOR = 7 }
    /// The function of an atomic operation on floats.
    enum FloatFunction: 3 { ADD = 0, MIN = 2, MAX = 4 }
    /// The function of a reduction of a warp.
    enum WarpFunction: 3 { AND = 0, OR = 1, XOR = 2, SUM = 3, MIN = 4, MAX = 5 }
    /// The type of the integers of an atomic operation.
    enum IntType: 3 { U32 = 0, S32 = 1, "64" = 2, S64 = 3 requires SM90, "128" = 4 requires SM90 }
    /// The type of the integers of an atomic operation on shared memory.
    enum SharedType: 3 { U32 = 0, S32 = 1, "64" = 2, "128" = 4 requires SM90 }
    /// A kind of memory: global, local, shared, or distributed shared.
    enum Space: 2 { G = 0, L = 1, S = 2, D = 3 requires SM90 }
    /// Whether integers are signed.
    enum Signed: 1 { U32 = 0, S32 = 1 }
    /// Whether the larger or the smaller value is the result.
    enum Extreme: 1 { MAX = 0, MIN = 1 }
    /// The type of compared values.
    enum MatchType: 1 { U32 = 0, U64 = 1 }
    /// The type of an atomic operation before sm_90.
    enum AtomicType: 3 { U32 = 0, S32 = 1, "64" = 2, "F32.FTZ.RN" = 3, "F16x2.RN" = 4, S64 = 5, "F64.RN" = 6 }
    /// The type of the floats of an atomic operation.
    enum AtomicFloat: 4 {
        "F16x2.RN" = 0, "F16x4.RN" = 1, "F16x8.RN" = 2, "BF16x2.RN" = 3, "BF16x4.RN" = 4, "BF16x8.RN" = 5, "F32.FTZ.RN" = 9, "F32x2.FTZ.RN" = 10,
        "F32x4.FTZ.RN" = 11, "F32.RN" = 12, "F32x2.RN" = 13, "F32x4.RN" = 14, "F64.RN" = 15,
    }
    /// An offset in bytes.
    operand Offset23: 23 = isa_core::operand::SignedHex<23>;
    format Described23 = isa_core::operand::FixedText<crate::operand::Described<crate::operand::WideUReg, 23>>;

    /// An atomic operation on global memory or on memory of any kind.
    group ATOMIC : [GUARDED, EVICT] { operands { Bitwidth<a> = 64; } properties { unit = MEMORY; } encoding { field<0, 9> AtomicOp op; field<24, 8> Reg a; field<32, 8> Reg b; field<72, 1> Bits1 wide == 1; } }
    group ORDER_75 { encoding { field<77, 4> OrderTuring order; where order in {CTA, SM, GPU, SYS, "STRONG.CTA", "STRONG.SM", "STRONG.GPU", "STRONG.SYS"}; } }
    group ORDER_80 { encoding { field<77, 4> LoadOrder order; where order != WEAK; } }
    /// An atomic operation with a result.
    group ATOMIC_D : [ATOMIC] { encoding { field<16, 8> Reg d; field<81, 3> Pred pu; } operands { InList<pg, a, b>; OutList<d, pu>; } }
    // An operation on memory of any kind has a predicate as result, which `ptxas` guards with the barrier of the
    // sources.
    for $N, $UNIT in (ATOM, UNKNOWN), (ATOMG, MEMORY) {
        group ${N}_INT_OLD : [ATOMIC_D] { encoding { op == $N; field<73, 3> AtomicType type = 0; field<87, 4> Function fn; } }
        group ${N}_INT : [ATOMIC_D] { encoding { op == $N; field<73, 3> IntType type = U32; field<87, 4> Function fn; } }
        group ${N}_FLOAT : [ATOMIC_D] { encoding { op == ${N}_F; field<73, 4> AtomicFloat type; field<87, 3> FloatFunction fn; } }
        for $M, $TYPE, $END in (INT_OLD, $({.type}), $($desc $stall $stay $wr $rd $req;)), (INT, $({.type}), $()), (FLOAT, $(.type), $()) {
            /// Applies a function to a value in memory, and returns the old value.
            optype ${N}_AT_$M : [${N}_$M] { properties { unit = $UNIT; } syntax { "$N.E".fn{.evict}$TYPE.order pu, d, address, b $END } }
        }
    }
    group REDUCTION : [ATOMIC] { operands { InList<pg, a, b>; OutList<>; } }
    group RED_INT_OLD : [REDUCTION] { encoding { op == RED; field<73, 3> AtomicType type = 0; field<87, 3> ReduceFunction fn; } }
    group RED_INT : [REDUCTION] { encoding { op == RED; field<73, 3> IntType type = U32; field<87, 3> ReduceFunction fn; } }
    group RED_FLOAT : [REDUCTION] { encoding { op == RED_F; field<73, 4> AtomicFloat type; field<87, 3> FloatFunction fn; } }
    for $M, $N, $TYPE, $END in (INT_OLD, RED, $({.type}), $($desc $stall $stay $wr $rd $req;)), (INT, REDG, $({.type}), $()), (FLOAT, REDG, $(.type), $()) {
        /// Applies a function to a value in memory.
        optype RED_AT_$M : [RED_$M] { syntax { "$N.E".fn{.evict}$TYPE.order address, b $END } }
    }
    for $N, $UNIT in (ATOM, UNKNOWN), (ATOMG, MEMORY) {
        group ${N}_AT_CAS : [ATOMIC_D] {
            properties { unit = $UNIT; }
            encoding { op == ${N}_CAS; form == 1; field<40, 24> Offset off; field<64, 8> Reg c; field<73, 3> SharedType type = U32; field<87, 2> Bits2 fn; }
            operands { InList<pg, a, b, c>; AsmFormat<address: off, a> = Local(); }
        }
        for $M, $TEXT, $FN in (CAS, "CAS", 0), (SPIN, "CAST.SPIN", 3) {
            /// Replaces a value in memory if it is equal to another, and returns the old value.
            optype ${N}_$M : [${N}_AT_CAS] { encoding { fn == $FN; } syntax { "$N.E.$TEXT"{.evict}{.type}.order pu, d, address, b, c } }
            opcode ${N}_${M}_75 : [${N}_$M, ORDER_75] requires not SM80 {}
            opcode ${N}_${M}_80 : [${N}_$M, ORDER_80] requires SM80 {}
        }
    }
    for $N, $FORM, $C, $FLAGS in
        (ATOM, 1, $(field<64, 8> Bits8 c == 255;), $(field<70, 1> Bits1 wide_a == 1; field<91, 1> Bits1 uniform == 1;)),
        (ATOMG, 1, $(field<64, 8> Bits8 c == 255;), $(field<70, 1> Bits1 wide_a == 1; field<91, 1> Bits1 uniform == 1;)),
        (RED, 4, $(field<90, 2> Bits2 uniform == 0;), $(field<90, 2> Bits2 uniform == 3;))
    {
        // Addresses with one register.
        opcode ${N}_PLAIN_75 : [${N}_AT_INT_OLD, ORDER_75] requires not SM80 {
            encoding { form == $FORM; $C field<40, 24> Offset off; } operands { AsmFormat<address: off, a> = Local(); }
        }
        opcode ${N}_PLAIN_80 : [${N}_AT_INT_OLD, ORDER_80] requires SM80 and not SM90 {
            encoding { form == 1; field<40, 24> Offset off; } operands { AsmFormat<address: off, a> = Local(); }
        }
        opcode ${N}_PLAIN_90 : [${N}_AT_INT, ORDER_80] requires SM90 { encoding { form == 1; field<40, 24> Offset off; } operands { AsmFormat<address: off, a> = Local(); } }
        // Addresses with a uniform register, or a descriptor in a uniform register.
        opcode ${N}_SUM_75 : [${N}_AT_INT_OLD, ORDER_75] else ${N}_PLAIN_75 requires not SM80 {
            encoding { form == 4; field<40, 24> Offset off; field<64, 6> UReg u; $FLAGS } operands { AsmFormat<address: off, a, u> = GlobalSum(); }
        }
        opcode ${N}_HIDDEN_80 : [${N}_AT_INT_OLD, ORDER_80] else ${N}_PLAIN_80 requires SM80 and not SM90 {
            encoding { form == 4; field<40, 24> Offset off; field<64, 6> Descriptor desc = 4; field<71, 1> Bits1 described == 1; $FLAGS }
            operands { AsmFormat<address: off, a> = Global(); }
        }
        opcode ${N}_SHOWN_80 : [${N}_AT_INT_OLD, ORDER_80] requires SM80 and not SM90 {
            encoding { form == 4; field<40, 24> Offset off; field<64, 6> UReg u; field<71, 1> Bits1 described == 1; field<101, 1> Bits1 shown == 1; $FLAGS }
            operands { AsmFormat<address: off, a, u> = Described(); }
        }
        opcode ${N}_INT_90 : [${N}_AT_INT, ORDER_80] requires SM90 and not SM100 {
            encoding { form == 4; field<40, 24> Offset off; field<64, 6> UReg u; field<71, 1> Bits1 described == 1; $FLAGS }
            operands { AsmFormat<address: off, a, u> = Described(); }
        }
        opcode ${N}_FLOAT_90 : [${N}_AT_FLOAT, ORDER_80] requires SM90 and not SM100 {
            encoding { form == 4; field<40, 24> Offset off; field<64, 6> UReg u; field<71, 1> Bits1 described == 1; $FLAGS }
            operands { AsmFormat<address: off, a, u> = Described(); }
        }
    }
    group WIDE_AT : [ATOMIC] { encoding { form == 4; field<64, 8> WideUReg u; field<91, 1> Bits1 uniform == 1; } }
    for $N in ATOM, ATOMG {
        for $M, $AT in (INT, 76), (FLOAT, 90) {
            opcode ${N}_${M}_100 : [${N}_AT_$M, WIDE_AT, ORDER_80] requires SM100 {
                encoding { field<$AT, 1> Bits1 described == 1; field<63, 1> Bits1 wide_a == 1; field<40, 23> Offset23 off; }
                operands { InList<pg, a, b, u>; AsmFormat<address: off, a, u> = Described23(); }
            }
        }
    }
    for $M in INT, FLOAT {
        opcode RED_${M}_100 : [RED_AT_$M, WIDE_AT, ORDER_80] requires SM100 {
            encoding { field<81, 1> Bits1 described == 1; field<90, 1> Bits1 wide_a == 1; field<40, 24> Offset off; }
            operands { InList<pg, a, b, u>; AsmFormat<address: off, a, u> = DescribedWide(); }
        }
    }

    // ---- shared memory ------------------------------------------------------------------------

    group SHARED : [GUARDED] { properties { unit = SHARED; } encoding { field<0, 9> AtomicOp op; field<24, 8> Reg a; field<40, 24> Offset off; field<78, 2> Bits2 scale; where a != 255 or scale == 0; } }
    /// Applies a function to a value in shared memory, and returns the old value.
    optype ATOMS : [SHARED] {
        encoding { op == ATOMS; field<16, 8> Reg d; field<32, 8> Reg b; field<73, 3> SharedType type = U32; field<87, 4> Function fn; where fn != SAFEADD; }
        syntax   { ATOMS.fn{.type} d, address, b } operands { InList<pg, a, b>; OutList<d>; }
    }
    /// Counts threads in shared memory.
    optype ATOMS_COUNT : [SHARED] {
        encoding { op == ATOMS; form == 7; field<16, 8> Reg d; field<73, 3> Bits3 type; field<87, 4> Bits4 fn; }
        operands { InList<pg, a, u>; OutList<d>; }
    }
    /// Replaces a value in shared memory if it is equal to another, and returns the old value or whether it was replaced.
    group SHARED_CAS : [SHARED] { encoding { op == ATOMS_CAS; field<32, 8> Reg b; field<64, 8> Reg c; field<73, 3> SharedType type = U32; field<87, 2> Bits2 fn; } }
    opcode ATOMS_75 : [ATOMS] requires not SM80 { encoding { form == 1; field<64, 8> Bits8 c == 255; } operands { AsmFormat<address: off, a, scale> = Near(); } }
    opcode ATOMS_PLAIN : [ATOMS] requires SM80 { encoding { form == 1; } operands { AsmFormat<address: off, a, scale> = Near(); } }
    for $T, $TYPE, $WIDTH, $NEAR, $ON in (U, UReg, 6, NearUniform, $(SM80 and not SM100)), (W, WideUReg, 8, NearWide, SM100) {
        opcode ATOMS_$T : [ATOMS] else ATOMS_PLAIN requires $ON {
            encoding { form == 4; field<64, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; } operands { InList<pg, a, b, u>; AsmFormat<address: off, a, scale, u> = $NEAR(); }
        }
    }
    for $N, $TEXT, $FN, $SIZE, $TYPE, $WIDTH, $NEAR, $ON in
        (POPC_80, "POPC.INC.32", 10, 0, UReg, 6, NearUniform, $(SM80 and not SM90)), (ARRIVE, "ARRIVE.64", 9, 2, UReg, 6, NearUniform, $(SM80 and not SM90)),
        (POPC_90, "POPC.INC.32", 11, 0, UReg, 6, NearUniform, $(SM90 and not SM100)), (POPC_100, "POPC.INC.32", 11, 0, WideUReg, 8, NearWide, SM100)
    {
        opcode ATOMS_$N : [ATOMS_COUNT] requires $ON {
            encoding { fn == $FN; type == $SIZE; field<64, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; }
            syntax { "ATOMS.$TEXT" d, address }
            operands { AsmFormat<address: off, a, scale, u> = $NEAR(); }
        }
    }
    for $N, $TEXT, $FN, $ON in (CAS, "CAS", 0, SM75), (SPIN_75, "CAST.SPIN", 3, $(not SM100)) {
        opcode ATOMS_$N : [SHARED_CAS] requires $ON {
            encoding { form == 1; fn == $FN; field<16, 8> Reg d; }
            syntax { "ATOMS.$TEXT"{.type} d, address, b, c }
            operands { InList<pg, a, b, c>; OutList<d>; AsmFormat<address: off, a, scale> = Near(); }
        }
    }

    opcode ATOMS_SPIN : [SHARED_CAS] requires SM100 {
        encoding { form == 2; fn == 3; field<81, 3> Pred pu; }
        syntax { "ATOMS.CAST.SPIN"{.type} pu, address, b, c }
        operands { InList<pg, a, b, c>; OutList<pu>; AsmFormat<address: off, a, scale> = Near(); }
    }

    // ---- warps --------------------------------------------------------------------------------

    /// Tests the kind of memory of an address.
    opcode QSPC : [GUARDED] {
        encoding {
            field<0, 9> AtomicOp op == QSPC; form == 1; field<16, 8> Reg d; field<24, 8> Reg a; field<40, 24> Offset off; field<72, 1> Bits1 wide == 1; field<73, 2> Space space;
            field<81, 3> Pred pu;
        }
        syntax   { "QSPC.E".space pu, d, address } operands { InList<pg, a>; OutList<d, pu>; AsmFormat<address: off, a> = Local(); }
    }
    /// Tests the kind of memory of an address that is the sum of two registers.
    opcode QSPC_SUM : [GUARDED] else QSPC requires not SM80 {
        encoding {
            field<0, 9> AtomicOp op == QSPC; form == 4; field<16, 8> Reg d; field<24, 8> Reg a; field<40, 24> Offset off; field<72, 1> Bits1 wide == 1; field<73, 2> Space space;
            field<81, 3> Pred pu; field<32, 6> UReg u; field<90, 2> Bits2 uniform == 3;
        }
        syntax   { "QSPC.E".space pu, d, address } operands { InList<pg, a, u>; OutList<d, pu>; AsmFormat<address: off, a, u> = GlobalSum(); }
    }
    /// Tests the kind of memory of an address that is the sum of two registers.
    opcode QSPC_SUM_100 : [GUARDED] else QSPC requires SM100 {
        encoding {
            field<0, 9> AtomicOp op == QSPC; form == 4; field<16, 8> Reg d; field<24, 8> Reg a; where a != 255; field<40, 24> Offset off; field<72, 1> Bits1 wide == 1;
            field<73, 2> Space space; field<81, 3> Pred pu; field<32, 8> WideUReg u; field<90, 2> Bits2 uniform == 3;
        }
        syntax   { "QSPC.E".space pu, d, address } operands { InList<pg, a, u>; OutList<d, pu>; AsmFormat<address: off, a, u> = WideGlobalSum(); }
    }
    for $T, $TYPE, $WIDTH, $ON in (U, UReg, 6, $(SM80 and not SM100)), (W, WideUReg, 8, SM100) {
        /// Combines the values of all threads of the warp.
        opcode REDUX_$T : [GUARDED, A] requires $ON  {
            encoding { field<0, 9> AtomicOp op == REDUX; form == 1; field<16, $WIDTH> $TYPE d; field<73, 1> Signed sign = U32; field<78, 3> WarpFunction fn = AND; }
            syntax   { REDUX{.fn}{.sign} d, a{.reuse} } operands { InList<pg, a>; OutList<d>; }
        }
    }
    /// Finds the largest or the smallest value of all threads of the warp.
    opcode CREDUX : [GUARDED, A] requires SM100  {
        encoding { field<0, 9> AtomicOp op == CREDUX; form == 1; field<16, 8> WideUReg d; field<73, 1> Signed sign = U32; field<74, 1> Bits1 float == 0; field<79, 1> Extreme fn; }
        syntax   { CREDUX.fn{.sign} d, a{.reuse} } operands { InList<pg, a>; OutList<d>; }
    }
    /// Finds the largest or the smallest float of all threads of the warp.
    opcode CREDUX_FLOAT : [GUARDED, A] requires SM100  {
        encoding {
            field<0, 9> AtomicOp op == CREDUX; form == 1; field<16, 8> WideUReg d; field<74, 1> Bits1 float == 1; field<77, 1> NanWins nan = NUMBER;
            field<79, 1 : 78, 1> FloatExtreme fn;
        }
        syntax   { CREDUX.fn."F32"{.nan} d, a{.reuse} } operands { InList<pg, a>; OutList<d>; }
    }
    /// Whether the largest or the smallest float is the result, perhaps of the absolute values.
    enum FloatExtreme: 2 { MAX = 0, MAXABS = 1, MIN = 2, MINABS = 3 }
    /// Whether NaN takes precedence over numbers.
    enum NanWins: 1 { NUMBER = 0, NAN = 1 }
    /// Finds the threads with an equal value.
    opcode MATCH_ANY : [GUARDED] {
        properties { unit = OTHER; }
        encoding {
            field<0, 9> AtomicOp op == MATCH; form == 1; field<16, 8> Reg d; field<24, 8> Reg a; field<73, 1> MatchType type = U32; field<79, 1> Bits1 any == 1;
            field<81, 3> Bits3 pu == 7;
        }
        syntax   { "MATCH.ANY"{.type} d, a } operands { InList<pg, a>; OutList<d>; }
    }
    /// Tests whether all threads have an equal value.
    opcode MATCH_ALL : [GUARDED] {
        properties { unit = OTHER; }
        encoding {
            field<0, 9> AtomicOp op == MATCH; form == 1; field<16, 8> Reg d; field<24, 8> Reg a; field<73, 1> MatchType type = U32; field<79, 1> Bits1 any == 0;
            field<81, 3> Pred pu;
        }
        syntax   { "MATCH.ALL"{.type} pu, d, a } operands { InList<pg, a>; OutList<d, pu>; }
    }
    for $N, $TEXT, $AT, $FLAG, $TYPE, $WIDTH, $LOCAL, $ON in
        (80, "", 71, 0, UReg, 6, LocalUniform, $(SM80 and not SM100)), (90, ".TRANSCNT", 71, 1, UReg, 6, LocalUniform, $(SM90 and not SM100)),
        (100, "", 77, 0, WideUReg, 8, LocalWide, SM100), (120, ".TRANSCNT", 77, 1, WideUReg, 8, LocalWide, SM100)
    {
        /// Arrives at a barrier when copies to shared memory are complete.
        opcode ARRIVES_$N : [GUARDED] requires $ON {
            encoding {
                field<0, 9> AtomicOp op == ARRIVES; form == 4; field<24, 8> Reg a; field<40, 24> Offset off; field<64, $WIDTH> $TYPE u; field<$AT, 1> Bits1 count == $FLAG;
                field<73, 3> Bits3 size == 5; field<91, 1> Bits1 uniform == 1;
            }
            syntax   { "ARRIVES.LDGSTSBAR.64$TEXT" address } operands { InList<pg, a, u>; OutList<>; AsmFormat<address: off, a, u> = $LOCAL(); }
        }
    }

    // ---- barriers in shared memory ------------------------------------------------------------

    /// The change of the numbers of a barrier.
    enum Counts: 3 { NONE = 0, A1T0 = 1, A0T1 = 2 }
    /// Whether the instruction waits for a while.
    enum Try: 1 { TEST = 0, TRYWAIT = 1 }
    /// Whether the barrier is in another block.
    enum Remote: 1 { LOCAL = 0, RED = 1 }
    for $T, $TYPE, $WIDTH, $LOCAL, $CHECK, $ARRIVE, $ON in
        (U, UReg, 6, LocalUniform, $(field<70, 2> Bits2 mode == 1;), $(field<70, 2> Bits2 mode == 0;), $(SM90 and not SM100)),
        (W, WideUReg, 8, LocalWide, $(field<76, 1> Bits1 mode == 1;), $(field<76, 1> Bits1 mode == 0;), SM100)
    {
        group SYNCS_$T : [GUARDED] requires $ON {
            encoding { field<0, 9> AtomicOp op; field<24, 8> Reg a; field<40, 24> Offset off; field<64, $WIDTH> $TYPE u; field<91, 1> Bits1 uniform == 1; }
            operands { AsmFormat<address: off, a, u> = $LOCAL(); }
        }
        /// Tests whether a phase of a barrier is complete.
        opcode SYNCS_CHECK_$T : [SYNCS_$T] {
            encoding { op == SYNCS; form == 2; field<32, 8> Reg b; field<72, 1> Try try = TEST; field<81, 3> Pred pu; $CHECK }
            syntax { "SYNCS.PHASECHK.TRANS64"{.try} pu, address, b }
            operands { InList<pg, a, b, u>; OutList<pu>; }
        }
        /// Arrives at a barrier.
        opcode SYNCS_ARRIVE_$T : [SYNCS_$T] {
            encoding { op == SYNCS; form == 4; field<16, 8> Reg d; field<32, 8> Reg b; field<74, 1> Remote remote = LOCAL; field<84, 3> Counts counts = NONE; $ARRIVE }
            syntax { "SYNCS.ARRIVE.TRANS64"{.remote}{.counts} d, address, b }
            operands { InList<pg, a, b, u>; OutList<d>; }
        }
        /// Invalidates a barrier.
        opcode SYNCS_CCTL_$T : [SYNCS_$T] { encoding { op == SYNCS_CCTL; form == 4; } syntax { "SYNCS.CCTL.IV" address } operands { InList<pg, a, u>; OutList<>; } }
        /// Exchanges a barrier.
        opcode SYNCS_EXCH_$T : [ALL] requires $ON {
            encoding {
                field<0, 9> AtomicOp op == SYNCS_EXCH; form == 2; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, $WIDTH> $TYPE d;
                field<24, $WIDTH> $TYPE a; field<32, $WIDTH> $TYPE b; field<40, 24> Offset off = 0; field<72, 1> Bits1 wide == 1; field<91, 1> Bits1 uniform == 1;
            }
            syntax   { {@{!}pg} "SYNCS.EXCH.64" d, "[" _ a _ { "+" _ off} _ "]", b $stall $stay $wr $rd $req; } operands { InList<pg, a, b>; OutList<d>; }
        }
    }
}
