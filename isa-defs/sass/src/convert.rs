//! Conversions between integers and floats.

isa_core::define_isa! {
    /// Conversions between integers and floats.
    pub isa Convert: u128;

    use crate::base::Base;

    /// The operation.
    enum ConvertOp: 9 {
        F2I = 0x105, F2I_64 = 0x111, I2F = 0x106, I2F_64 = 0x112, FRND = 0x107, FRND_64 = 0x113, F2F = 0x104, F2F_64 = 0x110, F2FP = 0x3e, I2I = 0x38, I2IP = 0x39, F2IP = 0x43,
    }
    /// The rounding of floats.
    enum Rounding: 2 { RN = 0, RM = 1, RP = 2, RZ = 3 }
    /// The rounding of a packed conversion.
    enum Nearest: 2 { RN = 0, RZ = 3 }
    /// The rounding to an integer.
    enum ToInteger: 2 { NEAREST = 0, FLOOR = 1, CEIL = 2, TRUNC = 3 }
    /// Whether subnormal numbers are replaced by zeros.
    enum Flush: 1 { KEEP = 0, FTZ = 1 }
    /// Whether NaN becomes 0.
    enum NanToZero: 1 { NAN = 0, NTZ = 1 }
    /// The type of an integer.
    enum IntType: 3 { U8 = 0, S8 = 1, U16 = 2, S16 = 3, U32 = 4, S32 = 5, U64 = 6, S64 = 7 }
    /// The type of an integer of up to 32 bits.
    enum ShortIntType: 3 { U8 = 0, S8 = 1, U16 = 2, S16 = 3, U32 = 4, S32 = 5 }
    /// The type of an integer of 64 bits.
    enum LongType: 3 { U64 = 6, S64 = 7 }
    /// The type of an integer of 8 or 16 bits.
    enum PackedType: 2 { U8 = 0, S8 = 1, U16 = 2, S16 = 3 }
    /// The format of a float.
    enum FloatType: 3 { F16 = 1, F32 = 2, F64 = 3, BF16 = 4 requires SM80 }
    /// The format of a float of up to 32 bits.
    enum NarrowFloat: 3 { F16 = 1, F32 = 2, BF16 = 4 requires SM80 }
    /// The format of a 16-bit float.
    enum HalfFloat: 3 { F16 = 1, BF16 = 4 requires SM80 }
    /// The format of the result of a conversion of an integer.
    enum ToFloat: 3 { F16 = 1, F32 = 2, BF16 = 4 requires SM90 }
    /// The type of an integer of 32 bits.
    enum Signed: 1 { U32 = 0, S32 = 1 }
    /// The type of an integer of 16 bits.
    enum ShortType: 1 { U16 = 0, S16 = 1 }
    /// The type of an integer of 8 bits.
    enum ByteType: 1 { U8 = 0, S8 = 1 }
    /// The type of an integer of 64 bits.
    enum LongSign: 1 { U64 = 0, S64 = 1 }
    /// The half of a register.
    enum HalfPart: 2 { LOW = 0, H1 = 1 }
    /// The byte of a register.
    enum BytePart: 2 { LOW = 0, B1 = 1, B2 = 2, B3 = 3 }
    /// The half of a register.
    enum Half: 1 { LOW = 0, H1 = 1 }
    /// Whether negative results are replaced by 0.
    enum Rectify: 1 { ANY = 0, RELU = 1 }
    /// Whether the result is limited to the largest finite numbers.
    enum Saturate: 1 { INF = 0, SATFINITE = 1 }
    /// The format of a pair of 16-bit floats.
    enum Pair: 1 { F16 = 0, BF16 = 1 }
    /// The format of a pair of 8-bit floats.
    enum Quarter: 1 { E5M2 = 0, E4M3 = 1 }

    /// A result of one source.
    group ONE : [RESULT] { properties { unit = FUNCTION; } encoding { field<0, 9> ConvertOp op; } operands { InList<pg, b>; OutList<d>; } }
    group SIGNS { encoding { field<63, 1> Flip b.neg = OFF; field<62, 1> Flip b.abs = OFF; } }
    group B_HALF : [b_PLAIN] { encoding { field<60, 2> HalfPart b.half = LOW; } }
    for $N, $OP, $FROM, $TYPE, $DEFAULT, $DST, $HALF, $SRC, $SRCTEXT in
        (F32, F2I, 2, ShortIntType, $(= S32), $({.dst}), $(), $(), $()),
        (F16, F2I, 1, ShortIntType, $(= S32), $({.dst}), $({.half}), $(field<> FloatType src == F16;), $(.src)),
        (BF16, F2I, 4, ShortIntType, $(= S32), $({.dst}), $({.half}), $(field<> FloatType src == BF16;), $(.src)),
        (L32, F2I_64, 2, LongType, $(), $(.dst), $(), $(), $()), (L16, F2I_64, 1, LongType, $(), $(.dst), $({.half}), $(field<> FloatType src == F16;), $(.src)),
        (F64, F2I_64, 3, IntType, $(= S32), $({.dst}), $(), $(field<> FloatType src == F64;), $(.src))
    {
        /// Converts a float to an integer.
        optype F2I_$N : [ONE] {
            encoding {
                op == $OP; $SRC field<75, 2 : 72, 1> $TYPE dst $DEFAULT; field<77, 1> NanToZero ntz = NAN; field<78, 2> ToInteger rnd = NEAREST; field<80, 1> Flush ftz = KEEP;
                field<84, 3> Bits3 from == $FROM;
            }
            syntax   { F2I{.ftz}$DST$SRCTEXT{.rnd}{.ntz} d, {-}{|}b{|}$HALF }
        }
    }
    for $T, $OP, $TOTEXT, $TO in (F32, I2F, $({.to}), $(field<75, 3> ToFloat to = F32;)), (F64, I2F_64, $(.to), $(field<75, 3> FloatType to == F64;)) {
        for $N, $SIZE, $TYPE, $FROMTEXT, $PART in
            (32, 2, $(Signed from = S32), $({.from}), $()), (16, 1, $(ShortType from), $(.from), $({.part})), (8, 0, $(ByteType from), $(.from), $({.part}))
        {
            /// Converts an integer to a float.
            optype I2F_${T}_$N : [ONE] {
                encoding { op == $OP; $TO field<74, 1> $TYPE; field<84, 3> Bits3 size == $SIZE; field<78, 2> Rounding rnd = RN; } syntax { I2F$TOTEXT$FROMTEXT{.rnd} d, b$PART }
            }
        }
    }
    for $N, $TOTEXT, $TO in (L, $({.to}), $(field<75, 3> ToFloat to = F32;)), (D, $(.to), $(field<75, 3> FloatType to == F64;)) {
        /// Converts an integer of 64 bits to a float.
        optype I2F_$N : [ONE] {
            encoding { op == I2F_64; $TO field<74, 1> LongSign from; field<84, 3> Bits3 size == 3; field<78, 2> Rounding rnd = RN; } syntax { I2F$TOTEXT.from{.rnd} d, b }
        }
    }
    for $N, $OP, $TYPE, $FROM, $TEXT, $HALF in
        (F32, FRND, 2, 2, $(), $()), (F16, FRND, 1, 1, $(.fmt), $({.half})), (BF16, FRND, 4, 4, $(.fmt), $({.half})), (F64, FRND_64, 3, 3, $(.fmt), $())
    {
        /// Rounds a float to an integer.
        optype FRND_$N : [ONE] {
            encoding {
                op == $OP; field<75, 3> Bits3 to == $TYPE; field<84, 3> Bits3 source == $FROM; field<> FloatType fmt == $N; field<78, 2> ToInteger rnd = NEAREST;
                field<80, 1> Flush ftz = KEEP;
            }
            syntax   { FRND{.ftz}$TEXT{.rnd} d, {-}{|}b{|}$HALF }
        }
    }
    /// Converts a float of 32 bits to 16 bits.
    optype F2F_32 : [ONE] {
        encoding { op == F2F; field<75, 3> HalfFloat to; field<84, 3> NarrowFloat from == F32; field<78, 2> Rounding rnd = RN; field<80, 1> Flush ftz = KEEP; }
        syntax   { F2F{.ftz}.to.from{.rnd} d, {-}{|}b{|} }
    }
    for $N, $TEXT, $OP, $TO, $FROM, $HALF, $ON in
        (BF_F, "BF16.F16", F2F, 4, 1, $({.half}), SM90), (F_BF, "F16.BF16", F2F, 1, 4, $({.half}), SM90), (D_F, "F64.F16", F2F_64, 3, 1, $({.half}), SM75),
        (D_BF, "F64.BF16", F2F_64, 3, 4, $({.half}), SM90),
        (D_S, "F64.F32", F2F_64, 3, 2, $(), SM75), (F_D, "F16.F64", F2F_64, 1, 3, $(), SM75), (S_D, "F32.F64", F2F_64, 2, 3, $(), SM75), (BF_D, "BF16.F64", F2F_64, 4, 3, $(), SM90)
    {
        /// Converts a float to another format.
        optype F2F_$N : [ONE] requires $ON {
            encoding { op == $OP; field<75, 3> Bits3 to == $TO; field<84, 3> Bits3 from == $FROM; field<78, 2> Rounding rnd = RN; }
            syntax   { "F2F.$TEXT"{.rnd} d, {-}{|}b{|}$HALF }
        }
    }

    // ---- packed conversions -------------------------------------------------------------------

    group F2FP : [RESULT] { properties { unit = ALU; } encoding { field<0, 9> ConvertOp op == F2FP; field<75, 1> Rectify relu = ANY; } operands { OutList<d>; } }
    for $N, $FMT, $ON in (89, $(.fmt."F32"), SM89), (80, $({.fmt}), $(SM80 and not SM89)) {
        group F2FP_PAIR_$N : [F2FP] requires $ON {
            encoding { field<64, 8> Reg c; field<76, 1> Pair fmt = F16; field<77, 1> Saturate sat = INF; field<79, 2> Nearest rnd = RN; }
        }
        /// Packs two floats.
        optype F2FP_PACK_$N : [F2FP_PAIR_$N, A] {
            encoding { c == 255; field<78, 1> Bits1 merge == 0; } syntax { F2FP{.sat}{.relu}$FMT."PACK_AB"{.rnd} d, a{.reuse}, b{.reuse} }
            operands { InList<pg, a, b>; }
        }
        /// Converts a float into the low half of a register.
        optype F2FP_MERGE_$N : [F2FP_PAIR_$N] {
            encoding { field<24, 8> Bits8 a == 255; field<78, 1> Bits1 merge == 1; } syntax { F2FP{.sat}{.relu}$FMT."MERGE_C"{.rnd} d, b{.reuse}, c }
            operands { InList<pg, b, c>; }
        }
    }
    /// Packs two floats of 8 bits, and keeps the other half of a register.
    optype F2FP_QUARTER : [F2FP, A] requires SM89 {
        encoding {
            field<64, 8> Reg c; field<72, 1> Half c.half = LOW; field<76, 1> Quarter fmt; field<77, 1> Saturate sat = INF; field<78, 1> Bits1 merge == 1;
            field<87, 1> Bits1 short == 1; field<90, 1> Bits1 two == 1;
        }
        syntax { F2FP{.sat}{.relu}.fmt."F32"."PACK_AB_MERGE_C" d, a{.reuse}, b{.reuse}, c{.half} } operands { InList<pg, a, b, c>; }
    }
    /// Unpacks two floats of 8 bits.
    optype F2FP_UNPACK : [F2FP] requires SM89 {
        encoding {
            field<24, 8> Bits8 a == 255; field<64, 8> Bits8 c == 255; field<74, 1> Bits1 unpack == 1; field<89, 1> Bits1 wide == 1;
            field<73, 1> Quarter source;
        }
        syntax { F2FP{.relu}."F16".source."UNPACK_B" d, b{.reuse}{.half} } operands { InList<pg, b>; }
    }
    /// Converts two 16-bit floats to 8 bits, and keeps the other half of a register.
    optype F2FP_HALVES : [F2FP] requires SM89 {
        encoding {
            field<24, 8> Bits8 a == 255; field<64, 8> Reg c; field<72, 1> Half c.half = LOW; field<73, 1> Bits1 unpack == 1; field<76, 1> Quarter fmt;
            field<77, 1> Saturate sat = INF; field<87, 1> Bits1 short == 1; field<90, 1> Bits1 two == 1;
        }
        syntax { F2FP{.sat}{.relu}.fmt."F16"."UNPACK_B_MERGE_C" d, b{.reuse}, c{.half} } operands { InList<pg, b, c>; }
    }
    /// Rounds a float to 19 bits.
    optype F2FP_TF32 : [F2FP] requires SM90 {
        encoding {
            field<24, 8> Bits8 a == 255; field<64, 8> Bits8 c == 255; field<76, 1> Bits1 t == 1; field<78, 1> Bits1 merge == 1; field<86, 1> Bits1 long == 1;
            field<89, 1> Bits1 wide == 1; field<79, 2> Nearest rnd = RN;
        }
        syntax { F2FP{.relu}."TF32"."F32"."PACK_B"{.rnd} d, b{.reuse} } operands { InList<pg, b>; }
    }
    for $OP in F2FP_PACK_80, F2FP_MERGE_80, F2FP_PACK_89, F2FP_MERGE_89, F2FP_QUARTER, F2FP_TF32 {
        opcode ${OP}_R : [$OP, b_R_32] { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_F] { encoding { form == 4; } }
    }
    opcode F2FP_HALVES_R : [F2FP_HALVES, b_R_32] { encoding { form == 1; } }
    opcode F2FP_UNPACK_R : [F2FP_UNPACK, b_R_32] { encoding { form == 1; field<88, 1> Half b.half = LOW; } }
    /// Saturates an integer.
    optype I2I : [ONE] { properties { unit = UNKNOWN; } encoding { op == I2I; field<76, 2> PackedType dst; } syntax { I2I.dst."S32"."SAT" d, b{.reuse} } }

    // ---- sources ------------------------------------------------------------------------------

    for $OP in F2I_F32, F2I_L32, FRND_F32 { opcode ${OP}_R : [$OP, b_PLAIN, SIGNS] { encoding { form == 1; } } }
    for $OP in F2I_F16, F2I_L16, FRND_F16 { opcode ${OP}_R : [$OP, B_HALF, SIGNS] { encoding { form == 1; } } }
    for $OP in F2I_BF16, FRND_BF16 { opcode ${OP}_R : [$OP, B_HALF, SIGNS] requires SM90 { encoding { form == 1; } } }
    for $OP in F2I_F64, FRND_F64 { opcode ${OP}_R : [$OP, b_PLAIN, SIGNS] { encoding { form == 1; } } opcode ${OP}_I : [$OP, b_D] { encoding { form == 4; } } }
    for $OP in F2I_F32, F2I_L32, FRND_F32 { opcode ${OP}_I : [$OP, b_F] { encoding { form == 4; } } }
    for $OP, $I in (F2F_32, b_F), (F2F_D_S, b_F), (F2F_F_D, b_D), (F2F_S_D, b_D), (F2F_BF_D, b_D) {
        opcode ${OP}_R : [$OP, b_PLAIN, SIGNS] { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, $I] { encoding { form == 4; } }
    }
    for $OP in F2F_BF_F, F2F_F_BF, F2F_D_F, F2F_D_BF { opcode ${OP}_R : [$OP, B_HALF, SIGNS] { encoding { form == 1; } } }
    for $OP in I2F_L, I2F_D, I2F_F32_32, I2F_F64_32 { opcode ${OP}_R : [$OP, b_PLAIN] { encoding { form == 1; } } }
    for $T in F32, F64 {
        opcode I2F_${T}_16_R : [I2F_${T}_16, b_PLAIN] { encoding { form == 1; field<60, 2> HalfPart b.part = LOW; } }
        opcode I2F_${T}_8_R : [I2F_${T}_8, b_PLAIN] { encoding { form == 1; field<60, 2> BytePart b.part = LOW; } }
        for $N in 8, 16, 32 { opcode I2F_${T}_${N}_I : [I2F_${T}_$N, b_I] { encoding { form == 4; } } }
    }
    for $K, $SPACED, $FORM, $ON in (C, CS, 5, $(not SM100)), (X, XS, 5, $(not SM100)), (U, U, 6, $(not SM100)), (W, W, 6, SM100) {
        for $OP in F2I_F32, F2I_L32, FRND_F32, F2I_F64, FRND_F64, F2F_32, F2F_D_S, F2F_F_D, F2F_S_D, F2F_BF_D {
            opcode ${OP}_$K : [$OP, b_$K, SIGNS] requires $ON { encoding { form == $FORM; } }
        }
        for $OP in F2I_F16, F2I_L16, FRND_F16, F2F_BF_F, F2F_F_BF, F2F_D_F, F2F_D_BF { opcode ${OP}_$K : [$OP, b_$SPACED, SIGNS] requires $ON { encoding { form == $FORM; } } }
        for $OP in I2F_F32_8, I2F_F32_16, I2F_F32_32, I2F_F64_8, I2F_F64_16, I2F_F64_32, I2F_L, I2F_D, I2I {
            opcode ${OP}_$K : [$OP, b_$K] requires $ON { encoding { form == $FORM; } }
        }
    }
    opcode I2I_R : [I2I, b_R_32] { encoding { form == 1; } }
    for $K, $FORM in (C, 5), (X, 5), (U, 6) { for $OP in F2FP_PACK_80, F2FP_MERGE_80 { opcode ${OP}_$K : [$OP, b_$K] { encoding { form == $FORM; } } } }
    for $K, $FORM, $ON in (C, 5, $(not SM100)), (X, 5, $(not SM100)), (U, 6, $(not SM100)), (W, 6, SM100) {
        for $OP in F2FP_PACK_89, F2FP_MERGE_89, F2FP_QUARTER, F2FP_UNPACK, F2FP_HALVES, F2FP_TF32 { opcode ${OP}_$K : [$OP, b_$K] requires $ON { encoding { form == $FORM; } } }
    }
}
