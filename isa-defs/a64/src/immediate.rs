//! Data processing with an immediate.

use super::machine::{Control, add, bitfield, logic, sub};

isa_core::define_isa! {
    /// Data processing with an immediate.
    pub isa Immediate: u32;

    use crate::base::Base;

    /// The left shift of a 16-bit number in a 32-bit register.
    operand HwW: 1 = isa_core::operand::Unsigned<1, 4>;
    /// The left shift of a 16-bit number in a 64-bit register.
    operand HwX: 2 = isa_core::operand::Unsigned<2, 4>;
    /// The left shift of an immediate in bits.
    enum Lsl12: 1 { "0" = 0, "12" = 1 }
    /// A 32-bit bitmask immediate: a rotated run of ones, repeated to fill the number.
    operand BitmaskW: 13 = isa_core::operand::ComputedImmediate<crate::number::Bitmask<5, false>>,
        reserved("1xxxxxxxxxxxx", "0xxxxxx011111", "0xxxxxx101111", "0xxxxxx110111",
                 "0xxxxxx111011", "0xxxxxx111101", "0xxxxxx11111x");
    /// A 64-bit bitmask immediate: a rotated run of ones, repeated to fill the number.
    operand BitmaskX: 13 = isa_core::operand::ComputedImmediate<crate::number::Bitmask<6, false>>,
        reserved("1xxxxxx111111", "0xxxxxx011111", "0xxxxxx101111", "0xxxxxx110111",
                 "0xxxxxx111011", "0xxxxxx111101", "0xxxxxx11111x");
    /// A number to add, or the offset of an address in its page.
    operand Imm12: 12 = crate::number::InPage<12>;
    /// The distance to an address.
    operand Near: 21 = isa_core::operand::HashPrefixed<isa_core::operand::Relative<21>>;
    /// The distance to a page of 4096 bytes.
    operand Far: 21 = isa_core::operand::HashPrefixed<isa_core::operand::RelativeUnit<21, 12>>;

    // ---- addresses ----------------------------------------------------------------------------

    /// An address relative to the instruction.
    group ADDRESS {
        encoding { field<31, 1> Bits1 op; field<24, 5> Bits5 class == 0b10000; field<0, 5> X rd; }
        syntax   { .. rd, to; }
        operands { InList<to>; OutList<rd>; Order<rd, to>; }
    }
    /// Computes the address at a distance from the instruction.
    opcode ADR : [ADDRESS] { encoding { op == 0; field<5, 19 : 29, 2> Near to; } syntax { adr }
        semantics(cpu: Control) { rd = cpu.pc().wrapping_add_signed(to.value); } }
    /// Computes the address of the page at a distance from the page of the instruction.
    opcode ADRP : [ADDRESS] { encoding { op == 1; field<5, 19 : 29, 2> Far to; } syntax { adrp }
        semantics(cpu: Control) { rd = (cpu.pc() & !0xfff).wrapping_add_signed(to.value); } }

    format Negated = isa_core::operand::ComputedImmediate<crate::number::Summand<0, true>>;
    format Pages = isa_core::operand::ComputedImmediate<crate::number::Summand<12, false>>;
    format NegatedPages = isa_core::operand::ComputedImmediate<crate::number::Summand<12, true>>;
    format FieldWidth = isa_core::operand::ComputedImmediate<crate::number::Width>;
    for $R, $N, $LOG in (W, 32, 5), (X, 64, 6) {
        format As$$R = isa_core::operand::FixedText<crate::base::$R>;
        format Twice$$R = isa_core::operand::Duplicated<crate::base::$R>;
        format Up$$R = isa_core::operand::ComputedImmediate<crate::number::UpBy<$N>>;
        format Left$$R = isa_core::operand::ComputedImmediate<crate::number::LeftBy<$N>>;
        format Wide$$R = isa_core::operand::ComputedImmediate<crate::number::Halves<$N, false>>;
        format WideNot$$R = isa_core::operand::ComputedImmediate<crate::number::Halves<$N, true>>;
        format Mask$$R = isa_core::operand::ComputedImmediate<crate::number::Bitmask<$LOG, true>>;
    }

    for $R, $S, $SP, $T, $N, $H, $LAST in
        (W, Wsp, "wsp", u32, 5, 1, 31), (X, Xsp, "sp", u64, 6, 2, 63)
    {
        // ---- addition and subtraction ---------------------------------------------------------

        /// Addition and subtraction of an immediate.
        group ADD_SUB_IMM_$R {
            encoding {
                field<31, 1> Size sf == $R; field<29, 2> Bits2 op; field<23, 6> Bits6 class == 0b100010;
                field<22, 1> Lsl12 sh = "0"; field<10, 12> Imm12 imm; field<5, 5> $S rn;
            }
            syntax   { .. rd, rn, "#" imm{, "lsl #" sh}; }
            operands { InList<rn, imm>; Order<rd, rn, imm, sh>; }
        }
        for $OP, $OPC in (add, 0), (sub, 2) {
            /// Computes `$OP` of a register and an immediate.
            opcode ${OP}_imm_$R : [ADD_SUB_IMM_$R] {
                encoding  { op == $OPC; field<0, 5> $S rd; }
                syntax    { $OP }
                operands  { OutList<rd>; }
                semantics { rd = $OP(rn.value, (imm.value << (sh.to_bits() * 12)) as $T).0; }
            }
        }
        synonym add_in_page_$R of add_imm_$R { encoding { sh == "0"; } syntax { add rd, rn, imm; } }
        for $OP, $FN, $CMP, $OPC in (adds, add, cmn, 1), (subs, sub, cmp, 3) {
            /// Computes `$FN` of a register and an immediate, and sets the flags.
            opcode ${OP}_imm_$R : [ADD_SUB_IMM_$R] {
                encoding  { op == $OPC; field<0, 5> $R rd; field<> Flags nzcv == 0; }
                syntax    { $OP }
                operands  { OutList<rd, nzcv>; }
                semantics { (rd, nzcv) = $FN(rn.value, (imm.value << (sh.to_bits() * 12)) as $T); }
            }
            alias ${CMP}_imm_$R of ${OP}_imm_$R {
                encoding { rd == 31; }
                syntax   { $CMP rn, "#" imm{, "lsl #" sh}; }
            }
        }
        // Synonyms for a number that contains the shift, such as 4096, and for a negative number, which
        // the opposite instruction encodes.
        for $OP, $OTHER in (add, sub), (sub, add), (adds, subs), (subs, adds) {
            synonym ${OP}_pages_$R of ${OP}_imm_$R else ${OP}_imm_$R {
                encoding { sh == "12"; }
                syntax   { $OP rd, rn, "#" imm; }
                operands { AsmFormat<imm> = Pages(imm); }
            }
            synonym ${OP}_negated_$R of ${OTHER}_imm_$R else ${OP}_imm_$R, ${OP}_pages_$R {
                syntax   { $OP rd, rn, "#" imm{, "lsl #" sh}; }
                operands { AsmFormat<imm> = Negated(imm); }
            }
            synonym ${OP}_negated_pages_$R of ${OTHER}_imm_$R
                else ${OP}_imm_$R, ${OP}_pages_$R, ${OP}_negated_$R
            {
                encoding { sh == "12"; }
                syntax   { $OP rd, rn, "#" imm; }
                operands { AsmFormat<imm> = NegatedPages(imm); }
            }
        }
        for $CMP, $OP, $OTHER in (cmn, adds, subs), (cmp, subs, adds) {
            synonym ${CMP}_pages_$R of ${OP}_imm_$R else ${CMP}_imm_$R {
                encoding { rd == 31; sh == "12"; }
                syntax   { $CMP rn, "#" imm; }
                operands { AsmFormat<imm> = Pages(imm); }
            }
            synonym ${CMP}_negated_$R of ${OTHER}_imm_$R else ${CMP}_imm_$R, ${CMP}_pages_$R {
                encoding { rd == 31; }
                syntax   { $CMP rn, "#" imm{, "lsl #" sh}; }
                operands { AsmFormat<imm> = Negated(imm); }
            }
            synonym ${CMP}_negated_pages_$R of ${OTHER}_imm_$R
                else ${CMP}_imm_$R, ${CMP}_pages_$R, ${CMP}_negated_$R
            {
                encoding { rd == 31; sh == "12"; }
                syntax   { $CMP rn, "#" imm; }
                operands { AsmFormat<imm> = NegatedPages(imm); }
            }
        }
        alias mov_from_sp_$R of add_imm_$R {
            encoding { rd != 31; rn == 31; imm == 0; sh == "0"; }
            syntax   { mov rd, $SP; }
            operands { AsmFormat<rd> = As$$R(); }
        }
        alias mov_to_sp_$R of add_imm_$R {
            encoding { rd == 31; rn != 31; imm == 0; sh == "0"; }
            syntax   { mov $SP, rn; }
            operands { AsmFormat<rn> = As$$R(); }
        }
        alias mov_sp_$R of add_imm_$R { encoding { rd == 31; rn == 31; imm == 0; sh == "0"; } syntax { mov $SP, $SP; } }

        // ---- logic ----------------------------------------------------------------------------

        /// Bitwise logic with a bitmask immediate.
        group LOGIC_IMM_$R {
            encoding {
                field<31, 1> Size sf == $R; field<29, 2> Bits2 op; field<23, 6> Bits6 class == 0b100100;
                field<10, 13> Bitmask$$R imm; field<5, 5> $R rn;
            }
            syntax   { .. rd, rn, "#" imm; }
            operands { InList<rn, imm>; Order<rd, rn, imm>; }
        }
        for $OP, $OPC, $RESULT in (and, 0, rn.value & imm.value as $T),
            (orr, 1, rn.value | imm.value as $T), (eor, 2, rn.value ^ imm.value as $T)
        {
            /// Computes `$OP` of a register and a bitmask immediate.
            opcode ${OP}_imm_$R : [LOGIC_IMM_$R] {
                encoding  { op == $OPC; field<0, 5> $S rd; }
                syntax    { $OP }
                operands  { OutList<rd>; }
                semantics { rd = $RESULT; }
            }
        }
        /// Computes `and` of a register and a bitmask immediate, and sets the flags.
        opcode ands_imm_$R : [LOGIC_IMM_$R] {
            encoding  { op == 3; field<0, 5> $R rd; field<> Flags nzcv == 0; }
            syntax    { ands }
            operands  { OutList<rd, nzcv>; }
            semantics { (rd, nzcv) = logic(rn.value & imm.value as $T); }
        }
        alias tst_imm_$R of ands_imm_$R { encoding { rd == 31; } syntax { tst rn, "#" imm; } }

        // ---- move wide immediate --------------------------------------------------------------

        /// A move of a shifted 16-bit number to a register.
        group WIDE_$R {
            encoding {
                field<31, 1> Size sf == $R; field<29, 2> Bits2 op; field<23, 6> Bits6 class == 0b100101;
                field<21, $H> Hw$$R hw = 0; field<5, 16> Bits16 imm; field<0, 5> $R rd;
            }
            syntax   { .. rd, "#" imm{, "lsl #" hw}; }
            operands { InList<imm, hw>; OutList<rd>; Order<rd, imm, hw>; }
        }
        /// Moves the complement of the shifted number.
        opcode movn_$R : [WIDE_$R] { encoding { op == 0; } syntax { movn }
            semantics { rd = !(imm.value << hw.value) as $T; } }
        /// Moves the shifted number.
        opcode movz_$R : [WIDE_$R] { encoding { op == 2; } syntax { movz }
            semantics { rd = (imm.value << hw.value) as $T; } }
        /// Moves the number into 16 bits of the register and keeps the other bits.
        opcode movk_$R : [WIDE_$R] { encoding { op == 3; } syntax { movk }
            operands  { InList<rd, imm, hw>; }
            semantics { rd = rd & !(0xffff << hw.value) | (imm.value << hw.value) as $T; } }

        alias mov_of_movz_$R of movz_$R {
            encoding { where imm != 0 or hw == 0; }
            syntax   { mov rd, "#" value; }
            operands { AsmFormat<value: hw, imm> = Wide$$R(); }
        }
        alias mov_of_movn_$R of movn_$R else mov_of_movz_$R {
            encoding { where (imm != 0 or hw == 0) and (sf == X or imm != 0xffff); }
            syntax   { mov rd, "#" value; }
            operands { AsmFormat<value: hw, imm> = WideNot$$R(); }
        }
        alias mov_of_orr_$R of orr_imm_$R else mov_of_movz_$R, mov_of_movn_$R {
            encoding { rd != 31; rn == 31; }
            syntax   { mov rd, "#" imm; }
            operands { AsmFormat<rd> = As$$R(rd); AsmFormat<imm> = Mask$$R(imm); }
        }
        alias mov_sp_of_orr_$R of orr_imm_$R {
            encoding { rd == 31; rn == 31; where not crate::is_move_wide(sf, imm); }
            syntax   { mov $SP, "#" imm; }
            operands { AsmFormat<imm> = Mask$$R(imm); }
        }
        synonym mov_sp_too_$R of orr_imm_$R else mov_sp_of_orr_$R {
            encoding { rd == 31; rn == 31; }
            syntax   { mov $SP, "#" imm; }
            operands { AsmFormat<imm> = Mask$$R(imm); }
        }

        // ---- bitfields ------------------------------------------------------------------------

        /// A move of a bitfield to another register.
        group BITFIELD_$R {
            encoding {
                field<31, 1> Size sf == $R; field<29, 2> Bits2 op; field<23, 6> Bits6 class == 0b100110;
                field<22, 1> Size n == $R; field<16, $N> Bits$$N immr; field<10, $N> Bits$$N imms;
                field<5, 5> $R rn; field<0, 5> $R rd;
            }
            syntax   { .. rd, rn, "#" immr, "#" imms; }
            operands { InList<rn, immr, imms>; OutList<rd>; Order<rd, rn, immr, imms>; }
        }
        /// Moves a bitfield and sign-extends it. The bits below the bitfield become 0.
        opcode sbfm_$R : [BITFIELD_$R] { encoding { op == 0; } syntax { sbfm }
            semantics { rd = bitfield(rn.value, immr.value, imms.value).signed(); } }
        /// Moves a bitfield and keeps the other bits of the destination.
        opcode bfm_$R : [BITFIELD_$R] { encoding { op == 1; } syntax { bfm }
            operands  { InList<rd, rn, immr, imms>; }
            semantics { rd = bitfield(rn.value, immr.value, imms.value).within(rd); } }
        /// Moves a bitfield. The other bits become 0.
        opcode ubfm_$R : [BITFIELD_$R] { encoding { op == 2; } syntax { ubfm }
            semantics { rd = bitfield(rn.value, immr.value, imms.value).within(0); } }

        for $OP, $SHIFT, $UP, $DOWN in (sbfm, asr, sbfiz, sbfx), (ubfm, lsr, ubfiz, ubfx) {
            alias ${SHIFT}_imm_$R of ${OP}_$R { encoding { imms == $LAST; } syntax { $SHIFT rd, rn, "#" immr; } }
            alias ${UP}_$R of ${OP}_$R {
                encoding { where imms < immr; }
                syntax   { $UP rd, rn, "#" immr, "#" imms; }
                operands { AsmFormat<immr> = Up$$R(); AsmFormat<imms> = FieldWidth(); }
            }
            alias ${DOWN}_$R of ${OP}_$R {
                encoding { where imms >= immr; }
                syntax   { $DOWN rd, rn, "#" immr, "#" imms; }
                operands { AsmFormat<imms> = FieldWidth(imms, immr); }
            }
        }
        alias lsl_imm_$R of ubfm_$R {
            encoding { where imms + 1 == immr; }
            syntax   { lsl rd, rn, "#" shift; }
            operands { AsmFormat<shift: immr, imms> = Left$$R(); }
        }
        // Synonyms for a shift by 0 and for a bitfield at bit 0. Such words are printed as other
        // aliases.
        synonym lsl_by_0_$R of ubfm_$R else lsl_imm_$R {
            encoding { immr == 0; imms == $LAST; }
            syntax   { lsl rd, rn, "#" shift; }
            operands { AsmFormat<shift: immr, imms> = Left$$R(); }
        }
        for $OP, $UP in (sbfm, sbfiz), (ubfm, ubfiz), (bfm, bfi) {
            synonym ${UP}_by_0_$R of ${OP}_$R else ${UP}_$R {
                encoding { immr == 0; }
                syntax   { $UP rd, rn, "#" immr, "#" imms; }
                operands { AsmFormat<immr> = Up$$R(); AsmFormat<imms> = FieldWidth(); }
            }
        }
        alias bfi_$R of bfm_$R {
            encoding { where imms < immr; }
            syntax   { bfi rd, rn, "#" immr, "#" imms; }
            operands { AsmFormat<immr> = Up$$R(); AsmFormat<imms> = FieldWidth(); }
        }
        alias bfxil_$R of bfm_$R {
            encoding { where imms >= immr; }
            syntax   { bfxil rd, rn, "#" immr, "#" imms; }
            operands { AsmFormat<imms> = FieldWidth(imms, immr); }
        }
        for $OP, $IMMS in (sxtb, 7), (sxth, 15) {
            alias ${OP}_$R of sbfm_$R {
                encoding { immr == 0; imms == $IMMS; }
                syntax   { $OP rd, rn; }
                operands { AsmFormat<rn> = AsW(); }
            }
        }

        /// Extracts a register from the concatenation of two registers, starting at bit `lsb`. The
        /// first register is the upper half.
        opcode extr_$R : [RRR_$R] {
            encoding  { field<23, 8> Bits8 class == 0b00100111; field<22, 1> Size n == $R; field<10, $N> Bits$$N lsb; }
            syntax    { extr rd, rn, rm, "#" lsb; }
            operands  { InList<rn, rm, lsb>; Order<rd, rn, rm, lsb>; }
            semantics { rd = (((rn.value as u128) << (1 << $N) | rm.value as u128) >> lsb.value) as $T; }
        }
        alias ror_imm_$R of extr_$R {
            encoding { where rn == rm; }
            syntax   { ror rd, source, "#" lsb; }
            operands { AsmFormat<source: rn, rm> = Twice$$R(); }
        }
    }
    alias sxtw of sbfm_X {
        encoding { immr == 0; imms == 31; }
        syntax   { sxtw rd, rn; }
        operands { AsmFormat<rn> = AsW(); }
    }
    alias uxtb of ubfm_W { encoding { immr == 0; imms == 7; } syntax { uxtb rd, rn; } }
    alias uxth of ubfm_W { encoding { immr == 0; imms == 15; } syntax { uxth rd, rn; } }
}
