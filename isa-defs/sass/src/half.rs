//! The half-precision family: arithmetic and comparison of two 16-bit floats in a register.
//!
//! The forms with registers and immediates are the same on all chips. Chips before sm_100 also have
//! forms with constant memory, and uniform registers with 6 bits.

isa_core::define_isa! {
    /// Operations and modifiers of the half-precision family.
    pub isa HalfBase: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        HADD2 = 0x30, HFMA2 = 0x31, HMUL2 = 0x32, HSET2 = 0x33, HSETP2 = 0x34, HFMA2_MATRIX = 0x35, HMNMX2 = 0x40,
    }
    /// The halves of a packed source that the high and the low lane read.
    enum Select: 2 { H1_H0 = 0, H0_H0 = 2, H1_H1 = 3 }
    /// The halves that the lanes read. With `F32`, the source is a 32-bit float. With `H0_NH1`, the
    /// high lane reads the low half, and the low lane reads the negated high half.
    enum Select3: 3 { H1_H0 = 0, F32 = 1, H0_H0 = 2, H1_H1 = 3, H0_NH1 = 4 }
    /// The format of the floats. With `F32`, the result is a 32-bit float.
    enum Format: 2 { F16 = 0, F32 = 1, BF16_V2 = 2 }
    /// The format of the floats of an instruction without a 32-bit result.
    enum Packed: 2 { F16 = 0, BF16_V2 = 2 }
    /// The treatment of subnormal numbers: `FTZ` replaces them by zeros. With `FMZ`, zero times any
    /// number is also zero.
    enum Denormal: 2 { KEEP = 0, FMZ = 1, FTZ = 2, OOB = 3 }
    /// The treatment of subnormal numbers of a multiplication.
    enum MulDenormal: 2 { KEEP = 0, FMZ = 1, FTZ = 2 }
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
    /// Whether the instruction also writes which source is the result.
    enum IsA: 1 { VALUE = 0, IS_A = 1 }

    /// Every half-precision instruction.
    group HALF : [A, A_NEG, A_ABS] { encoding { field<0, 9> Op op; field<74, 2> Select a.half = H1_H0; } }
    /// Every instruction with the format at the usual position.
    group ARITHMETIC : [RESULT, HALF] { encoding { field<85, 1 : 78, 1> Format fmt = F16; } operands { OutList<d>; } }

    for $S in b, c {
        for $AT, $SEL in (32, 60), (64, 81) {
            group ${S}_H$$AT : [${S}_R$$AT, ${S}_NEG$$AT, ${S}_ABS$$AT] { encoding { field<$SEL, 2> Select $S.half = H1_H0; } }
            group ${S}_T$$AT : [${S}_R$$AT, ${S}_NEG$$AT, ${S}_ABS$$AT] { encoding { field<86, 1 : $SEL, 2> Select3 $S.half = H1_H0; } }
        }
        for $K in CS, XS, U, W {
            group ${S}_H$$K : [${S}_$K, ${S}_NEG32, ${S}_ABS32] { encoding { field<60, 2> Select $S.lanes = H1_H0; } }
            group ${S}_T$$K : [${S}_$K, ${S}_NEG32, ${S}_ABS32] { encoding { field<86, 1 : 60, 2> Select3 $S.lanes = H1_H0; } }
        }
        for $K in C, X, U { group ${S}_M$$K : [${S}_$K, ${S}_NEG32, ${S}_ABS32] {} }
        for $AT in 32, 64 { group ${S}_M$$AT : [${S}_R$$AT, ${S}_NEG$$AT, ${S}_ABS$$AT] {} }
        group ${S}_HI : [${S}_I] { operands { AsmFormat<$S> = Halves($S, fmt); } }
        group ${S}_TI : [${S}_HI] {}
        group ${S}_MI : [${S}_HI] {}
    }

    /// The result can be limited to the range from 0 to 1.
    group H_SAT { encoding { field<77, 1> Saturate sat = FULL; field<79, 1> Rectify relu == ANY; } }
    /// Negative results become 0 if a predicate is true.
    group H_RELU { encoding { field<79, 1> Rectify relu == RELU; field<87, 3> Pred pr = PT; field<90, 1> Flip pr.not = OFF; } }

    /// Multiplies and adds: `d = a * b + c`.
    optype HFMA2 : [ARITHMETIC] {
        encoding { op == HFMA2; field<80, 1 : 76, 1> Denormal ftz = KEEP; }
        operands { InList<pg, a, b, c>; }
    }
    /// Multiplies and adds with a unit for matrices: `d = a * b + c`.
    optype HFMA2_MATRIX : [RESULT, A, A_NEG, A_ABS] {
        encoding { field<0, 9> Op op == HFMA2_MATRIX; field<85, 1 : 78, 1> Packed fmt = F16; field<80, 1 : 76, 1> MulDenormal ftz = KEEP; }
        operands { InList<pg, a, b, c>; OutList<d>; }
    }
group HFMA2_MATRIX_SAT : [HFMA2_MATRIX, H_SAT] { syntax { "HFMA2.MMA"{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse} } }
    group HFMA2_MATRIX_RELU : [HFMA2_MATRIX, H_RELU] {
        syntax { "HFMA2.MMA"{.fmt}{.ftz}.relu d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse}{, {!}pr} }
    }

    // The operations, for calls without and with constant memory and uniform registers. Only their
    // templates differ.
    for $V, $END, $ANY in
        (PLAIN, $({|}{.reuse}{.half}), $({|}{.reuse}{.half})), (BANKED, $({.lanes}{|}), $({.lanes}{|}{.reuse}{.half}))
    {
        /// Adds: `d = a + c`.
        optype HADD2_$V : [ARITHMETIC] {
            encoding { op == HADD2; field<80, 1> Flush ftz = KEEP; field<77, 1> Saturate sat = FULL; }
            syntax   { HADD2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}c$END }
            operands { InList<pg, a, c>; }
        }
        /// Multiplies: `d = a * b`.
        optype HMUL2_$V : [RESULT, HALF] {
            encoding { op == HMUL2; field<85, 1 : 78, 1> Packed fmt = F16; field<80, 1 : 76, 1> MulDenormal ftz = KEEP; field<77, 1> Saturate sat = FULL; }
            syntax   { HMUL2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$END }
            operands { InList<pg, a, b>; OutList<d>; }
        }
        group HFMA2_SAT_$V : [HFMA2, H_SAT] { syntax { HFMA2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$ANY, {-}{|}c$ANY } }
        group HFMA2_RELU_$V : [HFMA2, H_RELU] {
            syntax { HFMA2{.fmt}{.ftz}.relu d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$ANY, {-}{|}c$ANY{, {!}pr} }
        }
        /// Comparisons.
        group COMPARISON_$V : [HALF] {
            encoding {
                field<64, 2> Packed fmt = F16; field<69, 2> Logic bool; field<76, 4> Compare cmp; field<80, 1> Flush ftz = KEEP;
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
        optype HMNMX2_$V : [RESULT, HALF] {
            encoding {
                op == HMNMX2; field<85, 1 : 78, 1> Packed fmt = F16; field<80, 1> Flush ftz = KEEP; field<81, 1> NanWins nan = NUMBER;
                field<82, 1> XorSign xor = OWN; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; field<65, 1> IsA is_a;
            }
            operands { InList<pg, a, b, pp>; }
        }
        group HMNMX2_VALUE_$V : [HMNMX2_$V] {
            encoding { is_a == VALUE; }
            syntax   { HMNMX2{.fmt}{.ftz}{.nan}{.xor} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$END, {!}pp }
            operands { OutList<d>; }
        }
        group HMNMX2_IS_A_$V : [HMNMX2_$V] {
            encoding { is_a == IS_A; field<66, 3> Pred pu; field<69, 3> Pred pv; }
            syntax   { HMNMX2{.fmt}{.ftz}{.nan}{.xor}.is_a d, pu, pv, {-}{|}a{|}{.reuse}{.half}, {-}{|}b$END, {!}pp }
            operands { OutList<d, pu, pv>; }
        }
    }
}

isa_core::define_isa! {
    /// The half-precision instructions with registers and immediates, which all chips have.
    pub isa Half: u128;
    use crate::half::HalfBase;

    for $OP in HADD2, HSET2, HSETP2 {
        opcode ${OP}_R : [${OP}_PLAIN, c_H32] { encoding { form == 1; } }
    }
    for $OP in HSET2, HSETP2 { opcode ${OP}_I : [${OP}_PLAIN, c_HI] { encoding { form == 2; } } }
    opcode HADD2_I : [HADD2_PLAIN, c_HI] {
        encoding { form == 2; where fmt != F32 or c < 0x10000; }
    }
    opcode HMUL2_R : [HMUL2_PLAIN, b_H32] { encoding { form == 1; } }
    opcode HMUL2_I : [HMUL2_PLAIN, b_HI] { encoding { form == 4; } }
    opcode HFMA2_RR : [HFMA2_SAT_PLAIN, b_T32, c_H64] { encoding { form == 1; } }
    opcode HFMA2_RI : [HFMA2_SAT_PLAIN, b_T64, c_HI] { encoding { form == 2; } }
    opcode HFMA2_IR : [HFMA2_SAT_PLAIN, b_TI, c_H64] { encoding { form == 4; } }
}

isa_core::define_isa! {
    /// The half-precision instructions with registers and immediates, which chips from sm_80 have.
    pub isa HalfAmpere: u128;
    use crate::half::HalfBase;

    opcode HFMA2_RELU_RR : [HFMA2_RELU_PLAIN, b_T32, c_H64] { encoding { form == 1; } }
    opcode HFMA2_RELU_RI : [HFMA2_RELU_PLAIN, b_T64, c_HI] { encoding { form == 2; } }
    opcode HFMA2_RELU_IR : [HFMA2_RELU_PLAIN, b_TI, c_H64] { encoding { form == 4; } }
    for $T in VALUE, IS_A {
        opcode HMNMX2_${T}_R : [HMNMX2_${T}_PLAIN, b_H32] { encoding { form == 1; } }
        opcode HMNMX2_${T}_I : [HMNMX2_${T}_PLAIN, b_HI] { encoding { form == 4; } }
    }
}

isa_core::define_isa! {
    /// Constant memory and uniform registers in half-precision instructions before sm_100.
    pub isa HalfBanks: u128;
    use crate::half::HalfBase;

    for $OP in HADD2, HSET2, HSETP2 {
        for $K, $FORM in (CS, 3), (XS, 3), (U, 7) { opcode ${OP}_$K : [${OP}_BANKED, c_H$$K] { encoding { form == $FORM; } } }
    }
    for $K, $B, $C in (CS, 5, 3), (XS, 5, 3), (U, 6, 7) {
        opcode HMUL2_$K : [HMUL2_BANKED, b_H$$K] { encoding { form == $B; } }
        opcode HFMA2_${K}_R : [HFMA2_SAT_BANKED, b_T$$K, c_H64] { encoding { form == $B; } }
        opcode HFMA2_R_$K : [HFMA2_SAT_BANKED, b_T64, c_H$$K] { encoding { form == $C; } }
    }
}

isa_core::define_isa! {
    /// Constant memory and uniform registers in half-precision instructions from sm_80 to sm_90.
    pub isa HalfAmpereBanks: u128;
    use crate::half::HalfBase;

    for $K, $B, $C in (CS, 5, 3), (XS, 5, 3), (U, 6, 7) {
        opcode HFMA2_RELU_${K}_R : [HFMA2_RELU_BANKED, b_T$$K, c_H64] { encoding { form == $B; } }
        opcode HFMA2_RELU_R_$K : [HFMA2_RELU_BANKED, b_T64, c_H$$K] { encoding { form == $C; } }
        for $T in VALUE, IS_A { opcode HMNMX2_${T}_$K : [HMNMX2_${T}_BANKED, b_H$$K] { encoding { form == $B; } } }
    }
}

isa_core::define_isa! {
    /// Uniform registers in half-precision instructions from sm_100.
    pub isa HalfUniform: u128;
    use crate::half::HalfBase;

    for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_W : [${OP}_BANKED, c_HW] { encoding { form == 7; } } }
    opcode HMUL2_W : [HMUL2_BANKED, b_HW] { encoding { form == 6; } }
    for $M in SAT, RELU {
        opcode HFMA2_${M}_W_R : [HFMA2_${M}_BANKED, b_TW, c_H64] { encoding { form == 6; } }
        opcode HFMA2_${M}_R_W : [HFMA2_${M}_BANKED, b_T64, c_HW] { encoding { form == 7; } }
    }
    for $T in VALUE, IS_A { opcode HMNMX2_${T}_W : [HMNMX2_${T}_BANKED, b_HW] { encoding { form == 6; } } }
}

isa_core::define_isa! {
    /// The half-precision instructions of the unit for matrices, which chips from sm_80 to sm_90 have.
    pub isa HalfMatrix: u128;
    use crate::half::HalfBase;

    for $M in SAT, RELU {
        for $N, $FORM, $B, $C in
            (RR, 1, M32, M64), (RI, 2, M64, HI), (IR, 4, HI, M64), (R_C, 3, M64, MC), (C_R, 5, MC, M64),
            (R_X, 3, M64, MX), (X_R, 5, MX, M64), (R_U, 7, M64, MU), (U_R, 6, MU, M64)
        {
            opcode HFMA2_MATRIX_${M}_$N : [HFMA2_MATRIX_$M, b_$B, c_$C] { encoding { form == $FORM; } }
        }
    }
}
