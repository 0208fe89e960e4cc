//! More of the uniform datapath: selections, shifts, bytes, floats, and copies between the datapaths.

isa_core::define_isa! {
    /// More of the uniform datapath: selections, shifts, bytes, floats, and copies between the datapaths.
    pub isa Uniform: u128;

    use crate::misc::Misc;

    /// The operation.
    enum UniformOp: 9 {
        USEL = 0x87, UPRMT = 0x96, USHF = 0x99, ULEA = 0x91, UIMAD = 0xa4, UIMAD_WIDE = 0xa5, UISETP = 0x8c, UBMSK = 0x9b, USGXT = 0x9a, UBREV = 0xbe, UP2UR = 0x83,
        UR2UP = 0x84, UPLOP3 = 0x9c,
        UIADD3 = 0x90, UIADD3_64 = 0x97, UIMNMX = 0x85, UVIMNMX = 0x4a, UFADD = 0x54, UFFMA = 0x55, UFMUL = 0x56, UFSETP = 0x53, UI2F = 0x5a, UF2I = 0x5c, UI2FP = 0x5e,
        R2UR_75 = 0x1c2, R2UR = 0xca, CS2UR = 0xcb,
    }
    /// Whether the instruction continues a wider operation.
    enum Extended: 1 { PLAIN = 0, X = 1 }
    /// Whether numbers wrap around.
    enum Wrap: 1 { CLAMP = 0, W = 1 }
    /// The direction of a shift.
    enum Direction: 1 { L = 0, R = 1 }
    /// The type of a shifted value.
    enum ShiftType: 2 { S64 = 0, U64 = 1, S32 = 2, U32 = 3 }
    /// Whether the result is the high half.
    enum High: 1 { LOW = 0, HI = 1 }
    /// The byte of a register.
    enum BytePart: 2 { LOW = 0, B1 = 1, B2 = 2, B3 = 3 }
    /// The type of an integer of up to 64 bits.
    enum LongType: 2 { U32 = 0, S32 = 1, U64 = 2, S64 = 3 }
    /// The type of an integer.
    enum IntType: 3 { U8 = 0, S8 = 1, U16 = 2, S16 = 3, U32 = 4, S32 = 5 }
    /// The format of the result.
    enum UniformFloat: 3 { F16 = 1, F32 = 2 }
    /// The rounding to an integer.
    enum ToInteger: 2 { NEAREST = 0, FLOOR = 1, CEIL = 2, TRUNC = 3 }
    /// Whether NaN becomes 0.
    enum NanToZero: 1 { NAN = 0, NTZ = 1 }
    /// Whether subnormal numbers are replaced by zeros.
    enum Flush: 1 { KEEP = 0, FTZ = 1 }
    /// The treatment of subnormal numbers: with `FMZ`, zero times any number is also zero.
    enum Denormal: 2 { KEEP = 0, FMZ = 1, FTZ = 2 }
    /// Whether the result is limited to the range from 0 to 1.
    enum Saturate: 1 { FULL = 0, SAT = 1 }
    /// Whether the register has the same value in all threads.
    enum Broadcast: 1 { FIRST = 0, BROADCAST = 1 requires SM100 }
    /// Whether predicates are combined.
    enum OrFlag: 1 { OR = 1 }
    /// The width of a special register.
    enum Width: 1 { "32" = 0, "64" = 1 }

    group UPP { encoding { field<87, 3> UPred pp; field<90, 1> Flip pp.not = OFF; } }
    for $T, $TYPE, $WIDTH, $RZ, $ON, $OLD in (U, UReg, 6, 63, $(not SM100), 1), (W, WideUReg, 8, 255, SM100, 0) {
        group UOP_$T : [ALL] {
            encoding { field<0, 9> UniformOp op; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<16, $WIDTH> $TYPE d; field<91, 1> Bits1 uniform == 1; }
            syntax   { {@{!}pg} .. $stall $stay $wr $rd $req; } operands { OutList<d>; }
        }
        group UOA_$T : [UOP_$T] { encoding { field<24, $WIDTH> $TYPE a; } }
        group UOB_$T { encoding { field<32, $WIDTH> $TYPE b; } }
        group UOC_$T { encoding { field<64, $WIDTH> $TYPE c; } }
        group UOB64_$T { encoding { field<64, $WIDTH> $TYPE b; } }
        /// Selects one of two values.
        optype USEL_$T : [UOA_$T, UPP] { encoding { op == USEL; } syntax { USEL d, a, b, {!}pp } operands { InList<pg, a, b, pp>; } }
        /// Selects four bytes of two integers.
        optype UPRMT_$T : [UOA_$T, UOC_$T] { encoding { op == UPRMT; } syntax { UPRMT d, a, b, c } operands { InList<pg, a, b, c>; } }
        /// Shifts two integers as one of 64 bits.
        optype USHF_$T : [UOA_$T, UOC_$T] {
            encoding { op == USHF; field<76, 1> Direction dir; field<75, 1> Wrap wrap = CLAMP; field<73, 2> ShiftType type; field<80, 1> High high = LOW; }
            syntax   { USHF.dir{.wrap}.type{.high} d, a, b, c } operands { InList<pg, a, b, c>; }
        }
        /// Creates a mask from a position and a width.
        optype UBMSK_$T : [UOA_$T] { encoding { op == UBMSK; field<75, 1> Wrap wrap = CLAMP; } syntax { UBMSK{.wrap} d, a, b } operands { InList<pg, a, b>; } }
        /// Extends the sign of a number of bits.
        optype USGXT_$T : [UOA_$T] {
            encoding { op == USGXT; field<73, 1> Signed sign = S32; field<75, 1> Wrap wrap = CLAMP; } syntax { USGXT{.wrap}{.sign} d, a, b } operands { InList<pg, a, b>; }
        }
        for $OP, $I in (USEL, b_I), (UPRMT, b_I), (USHF, b_I), (UBMSK, b_I), (USGXT, b_I) {
            opcode ${OP}_R_$T : [${OP}_$T, UOB_$T] requires $ON { encoding { form == 1; } }
            opcode ${OP}_I_$T : [${OP}_$T, $I] requires $ON { encoding { form == 4; } }
        }
        /// Reverses bits.
        opcode UBREV_$T : [UOP_$T, UOB_$T] requires $ON { encoding { op == UBREV; form == 1; } syntax { UBREV d, b } operands { InList<pg, b>; } }
        /// Copies predicates into a uniform register.
        opcode UP2UR_$T : [UOA_$T, b_I] requires $ON {
            encoding { op == UP2UR; form == 4; field<76, 2> BytePart part = LOW; } syntax { UP2UR{.part} d, "UPR", a, b } operands { InList<pg, a, b>; }
        }
        /// Adds three integers and carries.
        group UADD_X_$T : [UOA_$T, UOC_$T, UPP] {
            encoding {
                op == UIADD3; field<74, 1> Extended x == X; field<72, 1> Flip a.inv = OFF; field<75, 1> Flip c.inv = OFF; field<77, 3> UPred pq; field<80, 1> Flip pq.not = OFF;
            }
            operands { InList<pg, a, b, c, pp, pq>; OutList<d, pu, pv>; }
        }
        group ULEA_ANY_$T : [UOA_$T] {
            encoding { op == ULEA; field<75, 5> Distance by; field<81, 3> UPred pu = UPT; field<80, 1> High high == HI; field<73, 1> Bits1 sx32; field<74, 1> Extended x; }
            operands { OutList<d, pu>; }
        }
        /// Shifts 64 bits and adds the high half.
        optype ULEA_HI_$T : [ULEA_ANY_$T, UOC_$T] {
            encoding { x == PLAIN; sx32 == 0; field<72, 1> Flip a.neg = OFF; field<87, 4> Bits4 pp == 15; } syntax { "ULEA.HI" d{, pu}, {-}a, {-}b, c, by }
            operands { InList<pg, a, b, c>; }
        }
        /// Shifts a sign-extended integer and adds the high half.
        optype ULEA_SX32_$T : [ULEA_ANY_$T] {
            encoding { x == PLAIN; sx32 == 1; field<64, $WIDTH> $TYPE c == $RZ; field<72, 1> Flip a.neg = OFF; field<87, 4> Bits4 pp == 15; }
            syntax { "ULEA.HI.SX32" d{, pu}, {-}a, {-}b, by } operands { InList<pg, a, b>; }
        }
        /// Like ULEA.HI, with a carry.
        optype ULEA_X_HI_$T : [ULEA_ANY_$T, UOC_$T, UPP] {
            encoding { x == X; sx32 == 0; field<72, 1> Flip a.inv = OFF; } syntax { "ULEA.HI.X" d{, pu}, {~}a, {~}b, c, by, {!}pp } operands { InList<pg, a, b, c, pp>; }
        }
        /// Like ULEA.HI.SX32, with a carry.
        optype ULEA_X_SX32_$T : [ULEA_ANY_$T, UPP] {
            encoding { x == X; sx32 == 1; field<64, $WIDTH> $TYPE c == $RZ; field<72, 1> Flip a.inv = OFF; } syntax { "ULEA.HI.X.SX32" d{, pu}, {~}a, {~}b, by, {!}pp }
            operands { InList<pg, a, b, pp>; }
        }
        for $OP, $M in (HI, NEG), (SX32, NEG), (X_HI, INV), (X_SX32, INV) {
            opcode ULEA_${OP}_R_$T : [ULEA_${OP}_$T, UOB_$T, b_${M}_32] requires $ON { encoding { form == 1; } }
            opcode ULEA_${OP}_I_$T : [ULEA_${OP}_$T, b_I] requires $ON { encoding { form == 4; } }
        }
        /// Multiplies uniform integers and adds a constant.
        opcode UIMAD_RI_$T : [UOA_$T, UOB64_$T, c_S] requires $ON {
            encoding { op == UIMAD; form == 2; field<73, 1> Signed sign = S32; field<81, 3> Bits3 pu == 7; field<87, 4> Bits4 pp == 15; } syntax { UIMAD{.sign} d, a, b, c }
            operands { InList<pg, a, b, c>; }
        }
        /// Multiplies and adds with a carry: both halves.
        opcode UIMAD_WIDE_X_$T : [UOA_$T, UOB_$T, UOC_$T, UPP] requires $ON {
            encoding { op == UIMAD_WIDE; form == 1; field<73, 1> Signed sign = S32; field<74, 1> Extended x == X; field<75, 1> Flip c.inv = OFF; field<81, 3> UPred pu = UPT; }
            syntax   { "UIMAD.WIDE"{.sign}.x d{, pu}, a, b, {~}c, {!}pp } operands { InList<pg, a, b, c, pp>; OutList<d, pu>; }
        }
        group R2UR_ANY_$T : [GUARDED, A] { properties { unit = TO_UNIFORM; } encoding { field<0, 9> UniformOp op; form == 1; field<16, $WIDTH> $TYPE d; } }
    }
    for $N, $T, $OP, $ON in (75, U, R2UR_75, $(not SM90)), (90, U, R2UR, $(SM90 and not SM100)), (100, W, R2UR, SM100) {
        /// Copies a register into a uniform register.
        opcode R2UR_$N : [R2UR_ANY_$T] requires $ON {
            encoding { op == $OP; field<81, 3> Pred pu = PT; field<87, 1> Broadcast broadcast = FIRST; } syntax { R2UR{.broadcast} {pu, }d, a{.reuse} }
            operands { InList<pg, a>; OutList<d, pu>; }
        }
        /// Copies a register into a uniform register, and combines predicates.
        opcode R2UR_OR_$N : [R2UR_ANY_$T] requires $ON {
            encoding { op == $OP; field<81, 3> Pred pu; field<84, 1> OrFlag or == OR; } syntax { R2UR.or pu, d, a{.reuse} } operands { InList<pg, a>; OutList<d, pu>; }
        }
    }
    /// Adds three integers and carries.
    optype UADD_OLD : [UADD_X_U] { encoding { field<81, 3> UPred pu = UPT; field<84, 3> UPred pv == 7; } syntax { "UIADD3.X" d{, pu}, {~}a, {~}b, {~}c, {!}pp, {!}pq } }
    /// Adds three integers and carries.
    optype UADD_NEW : [UADD_X_W] { encoding { field<81, 3> UPred pu; field<84, 3> UPred pv; } syntax { "UIADD3.X" d, pu, pv, {~}a, {~}b, {~}c, {!}pp, {!}pq } }
    for $N, $T, $ON in (OLD, U, $(not SM100)), (NEW, W, SM100) {
        opcode UADD_${N}_R : [UADD_$N, UOB_$T, b_INV_32] requires $ON { encoding { form == 1; } }
        opcode UADD_${N}_I : [UADD_$N, b_S] requires $ON { encoding { form == 4; } }
    }
    for $N, $TYPE, $WIDTH, $T, $PQ, $ON in
        (75, UReg, 6, U, $({, {!}pq}), $(not SM80)), (80, UReg, 6, U, $(, {!}pq), $(SM80 and not SM100)), (100, WideUReg, 8, W, $(, {!}pq), SM100)
    {
        /// Compares two uniform integers and the result of another comparison.
        optype UISETP_EX_$N : [ALL, UPP] requires $ON {
            encoding {
                field<0, 9> UniformOp op == UISETP; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<24, $WIDTH> $TYPE a; field<91, 1> Bits1 uniform == 1;
                field<72, 1> Bits1 ex == 1; field<68, 3> UPred pq = UPT;
                field<71, 1> Flip pq.not = OFF; field<73, 1> Signed sign = S32; field<76, 3> IntCompare cmp; field<74, 2> Logic bool; field<81, 3> UPred pu;
                field<84, 3> UPred pv;
            }
            syntax   { {@{!}pg} UISETP.cmp{.sign}.bool."EX" pu, pv, a, b, {!}pp$PQ $stall $stay $wr $rd $req; } operands { InList<pg, a, b, pp, pq>; OutList<pu, pv>; }
        }
        opcode UISETP_EX_${N}_R : [UISETP_EX_$N, UOB_$T] { encoding { form == 1; } }
        opcode UISETP_EX_${N}_I : [UISETP_EX_$N, b_S] { encoding { form == 4; } }
    }
    /// Adds three integers of 64 bits.
    optype UIADD3_64 : [UOA_W, UOC_W] requires SM120 {
        encoding {
            op == UIADD3_64; field<72, 1> Flip a.neg = OFF; field<75, 1> Flip c.neg = OFF; field<77, 4> Bits4 pq == 15; field<87, 4> Bits4 pp == 15; field<81, 3> UPred pu;
            field<84, 3> UPred pv; field<74, 1> Extended x == PLAIN;
        }
        syntax   { "UIADD3.64" d, pu, pv, {-}a, {-}b, {-}c } operands { InList<pg, a, b, c>; OutList<d, pu, pv>; }
    }
    opcode UIADD3_64_R : [UIADD3_64, UOB_W, b_NEG_32] { encoding { form == 1; } }
    opcode UIADD3_64_I : [UIADD3_64, b_S] { encoding { form == 4; } }
    /// The smaller or the larger of two uniform integers of up to 64 bits.
    optype UIMNMX : [UOA_W, UPP] requires SM120 {
        encoding { op == UIMNMX; field<74, 1 : 73, 1> LongType type = S32; field<81, 3> UPred pu; field<84, 3> UPred pv; field<77, 3> UPred pq; field<80, 1> Flip pq.not = OFF; }
        syntax   { UIMNMX{.type} pu, pv, d, a, b, {!}pp, {!}pq } operands { InList<pg, a, b, pp, pq>; OutList<d, pu, pv>; }
    }
    /// The smaller or the larger of two uniform integers.
    optype UVIMNMX : [UOA_W, UPP] requires SM120 {
        encoding { op == UVIMNMX; field<81, 6> Bits6 pu == 63; field<74, 1 : 73, 1 : 72, 1> PackedType type; field<76, 1> Rectify relu = ANY; }
        syntax { UVIMNMX.type{.relu} d, a, b, {!}pp } operands { InList<pg, a, b, pp>; }
    }
    for $OP, $I in (UIMNMX, b_S), (UVIMNMX, b_S) {
        opcode ${OP}_R : [$OP, UOB_W] { encoding { form == 1; } }
        opcode ${OP}_I : [$OP, $I] { encoding { form == 4; } }
    }
    /// Floats of the uniform datapath.
    group UF : [UOA_W] requires SM120 { encoding { field<72, 1> Flip a.neg = OFF; field<73, 1> Flip a.abs = OFF; } }
    group UF_RND { encoding { field<78, 2> Rounding rnd = RN; field<77, 1> Saturate sat = FULL; } }
    /// Adds: `d = a + c`.
    optype UFADD : [UF, UF_RND] {
        encoding { op == UFADD; field<80, 1> Flush ftz = KEEP; } syntax { UFADD{.ftz}{.rnd}{.sat} d, {-}{|}a{|}, {-}{|}c{|} } operands { InList<pg, a, c>; }
    }
    opcode UFADD_R : [UFADD, UOC_W, c_NEG_64, c_ABS_64] { encoding { form == 1; } }
    opcode UFADD_I : [UFADD, c_F] { encoding { form == 2; } }
    /// Multiplies: `d = a * b`.
    optype UFMUL : [UF, UF_RND] {
        encoding { op == UFMUL; field<80, 1 : 76, 1> Denormal ftz = KEEP; field<84, 3> Bits3 scale == 4; } syntax { UFMUL{.ftz}{.rnd}{.sat} d, {-}{|}a{|}, {-}{|}b{|} }
        operands { InList<pg, a, b>; }
    }
    opcode UFMUL_R : [UFMUL, UOB_W, b_NEG_32, b_ABS_32] { encoding { form == 1; } }
    opcode UFMUL_I : [UFMUL, b_F] { encoding { form == 4; } }
    /// Multiplies and adds: `d = a * b + c`.
    optype UFFMA : [UF, UF_RND] {
        encoding { op == UFFMA; field<80, 1 : 76, 1> Denormal ftz = KEEP; } syntax { UFFMA{.ftz}{.rnd}{.sat} d, {-}{|}a{|}, {-}{|}b{|}, {-}{|}c{|} }
        operands { InList<pg, a, b, c>; }
    }
    opcode UFFMA_RR : [UFFMA, UOB_W, b_NEG_32, b_ABS_32, UOC_W, c_NEG_64, c_ABS_64] { encoding { form == 1; } }
    opcode UFFMA_RI : [UFFMA, UOB64_W, b_NEG_64, b_ABS_64, c_F] { encoding { form == 2; } }
    opcode UFFMA_IR : [UFFMA, b_F, UOC_W, c_NEG_64, c_ABS_64] { encoding { form == 4; } }
    /// Converts a uniform integer to a float.
    optype UI2F : [UOP_W] requires SM120 {
        encoding { op == UI2F; field<75, 3> UniformFloat to = F32; field<84, 2 : 74, 1> IntType from = S32; field<78, 2> Rounding rnd = RN; }
        syntax { UI2F{.to}{.from}{.rnd} d, b } operands { InList<pg, b>; }
    }
    /// Converts a uniform float to an integer.
    optype UF2I : [UOP_W] requires SM120 {
        encoding {
            op == UF2I; field<75, 2 : 72, 1> IntType dst = S32; field<77, 1> NanToZero ntz = NAN; field<78, 2> ToInteger rnd = NEAREST; field<80, 1> Flush ftz = KEEP;
            field<84, 3> Bits3 from == 2;
        }
        syntax   { UF2I{.ftz}{.dst}{.rnd}{.ntz} d, {-}{|}b{|} } operands { InList<pg, b>; }
    }
    opcode UI2F_R : [UI2F, UOB_W] { encoding { form == 1; } }
    opcode UI2F_I : [UI2F, b_I] { encoding { form == 4; } }
    opcode UF2I_R : [UF2I, UOB_W, b_NEG_32, b_ABS_32] { encoding { form == 1; } }
    opcode UF2I_I : [UF2I, b_F] { encoding { form == 4; } }
    for $N, $S in (U32, 0), (S32, 1) {
        /// Converts a uniform integer to a float.
        opcode UI2FP_$N : [UOP_W, UOB_W] requires SM120 {
            encoding { op == UI2FP; form == 1; field<74, 1> Bits1 sign == $S; field<76, 1> Bits1 to == 1; field<85, 1> Bits1 from == 1; } syntax { "UI2FP.F32.$N" d, b }
            operands { InList<pg, b>; }
        }
    }
    /// Compares two uniform floats.
    optype UFSETP : [ALL, UPP] requires SM120 {
        encoding {
            field<0, 9> UniformOp op == UFSETP; field<12, 3> UPred pg = UPT; field<15, 1> Flip pg.not = OFF; field<24, 8> WideUReg a; field<72, 1> Flip a.neg = OFF;
            field<73, 1> Flip a.abs = OFF; field<91, 1> Bits1 uniform == 1;
            field<74, 2> Logic bool; field<76, 4> Compare cmp; field<80, 1> Flush ftz = KEEP; field<81, 3> UPred pu; field<84, 3> UPred pv;
        }
        syntax { {@{!}pg} UFSETP.cmp{.ftz}.bool pu, pv, {-}{|}a{|}, {-}{|}b{|}, {!}pp $stall $stay $wr $rd $req; } operands { InList<pg, a, b, pp>; OutList<pu, pv>; }
    }
    opcode UFSETP_R : [UFSETP, UOB_W, b_NEG_32, b_ABS_32] { encoding { form == 1; } }
    opcode UFSETP_I : [UFSETP, b_F] { encoding { form == 4; } }
}
