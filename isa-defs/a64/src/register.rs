//! Data processing with registers.

use super::machine::{Int, Nzcv, adc, add, crc32, crc32c, extend, logic, sub};

isa_core::define_isa! {
    /// Data processing with registers.
    pub isa Register: u32;

    use crate::base::Base;

    /// The type of a shift in additions and subtractions.
    enum SumShift: 2 { lsl = 0, lsr = 1, asr = 2 }

    /// The extension of a 32-bit register.
    enum ExtendW: 3 { uxtb = 0, uxth = 1, uxtw = 2, sxtb = 4, sxth = 5, sxtw = 6 }
    /// The extension of a 64-bit register, which changes no bits.
    enum ExtendX: 3 { uxtx = 3, sxtx = 7 }
    /// A condition on the flags, named after the opposite condition.
    enum Opposite: 4 {
        ne = 0, eq = 1, lo | cc = 2, hs | cs = 3, pl = 4, mi = 5, vc = 6, vs = 7,
        ls = 8, hi = 9, lt = 10, ge = 11, le = 12, gt = 13,
    }
    format Inverted = isa_core::operand::Named<crate::register::Opposite>;
    for $R in W, X {
        format Twice$$R = isa_core::operand::Duplicated<crate::base::$R>;
    }

    for $R, $S, $T, $I, $N in (W, Wsp, u32, i32, 5), (X, Xsp, u64, i64, 6) {
        // ---- shifted registers ----------------------------------------------------------------

        /// An operation whose second source register is shifted by an immediate.
        group SHIFTED_$R : [RRR_$R] {
            encoding { field<10, $N> Bits$$N amount = 0; }
            syntax   { .. rd, rn, rm{, shift " #" amount}; }
            operands { InList<rn, rm, amount>; }
        }
        /// Bitwise logic.
        group LOGIC_$R : [SHIFTED_$R] {
            encoding {
                field<29, 2> Bits2 op; field<24, 5> Bits5 class == 0b01010; field<21, 1> Bits1 n;
                field<22, 2> Shift shift = lsl;
            }
        }
        for $OP, $OPC, $NOT, $RESULT in (and, 0, 0, rn.value & b), (bic, 0, 1, rn.value & !b),
            (orr, 1, 0, rn.value | b), (orn, 1, 1, rn.value | !b),
            (eor, 2, 0, rn.value ^ b), (eon, 2, 1, rn.value ^ !b)
        {
            /// Computes bitwise `$OP`.
            opcode ${OP}_$R : [LOGIC_$R] {
                encoding  { op == $OPC; n == $NOT; }
                syntax    { $OP }
                semantics { let b = shift.apply(rm.value, amount.value as u32); rd = $RESULT; }
            }
        }
        for $OP, $NOT, $RESULT in (ands, 0, rn.value & b), (bics, 1, rn.value & !b) {
            /// Computes bitwise `$OP` and sets the flags.
            opcode ${OP}_$R : [LOGIC_$R] {
                encoding  { op == 3; n == $NOT; field<> Flags nzcv == 0; }
                syntax    { $OP }
                operands  { OutList<rd, nzcv>; }
                semantics {
                    let b = shift.apply(rm.value, amount.value as u32);
                    (rd, nzcv) = logic($RESULT);
                }
            }
        }
        alias mov_$R of orr_$R { encoding { rn == 31; shift == lsl; amount == 0; } syntax { mov rd, rm; } }
        alias mvn_$R of orn_$R { encoding { rn == 31; } syntax { mvn rd, rm{, shift " #" amount}; } }
        alias tst_$R of ands_$R { encoding { rd == 31; } syntax { tst rn, rm{, shift " #" amount}; } }

        /// Addition and subtraction.
        group SUM_$R : [SHIFTED_$R] {
            encoding {
                field<29, 2> Bits2 op; field<24, 5> Bits5 class == 0b01011;
                field<22, 2> SumShift shift = lsl;
            }
        }
        for $OP, $OPC in (add, 0), (sub, 2) {
            /// Computes `$OP` of two registers.
            opcode ${OP}_$R : [SUM_$R] {
                encoding  { op == $OPC; }
                syntax    { $OP }
                semantics { rd = $OP(rn.value, shift.apply(rm.value, amount.value as u32)).0; }
            }
        }
        for $OP, $FN, $CMP, $OPC in (adds, add, cmn, 1), (subs, sub, cmp, 3) {
            /// Computes `$FN` of two registers and sets the flags.
            opcode ${OP}_$R : [SUM_$R] {
                encoding  { op == $OPC; field<> Flags nzcv == 0; }
                syntax    { $OP }
                operands  { OutList<rd, nzcv>; }
                semantics { (rd, nzcv) = $FN(rn.value, shift.apply(rm.value, amount.value as u32)); }
            }
            alias ${CMP}_$R of ${OP}_$R { encoding { rd == 31; } syntax { $CMP rn, rm{, shift " #" amount}; } }
        }
        alias neg_$R of sub_$R { encoding { rn == 31; } syntax { neg rd, rm{, shift " #" amount}; } }
        alias negs_$R of subs_$R { encoding { rd != 31; rn == 31; } syntax { negs rd, rm{, shift " #" amount}; } }

        for $OP, $OPC, $CSET in (csinc, cinc, cset), (csinv, cinv, csetm) {
            alias ${CSET}_$R of ${OP}_$R {
                encoding { rn == 31; rm == 31; where cond != al and cond != nv; }
                syntax   { $CSET rd, cond; }
                operands { AsmFormat<cond> = Inverted(cond); }
            }
            alias ${OPC}_$R of ${OP}_$R {
                encoding { where rn == rm and rn != 31 and cond != al and cond != nv; }
                syntax   { $OPC rd, source, cond; }
                operands { AsmFormat<source: rn, rm> = Twice$$R(); AsmFormat<cond> = Inverted(cond); }
            }
        }
        for $OP, $OPC in (csinc, cinc), (csinv, cinv) {
            synonym ${OPC}_of_zero_$R of ${OP}_$R else ${OPC}_$R {
                encoding { rn == 31; rm == 31; where cond != al and cond != nv; }
                syntax   { $OPC rd, source, cond; }
                operands { AsmFormat<source: rn, rm> = Twice$$R(); AsmFormat<cond> = Inverted(cond); }
            }
        }
        alias cneg_$R of csneg_$R {
            encoding { where rn == rm and cond != al and cond != nv; }
            syntax   { cneg rd, source, cond; }
            operands { AsmFormat<source: rn, rm> = Twice$$R(); AsmFormat<cond> = Inverted(cond); }
        }

        // ---- addition and subtraction with carry ----------------------------------------------

        /// Addition and subtraction with the carry.
        group CARRY_$R : [RRR_$R] {
            encoding {
                field<29, 2> Bits2 op; field<21, 8> Bits8 class == 0b11010000; field<> Flags nzcv == 0;
            }
            operands { InList<rn, rm, nzcv>; Order<rd, rn, rm>; }
        }
        for $OP, $OPS, $OPC, $OPCS, $B in (adc, adcs, 0, 1, rm.value), (sbc, sbcs, 2, 3, !rm.value) {
            /// Computes the sum (`adc`) or difference (`sbc`) with the carry.
            opcode ${OP}_$R : [CARRY_$R] { encoding { op == $OPC; } syntax { $OP }
                semantics { rd = adc(rn.value, $B, nzcv.value.c()).0; } }
            /// Computes the sum (`adcs`) or difference (`sbcs`) with the carry, and sets the flags.
            opcode ${OPS}_$R : [CARRY_$R] { encoding { op == $OPCS; } syntax { $OPS }
                operands  { OutList<rd, nzcv>; }
                semantics { (rd, nzcv) = adc(rn.value, $B, nzcv.c()); } }
        }
        for $OP, $NGC in (sbc, ngc), (sbcs, ngcs) {
            alias ${NGC}_$R of ${OP}_$R { encoding { rn == 31; } syntax { $NGC rd, rm; } }
        }

        // ---- conditional compare and select ---------------------------------------------------

        /// A conditional comparison. If the condition is false, the flags are set to an immediate.
        group CONDITIONAL_$R {
            encoding {
                field<31, 1> Size sf == $R; field<30, 1> Bits1 op; field<21, 9> Bits9 class == 0b111010010;
                field<12, 4> Cond cond; field<10, 2> Bits2 form; field<5, 5> $R rn; field<0, 4> Bits4 flags;
                field<> Flags nzcv == 0;
            }
        }
        for $OP, $FN, $OPC in (ccmn, add, 0), (ccmp, sub, 1) {
            for $FORM, $TYPE, $HASH, $NUMBER in (reg, $R, "", 0), (imm, Bits5, "#", 2) {
                /// Compares if the condition is true, and otherwise sets the flags to an immediate.
                opcode ${OP}_${FORM}_$R : [CONDITIONAL_$R] {
                    encoding  { op == $OPC; form == $NUMBER; field<16, 5> $TYPE m; }
                    syntax    { $OP rn, $HASH m, "#" flags, cond; }
                    operands  { InList<rn, m, flags, nzcv>; OutList<nzcv>; }
                    semantics {
                        let holds = nzcv.holds(cond.to_bits());
                        nzcv = if holds { $FN(rn.value, m.value as $T).1 } else { Nzcv(flags.value as u8) };
                    }
                }
            }
        }

        /// A choice between one register and the result of an operation on another.
        group SELECT_$R : [RRR_$R] {
            encoding {
                field<29, 2> Bits2 op; field<21, 8> Bits8 class == 0b11010100;
                field<12, 4> Cond cond; field<10, 2> Bits2 form; field<> Flags nzcv == 0;
            }
            syntax   { .. rd, rn, rm, cond; }
            operands { InList<rn, rm, nzcv>; }
        }
        for $OP, $OPC, $FORM, $ELSE in (csel, 0, 0, rm.value), (csinc, 0, 1, rm.value.wrapping_add(1)),
            (csinv, 2, 0, !rm.value), (csneg, 2, 1, rm.value.wrapping_neg())
        {
            /// Copies the first register if the condition is true. Otherwise copies the second
            /// register, which is changed by `csinc` (plus 1), `csinv` (complement) and `csneg`
            /// (negation).
            opcode ${OP}_$R : [SELECT_$R] {
                encoding  { op == $OPC; form == $FORM; }
                syntax    { $OP }
                semantics { rd = if nzcv.value.holds(cond.to_bits()) { rn.value } else { $ELSE }; }
            }
        }

        // ---- operations on two registers ------------------------------------------------------

        /// Division and shifts by a register.
        group TWO_$R : [RRR_$R] {
            encoding {
                field<30, 1> Bits1 one == 0; field<29, 1> Bits1 s == 0;
                field<21, 8> Bits8 class == 0b11010110; field<10, 6> Bits6 op;
            }
        }
        for $OP, $OPC, $RESULT in (udiv, 2, rn.value.checked_div(rm.value).unwrap_or(0)),
            (sdiv, 3, if rm.value == 0 { 0 } else { (rn.value as $I).wrapping_div(rm.value as $I) as $T })
        {
            /// Divides and rounds toward zero. If the divisor is 0, the result is 0.
            opcode ${OP}_$R : [TWO_$R] { encoding { op == $OPC; } syntax { $OP } semantics { rd = $RESULT; } }
        }
        for $OP, $OPC in (lsl, 8), (lsr, 9), (asr, 10), (ror, 11) {
            /// Shifts or rotates by the low bits of the second register.
            opcode ${OP}_v_$R : [TWO_$R] { encoding { op == $OPC; } syntax { $OP }
                semantics { rd = Shift::$OP.apply(rn.value, rm.value as u32 % <$T>::BITS); } }
            synonym ${OP}_v_too_$R of ${OP}_v_$R { syntax { "${OP}v" rd, rn, rm; } }
        }

        // ---- operations on one register -------------------------------------------------------

        /// An operation on one register.
        group ONE_$R : [RR_$R] {
            encoding {
                field<30, 1> Bits1 one == 1; field<29, 1> Bits1 s == 0;
                field<21, 8> Bits8 class == 0b11010110; field<10, 11> Bits11 op;
            }
        }
        for $OP, $OPC, $RESULT in (rbit, 0, rn.value.reverse_bits()),
            (rev16, 1, rn.value >> 8 & (0x00ff_00ff_00ff_00ffu64 as $T) | (rn.value & (0x00ff_00ff_00ff_00ffu64 as $T)) << 8),
            (clz, 4, rn.value.leading_zeros() as $T),
            (cls, 5, (rn.value ^ (rn.value as $I >> 1) as $T).leading_zeros() as $T - 1)
        {
            /// Computes `$OP` of a register.
            opcode ${OP}_$R : [ONE_$R] { encoding { op == $OPC; } syntax { $OP } semantics { rd = $RESULT; } }
        }

        // ---- operations on three registers ----------------------------------------------------

        /// The sum or difference of a third register and a product.
        group MULTIPLY_$R : [RRR_$R] {
            encoding {
                field<29, 2> Bits2 zero == 0; field<21, 8> Bits8 class == 0b11011000;
                field<15, 1> Bits1 op; field<10, 5> $R ra;
            }
            syntax   { .. rd, rn, rm, ra; }
            operands { InList<rn, rm, ra>; Order<rd, rn, rm, ra>; }
        }
        for $OP, $ALIAS, $OPC, $FN in (madd, mul, 0, wrapping_add), (msub, mneg, 1, wrapping_sub) {
            /// Adds the product to a third register (`madd`) or subtracts it (`msub`).
            opcode ${OP}_$R : [MULTIPLY_$R] { encoding { op == $OPC; } syntax { $OP }
                semantics { rd = ra.value.$FN(rn.value.wrapping_mul(rm.value)); } }
            alias ${ALIAS}_$R of ${OP}_$R { encoding { ra == 31; } syntax { $ALIAS rd, rn, rm; } }
        }
    }

    for $R, $S, $T, $NAME, $RM, $EXTEND in
        (W, Wsp, u32, of_W, W, Extend), (X, Xsp, u64, of_W, W, ExtendW), (X, Xsp, u64, of_X, X, ExtendX)
    {
        /// Addition and subtraction of an extended register.
        group EXTENDED_${R}_$NAME {
            encoding {
                field<31, 1> Size sf == $R; field<29, 2> Bits2 op; field<21, 8> Bits8 class == 0b01011001;
                field<16, 5> $RM rm; field<13, 3> $EXTEND option; field<10, 3> Bits3 amount = 0; field<5, 5> $S rn;
                where amount <= 4;
            }
            syntax   { .. rd, rn, rm, option{ " #" amount}; }
            operands { InList<rn, rm, amount>; }
        }
        for $OP, $OPC in (add, 0), (sub, 2) {
            /// Computes `$OP` of a register and an extended register.
            opcode ${OP}_${R}_$NAME : [EXTENDED_${R}_$NAME] {
                encoding  { op == $OPC; field<0, 5> $S rd; }
                syntax    { $OP }
                operands  { OutList<rd>; }
                semantics { rd = $OP(rn.value, extend(rm.value.into(), option.to_bits(), amount.value) as $T).0; }
            }
        }
        for $OP, $FN, $CMP, $OPC in (adds, add, cmn, 1), (subs, sub, cmp, 3) {
            /// Computes `$FN` of a register and an extended register, and sets the flags.
            opcode ${OP}_${R}_$NAME : [EXTENDED_${R}_$NAME] {
                encoding  { op == $OPC; field<0, 5> $R rd; field<> Flags nzcv == 0; }
                syntax    { $OP }
                operands  { OutList<rd, nzcv>; }
                semantics { (rd, nzcv) = $FN(rn.value, extend(rm.value.into(), option.to_bits(), amount.value) as $T); }
            }
            alias ${CMP}_${R}_$NAME of ${OP}_${R}_$NAME {
                encoding { rd == 31; }
                syntax   { $CMP rn, rm, option{ " #" amount}; }
            }
        }
    }
    // If an operand is the stack pointer, an extension that changes no bits is printed as a shift.
    for $R, $NAME, $ALL in (W, of_W, uxtw), (X, of_X, uxtx) {
        for $OP in add, sub {
            alias ${OP}_sp_$R of ${OP}_${R}_$NAME else ${OP}_$R {
                encoding { option == $ALL; where rd == 31 or rn == 31; }
                syntax   { $OP rd, rn, rm{, "lsl #" amount}; }
            }
        }
        for $OP, $CMP in (adds, cmn), (subs, cmp) {
            alias ${OP}_sp_$R of ${OP}_${R}_$NAME else ${OP}_$R {
                encoding { rd != 31; rn == 31; option == $ALL; }
                syntax   { $OP rd, rn, rm{, "lsl #" amount}; }
            }
            alias ${CMP}_sp_$R of ${OP}_${R}_$NAME else ${CMP}_$R {
                encoding { rd == 31; rn == 31; option == $ALL; }
                syntax   { $CMP rn, rm{, "lsl #" amount}; }
            }
        }
    }

    // Byte reversal.
    /// Reverses the order of all bytes.
    opcode rev_W : [ONE_W] { encoding { op == 2; } syntax { rev } semantics { rd = rn.value.swap_bytes(); } }
    /// Reverses the order of all bytes.
    opcode rev_X : [ONE_X] { encoding { op == 3; } syntax { rev } semantics { rd = rn.value.swap_bytes(); } }
    /// Reverses the order of the bytes in each half.
    opcode rev32_X : [ONE_X] { encoding { op == 2; } syntax { rev32 }
        semantics { rd = rn.value.swap_bytes().rotate_left(32); } }

    for $SIZE, $OP, $R, $SF, $BYTES in (b, 0, W, 0, 1), (h, 1, W, 0, 2), (w, 2, W, 0, 4), (x, 3, X, 1, 8) {
        for $CRC, $C in (crc32, 4), (crc32c, 5) {
            /// Continues a checksum with $BYTES bytes.
            opcode ${CRC}_$SIZE {
                encoding {
                    field<31, 1> Bits1 sf == $SF; field<21, 10> Bits10 class == 0b0011010110;
                    field<12, 4> Bits4 op == $C; field<10, 2> Bits2 size == $OP;
                    field<16, 5> $R rm; field<5, 5> W rn; field<0, 5> W rd;
                }
                syntax    { "${CRC}${SIZE}" rd, rn, rm; }
                operands  { InList<rn, rm>; OutList<rd>; Order<rd, rn, rm>; }
                semantics { rd = $CRC(rn.value, rm.value.into(), $BYTES); }
            }
        }
    }

    for $U, $I, $TO, $SIGN in (0, i32, i64, s), (1, u32, u64, u) {
        /// The sum or difference of a 64-bit register and the product of two 32-bit registers.
        group WIDE_MULTIPLY_$SIGN {
            encoding {
                field<24, 8> Bits8 class == 0b10011011; field<23, 1> Bits1 u == $U; field<21, 2> Bits2 long == 1;
                field<16, 5> W rm; field<15, 1> Bits1 op; field<10, 5> X ra; field<5, 5> W rn; field<0, 5> X rd;
            }
            syntax   { .. rd, rn, rm, ra; }
            operands { InList<rn, rm, ra>; OutList<rd>; Order<rd, rn, rm, ra>; }
        }
        for $OP, $ALIAS, $OPC, $FN in (maddl, mull, 0, wrapping_add), (msubl, mnegl, 1, wrapping_sub) {
            /// Adds the product to a 64-bit register, or subtracts it.
            opcode ${SIGN}_$OP : [WIDE_MULTIPLY_$SIGN] {
                encoding { op == $OPC; }
                syntax { "${SIGN}${OP}" }
                semantics {
                    let product = (rn.value as $I as $TO).wrapping_mul(rm.value as $I as $TO);
                    rd = ra.value.$FN(product as u64);
                }
            }
            alias ${SIGN}_$ALIAS of ${SIGN}_$OP { encoding { ra == 31; } syntax { "${SIGN}${ALIAS}" rd, rn, rm; } }
        }
        /// Computes the high half of the product of two registers.
        opcode ${SIGN}_mulh : [RRR_X] {
            encoding {
                field<24, 7> Bits7 class == 0b0011011; field<23, 1> Bits1 u == $U; field<21, 2> Bits2 high == 2;
                field<10, 6> Bits6 ones == 0b011111;
            }
            syntax    { "${SIGN}mulh" }
            semantics { rd = ((rn.value as $TO as i128).wrapping_mul(rm.value as $TO as i128) >> 64) as u64; }
        }
    }
}

impl SumShift {
    /// Shifts a number by fewer bits than its width.
    #[inline]
    fn apply<T: Int>(self, number: T, bits: u32) -> T {
        match self {
            SumShift::lsl => number << bits,
            SumShift::lsr => number >> bits,
            SumShift::asr => T::of((number.signed() >> bits) as u64),
        }
    }
}
