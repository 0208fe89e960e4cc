//! Arithmetic and logic on 32-bit integers and floats.

isa_core::define_isa! {
    /// Arithmetic and logic on 32-bit integers and floats.
    pub isa Alu: u128;

    use crate::base::Base;

    /// The operation.
    enum Op: 9 {
        MOV = 0x02, SEL = 0x07, FSEL = 0x08, FMNMX = 0x09, FSETP = 0x0b, ISETP = 0x0c, IADD3 = 0x10, LEA = 0x11, LOP3 = 0x12,
        IABS = 0x13, PRMT = 0x16, SHF = 0x19, FMUL = 0x20, FADD = 0x21, FFMA = 0x23, IMAD = 0x24, IMAD_WIDE = 0x25, IMAD_HI = 0x27,
        VIADD = 0x36, IADD = 0x35, POPC = 0x109, MUFU = 0x108,
    }
    /// The rounding of floats.
    enum Rounding: 2 { RN = 0, RM = 1, RP = 2, RZ = 3 }
    /// Whether subnormal numbers are replaced by zeros.
    enum Flush: 1 { KEEP = 0, FTZ = 1 }
    /// The treatment of subnormal numbers: with `FMZ`, zero times any number is also zero.
    enum Denormal: 2 { KEEP = 0, FMZ = 1, FTZ = 2 }
    /// Whether the result is limited to the range from 0 to 1.
    enum Saturate: 1 { FULL = 0, SAT = 1 }
    /// A power of two by which a product is multiplied (`M`) or divided (`D`).
    enum Scale: 3 { D8 = 1, D4 = 2, D2 = 3, ONE = 4, M2 = 5, M4 = 6, M8 = 7 }
    /// Whether NaN takes precedence over numbers.
    enum NanWins: 1 { NUMBER = 0, NAN = 1 requires SM80 }
    /// Whether the sign of the result is the exclusive or of both signs.
    enum XorSign: 1 { OWN = 0, XORSIGN = 1 requires SM86 }
    /// Whether integers are signed.
    enum Signed: 1 { U32 = 0, S32 = 1 }
    /// The type of compared integers.
    enum SetType: 2 { U32 = 0, S32 = 1, U64 = 2 requires SM120, S64 = 3 requires SM120 }
    /// The type of the sum of two packed integers.
    enum SumType: 1 { ONE = 0, "16x2" = 1 }
    /// The type of the sum of packed integers from sm_120.
    enum WideSumType: 3 { "32" = 0, "16x2" = 1, S32 = 2, S16x2 = 3, U8x4 = 4, S8x4 = 5 }
    /// A comparison of integers.
    enum IntCompare: 3 { F = 0, LT = 1, EQ = 2, LE = 3, GT = 4, NE = 5, GE = 6, T = 7 }
    /// Whether the instruction continues a wider operation.
    enum Extended: 1 { PLAIN = 0, X = 1 }
    /// Whether the predicate is combined with the result by AND.
    enum PredicateAnd: 1 { POR = 0, PAND = 1 }
    /// The selection of bytes.
    enum Permute: 3 { IDX = 0, F4E = 1, B4E = 2, RC8 = 3, ECL = 4, ECR = 5, RC16 = 6 }
    /// Whether integers have 64 bits.
    enum IntWidth: 1 { "32" = 0, "64" = 1 }
    /// The format of the floats of an approximated function.
    enum FunctionFormat: 2 { F16 = 1, BF16 = 2 }
    /// The format of the floats of an approximated function before sm_90.
    enum FunctionFormat80: 2 { F16 = 2 }
    /// The half of a register.
    enum HalfPart: 1 { LOW = 0, H1 = 1 }
    /// The direction of a shift.
    enum Direction: 1 { L = 0, R = 1 }
    /// Whether the distance of a shift wraps around.
    enum Wrap: 1 { CLAMP = 0, W = 1 }
    /// The type of a shifted value.
    enum ShiftType: 2 { S64 = 0, U64 = 1, S32 = 2, U32 = 3 }
    /// Whether the result is the high half.
    enum High: 1 { LOW = 0, HI = 1 }
    /// A function that is approximated.
    enum Function: 4 { COS = 0, SIN = 1, EX2 = 2, LG2 = 3, RCP = 4, RSQ = 5, RCP64H = 6, RSQ64H = 7, SQRT = 8, TANH = 9 }
    /// 64 bits as a number.
    operand Long: 64 = isa_core::operand::PrefixedHex<64>;
    /// The bits that a move writes.
    operand Mask: 4 = isa_core::operand::PrefixedHex<4>;
    /// A truth table.
    operand Table: 8 = isa_core::operand::PrefixedHex<8>;
    /// The distance of a shift.
    operand Distance: 5 = isa_core::operand::PrefixedHex<5>;

    // ---- instructions with their modifiers ----------------------------------------------------

    /// Adds: `d = a + c`.
    optype FADD : [RESULT, A, A_NEG, A_ABS] {
        properties { unit = FMA; }
        encoding { field<0, 9> Op op == FADD; field<80, 1> Flush ftz = KEEP; field<78, 2> Rounding rnd = RN; field<77, 1> Saturate sat = FULL; }
        syntax   { FADD{.ftz}{.rnd}{.sat} d, {-}{|}a{|}{.reuse}, {-}{|}c{|}{.reuse} }
        operands { InList<pg, a, c>; OutList<d>; }
    }
    /// Multiplies: `d = a * b`.
    optype FMUL : [RESULT, A, A_NEG, A_ABS] {
        properties { unit = FMA; }
        encoding {
            field<0, 9> Op op == FMUL; field<80, 1 : 76, 1> Denormal ftz = KEEP; field<78, 2> Rounding rnd = RN; field<77, 1> Saturate sat = FULL;
            field<84, 3> Scale scale = ONE;
        }
        syntax   { FMUL{.ftz}{.scale}{.rnd}{.sat} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse} }
        operands { InList<pg, a, b>; OutList<d>; }
    }
    /// The smaller of two floats if the predicate is true, and otherwise the larger.
    optype FMNMX : [RESULT, A, A_NEG, A_ABS] {
        properties { unit = SELECT; }
        encoding {
            field<0, 9> Op op == FMNMX; field<80, 1> Flush ftz = KEEP; field<81, 1> NanWins nan = NUMBER; field<82, 1> XorSign xor = OWN;
            field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF;
        }
        syntax   { FMNMX{.ftz}{.nan}{.xor} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {!}pp }
        operands { InList<pg, a, b, pp>; OutList<d>; }
    }
    /// Selects one of two floats.
    optype FSEL : [RESULT, A, A_NEG, A_ABS] {
        properties { unit = SELECT; }
        encoding { field<0, 9> Op op == FSEL; field<80, 1> Flush ftz = KEEP; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; }
        syntax   { FSEL{.ftz} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {!}pp }
        operands { InList<pg, a, b, pp>; OutList<d>; }
    }
    /// Compares two floats.
    optype FSETP : [GUARDED, A, A_NEG, A_ABS] {
        properties { unit = SELECT; }
        encoding {
            field<0, 9> Op op == FSETP; field<76, 4> Compare cmp; field<80, 1> Flush ftz = KEEP; field<74, 2> Logic bool;
            field<81, 3> Pred pu; field<84, 3> Pred pv; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF;
        }
        syntax   { FSETP.cmp{.ftz}.bool pu, pv, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {!}pp }
        operands { InList<pg, a, b, pp>; OutList<pu, pv>; }
    }
    /// Compares two integers.
    group ISETP : [GUARDED, A] {
        properties { unit = SELECT; }
        encoding {
            field<0, 9> Op op == ISETP; field<80, 1 : 73, 1> SetType sign = S32; field<76, 3> IntCompare cmp; field<74, 2> Logic bool;
            field<81, 3> Pred pu; field<84, 3> Pred pv; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; field<72, 1> Extended ex;
        }
        operands { OutList<pu, pv>; }
    }
    group ISETP_ONE : [ISETP] {
        encoding { ex == PLAIN; field<68, 4> Bits4 pq == 7; }
        syntax   { ISETP.cmp{.sign}.bool pu, pv, a{.reuse}, b{.reuse}, {!}pp }
        operands { InList<pg, a, b, pp>; }
    }
    for $N, $ON, $PQ in (ISETP_EX_75, $(not SM80), $({, {!}pq})), (ISETP_EX, SM80, $(, {!}pq)) {
        group $N : [ISETP] requires $ON {
            encoding { ex == X; field<68, 3> Pred pq = PT; field<71, 1> Flip pq.not = OFF; }
            syntax   { ISETP.cmp{.sign}.bool."EX" pu, pv, a{.reuse}, b{.reuse}, {!}pp$PQ }
            operands { InList<pg, a, b, pp, pq>; }
        }
    }
    /// Selects one of two values.
    optype SEL : [RESULT, A] {
        properties { unit = SELECT; }
        encoding { field<0, 9> Op op == SEL; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; }
        syntax   { SEL d, a{.reuse}, b{.reuse}, {!}pp }
        operands { InList<pg, a, b, pp>; OutList<d>; }
    }
    /// Copies a value.
    optype MOV : [RESULT] {
        properties { unit = SELECT; }
        encoding { field<0, 9> Op op == MOV; field<72, 4> Mask mask = 15; }
        syntax   { MOV d, b{.reuse}{, mask} }
        operands { InList<pg, b>; OutList<d>; }
    }
    /// Adds two integers.
    optype VIADD : [RESULT, A] {
        properties { unit = ADD; }
        encoding { field<0, 9> Op op == VIADD; field<73, 1> SumType type = ONE; }
        syntax   { VIADD{.type} d, a{.reuse}, {-}b{.reuse} }
        operands { InList<pg, a, b>; OutList<d>; }
    }
    /// Adds two integers of 32 bits; sm_120 names the width.
    optype VIADD_32 : [RESULT, A] {
        properties { unit = ADD; }
        encoding { field<0, 9> Op op == VIADD; field<72, 1> Flip a.neg = OFF; field<73, 3> WideSumType type; }
        syntax   { VIADD.type d, {-}a{.reuse}, {-}b{.reuse} }
        operands { InList<pg, a, b>; OutList<d>; }
    }
    /// Approximates a function.
    optype MUFU : [RESULT] {
        properties { unit = FUNCTION; }
        encoding { field<0, 9> Op op == MUFU; field<74, 4> Function function; }
        syntax   { MUFU.function d, {-}{|}b{|} }
        operands { InList<pg, b>; OutList<d>; }
    }
    for $N, $TYPE in (80, FunctionFormat80), (90, FunctionFormat) {
        /// Approximates a function of a 16-bit float.
        optype MUFU_HALF_$N : [RESULT] {
            properties { unit = FUNCTION; }
            encoding {
                field<0, 9> Op op == MUFU; form == 1; field<74, 4> Function function; where not function in {6, 7}; field<72, 2> $TYPE fmt; field<32, 8> Reg b;
                field<63, 1> Flip b.neg = OFF; field<62, 1> Flip b.abs = OFF; field<60, 1> HalfPart b.half = LOW;
            }
            syntax   { MUFU.function.fmt d, {-}{|}b{|}{.half} }
            operands { InList<pg, b>; OutList<d>; }
        }
    }

    /// Multiplies and adds floats: `d = a * b + c`.
    optype FFMA : [RESULT, A, A_NEG, A_ABS] {
        properties { unit = FMA; }
        encoding { field<0, 9> Op op == FFMA; field<80, 1 : 76, 1> Denormal ftz = KEEP; field<78, 2> Rounding rnd = RN; field<77, 1> Saturate sat = FULL; }
        syntax   { FFMA{.ftz}{.rnd}{.sat} d, {-}{|}a{|}{.reuse}, {-}{|}b{|}{.reuse}, {-}{|}c{|}{.reuse} }
        operands { InList<pg, a, b, c>; OutList<d>; }
    }
    /// Adds three integers.
    group IADD3 : [RESULT, A] {
        properties { unit = ALU; }
        encoding { field<0, 9> Op op == IADD3; field<74, 1> Extended x; field<81, 3> Pred pu = PT; field<84, 3> Pred pv = PT; where pu != 7 or pv == 7; }
        operands { OutList<d, pu, pv>; }
    }
    /// Adds three integers.
    optype IADD3_ALL : [IADD3, A_NEG] {
        encoding { x == PLAIN; field<77, 4> Bits4 pq == 15; field<87, 4> Bits4 pp == 15; }
        syntax   { IADD3 d{, pu{, pv}}, {-}a{.reuse}, {-}b{.reuse}, {-}c{.reuse} }
        operands { InList<pg, a, b, c>; }
    }
    /// Adds three integers and carries.
    optype IADD3_X : [IADD3] {
        encoding { x == X; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; field<77, 3> Pred pq; field<80, 1> Flip pq.not = OFF; field<72, 1> Flip a.inv = OFF; }
        syntax   { "IADD3.X" d{, pu{, pv}}, {~}a{.reuse}, {~}b{.reuse}, {~}c{.reuse}, {!}pp, {!}pq }
        operands { InList<pg, a, b, c, pp, pq>; }
    }
    /// Adds three integers; carries are always printed.
    optype IADD3_ALL_100 : [RESULT, A, A_NEG] {
        properties { unit = ALU; }
        encoding {
            field<0, 9> Op op == IADD3; field<74, 1> Extended x == PLAIN; field<81, 3> Pred pu; field<84, 3> Pred pv;
            field<77, 4> Bits4 pq == 15; field<87, 4> Bits4 pp == 15;
        }
        syntax   { IADD3 d, pu, pv, {-}a{.reuse}, {-}b{.reuse}, {-}c{.reuse} }
        operands { InList<pg, a, b, c>; OutList<d, pu, pv>; }
    }
    /// Adds three integers and carries, which are always printed.
    optype IADD3_X_100 : [RESULT, A] {
        properties { unit = ALU; }
        encoding {
            field<0, 9> Op op == IADD3; field<74, 1> Extended x == X; field<81, 3> Pred pu; field<84, 3> Pred pv; field<72, 1> Flip a.inv = OFF;
            field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; field<77, 3> Pred pq; field<80, 1> Flip pq.not = OFF;
        }
        syntax   { "IADD3.X" d, pu, pv, {~}a{.reuse}, {~}b{.reuse}, {~}c{.reuse}, {!}pp, {!}pq }
        operands { InList<pg, a, b, c, pp, pq>; OutList<d, pu, pv>; }
    }
    /// Adds two integers.
    optype IADD : [RESULT, A, A_NEG] {
        properties { unit = SELECT; }
        encoding { field<0, 9> Op op == IADD; field<73, 1> IntWidth double = "32"; field<81, 3> Pred pu = PT; field<87, 4> Bits4 pp == 15; field<74, 1> Extended x == PLAIN; }
        syntax   { IADD{.double} d{, pu}, {-}a{.reuse}, {-}b{.reuse} }
        operands { InList<pg, a, b>; OutList<d, pu>; }
    }
    /// Adds two integers and a carry.
    optype IADD_X : [RESULT, A] {
        properties { unit = SELECT; }
        encoding {
            field<0, 9> Op op == IADD; field<73, 1> IntWidth double = "32"; field<81, 3> Pred pu = PT; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF;
            field<74, 1> Extended x == X; field<72, 1> Flip a.inv = OFF;
        }
        syntax   { IADD{.double}.x d{, pu}, {~}a{.reuse}, {~}b{.reuse}, {!}pp }
        operands { InList<pg, a, b, pp>; OutList<d, pu>; }
    }
    /// Applies a truth table to the bits of three integers.
    optype LOP3 : [RESULT, A] {
        properties { unit = ALU; }
        encoding {
            field<0, 9> Op op == LOP3; field<72, 8> Table table; field<80, 1> PredicateAnd pand = POR; field<81, 3> Pred pu = PT;
            field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF;
        }
        syntax   { "LOP3.LUT"{.pand} {pu, }d, a{.reuse}, b{.reuse}, c{.reuse}, table, {!}pp }
        operands { InList<pg, a, b, c, pp>; OutList<d, pu>; }
    }
    /// Selects four bytes of two integers.
    optype PRMT : [RESULT, A] {
        properties { unit = ALU; }
        encoding { field<0, 9> Op op == PRMT; field<72, 3> Permute mode = IDX; }
        syntax   { PRMT{.mode} d, a{.reuse}, b{.reuse}, c{.reuse} }
        operands { InList<pg, a, b, c>; OutList<d>; }
    }
    /// Shifts two integers as one of 64 bits.
    optype SHF : [RESULT, A] {
        properties { unit = ALU; }
        encoding { field<0, 9> Op op == SHF; field<76, 1> Direction dir; field<75, 1> Wrap wrap = CLAMP; field<73, 2> ShiftType type; field<80, 1> High high = LOW; }
        syntax   { SHF.dir{.wrap}.type{.high} d, a{.reuse}, b{.reuse}, c{.reuse} }
        operands { InList<pg, a, b, c>; OutList<d>; }
    }
    /// Multiplies and adds integers.
    group IMAD : [RESULT, A] { properties { unit = FMA; } encoding { field<0, 9> Op op; field<73, 1> Signed sign = S32; field<74, 1> Extended x; } }
    group IMAD_X : [IMAD] { encoding { x == X; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; } operands { InList<pg, a, b, c, pp>; } }
    group IMAD_ONE : [IMAD] { encoding { x == PLAIN; field<87, 4> Bits4 pp == 15; } operands { InList<pg, a, b, c>; } }
    group IMAD_LOW : [IMAD] { encoding { op == IMAD; field<81, 3> Bits3 pu == 7; } operands { OutList<d>; } }
    /// Multiplies and adds: the low half.
    optype IMAD_LOW_ONE : [IMAD_ONE, IMAD_LOW] { syntax { IMAD{.sign} d, a{.reuse}, b{.reuse}, {-}c{.reuse} } }
    /// Multiplies and adds with a carry: the low half.
    optype IMAD_LOW_X : [IMAD_X, IMAD_LOW] { syntax { IMAD{.sign}.x d, a{.reuse}, b{.reuse}, {~}c{.reuse}, {!}pp } }
    for $N, $TEXT in (WIDE, "IMAD.WIDE"), (HI, "IMAD.HI") {
        group IMAD_$N : [IMAD] { properties { unit = WIDE; } encoding { op == IMAD_$N; field<81, 3> Pred pu = PT; } operands { OutList<d, pu>; } }
        /// Multiplies and adds: both halves (WIDE) or the high half (HI).
        optype IMAD_${N}_ONE : [IMAD_ONE, IMAD_$N] { syntax { $TEXT{.sign} d{, pu}, a{.reuse}, b{.reuse}, {-}c{.reuse} } }
        /// Multiplies and adds with a carry: both halves (WIDE) or the high half (HI).
        optype IMAD_${N}_X : [IMAD_X, IMAD_$N] { syntax { $TEXT{.sign}.x d{, pu}, a{.reuse}, b{.reuse}, {~}c{.reuse}, {!}pp } }
    }
    /// Shifts an integer to the left and adds another.
    group LEA : [RESULT, A] {
        properties { unit = ALU; }
        encoding { field<0, 9> Op op == LEA; field<75, 5> Distance by; field<80, 1> High high; field<73, 1> Bits1 sx32; field<74, 1> Extended x; field<81, 3> Pred pu = PT; }
        operands { OutList<d, pu>; }
    }
    group LEA_ONE : [LEA, A_NEG] { encoding { x == PLAIN; field<87, 4> Bits4 pp == 15; } operands { InList<pg, a, b>; } }
    group LEA_X : [LEA] { encoding { x == X; field<87, 3> Pred pp; field<90, 1> Flip pp.not = OFF; field<72, 1> Flip a.inv = OFF; } operands { InList<pg, a, b, pp>; } }
    /// Shifts to the left and adds.
    optype LEA_LOW : [LEA_ONE] { encoding { high == LOW; sx32 == 0; field<64, 8> Bits8 c == 255; } syntax { LEA d{, pu}, {-}a{.reuse}, {-}b{.reuse}, by } }
    /// Shifts a sign-extended integer and adds the high half.
    optype LEA_SX32 : [LEA_ONE] { encoding { high == HI; sx32 == 1; field<64, 8> Bits8 c == 255; } syntax { "LEA.HI.SX32" d{, pu}, {-}a{.reuse}, {-}b{.reuse}, by } }
    /// Shifts 64 bits and adds the high half.
    optype LEA_HI : [LEA_ONE, c_R_64] {
        encoding { high == HI; sx32 == 0; } syntax { "LEA.HI" d{, pu}, {-}a{.reuse}, {-}b{.reuse}, c{.reuse}, by } operands { InList<pg, a, b, c>; }
    }
    /// Like LEA.HI.SX32, with a carry.
    optype LEA_X_SX32 : [LEA_X] { encoding { high == HI; sx32 == 1; field<64, 8> Bits8 c == 255; } syntax { "LEA.HI.X.SX32" d{, pu}, {~}a{.reuse}, {~}b{.reuse}, by, {!}pp } }
    /// Like LEA.HI, with a carry.
    optype LEA_X_HI : [LEA_X, c_R_64] {
        encoding { high == HI; sx32 == 0; } syntax { "LEA.HI.X" d{, pu}, {~}a{.reuse}, {~}b{.reuse}, c{.reuse}, by, {!}pp } operands { InList<pg, a, b, c, pp>; }
    }

    // ---- operands -----------------------------------------------------------------------------

    opcode FADD_R : [FADD, c_R_32, c_NEG_32, c_ABS_32] { encoding { form == 1; } }
    opcode FADD_I : [FADD, c_F] { encoding { form == 2; } }
    for $OP in FMUL, FSEL, FSETP, FMNMX {
        opcode ${OP}_R : [$OP, b_R_32, b_NEG_32, b_ABS_32] { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_F] { encoding { form == 4; } }
    }
    for $OP, $I in (ISETP_ONE, S), (ISETP_EX_75, S), (ISETP_EX, S), (SEL, I), (MOV, I) {
        opcode ${OP}_R : [$OP, b_R_32] { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_$I] { encoding { form == 4; } }
    }
    opcode MUFU_R : [MUFU, b_PLAIN, b_NEG_32, b_ABS_32] { encoding { form == 1; } }
    opcode MUFU_64_I : [MUFU, b_D] { encoding { form == 4; where function in {6, 7}; } }
    opcode MUFU_I : [MUFU, b_F] else MUFU_64_I { encoding { form == 4; where not function in {6, 7}; } }

    opcode FFMA_RR : [FFMA, b_R_32, b_NEG_32, b_ABS_32, c_R_64, c_NEG_64, c_ABS_64] { encoding { form == 1; } }
    opcode FFMA_RI : [FFMA, b_R_64, b_NEG_64, b_ABS_64, c_F] { encoding { form == 2; } }
    opcode FFMA_IR : [FFMA, b_F, c_R_64, c_NEG_64, c_ABS_64] { encoding { form == 4; } }
    for $OP in PRMT, SHF { opcode ${OP}_RI : [$OP, b_R_64, c_I] { encoding { form == 2; } } }
    for $OP in LOP3, PRMT, SHF {
        opcode ${OP}_RR : [$OP, b_R_32, c_R_64] { encoding { form == 1; } }
        opcode ${OP}_IR : [$OP, b_I, c_R_64] { encoding { form == 4; } }
    }
    for $OP, $M in (LOW_ONE, NEG), (LOW_X, INV), (WIDE_ONE, NEG), (WIDE_X, INV), (HI_ONE, NEG), (HI_X, INV) {
        opcode IMAD_${OP}_RR : [IMAD_$OP, b_R_32, c_R_64, c_${M}_64] { encoding { form == 1; } }
        opcode IMAD_${OP}_IR : [IMAD_$OP, b_S, c_R_64, c_${M}_64] { encoding { form == 4; } }
    }
    for $OP in LOW_ONE, LOW_X { opcode IMAD_${OP}_RI : [IMAD_$OP, b_R_64, c_S] { encoding { form == 2; } } }
    for $OP, $M in (LOW, NEG), (SX32, NEG), (HI, NEG), (X_SX32, INV), (X_HI, INV) {
        opcode LEA_${OP}_R : [LEA_$OP, b_R_32, b_${M}_32] { encoding { form == 1; } }
        opcode LEA_${OP}_I : [LEA_$OP, b_I] { encoding { form == 4; } }
    }

    // Constant memory and uniform registers with 6 bits before sm_100, and with 8 bits from sm_100.
    for $K, $B, $C, $ON in (C, 5, 3, $(not SM100)), (X, 5, 3, $(not SM100)), (U, 6, 7, $(not SM100)), (W, 6, 7, SM100) {
        opcode FADD_$K : [FADD, c_$K, c_NEG_32, c_ABS_32] requires $ON { encoding { form == $C; } }
        for $OP in FMUL, FSEL, FSETP, FMNMX, MUFU { opcode ${OP}_$K : [$OP, b_$K, b_NEG_32, b_ABS_32] requires $ON { encoding { form == $B; } } }
        for $OP in ISETP_ONE, ISETP_EX, SEL, MOV { opcode ${OP}_$K : [$OP, b_$K] requires $ON { encoding { form == $B; } } }
        opcode FFMA_${K}_R : [FFMA, b_$K, b_NEG_32, b_ABS_32, c_R_64, c_NEG_64, c_ABS_64] requires $ON { encoding { form == $B; } }
        opcode FFMA_R_$K : [FFMA, b_R_64, b_NEG_64, b_ABS_64, c_$K, c_NEG_32, c_ABS_32] requires $ON { encoding { form == $C; } }
        for $OP in PRMT, SHF { opcode ${OP}_R_$K : [$OP, b_R_64, c_$K] requires $ON { encoding { form == $C; } } }
        for $OP in LOP3, PRMT, SHF { opcode ${OP}_${K}_R : [$OP, b_$K, c_R_64] requires $ON { encoding { form == $B; } } }
        for $OP, $M in (LOW_ONE, NEG), (LOW_X, INV), (WIDE_ONE, NEG), (WIDE_X, INV), (HI_ONE, NEG), (HI_X, INV) {
            opcode IMAD_${OP}_${K}_R : [IMAD_$OP, b_$K, c_R_64, c_${M}_64] requires $ON { encoding { form == $B; } }
            opcode IMAD_${OP}_R_$K : [IMAD_$OP, b_R_64, c_$K, c_${M}_32] requires $ON { encoding { form == $C; } }
        }
        for $OP, $M in (LOW, NEG), (SX32, NEG), (HI, NEG), (X_SX32, INV), (X_HI, INV) {
            opcode LEA_${OP}_$K : [LEA_$OP, b_$K, b_${M}_32] requires $ON { encoding { form == $B; } }
        }
    }

    for $K, $B in (C, 5), (X, 5), (U, 6) { opcode ISETP_EX_75_$K : [ISETP_EX_75, b_$K] { encoding { form == $B; } } }

    // Sums of three integers, whose carries are always printed from sm_100.
    for $N, $ON in ("", $(not SM100)), (_100, SM100) {
        opcode IADD3$${N}_RR : [IADD3_ALL$$N, b_R_32, b_NEG_32, c_R_64, c_NEG_64] requires $ON { encoding { form == 1; } }
        opcode IADD3$${N}_IR : [IADD3_ALL$$N, b_S, c_R_64, c_NEG_64] requires $ON { encoding { form == 4; } }
        opcode IADD3_X$${N}_RR : [IADD3_X$$N, b_R_32, b_INV_32, c_R_64, c_INV_64] requires $ON { encoding { form == 1; } }
        opcode IADD3_X$${N}_IR : [IADD3_X$$N, b_S, c_R_64, c_INV_64] requires $ON { encoding { form == 4; } }
    }
    for $K, $N, $B, $ON in (C, "", 5, $(not SM100)), (X, "", 5, $(not SM100)), (U, "", 6, $(not SM100)), (W, _100, 6, SM100) {
        opcode IADD3_${K}_R : [IADD3_ALL$$N, b_$K, b_NEG_32, c_R_64, c_NEG_64] requires $ON { encoding { form == $B; } }
        opcode IADD3_X_${K}_R : [IADD3_X$$N, b_$K, b_INV_32, c_R_64, c_INV_64] requires $ON { encoding { form == $B; } }
    }
    for $OP, $M in (IADD, NEG), (IADD_X, INV) {
        opcode ${OP}_R : [$OP, b_R_32, b_${M}_32] requires SM120 { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_S] requires SM120 { encoding { form == 4; } }
        opcode ${OP}_W : [$OP, b_W, b_${M}_32] requires SM120 { encoding { form == 6; } }
    }
    for $OP, $ON in (VIADD, $(SM90 and not SM120)), (VIADD_32, SM120) {
        opcode ${OP}_R : [$OP, b_R_32, b_NEG_32] requires $ON { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, b_I] requires $ON { encoding { form == 4; } }
        opcode ${OP}_W : [$OP, b_W, b_NEG_32] requires SM100 and $ON { encoding { form == 6; } }
    }
    for $K, $B in (C, 5), (X, 5), (U, 6) { opcode VIADD_$K : [VIADD, b_$K, b_NEG_32] requires SM90 and not SM100 { encoding { form == $B; } } }
    /// Copies a number of 64 bits.
    opcode MOV_64_I : [RESULT] requires SM120 {
        properties { unit = PAIR; }
        encoding { field<0, 9> Op op == MOV; form == 2; field<24, 64> Long b; }
        syntax   { "MOV.64" d, b } operands { InList<pg, b>; OutList<d>; }
    }
    /// Copies two registers.
    group MOV_64 : [RESULT] requires SM120 {
        properties { unit = PAIR; }
        encoding { field<0, 9> Op op == MOV; field<72, 4> Bits4 mask == 15; field<80, 1> Bits1 wide == 1; }
        syntax   { "MOV.64" d, b{.reuse} } operands { InList<pg, b>; OutList<d>; }
    }
    opcode MOV_64_R : [MOV_64, b_R_32] { encoding { form == 1; } }
    opcode MOV_64_W : [MOV_64, b_W] { encoding { form == 6; } }
    opcode MUFU_HALF_OLD : [MUFU_HALF_80] requires SM80 and not SM90 {}
    opcode MUFU_HALF : [MUFU_HALF_90] requires SM90 {}

    // ---- other spellings ----------------------------------------------------------------------

    /// A product with 0, which is written as a copy.
    alias IMAD_MOV_RR of IMAD_LOW_ONE_RR {
        encoding { where a == 255 or b == 255; }
        syntax   { "IMAD.MOV"{.sign} d, a{.reuse}, b{.reuse}, {-}c{.reuse} }
    }
    /// A product with 0, which is written as a copy.
    alias IMAD_MOV_RI of IMAD_LOW_ONE_RI {
        encoding { where a == 255 or b == 255; }
        syntax   { "IMAD.MOV"{.sign} d, a{.reuse}, b{.reuse}, c }
    }
    /// A product with 0, which is written as a copy.
    alias IMAD_MOV_IR of IMAD_LOW_ONE_IR before IMAD_IADD, IMAD_SHL {
        encoding { where a == 255 or b == 1 and c == 255; } syntax { "IMAD.MOV"{.sign} d, a{.reuse}, b, {-}c{.reuse} }
    }
    /// A product with 1, which is written as a sum.
    alias IMAD_IADD of IMAD_LOW_ONE_IR { encoding { b == 1; } syntax { "IMAD.IADD"{.sign} d, a{.reuse}, b, {-}c{.reuse} } }
    /// A product with a power of two, which is written as a shift. `nvdisasm` prints 2^16 as a product.
    alias IMAD_SHL of IMAD_LOW_ONE_IR {
        encoding { c == 255; where b in {
            0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000, 0x20000, 0x40000, 0x80000,
            0x100000, 0x200000, 0x400000, 0x800000, 0x1000000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
        }; }
        syntax { "IMAD.SHL"{.sign} d, a{.reuse}, b, {-}c{.reuse} }
    }
    /// A product with 0, which is written as a copy.
    alias IMAD_MOV_C_R of IMAD_LOW_ONE_C_R { encoding { a == 255; } syntax { "IMAD.MOV"{.sign} d, a{.reuse}, b, {-}c{.reuse} } }
    /// A product with 0, which is written as a copy.
    alias IMAD_MOV_R_C of IMAD_LOW_ONE_R_C {
        encoding { where a == 255 or b == 255; }
        syntax   { "IMAD.MOV"{.sign} d, a{.reuse}, b{.reuse}, {-}c }
    }
}
