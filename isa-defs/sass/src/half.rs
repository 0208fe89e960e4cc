//! The half-precision family: arithmetic and comparison of two 16-bit floats in a register.
//!
//! There are four generations: sm_75, sm_80, sm_86 with sm_89, and sm_90 with all newer chips. They
//! differ in formats and modifiers. Chips before sm_100 have forms with constant memory, and uniform
//! registers with 6 bits; newer chips have uniform registers with 8 bits.

isa_core::define_isa! {
    /// Operations and modifiers of the half-precision family.
    pub isa HalfBase: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        HADD2 = 0x30, HFMA2 = 0x31, HMUL2 = 0x32, HSET2 = 0x33, HSETP2 = 0x34, HFMA2_MMA = 0x35, HMNMX2 = 0x40,
    }
    /// The halves of a packed source that the high and the low lane read. With `F32`, the source is a
    /// 32-bit float. With `H0_NH1`, the high lane reads the low half, and the low lane reads the
    /// negated high half.
    enum Select: 2 { H1_H0 = 0, H0_H0 = 2, H1_H1 = 3 }
    /// The halves that the lanes read before sm_90.
    enum SelectF32: 2 { H1_H0 = 0, F32 = 1, H0_H0 = 2, H1_H1 = 3 }
    /// The halves of source B that the lanes read on sm_75 and sm_80.
    enum SelectB: 3 { H1_H0 = 0, F32 = 1, H0_H0 = 2, H1_H1 = 3 }
    /// The halves of source B that the lanes read from sm_86.
    enum SelectBNeg: 3 { H1_H0 = 0, F32 = 1, H0_H0 = 2, H1_H1 = 3, H0_NH1 = 4 }
    /// The format of the floats. With `F32`, the result is a 32-bit float.
    enum Formats: 2 { F16 = 0, F32 = 1, BF16_V2 = 2 }
    /// The format of the floats, if there is only one.
    enum Binary16: 2 { F16 = 0 }
    /// The format of the floats, without bfloat16.
    enum Widening: 2 { F16 = 0, F32 = 1 }
    /// The format of the floats, without a 32-bit result.
    enum Packed: 2 { F16 = 0, BF16_V2 = 2 }
    /// The treatment of subnormal numbers: `FTZ` replaces them by zeros. With `FMZ`, zero times any
    /// number is also zero.
    enum Denormal: 2 { KEEP = 0, FMZ = 1, FTZ = 2 }
    /// The treatment of subnormal numbers from sm_90.
    enum DenormalOob: 2 { KEEP = 0, FMZ = 1, FTZ = 2, OOB = 3 }
    /// Whether subnormal numbers are replaced by zeros.
    enum Flush: 1 { KEEP = 0, FTZ = 1 }
    /// Whether the result is limited to the range from 0 to 1.
    enum Saturate: 1 { FULL = 0, SAT = 1 }
    /// Whether negative results are replaced by 0.
    enum Rectify: 1 { ANY = 0, RELU = 1 }
    /// Whether the result is 1.0 instead of a mask of ones.
    enum Truth: 1 { BM = 0, BF = 1 }
    /// Whether the first predicate is true only if both lanes are true.
    enum Both: 1 { EACH = 0, H_AND = 1 }
    /// Whether NaN takes precedence over numbers.
    enum NanWins: 1 { NUMBER = 0, NAN = 1 }
    /// Whether the sign of the result is the exclusive or of both signs.
    enum XorSign: 1 { OWN = 0, XORSIGN = 1 }
    /// The sign of the result before sm_86.
    enum OwnSign: 1 { OWN = 0 }
    /// Whether the instruction also writes which source is the result.
    enum IsA: 1 { VALUE = 0, IS_A = 1 }
    /// Two 16-bit floats, or one if the format is `F32`.
    format OneOrTwo = crate::operand::OneOrTwo;

    // ---- positions of sources -----------------------------------------------------------------

    for $S in b, c {
        for $AT, $NEG, $ABS, $SEL in (32, 63, 62, 60), (64, 84, 83, 81) {
            /// A register with signs, at bit $AT.
            group ${S}_M_$AT : [${S}_R_$AT] { encoding { field<$NEG, 1> Flip $S.neg = OFF; field<$ABS, 1> Flip $S.abs = OFF; } }
            for $G, $TYPE in (T, SelectF32), (H, Select) { group ${S}_${G}_$AT : [${S}_M_$AT] { encoding { field<$SEL, 2> $TYPE $S.half = H1_H0; } } }
            for $G, $TYPE in (TB, SelectB), (HB, SelectBNeg) { group ${S}_${G}_$AT : [${S}_M_$AT] { encoding { field<86, 1 : $SEL, 2> $TYPE $S.half = H1_H0; } } }
        }
        for $K in CS, XS, U, W, C, X {
            /// Constant memory or a uniform register with signs.
            group ${S}_M_$K : [${S}_$K] { encoding { field<63, 1> Flip $S.neg = OFF; field<62, 1> Flip $S.abs = OFF; } }
            for $G, $TYPE in (T, SelectF32), (H, Select) { group ${S}_${G}_$K : [${S}_M_$K] { encoding { field<60, 2> $TYPE $S.lanes = H1_H0; } } }
            for $G, $TYPE in (TB, SelectB), (HB, SelectBNeg) { group ${S}_${G}_$K : [${S}_M_$K] { encoding { field<86, 1 : 60, 2> $TYPE $S.lanes = H1_H0; } } }
        }
        /// Two floats.
        group ${S}_H_I : [${S}_I] { operands { AsmFormat<$S> = Halves($S, fmt); } }
    }

    // ---- operations ---------------------------------------------------------------------------

    /// The result can be limited to the range from 0 to 1.
    group H_SAT { encoding { field<77, 1> Saturate sat = FULL; field<79, 1> Rectify relu == ANY; } }
    /// Negative results become 0 if a predicate is true.
    group H_RELU { encoding { field<79, 1> Rectify relu == RELU; field<87, 3> Pred pr = PT; field<90, 1> Flip pr.not = OFF; } }

    // The letter before `P` and `K` is the generation: T is sm_75, A is sm_80, B is sm_86 and sm_89, and
    // H is sm_90 and newer. Templates with `P` are for calls with registers and immediates, and templates
    // with `K` for calls with constant memory and uniform registers.
    for $V, $S, $ADD, $ADDS, $MUL, $FMA, $SET, $MNMX, $DENORMAL, $XOR, $END, $ANY in
        (TP, SelectF32, $(), Widening, Widening, Widening, Binary16, Formats, Denormal, OwnSign, $({|}{.reuse}{.half}), $({|}{.reuse}{.half})),
        (TK, SelectF32, $(), Widening, Widening, Widening, Binary16, Formats, Denormal, OwnSign, $({.lanes}{|}), $({.lanes}{|}{.reuse}{.half})),
        (AP, SelectF32, $(), Widening, Widening, Formats, Binary16, Formats, Denormal, OwnSign, $({|}{.reuse}{.half}), $({|}{.reuse}{.half})),
        (AK, SelectF32, $(), Widening, Widening, Formats, Binary16, Formats, Denormal, OwnSign, $({.lanes}{|}), $({.lanes}{|}{.reuse}{.half})),
        (BP, SelectF32, $(EncodingError<IllegalWidening, ".F32 excludes |a| and its reuse"> = fmt == F32 and (a.abs == ON or a.reuse == reuse);), Widening, Widening, Formats, Binary16, Formats, Denormal, XorSign, $({|}{.reuse}{.half}), $({|}{.reuse}{.half})),
        (BK, SelectF32, $(EncodingError<IllegalWidening, ".F32 excludes |a| and its reuse"> = fmt == F32 and (a.abs == ON or a.reuse == reuse);), Widening, Widening, Formats, Binary16, Formats, Denormal, XorSign, $({.lanes}{|}), $({.lanes}{|}{.reuse}{.half})),
        (HP, Select, $(EncodingError<IllegalWidening, ".F32 excludes |a| and its reuse"> = fmt == F32 and (a.abs == ON or a.reuse == reuse);), Formats, Packed, Formats, Packed, Packed, DenormalOob, XorSign, $({|}{.reuse}{.half}), $({|}{.reuse}{.half})),
        (HK, Select, $(EncodingError<IllegalWidening, ".F32 excludes |a| and its reuse"> = fmt == F32 and (a.abs == ON or a.reuse == reuse);), Formats, Packed, Formats, Packed, Packed, DenormalOob, XorSign, $({.lanes}{|}), $({.lanes}{|}{.reuse}{.half}))
    {
        /// Every instruction of the generation.
        group HALF_$V : [A, A_NEG, A_ABS] { encoding { field<0, 9> Op op; field<74, 2> $S a.half = H1_H0; } }
        /// Adds: `d = a + c`.
        optype HADD2_$V : [RESULT, HALF_$V] {
            encoding { op == HADD2; field<85, 1 : 78, 1> $ADDS fmt = F16; field<80, 1> Flush ftz = KEEP; field<77, 1> Saturate sat = FULL; }
            syntax   { HADD2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}c$END }
            operands { InList<pg, a, c>; OutList<d>; }
            exception { $ADD }
        }
        /// Multiplies: `d = a * b`.
        optype HMUL2_$V : [RESULT, HALF_$V] {
            encoding { op == HMUL2; field<85, 1 : 78, 1> $MUL fmt = F16; field<80, 1 : 76, 1> Denormal ftz = KEEP; field<77, 1> Saturate sat = FULL; }
            syntax   { HMUL2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$END }
            operands { InList<pg, a, b>; OutList<d>; }
        }
        /// Multiplies and adds: `d = a * b + c`.
        optype HFMA2_$V : [RESULT, HALF_$V] {
            encoding { op == HFMA2; field<85, 1 : 78, 1> $FMA fmt = F16; field<80, 1 : 76, 1> $DENORMAL ftz = KEEP; }
            operands { InList<pg, a, b, c>; OutList<d>; }
        }
        group FMA_$V : [HFMA2_$V, H_SAT] { syntax { HFMA2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$ANY, {-}{|}c$ANY } }
        group FMA_RELU_$V : [HFMA2_$V, H_RELU] {
            syntax { HFMA2{.fmt}{.ftz}.relu d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$ANY, {-}{|}c$ANY{, {!}pr} }
        }
        /// Comparisons.
        group COMPARISON_$V : [HALF_$V] {
            encoding {
                field<64, 2> $SET fmt = F16; field<69, 2> Logic bool; field<76, 4> Compare cmp; field<80, 1> Flush ftz = KEEP;
                field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF;
            }
        }
        /// Compares, and writes a mask or a float for each lane.
        optype HSET2_$V : [RESULT, COMPARISON_$V] {
            encoding { op == HSET2; field<71, 1> Truth bf = BM; }
            syntax   { HSET2{.fmt}{.bf}.cmp{.ftz}.bool d, {-}{|}a{|}{.reuse}{.half}, {-}{|}c$END, {!}pp }
            operands { InList<pg, a, c, pp>; OutList<d>; }
        }
        /// Compares, and writes a predicate for each lane.
        optype HSETP2_$V : [GUARDED, COMPARISON_$V] {
            encoding { op == HSETP2; field<71, 1> Both both = EACH; field<81, 3> Pred pu; field<84, 3> Pred pv; }
            syntax   { HSETP2{.fmt}.cmp{.both}{.ftz}.bool pu, pv, {-}{|}a{|}{.reuse}{.half}, {-}{|}c$END, {!}pp }
            operands { InList<pg, a, c, pp>; OutList<pu, pv>; }
        }
        /// The smaller of two floats if the predicate is true, and otherwise the larger.
        optype HMNMX2_$V : [RESULT, HALF_$V] {
            encoding {
                op == HMNMX2; field<85, 1 : 78, 1> $MNMX fmt = F16; field<80, 1> Flush ftz = KEEP; field<81, 1> NanWins nan = NUMBER;
                field<82, 1> $XOR xor = OWN; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; field<65, 1> IsA is_a;
            }
            operands { InList<pg, a, b, pp>; }
        }
        group MNMX_$V : [HMNMX2_$V] {
            encoding { is_a == VALUE; }
            syntax   { HMNMX2{.fmt}{.ftz}{.nan}{.xor} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$END, {!}pp }
            operands { OutList<d>; }
        }
        group MNMX_IS_A_$V : [HMNMX2_$V] {
            encoding { is_a == IS_A; field<66, 3> Pred pu; field<69, 3> Pred pv; }
            syntax   { HMNMX2{.fmt}{.ftz}{.nan}{.xor}.is_a d, pu, pv, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$END, {!}pp }
            operands { OutList<d, pu, pv>; }
        }
    }
    for $V, $FORMAT in (A, Binary16), (H, Packed) {
        /// Multiplies and adds with a unit for matrices: `d = a * b + c`.
        optype HFMA2_MMA_$V : [RESULT, A, A_NEG, A_ABS] {
            encoding { field<0, 9> Op op == HFMA2_MMA; field<85, 1 : 78, 1> $FORMAT fmt = F16; field<80, 1 : 76, 1> Denormal ftz = KEEP; }
            operands { InList<pg, a, b, c>; OutList<d>; }
        }
        group MMA_$V : [HFMA2_MMA_$V, H_SAT] { syntax { "HFMA2.MMA"{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse} } }
        group MMA_RELU_$V : [HFMA2_MMA_$V, H_RELU] {
            syntax { "HFMA2.MMA"{.fmt}{.ftz}.relu d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse}{, {!}pr} }
        }
    }
}

/// The half-precision instructions of sm_75 with registers and immediates.
pub mod half75 {
    isa_core::define_isa! {
        /// The half-precision instructions of sm_75 with registers and immediates.
        pub isa Half75: u128;
        use crate::half::HalfBase;

        for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_R : [${OP}_TP, c_T_32] { encoding { form == 1; } } }
        for $OP in HSET2, HSETP2 { opcode ${OP}_I : [${OP}_TP, c_H_I] { encoding { form == 2; } } }
        opcode HADD2_I : [HADD2_TP, c_H_I] { encoding { form == 2; } }
        opcode HMUL2_R : [HMUL2_TP, b_T_32] { encoding { form == 1; } }
        opcode HMUL2_I : [HMUL2_TP, b_H_I] { encoding { form == 4; } }
        for $M in FMA {
            opcode ${M}_RR : [${M}_TP, b_TB_32, c_T_64] { encoding { form == 1; } }
            opcode ${M}_RI : [${M}_TP, b_TB_64, c_H_I] { encoding { form == 2; } }
            opcode ${M}_IR : [${M}_TP, b_H_I, c_T_64] { encoding { form == 4; } }
        }
    }
}

/// The half-precision instructions of sm_80 with registers and immediates.
pub mod half80 {
    isa_core::define_isa! {
        /// The half-precision instructions of sm_80 with registers and immediates.
        pub isa Half80: u128;
        use crate::half::HalfBase;

        for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_R : [${OP}_AP, c_T_32] { encoding { form == 1; } } }
        for $OP in HSET2, HSETP2 { opcode ${OP}_I : [${OP}_AP, c_H_I] { encoding { form == 2; } } }
        opcode HADD2_I : [HADD2_AP, c_H_I] { encoding { form == 2; } }
        opcode HMUL2_R : [HMUL2_AP, b_T_32] { encoding { form == 1; } }
        opcode HMUL2_I : [HMUL2_AP, b_H_I] { encoding { form == 4; } }
        for $M in FMA, FMA_RELU {
            opcode ${M}_RR : [${M}_AP, b_TB_32, c_T_64] { encoding { form == 1; } }
            opcode ${M}_RI : [${M}_AP, b_TB_64, c_H_I] { encoding { form == 2; } }
            opcode ${M}_IR : [${M}_AP, b_H_I, c_T_64] { encoding { form == 4; } }
        }
        for $M in MNMX {
            opcode ${M}_R : [${M}_AP, b_T_32] { encoding { form == 1; } }
            opcode ${M}_I : [${M}_AP, b_H_I] { encoding { form == 4; } }
        }
    }
}

/// The half-precision instructions of sm_86 and sm_89 with registers and immediates.
pub mod half86 {
    isa_core::define_isa! {
        /// The half-precision instructions of sm_86 and sm_89 with registers and immediates.
        pub isa Half86: u128;
        use crate::half::HalfBase;

        for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_R : [${OP}_BP, c_T_32] { encoding { form == 1; } } }
        for $OP in HSET2, HSETP2 { opcode ${OP}_I : [${OP}_BP, c_H_I] { encoding { form == 2; } } }
        opcode HADD2_I : [HADD2_BP, c_I] {
            encoding { form == 2; where fmt != F32 or c < 0x10000; }
            operands { AsmFormat<c> = OneOrTwo(c, fmt); }
        }
        opcode HMUL2_R : [HMUL2_BP, b_T_32] { encoding { form == 1; } }
        opcode HMUL2_I : [HMUL2_BP, b_H_I] { encoding { form == 4; } }
        for $M in FMA, FMA_RELU {
            opcode ${M}_RR : [${M}_BP, b_HB_32, c_T_64] { encoding { form == 1; } }
            opcode ${M}_RI : [${M}_BP, b_HB_64, c_H_I] { encoding { form == 2; } }
            opcode ${M}_IR : [${M}_BP, b_H_I, c_T_64] { encoding { form == 4; } }
        }
        for $M in MNMX {
            opcode ${M}_R : [${M}_BP, b_T_32] { encoding { form == 1; } }
            opcode ${M}_I : [${M}_BP, b_H_I] { encoding { form == 4; } }
        }
    }
}

/// The half-precision instructions of sm_90 and newer chips with registers and immediates.
pub mod half90 {
    isa_core::define_isa! {
        /// The half-precision instructions of sm_90 and newer chips with registers and immediates.
        pub isa Half90: u128;
        use crate::half::HalfBase;

        for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_R : [${OP}_HP, c_H_32] { encoding { form == 1; } } }
        for $OP in HSET2, HSETP2 { opcode ${OP}_I : [${OP}_HP, c_H_I] { encoding { form == 2; } } }
        opcode HADD2_I : [HADD2_HP, c_I] {
            encoding { form == 2; where fmt != F32 or c < 0x10000; }
            operands { AsmFormat<c> = OneOrTwo(c, fmt); }
        }
        opcode HMUL2_R : [HMUL2_HP, b_H_32] { encoding { form == 1; } }
        opcode HMUL2_I : [HMUL2_HP, b_H_I] { encoding { form == 4; } }
        for $M in FMA, FMA_RELU {
            opcode ${M}_RR : [${M}_HP, b_HB_32, c_H_64] { encoding { form == 1; } }
            opcode ${M}_RI : [${M}_HP, b_HB_64, c_H_I] { encoding { form == 2; } }
            opcode ${M}_IR : [${M}_HP, b_H_I, c_H_64] { encoding { form == 4; } }
        }
        for $M in MNMX, MNMX_IS_A {
            opcode ${M}_R : [${M}_HP, b_H_32] { encoding { form == 1; } }
            opcode ${M}_I : [${M}_HP, b_H_I] { encoding { form == 4; } }
        }
    }
}

/// Constant memory and uniform registers in half-precision instructions of sm_75.
pub mod halfbanks75 {
    isa_core::define_isa! {
        /// Constant memory and uniform registers in half-precision instructions of sm_75.
        pub isa HalfBanks75: u128;
        use crate::half::HalfBase;

        for $K, $B, $C in (CS, 5, 3), (XS, 5, 3), (U, 6, 7) {
            for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_$K : [${OP}_TK, c_T_$K] { encoding { form == $C; } } }
            opcode HMUL2_$K : [HMUL2_TK, b_T_$K] { encoding { form == $B; } }
            for $M in FMA {
                opcode ${M}_${K}_R : [${M}_TK, b_TB_$K, c_T_64] { encoding { form == $B; } }
                opcode ${M}_R_$K : [${M}_TK, b_TB_64, c_T_$K] { encoding { form == $C; } }
            }
        }
    }
}

/// Constant memory and uniform registers in half-precision instructions of sm_80.
pub mod halfbanks80 {
    isa_core::define_isa! {
        /// Constant memory and uniform registers in half-precision instructions of sm_80.
        pub isa HalfBanks80: u128;
        use crate::half::HalfBase;

        for $K, $B, $C in (CS, 5, 3), (XS, 5, 3), (U, 6, 7) {
            for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_$K : [${OP}_AK, c_T_$K] { encoding { form == $C; } } }
            opcode HMUL2_$K : [HMUL2_AK, b_T_$K] { encoding { form == $B; } }
            for $M in FMA, FMA_RELU {
                opcode ${M}_${K}_R : [${M}_AK, b_TB_$K, c_T_64] { encoding { form == $B; } }
                opcode ${M}_R_$K : [${M}_AK, b_TB_64, c_T_$K] { encoding { form == $C; } }
            }
            for $M in MNMX { opcode ${M}_$K : [${M}_AK, b_T_$K] { encoding { form == $B; } } }
        }
    }
}

/// Constant memory and uniform registers in half-precision instructions of sm_86 and sm_89.
pub mod halfbanks86 {
    isa_core::define_isa! {
        /// Constant memory and uniform registers in half-precision instructions of sm_86 and sm_89.
        pub isa HalfBanks86: u128;
        use crate::half::HalfBase;

        for $K, $B, $C in (CS, 5, 3), (XS, 5, 3), (U, 6, 7) {
            for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_$K : [${OP}_BK, c_T_$K] { encoding { form == $C; } } }
            opcode HMUL2_$K : [HMUL2_BK, b_T_$K] { encoding { form == $B; } }
            for $M in FMA, FMA_RELU {
                opcode ${M}_${K}_R : [${M}_BK, b_HB_$K, c_T_64] { encoding { form == $B; } }
                opcode ${M}_R_$K : [${M}_BK, b_HB_64, c_T_$K] { encoding { form == $C; } }
            }
            for $M in MNMX { opcode ${M}_$K : [${M}_BK, b_T_$K] { encoding { form == $B; } } }
        }
    }
}

/// Constant memory and uniform registers in half-precision instructions of sm_90.
pub mod halfbanks90 {
    isa_core::define_isa! {
        /// Constant memory and uniform registers in half-precision instructions of sm_90.
        pub isa HalfBanks90: u128;
        use crate::half::HalfBase;

        for $K, $B, $C in (CS, 5, 3), (XS, 5, 3), (U, 6, 7) {
            for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_$K : [${OP}_HK, c_H_$K] { encoding { form == $C; } } }
            opcode HMUL2_$K : [HMUL2_HK, b_H_$K] { encoding { form == $B; } }
            for $M in FMA, FMA_RELU {
                opcode ${M}_${K}_R : [${M}_HK, b_HB_$K, c_H_64] { encoding { form == $B; } }
                opcode ${M}_R_$K : [${M}_HK, b_HB_64, c_H_$K] { encoding { form == $C; } }
            }
            for $M in MNMX, MNMX_IS_A { opcode ${M}_$K : [${M}_HK, b_H_$K] { encoding { form == $B; } } }
        }
    }
}

/// Uniform registers in half-precision instructions from sm_100.
pub mod halfuniform100 {
    isa_core::define_isa! {
        /// Uniform registers in half-precision instructions from sm_100.
        pub isa HalfUniform100: u128;
        use crate::half::HalfBase;

        for $K, $B, $C in (W, 6, 7) {
            for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_$K : [${OP}_HK, c_H_$K] { encoding { form == $C; } } }
            opcode HMUL2_$K : [HMUL2_HK, b_H_$K] { encoding { form == $B; } }
            for $M in FMA, FMA_RELU {
                opcode ${M}_${K}_R : [${M}_HK, b_HB_$K, c_H_64] { encoding { form == $B; } }
                opcode ${M}_R_$K : [${M}_HK, b_HB_64, c_H_$K] { encoding { form == $C; } }
            }
            for $M in MNMX, MNMX_IS_A { opcode ${M}_$K : [${M}_HK, b_H_$K] { encoding { form == $B; } } }
        }
    }
}

/// The half-precision instructions of the unit for matrices on sm_80, sm_86 and sm_89.
pub mod halfmatrix80 {
    isa_core::define_isa! {
        /// The half-precision instructions of the unit for matrices on sm_80, sm_86 and sm_89.
        pub isa HalfMatrix80: u128;
        use crate::half::HalfBase;

        for $M in MMA, MMA_RELU {
            for $N, $FORM, $B, $C in
                (RR, 1, M_32, M_64), (RI, 2, M_64, H_I), (IR, 4, H_I, M_64), (R_C, 3, M_64, M_C), (C_R, 5, M_C, M_64),
                (R_X, 3, M_64, M_X), (X_R, 5, M_X, M_64), (R_U, 7, M_64, M_U), (U_R, 6, M_U, M_64)
            {
                opcode ${M}_$N : [${M}_A, b_$B, c_$C] { encoding { form == $FORM; } }
            }
        }
    }
}

/// The half-precision instructions of the unit for matrices on sm_90.
pub mod halfmatrix90 {
    isa_core::define_isa! {
        /// The half-precision instructions of the unit for matrices on sm_90.
        pub isa HalfMatrix90: u128;
        use crate::half::HalfBase;

        for $M in MMA, MMA_RELU {
            for $N, $FORM, $B, $C in
                (RR, 1, M_32, M_64), (RI, 2, M_64, H_I), (IR, 4, H_I, M_64), (R_C, 3, M_64, M_C), (C_R, 5, M_C, M_64),
                (R_X, 3, M_64, M_X), (X_R, 5, M_X, M_64), (R_U, 7, M_64, M_U), (U_R, 6, M_U, M_64)
            {
                opcode ${M}_$N : [${M}_H, b_$B, c_$C] { encoding { form == $FORM; } }
            }
        }
    }
}
