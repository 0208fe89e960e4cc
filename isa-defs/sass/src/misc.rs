//! Predicates, counts of bits, conversions, 64-bit floats and the uniform datapath.

isa_core::define_isa! {
    /// Predicates, counts of bits, conversions, 64-bit floats and the uniform datapath.
    pub isa Misc: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        PLOP3 = 0x1c, VOTE = 0x06, POPC = 0x109, FLO = 0x100, BREV = 0x101, IABS = 0x13, VIMNMX = 0x48, F2FP = 0x3e, I2FP = 0x45,
        DFMA = 0x2b, DMUL = 0x28, DADD = 0x29, UMOV = 0x82, UIADD3 = 0x90, FCHK = 0x102, VOTEU = 0x86, UFLO = 0xbd, UPOPC = 0xbf, UISETP = 0x8c, ULOP3 = 0x92, ULEA = 0x91, UIMAD = 0xa4, UIMAD_WIDE = 0xa5, I2F = 0x106, I2F_F64 = 0x112, FRND = 0x107, FRND_F64 = 0x113, F2I = 0x105,
    }
    /// The rounding of floats.
    enum Rounding: 2 { RN = 0, RM = 1, RP = 2, RZ = 3 }
    /// The rounding of a packed conversion.
    enum Nearest: 2 { RN = 0, RZ = 3 }
    /// The rounding to an integer.
    enum ToInteger: 2 { NEAREST = 0, FLOOR = 1, CEIL = 2, TRUNC = 3 }
    /// Whether subnormal numbers are replaced by zeros.
    enum Flush: 1 { KEEP = 0, FTZ = 1 }
    /// The type of an integer that becomes a float of 64 bits.
    enum IntSource: 3 { U32 = 4, S32 = 5, U64 = 6, S64 = 7 }
    /// The type of an integer of 64 bits.
    enum LongSource: 3 { U64 = 6, S64 = 7 }
    /// The format of a 16-bit float.
    enum HalfFormat: 1 { F16 = 0 }
    /// The half of a register.
    enum HalfPart: 2 { LOW = 0, H1 = 1 }
    /// The byte of a register.
    enum BytePart: 2 { LOW = 0, B1 = 1, B2 = 2, B3 = 3 }
    /// The type of an integer of 8 bits.
    enum ByteSource: 1 { U8 = 0, S8 = 1 }
    /// The type of an integer of 16 bits.
    enum ShortSource: 1 { U16 = 0, S16 = 1 }
    /// The format of a converted integer.
    enum ToFloat: 3 { F16 = 1, F32 = 2 }
    /// Whether NaN becomes 0.
    enum NanToZero: 1 { NAN = 0, NTZ = 1 }
    /// The threads for which the predicate must be true.
    enum Voting: 2 { EVERY "ALL" = 0, ANY = 1, EQ = 2 }
    /// Whether integers are signed.
    enum Signed: 1 { U32 = 0, S32 = 1 }
    /// Whether the result is the distance of a shift.
    enum Shift: 1 { INDEX = 0, SH = 1 }
    /// Whether negative results are replaced by 0.
    enum Rectify: 1 { ANY = 0, RELU = 1 }
    /// A comparison of integers.
    enum IntCompare: 3 { F = 0, LT = 1, EQ = 2, LE = 3, GT = 4, NE = 5, GE = 6, T = 7 }
    /// The distance of a shift.
    operand Distance: 5 = isa_core::operand::PrefixedHex<5>;
    /// 64 bits as a number.
    operand Long: 64 = isa_core::operand::PrefixedHex<64>;
    /// A truth table.
    operand Table: 8 = isa_core::operand::PrefixedHex<8>;

    /// A result of one source.
    group ONE : [RESULT] { encoding { field<0, 9> Op op; } operands { InList<pg, b>; OutList<d>; } }
    /// Counts ones.
    optype POPC : [ONE] { encoding { op == POPC; } syntax { POPC d, b } }
    /// Reverses bits.
    optype BREV : [ONE] { encoding { op == BREV; } syntax { BREV d, b } }
    /// The absolute value of an integer.
    optype IABS : [ONE] { encoding { op == IABS; } syntax { IABS d, b } }
    /// The position of the highest one.
    optype FLO : [ONE] {
        encoding { op == FLO; field<73, 1> Signed sign = S32; field<74, 1> Shift shift = INDEX; field<81, 3> Pred pu = PT; }
        syntax   { FLO{.sign}{.shift} d{, pu}, b } operands { OutList<d, pu>; }
    }
    for $N, $S in (U32, 0), (S32, 1) {
        /// Converts an integer to a float.
        optype I2FP_$N : [ONE] { encoding { op == I2FP; field<74, 1> Bits1 sign == $S; field<76, 1> Bits1 to == 1; field<85, 1> Bits1 from == 1; } syntax { "I2FP.F32.$N" d, b } }
    }
    for $N, $SIGN, $PU in (90, $({.sign}), $()), (100, $({.sign}), $(pu, pv,)), (120, $(.sign), $()) {
        /// The smaller of two integers if the predicate is true, and otherwise the larger.
        group VIMNMX_$N : [RESULT, A] {
            encoding { field<0, 9> Op op == VIMNMX; field<72, 1> Signed sign = S32; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; }
            syntax   { VIMNMX$SIGN d, $PU a{.reuse}, b{.reuse}, {!}pp } operands { InList<pg, a, b, pp>; OutList<d>; }
        }
    }
    group PU_PV { encoding { field<81, 3> Pred pu; field<84, 3> Pred pv; } operands { OutList<d, pu, pv>; } }
    group NO_PU_PV { encoding { field<81, 6> Bits6 pu == 63; } }
    /// 64-bit floats.
    group D_OP : [RESULT, A, A_NEG, A_ABS] {
        encoding { field<0, 9> Op op; field<78, 2> Rounding rnd = RN; } operands { OutList<d>; }
        exception { EncodingError<IllegalControl, "64-bit floats do not stay in the operand cache"> = a.reuse == reuse requires SM120; }
    }
    for $S, $AT in (b, 32), (b, 64), (c, 64) {
        /// A register with a 64-bit float.
        group D_${S}_$AT : [${S}_R_$AT, ${S}_NEG_$AT, ${S}_ABS_$AT] {
            exception { EncodingError<IllegalControl, "64-bit floats do not stay in the operand cache"> = $S.reuse == reuse requires SM120; }
        }
    }
    /// Multiplies and adds: `d = a * b + c`.
    optype DFMA : [D_OP] { encoding { op == DFMA; } syntax { DFMA{.rnd} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse} } operands { InList<pg, a, b, c>; } }
    /// Multiplies: `d = a * b`.
    optype DMUL : [D_OP] { encoding { op == DMUL; } syntax { DMUL{.rnd} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse} } operands { InList<pg, a, b>; } }
    /// Adds: `d = a + c`.
    optype DADD : [D_OP] { encoding { op == DADD; } syntax { DADD{.rnd} d, {-}{|}a{|}{.reuse}, {-}{|}c{|}{.reuse} } operands { InList<pg, a, c>; } }

    for $T, $TYPE, $WIDTH in (U, UReg, 6), (W, WideUReg, 8) {
        /// Every instruction of the uniform datapath.
        group UNIFORM_$T : [ALL] {
            encoding { field<0, 9> Op op; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, $WIDTH> $TYPE d; }
            syntax   { {@{!}pg} .. $stall $stay $wr $rd $req; }
            operands { InList<pg>; OutList<d>; }
        }
        /// Copies a value into a uniform register.
        optype UMOV_$T : [UNIFORM_$T] { encoding { op == UMOV; } syntax { UMOV d, b } operands { InList<pg, b>; } }
        /// Combines a predicate of all threads into a uniform register.
        optype VOTEU_$T : [GUARDED] {
            encoding { field<0, 9> Op op == VOTEU; form == 4; field<16, $WIDTH> $TYPE d; field<72, 2> Voting vote; field<81, 3> UPred pu; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; }
            syntax   { VOTEU.vote d, pu, {!}pp } operands { InList<pg, pp>; OutList<d, pu>; }
        }
        /// Counts ones in a uniform register.
        optype UPOPC_$T : [UNIFORM_$T] { encoding { op == UPOPC; form == 1; field<32, $WIDTH> $TYPE b; field<91, 1> Bits1 uniform == 1; } syntax { UPOPC d, b } operands { InList<pg, b>; } }
        /// The position of the highest one in a uniform register.
        optype UFLO_$T : [UNIFORM_$T] {
            encoding { op == UFLO; form == 1; field<32, $WIDTH> $TYPE b; field<91, 1> Bits1 uniform == 1; field<73, 1> Signed sign = S32; field<74, 1> Shift shift = INDEX; field<81, 3> UPred pu = UPT; }
            syntax   { UFLO{.sign}{.shift} d{, pu}, b } operands { InList<pg, b>; OutList<d, pu>; }
        }
        /// An operation on uniform register A.
        group UA_$T : [UNIFORM_$T] { encoding { field<24, $WIDTH> $TYPE a; field<91, 1> Bits1 uniform == 1; } }
        group UB_$T : [ALL] { encoding { form == 1; field<32, $WIDTH> $TYPE b; } }
        group UC_$T { encoding { field<64, $WIDTH> $TYPE c; } }
        /// Compares two uniform integers.
        optype UISETP_$T : [ALL] {
            encoding {
                field<0, 9> Op op == UISETP; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<24, $WIDTH> $TYPE a; field<91, 1> Bits1 uniform == 1;
                field<72, 1> Bits1 ex == 0; field<68, 4> Bits4 pq == 7; field<73, 1> Signed sign = S32; field<76, 3> IntCompare cmp; field<74, 2> Logic bool;
                field<81, 3> UPred pu; field<84, 3> UPred pv; field<87, 3> UPred pp; field<90, 1> Flip pp.not = OFF;
            }
            syntax   { {@{!}pg} UISETP.cmp{.sign}.bool pu, pv, a, b, {!}pp $stall $stay $wr $rd $req; } operands { InList<pg, a, b, pp>; OutList<pu, pv>; }
        }
        /// Applies a truth table to three uniform integers.
        optype ULOP3_$T : [UA_$T, UC_$T] {
            encoding { op == ULOP3; field<72, 8> Table table; field<81, 3> UPred pu = UPT; field<87, 3> UPred pp; field<90, 1> Flip pp.not = OFF; }
            syntax   { "ULOP3.LUT" {pu, }d, a, b, c, table, {!}pp } operands { InList<pg, a, b, c, pp>; OutList<d, pu>; }
        }
        /// Shifts a uniform integer and adds another.
        optype ULEA_$T : [UA_$T] {
            encoding { op == ULEA; field<75, 5> Distance by; field<64, $WIDTH> $TYPE c == ${(1 << WIDTH) - 1}; field<81, 3> UPred pu = UPT; field<87, 4> Bits4 pp == 15; }
            syntax   { ULEA d{, pu}, a, b, by } operands { InList<pg, a, b>; OutList<d, pu>; }
        }
        for $N, $TEXT in (UIMAD, "UIMAD"), (UIMAD_WIDE, "UIMAD.WIDE") {
            /// Multiplies and adds uniform integers.
            optype ${N}_$T : [UA_$T, UC_$T] {
                encoding { op == $N; field<73, 1> Signed sign = S32; field<81, 3> Bits3 pu == 7; field<87, 4> Bits4 pp == 15; }
                syntax   { $TEXT{.sign} d, a, b, c } operands { InList<pg, a, b, c>; }
            }
        }
        /// Adds three integers.
        group UIADD3_$T : [UNIFORM_$T] {
            encoding {
                op == UIADD3; field<91, 1> Bits1 uniform == 1; field<24, $WIDTH> $TYPE a; field<72, 1> Flip a.neg = OFF; field<64, $WIDTH> $TYPE c; field<75, 1> Flip c.neg = OFF;
                field<77, 4> Bits4 pq == 15; field<87, 4> Bits4 pp == 15; field<81, 3> UPred pu = UPT; field<84, 3> UPred pv = UPT;
            }
            operands { InList<pg, a, b, c>; OutList<d, pu, pv>; }
        }
    }
    /// Adds three uniform integers before sm_100.
    optype UIADD3_OLD : [UIADD3_U] { encoding { pv == 7; } syntax { UIADD3 d{, pu}, {-}a, {-}b, {-}c } }
    /// Adds three uniform integers from sm_100.
    optype UIADD3_NEW : [UIADD3_W] { syntax { UIADD3 d, pu, pv, {-}a, {-}b, {-}c } }

    // ---- instructions -------------------------------------------------------------------------

    /// Applies a truth table to three predicates.
    opcode PLOP3 : [GUARDED] {
        encoding {
            field<0, 9> Op op == PLOP3; form == 4; field<81, 3> Pred pu; field<84, 3> Pred pv; field<87, 3> Pred pa; field<90, 1> Flip pa.not = OFF;
            field<77, 3> Pred pb; field<80, 1> Flip pb.not = OFF; field<68, 3> Pred pc; field<71, 1> Flip pc.not = OFF; field<72, 5 : 64, 3> Table first; field<16, 8> Table second;
        }
        syntax   { "PLOP3.LUT" pu, pv, {!}pa, {!}pb, {!}pc, first, second }
        operands { InList<pg, pa, pb, pc>; OutList<pu, pv>; }
    }
    /// Combines a predicate of all threads.
    opcode VOTE : [RESULT] {
        encoding { field<0, 9> Op op == VOTE; form == 4; field<72, 2> Voting vote; field<81, 3> Pred pu; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; }
        syntax   { VOTE.vote d, pu, {!}pp } operands { InList<pg, pp>; OutList<d, pu>; }
    }
    /// A vote whose threads are not written.
    alias VOTE_P of VOTE { encoding { d == 255; } syntax { VOTE.vote pu, {!}pp } }
    for $OP in POPC, BREV, IABS, FLO { opcode ${OP}_R : [$OP, b_PLAIN] { encoding { form == 1; } } }
    /// Converts an integer of 32 bits to a float of 32 bits.
    opcode I2F_R : [ONE, b_PLAIN] {
        encoding { op == I2F; form == 1; field<74, 1> Signed sign = S32; field<75, 3> ToFloat to = F32; field<78, 2> Rounding rnd = RN; field<84, 3> Bits3 from == 2; }
        syntax   { I2F{.to}{.sign}{.rnd} d, b }
    }
    for $N, $FROM, $TYPE, $PART in (8, 0, ByteSource, BytePart), (16, 1, ShortSource, HalfPart) {
        /// Converts a short integer to a float.
        opcode I2F_${N}_R : [ONE, b_PLAIN] {
            encoding {
                op == I2F; form == 1; field<74, 1> $TYPE type; field<75, 3> ToFloat to = F32; field<78, 2> Rounding rnd = RN; field<84, 3> Bits3 from == $FROM;
                field<60, 2> $PART b.part = LOW;
            }
            syntax   { I2F{.to}.type{.rnd} d, b{.part} }
        }
    }
    /// Converts an integer to a float of 64 bits.
    opcode I2F_F64_R : [ONE, b_PLAIN] {
        encoding { op == I2F_F64; form == 1; field<84, 2 : 74, 1> IntSource type = S32; field<75, 3> Bits3 to == 3; field<78, 2> Rounding rnd = RN; }
        syntax   { "I2F.F64"{.type}{.rnd} d, b }
    }
    /// Converts an integer of 64 bits to a float of 32 bits.
    opcode I2F_64_R : [ONE, b_PLAIN] {
        encoding { op == I2F_F64; form == 1; field<84, 2 : 74, 1> LongSource type; field<75, 3> Bits3 to == 2; field<78, 2> Rounding rnd = RN; }
        syntax   { I2F.type{.rnd} d, b }
    }
    /// Rounds a 64-bit float to an integer.
    opcode FRND_F64_R : [ONE, b_PLAIN] {
        encoding {
            op == FRND_F64; form == 1; field<75, 3> Bits3 to == 3; field<78, 2> ToInteger rnd = NEAREST; field<84, 3> Bits3 from == 3;
            field<63, 1> Flip b.neg = OFF; field<62, 1> Flip b.abs = OFF;
        }
        syntax   { "FRND.F64"{.rnd} d, {-}{|}b{|} }
    }
    /// Rounds a float of 32 bits to an integer.
    opcode FRND_R : [ONE, b_PLAIN] {
        encoding {
            op == FRND; form == 1; field<75, 3> Bits3 to == 2; field<78, 2> ToInteger rnd = NEAREST; field<80, 1> Flush ftz = KEEP; field<84, 3> Bits3 from == 2;
            field<63, 1> Flip b.neg = OFF; field<62, 1> Flip b.abs = OFF;
        }
        syntax   { FRND{.ftz}{.rnd} d, {-}{|}b{|} }
    }
    /// Rounds a 16-bit float to an integer.
    opcode FRND_F16_R : [ONE, b_PLAIN] {
        encoding {
            op == FRND; form == 1; field<75, 3> Bits3 to == 1; field<78, 2> ToInteger rnd = NEAREST; field<80, 1> Flush ftz = KEEP; field<84, 3> Bits3 from == 1;
            field<63, 1> Flip b.neg = OFF; field<62, 1> Flip b.abs = OFF; field<60, 2> HalfPart b.half = LOW; field<> HalfFormat fmt == F16;
        }
        syntax   { FRND{.ftz}.fmt{.rnd} d, {-}{|}b{.half}{|} }
    }
    /// Converts a float of 32 bits to an integer of 32 bits.
    opcode F2I_R : [ONE, b_PLAIN] {
        encoding {
            op == F2I; form == 1; field<72, 1> Signed sign = S32; field<75, 2> Bits2 to == 2; field<77, 1> NanToZero ntz = NAN; field<78, 2> ToInteger rnd = NEAREST;
            field<80, 1> Flush ftz = KEEP; field<84, 3> Bits3 from == 2; field<63, 1> Flip b.neg = OFF; field<62, 1> Flip b.abs = OFF;
        }
        syntax   { F2I{.ftz}{.sign}{.rnd}{.ntz} d, {-}{|}b{|} }
    }
    /// Tests whether a division of floats needs the slow way.
    opcode FCHK_R : [GUARDED, A_NEG, A_ABS, b_PLAIN, b_NEG_32, b_ABS_32] {
        encoding { field<0, 9> Op op == FCHK; form == 1; field<24, 8> Reg a; field<81, 3> Pred pu; }
        syntax   { FCHK pu, {-}{|}a{|}, {-}{|}b{|} } operands { InList<pg, a, b>; OutList<pu>; }
    }
    opcode DFMA_RR : [DFMA, D_b_32, D_c_64] { encoding { form == 1; } }
    opcode DFMA_RI : [DFMA, D_b_64, c_D] { encoding { form == 2; } }
    opcode DFMA_IR : [DFMA, b_D, D_c_64] { encoding { form == 4; } }
    opcode DMUL_R : [DMUL, D_b_32] { encoding { form == 1; } }
    opcode DMUL_I : [DMUL, b_D] { encoding { form == 4; } }
    opcode DADD_R : [DADD, D_c_64] { encoding { form == 1; } }
    opcode DADD_I : [DADD, c_D] { encoding { form == 2; } }
    for $K, $B, $C, $ON in (C, 5, 3, $(not SM100)), (X, 5, 3, $(not SM100)), (U, 6, 7, $(not SM100)), (W, 6, 7, SM100) {
        for $OP in POPC, BREV, IABS, FLO { opcode ${OP}_$K : [$OP, b_$K] requires $ON { encoding { form == $B; } } }
        for $OP in I2FP_U32, I2FP_S32 { opcode ${OP}_$K : [$OP, b_$K] requires SM86 and $ON { encoding { form == $B; } } }
        opcode DFMA_${K}_R : [DFMA, b_$K, b_NEG_32, b_ABS_32, D_c_64] requires $ON { encoding { form == $B; } }
        opcode DFMA_R_$K : [DFMA, D_b_64, c_$K, c_NEG_32, c_ABS_32] requires $ON { encoding { form == $C; } }
        opcode DMUL_$K : [DMUL, b_$K, b_NEG_32, b_ABS_32] requires $ON { encoding { form == $B; } }
        opcode DADD_$K : [DADD, c_$K, c_NEG_32, c_ABS_32] requires $ON { encoding { form == $C; } }
    }
    for $OP in I2FP_U32, I2FP_S32 { opcode ${OP}_R : [$OP, b_PLAIN] requires SM86 { encoding { form == 1; } } }

    /// Copies a number of 64 bits into a uniform register.
    opcode UMOV_64_I : [UNIFORM_W] requires SM120 {
        encoding { op == UMOV; form == 2; field<91, 1> Bits1 uniform == 1; field<24, 64> Long b; }
        syntax   { "UMOV.64" d, b } operands { InList<pg, b>; }
    }

    // The uniform datapath has registers with 6 bits before sm_100, and with 8 bits from sm_100.
    for $T, $TYPE, $WIDTH, $RZ, $SUM, $ON in (U, UReg, 6, 63, UIADD3_OLD, $(not SM100)), (W, WideUReg, 8, 255, UIADD3_NEW, SM100) {
        for $OP in VOTEU, UPOPC, UFLO { opcode ${OP}_ALL_$T : [${OP}_$T] requires $ON {} }
        /// A vote whose threads are not written.
        alias VOTEU_P_$T of VOTEU_ALL_$T { encoding { d == $RZ; } syntax { VOTEU.vote pu, {!}pp } }
        for $OP in UISETP, ULOP3, ULEA, UIMAD, UIMAD_WIDE { opcode ${OP}_R_$T : [${OP}_$T, UB_$T] requires $ON {} }
        for $OP, $I in (UISETP, S), (ULOP3, I), (ULEA, I), (UIMAD, S), (UIMAD_WIDE, S) {
            opcode ${OP}_I_$T : [${OP}_$T, b_$I] requires $ON { encoding { form == 4; } }
        }
        opcode UMOV_I_$T : [UMOV_$T, b_I] requires $ON { encoding { form == 4; } }
        opcode UMOV_R_$T : [UMOV_$T, b_$T] requires $ON { encoding { form == 6; } }
        opcode UIADD3_I_$T : [$SUM, b_S] requires $ON { encoding { form == 4; } }
        opcode UIADD3_R_$T : [$SUM] requires $ON { encoding { form == 1; field<32, $WIDTH> $TYPE b; field<63, 1> Flip b.neg = OFF; } }
    }

    for $N, $PU, $ON in (90, NO_PU_PV, $(SM90 and not SM100)), (100, PU_PV, $(SM100 and not SM120)), (120, NO_PU_PV, SM120) {
        opcode VIMNMX_${N}_R : [VIMNMX_$N, $PU, b_R_32] requires $ON { encoding { form == 1; } }
        opcode VIMNMX_${N}_I : [VIMNMX_$N, $PU, b_S] requires $ON { encoding { form == 4; } }
    }

    for $TO, $BF, $OLD in (F16, 0, ""), (BF16, 1, "BF16.") {
        for $RELU, $TEXT in (0, ""), (1, "RELU.") {
            for $N, $NAME, $ON in ("", "$TEXT$TO.F32.PACK_AB", SM89), (_80, "$TEXT${OLD}PACK_AB", $(SM80 and not SM89)) {
                /// Packs two floats.
                opcode F2FP$${N}_${TO}_$RELU : [RESULT, A, b_R_32] requires $ON {
                    encoding {
                        field<0, 9> Op op == F2FP; form == 1; field<64, 8> Bits8 c == 255; field<75, 1> Bits1 relu == $RELU; field<76, 1> Bits1 bf == $BF;
                        field<79, 2> Nearest rnd = RN;
                    }
                    syntax   { "F2FP.$NAME"{.rnd} d, a{.reuse}, b{.reuse} }
                    operands { InList<pg, a, b>; OutList<d>; }
                }
            }
        }
    }
}
