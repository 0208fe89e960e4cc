//! Predicates, counts of bits, conversions, 64-bit floats and the uniform datapath.

isa_core::define_isa! {
    /// Predicates, counts of bits, conversions, 64-bit floats and the uniform datapath.
    pub isa Misc: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        PLOP3 = 0x1c, VOTE = 0x06, POPC = 0x109, FLO = 0x100, BREV = 0x101, IABS = 0x13, VIMNMX = 0x48, I2FP = 0x45,
        DFMA = 0x2b, DMUL = 0x28, DADD = 0x29, UMOV = 0x82, UIADD3 = 0x90, FCHK = 0x102, VOTEU = 0x86, UFLO = 0xbd, UPOPC = 0xbf, UISETP = 0x8c, ULOP3 = 0x92, ULEA = 0x91,
        UIMAD = 0xa4, UIMAD_WIDE = 0xa5,
    }
    /// The rounding of floats.
    enum Rounding: 2 { RN = 0, RM = 1, RP = 2, RZ = 3 }
    /// The rounding of a packed conversion.
    enum Nearest: 2 { RN = 0, RZ = 3 }
    /// The threads for which the predicate must be true.
    enum Voting: 2 { EVERY "ALL" = 0, ANY = 1, EQ = 2 }
    /// Whether integers are signed.
    enum Signed: 1 { U32 = 0, S32 = 1 }
    /// The type of one or several integers.
    enum PackedType: 3 { U32 = 0, S32 = 1, U16x2 = 2, S16x2 = 3, U8x4 = 4 requires SM120, S8x4 = 5 requires SM120 }
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
    group ONE : [RESULT] { properties { unit = FUNCTION; } encoding { field<0, 9> Op op; } operands { InList<pg, b>; OutList<d>; } }
    /// Counts ones.
    optype POPC : [ONE] { encoding { op == POPC; } syntax { POPC d, b } }
    /// Reverses bits.
    optype BREV : [ONE] { encoding { op == BREV; } syntax { BREV d, b } }
    /// The absolute value of an integer.
    optype IABS : [ONE] { properties { unit = ALU; } encoding { op == IABS; } syntax { IABS d, b{.reuse} } }
    /// The position of the highest one.
    optype FLO : [ONE] {
        encoding { op == FLO; field<73, 1> Signed sign = S32; field<74, 1> Shift shift = INDEX; field<81, 3> Pred pu = PT; }
        syntax   { FLO{.sign}{.shift} d{, pu}, {~}b } operands { OutList<d, pu>; }
    }
    for $N, $S in (U32, 0), (S32, 1) {
        /// Converts an integer to a float.
        optype I2FP_$N : [ONE] {
            properties { unit = ALU; }
            encoding { op == I2FP; field<74, 1> Bits1 sign == $S; field<76, 1> Bits1 to == 1; field<85, 1> Bits1 from == 1; field<78, 2> Nearest rnd = RN; }
            syntax { "I2FP.F32.$N"{.rnd} d, b{.reuse} }
        }
    }
    for $N, $SIGN, $PU in (90, $({.sign}), $()), (90_PRED, $({.sign}), $(pu, pv,)), (100, $({.sign}), $(pu, pv,)), (120, $(.sign), $()) {
        /// The smaller of two integers if the predicate is true, and otherwise the larger.
        group VIMNMX_$N : [RESULT, A] {
            properties { unit = SELECT; }
            encoding {
                field<0, 9> Op op == VIMNMX; field<74, 1 : 73, 1 : 72, 1> PackedType sign = S32; field<76, 1> Rectify relu = ANY; field<87, 3> Pred pp;
                field<90, 1> Flip pp.not = OFF;
            }
            syntax   { VIMNMX$SIGN{.relu} d, $PU a{.reuse}, b{.reuse}, {!}pp } operands { InList<pg, a, b, pp>; OutList<d>; }
        }
    }
    group PU_PV { encoding { field<81, 3> Pred pu; field<84, 3> Pred pv; } operands { OutList<d, pu, pv>; } }
    group SOME_PU_PV : [PU_PV] { encoding { where pv != 7; } }
    group NO_PU_PV { encoding { field<81, 6> Bits6 pu == 63; } }
    /// 64-bit floats.
    group D_OP : [RESULT, A, A_NEG, A_ABS] {
        properties { unit = DOUBLE; }
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
            properties { unit = UNIFORM; }
            encoding { field<0, 9> Op op; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, $WIDTH> $TYPE d; }
            syntax   { {@{!}pg} .. $stall $stay $wr $rd $req; }
            operands { InList<pg>; OutList<d>; }
        }
        /// Copies a value into a uniform register.
        optype UMOV_$T : [UNIFORM_$T] { properties { unit = UNIFORM_MOVE; } encoding { op == UMOV; } syntax { UMOV d, b } operands { InList<pg, b>; } }
        /// Combines a predicate of all threads into a uniform register.
        optype VOTEU_$T : [GUARDED] {
            properties { unit = UNIFORM_MOVE; }
            encoding {
                field<0, 9> Op op == VOTEU; form == 4; field<16, $WIDTH> $TYPE d; field<72, 2> Voting vote; field<81, 3> UPred pu; field<87, 3> Pred pp;
                field<90, 1> Flip pp.not = OFF;
            }
            syntax   { VOTEU.vote d, pu, {!}pp } operands { InList<pg, pp>; OutList<d, pu>; }
        }
        /// Counts ones in a uniform register.
        optype UPOPC_$T : [UNIFORM_$T] {
            encoding { op == UPOPC; form == 1; field<32, $WIDTH> $TYPE b; field<91, 1> Bits1 uniform == 1; } syntax { UPOPC d, b } operands { InList<pg, b>; }
        }
        /// The position of the highest one in a uniform register.
        optype UFLO_$T : [UNIFORM_$T] {
            encoding {
                op == UFLO; form == 1; field<32, $WIDTH> $TYPE b; field<91, 1> Bits1 uniform == 1; field<73, 1> Signed sign = S32; field<74, 1> Shift shift = INDEX;
                field<81, 3> UPred pu = UPT;
            }
            syntax   { UFLO{.sign}{.shift} d{, pu}, b } operands { InList<pg, b>; OutList<d, pu>; }
        }
        /// An operation on uniform register A.
        group UA_$T : [UNIFORM_$T] { encoding { field<24, $WIDTH> $TYPE a; field<91, 1> Bits1 uniform == 1; } }
        group UB_$T : [ALL] { encoding { form == 1; field<32, $WIDTH> $TYPE b; } }
        group UC_$T { encoding { field<64, $WIDTH> $TYPE c; } }
        /// Compares two uniform integers.
        optype UISETP_$T : [ALL] {
            properties { unit = UNIFORM; }
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
            encoding {
                op == ULEA; field<72, 1> Flip a.neg = OFF; field<75, 5> Distance by; field<64, $WIDTH> $TYPE c == ${(1 << WIDTH) - 1}; field<81, 3> UPred pu = UPT;
                field<87, 4> Bits4 pp == 15;
            }
            syntax   { ULEA d{, pu}, {-}a, {-}b, by } operands { InList<pg, a, b>; OutList<d, pu>; }
        }
        for $N, $TEXT, $PU, $CARRY, $OUT in
            (UIMAD, "UIMAD", $(field<81, 3> Bits3 pu == 7;), $(), $()), (UIMAD_WIDE, "UIMAD.WIDE", $(field<81, 3> UPred pu = UPT;), $({, pu}), $(OutList<d, pu>;))
        {
            /// Multiplies and adds uniform integers.
            optype ${N}_$T : [UA_$T, UC_$T] {
                encoding { op == $N; field<73, 1> Signed sign = S32; $PU field<75, 1> Flip c.neg = OFF; field<87, 4> Bits4 pp == 15; }
                syntax   { $TEXT{.sign} d $CARRY, a, b, {-}c } operands { InList<pg, a, b, c>; $OUT }
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
        properties { unit = ALU; }
        encoding {
            field<0, 9> Op op == PLOP3; form == 4; field<81, 3> Pred pu; field<84, 3> Pred pv; field<87, 3> Pred pa; field<90, 1> Flip pa.not = OFF;
            field<77, 3> Pred pb; field<80, 1> Flip pb.not = OFF; field<68, 3> Pred pc; field<71, 1> Flip pc.not = OFF; field<72, 5 : 64, 3> Table first; field<16, 8> Table second;
        }
        syntax   { "PLOP3.LUT" pu, pv, {!}pa, {!}pb, {!}pc, first, second }
        operands { InList<pg, pa, pb, pc>; OutList<pu, pv>; }
    }
    /// Combines a predicate of all threads.
    opcode VOTE : [RESULT] {
        properties { unit = VOTE; }
        encoding { field<0, 9> Op op == VOTE; form == 4; field<72, 2> Voting vote; field<81, 3> Pred pu; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; }
        syntax   { VOTE.vote d, pu, {!}pp } operands { InList<pg, pp>; OutList<d, pu>; }
    }
    /// A vote whose threads are not written.
    alias VOTE_P of VOTE { encoding { d == 255; } syntax { VOTE.vote pu, {!}pp } }
    for $OP, $B in (POPC, b_PLAIN), (BREV, b_PLAIN), (IABS, b_R_32) { opcode ${OP}_R : [$OP, $B] { encoding { form == 1; } } }
    opcode FLO_R : [FLO, b_PLAIN, b_INV_32] { encoding { form == 1; } }
    /// Tests whether a division of floats needs the slow way.
    optype FCHK : [GUARDED, A, A_NEG, A_ABS] {
        properties { unit = FUNCTION; }
        encoding { field<0, 9> Op op == FCHK; field<81, 3> Pred pu; }
        syntax   { FCHK pu, {-}{|}a{|}{.reuse}, {-}{|}b{|} } operands { InList<pg, a, b>; OutList<pu>; }
    }
    opcode FCHK_R : [FCHK, b_PLAIN, b_NEG_32, b_ABS_32] { encoding { form == 1; } }
    opcode FCHK_I : [FCHK, b_F] { encoding { form == 4; } }
    opcode DFMA_RR : [DFMA, D_b_32, D_c_64] { encoding { form == 1; } }
    opcode DFMA_RI : [DFMA, D_b_64, c_D] { encoding { form == 2; } }
    opcode DFMA_IR : [DFMA, b_D, D_c_64] { encoding { form == 4; } }
    opcode DMUL_R : [DMUL, D_b_32] { encoding { form == 1; } }
    opcode DMUL_I : [DMUL, b_D] { encoding { form == 4; } }
    opcode DADD_R : [DADD, D_c_64] { encoding { form == 1; } }
    opcode DADD_I : [DADD, c_D] { encoding { form == 2; } }
    for $K, $B, $C, $ON in (C, 5, 3, $(not SM100)), (X, 5, 3, $(not SM100)), (U, 6, 7, $(not SM100)), (W, 6, 7, SM100) {
        for $OP in POPC, BREV, IABS { opcode ${OP}_$K : [$OP, b_$K] requires $ON { encoding { form == $B; } } }
        opcode FCHK_$K : [FCHK, b_$K, b_NEG_32, b_ABS_32] requires $ON { encoding { form == $B; } }
        opcode FLO_$K : [FLO, b_$K, b_INV_32] requires $ON { encoding { form == $B; } }
        for $OP in I2FP_U32, I2FP_S32 { opcode ${OP}_$K : [$OP, b_$K] requires SM86 and $ON { encoding { form == $B; } } }
        opcode DFMA_${K}_R : [DFMA, b_$K, b_NEG_32, b_ABS_32, D_c_64] requires $ON { encoding { form == $B; } }
        opcode DFMA_R_$K : [DFMA, D_b_64, c_$K, c_NEG_32, c_ABS_32] requires $ON { encoding { form == $C; } }
        opcode DMUL_$K : [DMUL, b_$K, b_NEG_32, b_ABS_32] requires $ON { encoding { form == $B; } }
        opcode DADD_$K : [DADD, c_$K, c_NEG_32, c_ABS_32] requires $ON { encoding { form == $C; } }
    }
    for $OP in I2FP_U32, I2FP_S32 {
        opcode ${OP}_R : [$OP, b_R_32] requires SM86 { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_I] requires SM86 { encoding { form == 4; } }
    }

    /// Copies a number of 64 bits into a uniform register.
    opcode UMOV_64_I : [UNIFORM_W] requires SM120 {
        properties { unit = UNIFORM_MOVE; }
        encoding { op == UMOV; form == 2; field<91, 1> Bits1 uniform == 1; field<24, 64> Long b; }
        syntax   { "UMOV.64" d, b } operands { InList<pg, b>; }
    }

    // The uniform datapath has registers with 6 bits before sm_100, and with 8 bits from sm_100.
    for $T, $TYPE, $WIDTH, $RZ, $SUM, $ON in (U, UReg, 6, 63, UIADD3_OLD, $(not SM100)), (W, WideUReg, 8, 255, UIADD3_NEW, SM100) {
        for $OP in VOTEU, UPOPC, UFLO { opcode ${OP}_ALL_$T : [${OP}_$T] requires $ON {} }
        /// A vote whose threads are not written.
        alias VOTEU_P_$T of VOTEU_ALL_$T { encoding { d == $RZ; } syntax { VOTEU.vote pu, {!}pp } }
        for $OP in UISETP, ULOP3, UIMAD, UIMAD_WIDE { opcode ${OP}_R_$T : [${OP}_$T, UB_$T] requires $ON {} }
        opcode ULEA_R_$T : [ULEA_$T, UB_$T, b_NEG_32] requires $ON {}
        for $OP, $I in (UISETP, S), (ULOP3, I), (ULEA, I), (UIMAD, S), (UIMAD_WIDE, S) {
            opcode ${OP}_I_$T : [${OP}_$T, b_$I] requires $ON { encoding { form == 4; } }
        }
        opcode UMOV_I_$T : [UMOV_$T, b_I] requires $ON { encoding { form == 4; } }
        opcode UMOV_R_$T : [UMOV_$T, b_$T] requires $ON { encoding { form == 6; } }
        opcode UIADD3_I_$T : [$SUM, b_S] requires $ON { encoding { form == 4; } }
        opcode UIADD3_R_$T : [$SUM] requires $ON { encoding { form == 1; field<32, $WIDTH> $TYPE b; field<63, 1> Flip b.neg = OFF; } }
    }

    for $N, $PU, $T, $ON in
        (90, NO_PU_PV, U, $(SM90 and not SM100)), (90_PRED, SOME_PU_PV, U, $(SM90 and not SM100)), (100, PU_PV, W, $(SM100 and not SM120)), (120, NO_PU_PV, W, SM120)
    {
        opcode VIMNMX_${N}_R : [VIMNMX_$N, $PU, b_R_32] requires $ON { encoding { form == 1; } }
        opcode VIMNMX_${N}_I : [VIMNMX_$N, $PU, b_S] requires $ON { encoding { form == 4; } }
        opcode VIMNMX_${N}_U : [VIMNMX_$N, $PU, b_$T] requires $ON { encoding { form == 6; } }
    }
}
