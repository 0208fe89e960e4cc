//! The half-precision family: arithmetic and comparison of two 16-bit floats in a register.
//!
//! The chips differ in formats and modifiers. Chips before sm_100 have forms with constant memory, and
//! uniform registers with 6 bits; newer chips have uniform registers with 8 bits.

isa_core::define_isa! {
    /// The half-precision family.
    pub isa Half: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        HADD2 = 0x30, HFMA2 = 0x31, HMUL2 = 0x32, HSET2 = 0x33, HSETP2 = 0x34, HFMA2_MMA = 0x35, HMNMX2 = 0x40,
    }
    /// The halves of a packed source that the high and the low lane read. With `F32`, the source is a
    /// 32-bit float.
    enum Select: 2 { H1_H0 = 0, F32 = 1 requires not SM90, H0_H0 = 2, H1_H1 = 3 }
    /// The halves of source B of HFMA2. With `H0_NH1`, the high lane reads the low half, and the low lane
    /// reads the negated high half.
    enum SelectB: 3 { H1_H0 = 0, F32 = 1, H0_H0 = 2, H1_H1 = 3, H0_NH1 = 4 requires SM86 }
    /// The format of a sum. With `F32`, the result is a 32-bit float.
    enum SumFormat: 2 { F16 = 0, F32 = 1, BF16_V2 = 2 requires SM90 }
    /// The format of a product.
    enum ProductFormat: 2 { F16 = 0, F32 = 1 requires not SM90, BF16_V2 = 2 requires SM90 }
    /// The format of a product with a sum.
    enum FmaFormat: 2 { F16 = 0, F32 = 1, BF16_V2 = 2 requires SM80 }
    /// The format of a comparison.
    enum PackedFormat: 2 { F16 = 0, BF16_V2 = 2 requires SM90 }
    /// The format of a minimum.
    enum MinMaxFormat: 2 { F16 = 0, F32 = 1 requires not SM90, BF16_V2 = 2 }
    /// The treatment of subnormal numbers: `FTZ` replaces them by zeros. With `FMZ`, zero times any
    /// number is also zero.
    enum Denormal: 2 { KEEP = 0, FMZ = 1, FTZ = 2 }
    /// The treatment of subnormal numbers by HFMA2.
    enum DenormalOob: 2 { KEEP = 0, FMZ = 1, FTZ = 2, OOB = 3 requires SM90 }
    /// Whether subnormal numbers are replaced by zeros.
    enum Flush: 1 { KEEP = 0, FTZ = 1 }
    /// Whether the result is limited to the range from 0 to 1.
    enum Saturate: 1 { FULL = 0, SAT = 1 }
    /// Whether negative results are replaced by 0.
    enum Rectify: 1 { ANY = 0, RELU = 1 requires SM80 }
    /// Whether the result is 1.0 instead of a mask of ones.
    enum Truth: 1 { BM = 0, BF = 1 }
    /// Whether the first predicate is true only if both lanes are true.
    enum Both: 1 { EACH = 0, H_AND = 1 }
    /// Whether NaN takes precedence over numbers.
    enum NanWins: 1 { NUMBER = 0, NAN = 1 }
    /// Whether the sign of the result is the exclusive or of both signs.
    enum XorSign: 1 { OWN = 0, XORSIGN = 1 requires SM86 }
    /// Whether the instruction also writes which source is the result.
    enum IsA: 1 { VALUE = 0, IS_A = 1 requires SM90 }
    /// Two 16-bit floats, or one if the format is `F32`.
    format OneOrTwo = crate::operand::Halves<true>;

    // ---- positions of sources -----------------------------------------------------------------

    for $S in b, c {
        for $AT, $NEG, $ABS, $SEL in (32, 63, 62, 60), (64, 84, 83, 81) {
            /// A register with signs, at bit $AT.
            group ${S}_M_$AT : [${S}_R_$AT] { encoding { field<$NEG, 1> Flip $S.neg = OFF; field<$ABS, 1> Flip $S.abs = OFF; } }
            group ${S}_H_$AT : [${S}_M_$AT] { encoding { field<$SEL, 2> Select $S.half = H1_H0; } }
            group ${S}_HB_$AT : [${S}_M_$AT] { encoding { field<86, 1 : $SEL, 2> SelectB $S.half = H1_H0; } }
        }
        for $K in CS, XS, U, W, C, X {
            /// Constant memory or a uniform register with signs.
            group ${S}_M_$K : [${S}_$K] { encoding { field<63, 1> Flip $S.neg = OFF; field<62, 1> Flip $S.abs = OFF; } }
            group ${S}_H_$K : [${S}_M_$K] { encoding { field<60, 2> Select $S.lanes = H1_H0; } }
            group ${S}_HB_$K : [${S}_M_$K] { encoding { field<86, 1 : 60, 2> SelectB $S.lanes = H1_H0; } }
        }
        /// Two floats.
        group ${S}_H_I : [${S}_I] { operands { AsmFormat<$S> = Halves($S, fmt); } }
    }

    // ---- instructions with their modifiers ----------------------------------------------------

    /// The result can be limited to the range from 0 to 1.
    group H_SAT { encoding { field<77, 1> Saturate sat = FULL; field<79, 1> Rectify relu == ANY; } }
    /// Negative results become 0 if a predicate is true.
    group H_RELU { encoding { field<79, 1> Rectify relu == RELU; field<87, 3> Pred pr = PT; field<90, 1> Flip pr.not = OFF; } }
    /// Every instruction except HFMA2.MMA.
    group HALF : [A, A_NEG, A_ABS] { properties { unit = HALF; } encoding { field<0, 9> Op op; field<74, 2> Select a.half = H1_H0; } }

    /// Adds: `d = a + c`.
    optype HADD2 : [RESULT, HALF] {
        encoding { op == HADD2; field<85, 1 : 78, 1> SumFormat fmt = F16; field<80, 1> Flush ftz = KEEP; field<77, 1> Saturate sat = FULL; }
        syntax   { HADD2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}c{.lanes}{|}{.reuse}{.half} }
        operands { InList<pg, a, c>; OutList<d>; }
        exception { EncodingError<IllegalWidening, ".F32 excludes |a| and its reuse"> = fmt == F32 and (a.abs == ON or a.reuse == reuse) requires SM86; }
    }
    /// Multiplies: `d = a * b`.
    optype HMUL2 : [RESULT, HALF] {
        encoding { op == HMUL2; field<85, 1 : 78, 1> ProductFormat fmt = F16; field<80, 1 : 76, 1> Denormal ftz = KEEP; field<77, 1> Saturate sat = FULL; }
        syntax   { HMUL2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b{.lanes}{|}{.reuse}{.half} }
        operands { InList<pg, a, b>; OutList<d>; }
    }
    /// Multiplies and adds: `d = a * b + c`.
    optype HFMA2 : [RESULT, HALF] {
        encoding { op == HFMA2; field<85, 1 : 78, 1> FmaFormat fmt = F16; field<80, 1 : 76, 1> DenormalOob ftz = KEEP; }
        operands { InList<pg, a, b, c>; OutList<d>; }
    }
    group FMA : [HFMA2, H_SAT] {
        syntax { HFMA2{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b{.lanes}{|}{.reuse}{.half}, {-}{|}c{.lanes}{|}{.reuse}{.half} }
    }
    group FMA_RELU : [HFMA2, H_RELU] {
        syntax { HFMA2{.fmt}{.ftz}.relu d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b{.lanes}{|}{.reuse}{.half}, {-}{|}c{.lanes}{|}{.reuse}{.half}{, {!}pr} }
    }
    /// Multiplies and adds with a unit for matrices: `d = a * b + c`.
    optype HFMA2_MMA : [RESULT, A, A_NEG, A_ABS] requires SM80 and not SM100 {
        properties { unit = HALF_MMA; }
        encoding { field<0, 9> Op op == HFMA2_MMA; field<85, 1 : 78, 1> PackedFormat fmt = F16; field<80, 1 : 76, 1> Denormal ftz = KEEP; }
        operands { InList<pg, a, b, c>; OutList<d>; }
    }
    group MMA : [HFMA2_MMA, H_SAT] { syntax { "HFMA2.MMA"{.fmt}{.ftz}{.sat} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse} } }
    group MMA_RELU : [HFMA2_MMA, H_RELU] {
        syntax { "HFMA2.MMA"{.fmt}{.ftz}.relu d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse}{, {!}pr} }
    }
    /// Comparisons.
    group COMPARISON : [HALF] {
        encoding {
            field<64, 2> PackedFormat fmt = F16; field<69, 2> Logic bool; field<76, 4> Compare cmp; field<80, 1> Flush ftz = KEEP;
            field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF;
        }
    }
    /// Compares, and writes a mask or a float for each lane.
    optype HSET2 : [RESULT, COMPARISON] {
        encoding { op == HSET2; field<71, 1> Truth bf = BM; }
        syntax   { HSET2{.fmt}{.bf}.cmp{.ftz}.bool d, {-}{|}a{|}{.reuse}{.half}, {-}{|}c{.lanes}{|}{.reuse}{.half}, {!}pp }
        operands { InList<pg, a, c, pp>; OutList<d>; }
    }
    /// Compares, and writes a predicate for each lane.
    optype HSETP2 : [GUARDED, COMPARISON] {
        encoding { op == HSETP2; field<71, 1> Both both = EACH; field<81, 3> Pred pu; field<84, 3> Pred pv; }
        syntax   { HSETP2{.fmt}.cmp{.both}{.ftz}.bool pu, pv, {-}{|}a{|}{.reuse}{.half}, {-}{|}c{.lanes}{|}{.reuse}{.half}, {!}pp }
        operands { InList<pg, a, c, pp>; OutList<pu, pv>; }
    }
    /// The smaller of two floats if the predicate is true, and otherwise the larger.
    optype HMNMX2 : [RESULT, HALF] requires SM80 {
        encoding {
            op == HMNMX2; field<85, 1 : 78, 1> MinMaxFormat fmt = F16; field<80, 1> Flush ftz = KEEP; field<81, 1> NanWins nan = NUMBER;
            field<82, 1> XorSign xor = OWN; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; field<65, 1> IsA is_a;
        }
        operands { InList<pg, a, b, pp>; }
    }
    group MNMX : [HMNMX2] {
        encoding { is_a == VALUE; }
        syntax   { HMNMX2{.fmt}{.ftz}{.nan}{.xor} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b{.lanes}{|}{.reuse}{.half}, {!}pp }
        operands { OutList<d>; }
    }
    group MNMX_IS_A : [HMNMX2] {
        encoding { is_a == IS_A; field<66, 3> Pred pu; field<69, 3> Pred pv; }
        syntax   { HMNMX2{.fmt}{.ftz}{.nan}{.xor}.is_a d, pu, pv, {-}{|}a{|}{.reuse}{.half}, {-}{|}b{.lanes}{|}{.reuse}{.half}, {!}pp }
        operands { OutList<d, pu, pv>; }
    }

    // ---- operands -----------------------------------------------------------------------------

    for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_R : [$OP, c_H_32] { encoding { form == 1; } } }
    for $OP in HSET2, HSETP2 { opcode ${OP}_I : [$OP, c_H_I] { encoding { form == 2; } } }
    opcode HADD2_75_I : [HADD2, c_H_I] requires not SM86 { encoding { form == 2; } }
    opcode HADD2_I : [HADD2, c_I] requires SM86 {
        encoding { form == 2; where fmt != F32 or c < 0x10000; }
        operands { AsmFormat<c> = OneOrTwo(c, fmt); }
    }
    for $OP in HMUL2, MNMX, MNMX_IS_A {
        opcode ${OP}_R : [$OP, b_H_32] { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_H_I] { encoding { form == 4; } }
    }
    for $M in FMA, FMA_RELU {
        opcode ${M}_RR : [$M, b_HB_32, c_H_64] { encoding { form == 1; } }
        opcode ${M}_RI : [$M, b_HB_64, c_H_I] { encoding { form == 2; } }
        opcode ${M}_IR : [$M, b_H_I, c_H_64] { encoding { form == 4; } }
    }
    for $K, $B, $C, $ON in (CS, 5, 3, $(not SM100)), (XS, 5, 3, $(not SM100)), (U, 6, 7, $(not SM100)), (W, 6, 7, SM100) {
        for $OP in HADD2, HSET2, HSETP2 { opcode ${OP}_$K : [$OP, c_H_$K] requires $ON { encoding { form == $C; } } }
        for $OP in HMUL2, MNMX, MNMX_IS_A { opcode ${OP}_$K : [$OP, b_H_$K] requires $ON { encoding { form == $B; } } }
        for $M in FMA, FMA_RELU {
            opcode ${M}_${K}_R : [$M, b_HB_$K, c_H_64] requires $ON { encoding { form == $B; } }
            opcode ${M}_R_$K : [$M, b_HB_64, c_H_$K] requires $ON { encoding { form == $C; } }
        }
    }
    for $M in MMA, MMA_RELU {
        for $N, $FORM, $B, $C in
            (RR, 1, M_32, M_64), (RI, 2, M_64, H_I), (IR, 4, H_I, M_64), (R_C, 3, M_64, M_C), (C_R, 5, M_C, M_64),
            (R_X, 3, M_64, M_X), (X_R, 5, M_X, M_64), (R_U, 7, M_64, M_U), (U_R, 6, M_U, M_64)
        {
            opcode ${M}_$N : [$M, b_$B, c_$C] { encoding { form == $FORM; } }
        }
    }
}
