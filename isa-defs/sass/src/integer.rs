//! Minima and maxima, dot products, fields of bits, and sums of packed numbers.

isa_core::define_isa! {
    /// Minima and maxima, dot products, fields of bits, and sums of packed numbers.
    pub isa Integer: u128;

    use crate::base::Base;

    /// The operation.
    enum IntegerOp: 9 {
        IMNMX = 0x17, VABSDIFF = 0x14, VABSDIFF4 = 0x15, IDP = 0x26, SGXT = 0x1a, BMSK = 0x1b, P2R = 0x03, R2P = 0x04, DSETP = 0x2a, FSET = 0x0a, FMNMX3 = 0x76, VIMNMX = 0x48,
        VIMNMX3 = 0x0f, VIADDMNMX = 0x46, VHMNMX = 0x47, FADD2 = 0x4b, FMUL2 = 0x4a, FFMA2 = 0x49, FADD = 0x21, FFMA = 0x23, SEL = 0x07, PLOP3 = 0x1c, PLOP3_SIGN = 0x1f,
    }
    /// Whether integers are signed.
    enum Signed: 1 { U32 = 0, S32 = 1 }
    /// The type of an integer of up to 64 bits.
    enum LongType: 2 { U32 = 0, S32 = 1, U64 = 2, S64 = 3 }
    /// The type of bytes.
    enum ByteType: 1 { U8 = 0, S8 = 1 }
    /// The type of 16-bit integers.
    enum ShortType: 1 { U16 = 0, S16 = 1 }
    /// Whether the sum of the differences is added.
    enum Accumulate: 1 { NONE = 0, ACC = 1 }
    /// The half of the second factor.
    enum Half: 1 { LO = 0, HI = 1 }
    /// Whether numbers wrap around.
    enum Wrap: 1 { CLAMP = 0, W = 1 }
    /// The byte of a register.
    enum BytePart: 2 { LOW = 0, B1 = 1, B2 = 2, B3 = 3 }
    /// Whether negative results are replaced by 0.
    enum Rectify: 1 { ANY = 0, RELU = 1 }
    /// Whether subnormal numbers are replaced by zeros.
    enum Flush: 1 { KEEP = 0, FTZ = 1 }
    /// Whether NaN takes precedence over numbers.
    enum NanWins: 1 { NUMBER = 0, NAN = 1 }
    /// Whether the sign of the result is the exclusive or of the signs.
    enum XorSign: 1 { OWN = 0, XORSIGN = 1 }
    /// The rounding of floats.
    enum Rounding: 2 { RN = 0, RM = 1, RP = 2, RZ = 3 }
    /// Whether the result is limited to the range from 0 to 1.
    enum Saturate: 1 { FULL = 0, SAT = 1 }
    /// The type of one or two integers.
    enum PackedType: 2 { U32 = 0, S32 = 1, U16x2 = 2, S16x2 = 3 }
    /// A comparison of 64-bit floats.
    enum DoubleCompare: 4 {
        MIN = 0, LT = 1, EQ = 2, LE = 3, GT = 4, NE = 5, GE = 6, NUM = 7, NAN = 8, LTU = 9, EQU = 10, LEU = 11, GTU = 12, NEU = 13, GEU = 14, MAX = 15,
    }
    /// The format of two 16-bit floats.
    enum PackedFormat: 1 { F16 = 0, BF16_V2 = 1 }
    /// The halves of a packed source.
    enum Select: 2 { H1_H0 = 0, H0_H0 = 2, H1_H1 = 3 }
    /// The format of 16-bit floats.
    enum HalfFormat: 1 { F16 = 0, BF16 = 1 }
    /// The half of a register.
    enum HalfPart: 1 { LOW = 0, H1 = 1 }
    /// A source of two floats.
    enum FloatPair: 1 { F32x2 = 0 }
    /// The order of the floats of a source.
    enum Lanes: 1 { HI_LO = 0, LO_HI = 1 }
    /// The treatment of subnormal numbers: with `FMZ`, zero times any number is also zero.
    enum Denormal: 2 { KEEP = 0, FMZ = 1, FTZ = 2 }
    /// A signed number of 33 bits.
    operand Signed33: 33 = isa_core::operand::SignedHex<33>;
    /// A truth table.
    operand Table: 8 = isa_core::operand::PrefixedHex<8>;

    group PP { encoding { field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; } }
    /// The smaller of two integers if the predicate is true, and otherwise the larger.
    optype IMNMX : [RESULT, A, PP] requires not SM90  {
        properties { unit = SELECT; }
        encoding { field<0, 9> IntegerOp op == IMNMX; field<73, 1> Signed sign = S32; } syntax { IMNMX{.sign} d, a{.reuse}, b{.reuse}, {!}pp }
        operands { InList<pg, a, b, pp>; OutList<d>; }
    }
    /// The smaller or the larger of two integers of up to 64 bits.
    optype IMNMX_120 : [RESULT, A, PP] requires SM120  {
        properties { unit = SELECT; }
        encoding {
            field<0, 9> IntegerOp op == IMNMX; field<74, 1 : 73, 1> LongType type = S32; field<81, 3> Pred pu; field<84, 3> Pred pv; field<77, 3> Pred pq;
            field<80, 1> Flip pq.not = OFF;
        }
        syntax   { IMNMX{.type} pu, pv, d, a{.reuse}, b{.reuse}, {!}pp, {!}pq } operands { InList<pg, a, b, pp, pq>; OutList<d, pu, pv>; }
    }
    /// Adds the distance of two integers.
    optype VABSDIFF : [RESULT, A] {
        properties { unit = ALU; }
        encoding { field<0, 9> IntegerOp op == VABSDIFF; field<73, 1> Signed sign = S32; field<81, 3> Pred pu = PT; }
        syntax { VABSDIFF{.sign} d{, pu}, a{.reuse}, b{.reuse}, c{.reuse} } operands { InList<pg, a, b, c>; OutList<d, pu>; }
    }
    /// Computes the distances of four bytes.
    optype VABSDIFF4 : [RESULT, A] {
        properties { unit = ALU; }
        encoding { field<0, 9> IntegerOp op == VABSDIFF4; field<73, 1> ByteType sign = S8; field<75, 1> Accumulate acc = NONE; field<81, 3> Pred pu = PT; }
        syntax   { VABSDIFF4{.sign}{.acc} d{, pu}, a{.reuse}, b{.reuse}, c{.reuse} } operands { InList<pg, a, b, c>; OutList<d, pu>; }
    }
    /// Adds the products of four pairs of bytes.
    optype IDP_4A : [RESULT, A] {
        properties { unit = FMA; }
        encoding { field<0, 9> IntegerOp op == IDP; field<73, 1> ByteType left; field<74, 1> ByteType right; field<76, 2> Bits2 mode == 0; field<75, 1> Flip c.neg = OFF; }
        syntax   { "IDP.4A".left.right d, a{.reuse}, b{.reuse}, {-}c{.reuse} } operands { InList<pg, a, b, c>; OutList<d>; }
    }
    /// Adds the products of two 16-bit integers and two bytes.
    optype IDP_2A : [RESULT, A] {
        properties { unit = FMA; }
        encoding {
            field<0, 9> IntegerOp op == IDP; field<73, 1> ShortType left; field<74, 1> ByteType right; field<76, 1> Bits1 mode == 1; field<77, 1> Half half;
            field<75, 1> Flip c.neg = OFF;
        }
        syntax   { "IDP.2A".half.left.right d, a{.reuse}, b{.reuse}, {-}c{.reuse} } operands { InList<pg, a, b, c>; OutList<d>; }
    }
    /// Extends the sign of a number of bits.
    optype SGXT : [RESULT, A] {
        properties { unit = ALU; }
        encoding { field<0, 9> IntegerOp op == SGXT; field<73, 1> Signed sign = S32; field<75, 1> Wrap wrap = CLAMP; } syntax { SGXT{.wrap}{.sign} d, a{.reuse}, b{.reuse} }
        operands { InList<pg, a, b>; OutList<d>; }
    }
    /// Creates a mask from a position and a width.
    optype BMSK : [RESULT, A] {
        properties { unit = ALU; }
        encoding { field<0, 9> IntegerOp op == BMSK; field<75, 1> Wrap wrap = CLAMP; } syntax { BMSK{.wrap} d, a{.reuse}, b{.reuse} } operands { InList<pg, a, b>; OutList<d>; }
    }
    /// Compares two 64-bit floats.
    optype DSETP : [GUARDED, A, A_NEG, A_ABS, PP] {
        encoding { field<0, 9> IntegerOp op == DSETP; field<74, 2> Logic bool; field<76, 4> DoubleCompare cmp; field<81, 3> Pred pu; field<84, 3> Pred pv; }
        syntax   { DSETP.cmp.bool pu, pv, {-}{|}a{|}{.reuse}, {-}{|}c{|}{.reuse}, {!}pp } operands { InList<pg, a, c, pp>; OutList<pu, pv>; }
        exception { EncodingError<IllegalControl, "64-bit floats do not stay in the operand cache"> = a.reuse == reuse requires SM120; }
    }
    /// Compares two floats, and writes 1.0 or 0.
    optype FSET : [RESULT, A, A_NEG, A_ABS, PP] {
        encoding { field<0, 9> IntegerOp op == FSET; field<74, 2> Logic bool; field<76, 4> Compare cmp; field<80, 1> Flush ftz = KEEP; }
        syntax   { "FSET.BF".cmp{.ftz}.bool d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {!}pp } operands { InList<pg, a, b, pp>; OutList<d>; }
    }
    /// The smallest of three floats if the predicate is true, and otherwise the largest.
    optype FMNMX3 : [RESULT, A, A_NEG, A_ABS, c_R_64, PP] requires SM100 {
        encoding {
            field<0, 9> IntegerOp op == FMNMX3; field<75, 1> Flip c.neg = OFF; field<74, 1> Flip c.abs = OFF; field<80, 1> Flush ftz = KEEP; field<81, 1> NanWins nan = NUMBER;
        }
        syntax   { FMNMX3{.ftz}{.nan} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse}, {!}pp } operands { InList<pg, a, b, c, pp>; OutList<d>; }
    }
    /// The smallest of three integers if the predicate is true, and otherwise the largest.
    optype VIMNMX3 : [RESULT, A, c_R_64, PP] requires SM90 {
        encoding { field<0, 9> IntegerOp op == VIMNMX3; field<73, 1 : 72, 1> PackedType type = S32; field<76, 1> Rectify relu = ANY; }
        syntax   { VIMNMX3{.type}{.relu} d, a{.reuse}, b{.reuse}, c{.reuse}, {!}pp } operands { InList<pg, a, b, c, pp>; OutList<d>; }
    }
    /// The smaller or the larger of a sum and an integer.
    optype VIADDMNMX : [RESULT, A, PP] requires SM90 {
        encoding { field<0, 9> IntegerOp op == VIADDMNMX; field<73, 1 : 72, 1> PackedType type = S32; field<76, 1> Rectify relu = ANY; }
        syntax   { VIADDMNMX{.type}{.relu} d, a{.reuse}, {-}b{.reuse}, c{.reuse}, {!}pp } operands { InList<pg, a, b, c, pp>; OutList<d>; }
    }
    /// The smallest or the largest of three pairs of 16-bit floats.
    opcode VHMNMX : [RESULT, A, A_NEG, A_ABS, b_R_32, b_NEG_32, b_ABS_32, c_R_64, PP] requires SM90 {
        encoding {
            field<0, 9> IntegerOp op == VHMNMX; form == 1; field<74, 2> Select a.half = H1_H0; field<60, 2> Select b.half = H1_H0; field<76, 2> Select c.half = H1_H0;
            field<84, 1> Flip c.neg = OFF; field<83, 1> Flip c.abs = OFF;
            field<80, 1> Flush ftz = KEEP; field<81, 1> NanWins nan = NUMBER; field<82, 1> XorSign xor = OWN; field<85, 1> PackedFormat fmt = F16;
        }
        syntax   { VHMNMX{.fmt}{.ftz}{.nan}{.xor} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b{|}{.reuse}{.half}, {-}{|}c{|}{.reuse}{.half}, {!}pp }
        operands { InList<pg, a, b, c, pp>; OutList<d>; }
    }

    for $OP, $I in (IMNMX, S), (IMNMX_120, S), (SGXT, I), (BMSK, I), (VIMNMX3, S) {
        opcode ${OP}_R : [$OP, b_R_32] { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_$I] { encoding { form == 4; } }
    }
    for $OP in FSET, FMNMX3 {
        opcode ${OP}_R : [$OP, b_R_32, b_NEG_32, b_ABS_32] { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_F] { encoding { form == 4; } }
    }
    opcode DSETP_R : [DSETP, c_R_32, c_NEG_32, c_ABS_32] {
        encoding { form == 1; } exception { EncodingError<IllegalControl, "64-bit floats do not stay in the operand cache"> = c.reuse == reuse requires SM120; }
    }
    opcode DSETP_I : [DSETP, c_D] { encoding { form == 2; } }
    for $OP in VABSDIFF, VABSDIFF4 { opcode ${OP}_RI : [$OP, b_R_64, c_I] { encoding { form == 2; } } }
    for $OP in VABSDIFF, VABSDIFF4, IDP_4A, IDP_2A {
        opcode ${OP}_RR : [$OP, b_R_32, c_R_64] { encoding { form == 1; } }
        opcode ${OP}_IR : [$OP, b_I, c_R_64] { encoding { form == 4; } }
    }
    opcode VIADDMNMX_RR : [VIADDMNMX, b_R_32, b_NEG_32, c_R_64] { encoding { form == 1; } }
    opcode VIADDMNMX_RI : [VIADDMNMX, b_R_64, b_NEG_64, c_I] { encoding { form == 2; } }
    opcode VIADDMNMX_IR : [VIADDMNMX, b_I, c_R_64] { encoding { form == 4; } }
    for $K, $B, $C, $ON in (C, 5, 3, $(not SM100)), (X, 5, 3, $(not SM100)), (U, 6, 7, $(not SM100)), (W, 6, 7, SM100) {
        for $OP in SGXT, BMSK { opcode ${OP}_$K : [$OP, b_$K] requires $ON { encoding { form == $B; } } }
        opcode FSET_$K : [FSET, b_$K, b_NEG_32, b_ABS_32] requires $ON { encoding { form == $B; } }
        opcode DSETP_$K : [DSETP, c_$K, c_NEG_32, c_ABS_32] requires $ON { encoding { form == $C; } }
        for $OP in VABSDIFF, VABSDIFF4, IDP_4A, IDP_2A {
            opcode ${OP}_${K}_R : [$OP, b_$K, c_R_64] requires $ON { encoding { form == $B; } }
            opcode ${OP}_R_$K : [$OP, b_R_64, c_$K] requires $ON { encoding { form == $C; } }
        }
    }
    for $K, $B in (C, 5), (X, 5), (U, 6) { opcode IMNMX_$K : [IMNMX, b_$K] { encoding { form == $B; } } }
    opcode IMNMX_120_W : [IMNMX_120, b_W] { encoding { form == 6; } }
    opcode FMNMX3_W : [FMNMX3, b_W, b_NEG_32, b_ABS_32] { encoding { form == 6; } }

    // ---- packed floats ------------------------------------------------------------------------

    /// Two 32-bit floats.
    group PACKED : [RESULT, A, A_NEG] requires SM100 {
        encoding { field<0, 9> IntegerOp op; form == 1; field<82, 1> FloatPair a.type == F32x2; field<81, 1> Lanes a.lanes; field<78, 2> Rounding rnd = RN; }
        operands { OutList<d>; }
    }
    /// Adds two pairs of floats.
    opcode FADD2 : [PACKED, c_R_32, c_NEG_32] {
        encoding { op == FADD2; field<85, 1> FloatPair c.type == F32x2; field<84, 1> Lanes c.lanes; field<80, 1> Flush ftz = KEEP; }
        syntax { FADD2{.ftz}{.rnd} d, {-}a{.reuse}.type.lanes, {-}c{.reuse}.type.lanes } operands { InList<pg, a, c>; }
    }
    /// Multiplies two pairs of floats.
    opcode FMUL2 : [PACKED, b_R_32, b_NEG_32] {
        encoding { op == FMUL2; field<88, 1> FloatPair b.type == F32x2; field<87, 1> Lanes b.lanes; field<80, 1 : 76, 1> Denormal ftz = KEEP; }
        syntax { FMUL2{.ftz}{.rnd} d, {-}a{.reuse}.type.lanes, {-}b{.reuse}.type.lanes } operands { InList<pg, a, b>; }
    }
    /// Multiplies and adds pairs of floats.
    opcode FFMA2 : [PACKED, b_R_32, b_NEG_32, c_R_64] {
        encoding {
            op == FFMA2; field<85, 1> FloatPair c.type == F32x2; field<84, 1> Lanes c.lanes; field<88, 1> FloatPair b.type == F32x2; field<87, 1> Lanes b.lanes;
            field<75, 1> Flip c.neg = OFF; field<80, 1 : 76, 1> Denormal ftz = KEEP;
        }
        syntax   { FFMA2{.ftz}{.rnd} d, {-}a{.reuse}.type.lanes, {-}b{.reuse}.type.lanes, {-}c{.reuse}.type.lanes } operands { InList<pg, a, b, c>; }
    }

    /// Adds 16-bit and 32-bit floats.
    opcode FHADD_R : [RESULT, A, A_NEG, A_ABS, c_R_32, c_NEG_32, c_ABS_32] requires SM100 {
        encoding {
            field<0, 9> IntegerOp op == FADD; form == 1; field<81, 1> Bits1 half == 1; field<82, 1> HalfFormat fmt = F16; field<83, 1> HalfPart a.half = LOW;
            field<77, 1> Saturate sat = FULL; field<78, 2> Rounding rnd = RN;
        }
        syntax   { FHADD{.fmt}{.rnd}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}c{|}{.reuse} } operands { InList<pg, a, c>; OutList<d>; }
    }
    /// Multiplies 16-bit floats and adds a 32-bit float.
    opcode FHFMA_R : [RESULT, A, A_NEG, A_ABS, b_R_32, b_NEG_32, b_ABS_32, c_R_64, c_NEG_64, c_ABS_64] requires SM100 {
        encoding {
            field<0, 9> IntegerOp op == FFMA; form == 1; field<81, 1> Bits1 half == 1; field<82, 1> HalfFormat fmt = F16; field<83, 1> HalfPart a.half = LOW;
            field<84, 1> HalfPart b.half = LOW; field<77, 1> Saturate sat = FULL; field<78, 2> Rounding rnd = RN;
        }
        syntax { FHFMA{.fmt}{.rnd}{.sat} d, {-}{|}a{|}{.reuse}{.half}, {-}{|}b{|}{.reuse}{.half}, {-}{|}c{|}{.reuse} } operands { InList<pg, a, b, c>; OutList<d>; }
    }

    // ---- predicates ---------------------------------------------------------------------------

    /// Copies predicates into a register.
    opcode P2R : [RESULT, A, b_I] {
        encoding { field<0, 9> IntegerOp op == P2R; form == 4; field<76, 2> BytePart part = LOW; } syntax { P2R{.part} d, "PR", a{.reuse}, b }
        operands { InList<pg, a, b>; OutList<d>; }
    }
    /// Copies a register into predicates.
    opcode R2P : [GUARDED, A, b_I] {
        encoding { field<0, 9> IntegerOp op == R2P; form == 4; field<76, 2> BytePart a.part = LOW; } syntax { R2P "PR", a{.reuse}{.part}, b }
        operands { InList<pg, a, b>; OutList<>; }
    }
    /// Selects one of two integers of 64 bits.
    optype SEL_64 : [RESULT, A, PP] requires SM120 {
        encoding { field<0, 9> IntegerOp op == SEL; } syntax { "SEL.64" d, a{.reuse}, b{.reuse}, {!}pp } operands { InList<pg, a, b, pp>; OutList<d>; }
    }
    opcode SEL_64_R : [SEL_64, b_R_32] { encoding { form == 3; } }
    opcode SEL_64_I : [SEL_64] { encoding { form == 2; field<64, 1 : 32, 32> Signed33 b; } }
    opcode SEL_64_W : [SEL_64, b_W] { encoding { form == 7; } }
    /// Applies a truth table to two predicates and a uniform predicate.
    opcode PLOP3_UNIFORM : [GUARDED] {
        encoding {
            field<0, 9> IntegerOp op == PLOP3; form == 4; field<81, 3> Pred pu; field<84, 3> Pred pv; field<87, 3> Pred pa; field<90, 1> Flip pa.not = OFF;
            field<67, 1> Bits1 uniform == 1;
            field<77, 3> Pred pb; field<80, 1> Flip pb.not = OFF; field<68, 3> UPred pc; field<71, 1> Flip pc.not = OFF; field<72, 5 : 64, 3> Table first;
            field<16, 8> Table second;
        }
        syntax   { "PLOP3.LUT" pu, pv, {!}pa, {!}pb, {!}pc, first, second } operands { InList<pg, pa, pb, pc>; OutList<pu, pv>; }
    }
    /// Applies a truth table to the signs of three integers.
    opcode PLOP3_SIGN : [GUARDED, A, b_R_32, c_R_64] requires SM90 {
        encoding {
            field<0, 9> IntegerOp op == PLOP3_SIGN; form == 1; field<81, 3> Pred pu; field<84, 3> Pred pv; field<72, 8> Table first; field<16, 8> Table second;
        }
        syntax   { "PLOP3.LUT" pu, pv, a{.reuse}."SIGN", b{.reuse}."SIGN", c{.reuse}."SIGN", first, second } operands { InList<pg, a, b, c>; OutList<pu, pv>; }
    }
}
