//! Loads and stores of a single register.

use super::machine::{Control, Memory, extend};

isa_core::define_isa! {
    /// Loads and stores of one register.
    pub isa OneRegister: u32;

    use crate::base::Base;

    /// An offset in bytes.
    operand Offset: 9 = isa_core::operand::Signed<9>;
    /// The extension of a register that is added to an address.
    enum IndexExtend: 3 { uxtw = 2, lsl = 3, sxtw = 6, sxtx = 7 }
    /// A prefetch for loads (`pld`), instructions (`pli`) or stores (`pst`), with the level of the
    /// cache, and with `strm` for data that is used only once.
    enum Fetched: 5 {
        pldl1keep = 0, pldl1strm = 1, pldl2keep = 2, pldl2strm = 3, pldl3keep = 4, pldl3strm = 5,
        plil1keep = 8, plil1strm = 9, plil2keep = 10, plil2strm = 11, plil3keep = 12, plil3strm = 13,
        pstl1keep = 16, pstl1strm = 17, pstl2keep = 18, pstl2strm = 19, pstl3keep = 20, pstl3strm = 21,
    }
    format Prefetch = isa_core::operand::NamedOr<Fetched, isa_core::operand::HashPrefixed<crate::base::Bits5>>;
    for $N, $SHIFT in (1, 0), (2, 1), (4, 2), (8, 3) {
        format Index$$N = crate::formats::IndexBy<$SHIFT>;
    }

    /// An access to an address that a register specifies.
    group ACCESS {
        encoding { field<30, 2> Bits2 size; field<24, 6> Bits6 class; field<22, 2> Bits2 opc; field<5, 5> Xsp rn; }
    }
    for $N, $SHIFT in (1, 0), (2, 1), (4, 2), (8, 3) {
        /// An offset in units of $N bytes.
        operand By$$N: 12 = crate::number::InPage<12, $SHIFT>;
        /// An access at a register plus an offset in units of $N bytes.
        group SCALED_$N : [ACCESS] {
            encoding { class == 0b111001; field<10, 12> By$$N imm = 0; }
            syntax   { .. rt, "[" rn{, "#" imm} "]"; }
        }
    }
    for $N in 0, 2 {
        /// An access at a register plus an offset in bytes.
        group UNSCALED_$N : [ACCESS] {
            encoding {
                class == 0b111000; field<21, 1> Bits1 o21 == 0; field<12, 9> Offset imm = 0; field<10, 2> Bits2 mode == $N;
            }
            syntax   { .. rt, "[" rn{, "#" imm} "]"; }
        }
    }
    /// An access at a register plus an offset. The register is then set to the address.
    group BEFORE : [ACCESS] {
        encoding {
            class == 0b111000; field<21, 1> Bits1 o21 == 0; field<12, 9> Offset imm; field<10, 2> Bits2 mode == 3;
        }
        syntax   { .. rt, "[" rn, "#" imm "]" "!"; }
    }
    /// An access at a register. The offset is then added to the register.
    group BEHIND : [ACCESS] {
        encoding { class == 0b111000; field<21, 1> Bits1 o21 == 0; field<12, 9> Offset imm; field<10, 2> Bits2 mode == 1; }
        syntax   { .. rt, "[" rn "]", "#" imm; }
    }
    /// An access at the sum of two registers.
    group INDEXED : [ACCESS] {
        encoding {
            class == 0b111000; field<21, 1> Bits1 o21 == 1; field<10, 2> Bits2 mode == 2;
            field<16, 5> X rm; field<13, 3> IndexExtend option; field<12, 1> Bits1 s;
        }
        syntax { .. rt, "[" rn, index "]"; }
    }
    /// An access to an address relative to the instruction.
    group LITERAL {
        encoding { field<30, 2> Bits2 opc; field<24, 6> Bits6 class == 0b011000; field<5, 19> To19 to; }
        syntax   { .. rt, to; }
    }

    for $OP, $UNSCALED, $USER, $R, $SIZE, $BYTES in
        (strb, sturb, sttrb, W, 0, 1), (strh, sturh, sttrh, W, 1, 2), (str, stur, sttr, W, 2, 4), (str, stur, sttr, X, 3, 8)
    {
        /// A store of the low $BYTES bytes.
        group STORE_$BYTES : [ACCESS] { encoding { size == $SIZE; opc == 0; field<0, 5> $R rt; } operands { InList<rt, rn, imm>; } }
        /// Stores the low $BYTES bytes at the sum of two registers.
        opcode ${OP}_index_$R : [INDEXED, STORE_$BYTES] {
            syntax    { $OP }
            operands  { InList<rt, rn, rm, s>; OutList<>; AsmFormat<index: rm, option, s> = Index$$BYTES(); }
            semantics(cpu: Memory) {
                let address = rn.value.wrapping_add(extend(rm.value, option.to_bits(), if s.value == 1 { $SIZE } else { 0 }));
                cpu.store(address, $BYTES, rt.value.into())?;
            }
        }
        for $NAME, $GROUP in ($OP, SCALED_$BYTES), ($UNSCALED, UNSCALED_0), ($USER, UNSCALED_2) {
            /// Stores the low $BYTES bytes at a register plus an offset.
            opcode ${NAME}_$R : [$GROUP, STORE_$BYTES] {
                syntax    { $NAME }
                operands  { OutList<>; }
                semantics(cpu: Memory) { cpu.store(rn.value.wrapping_add(imm.value as u64), $BYTES, rt.value.into())?; }
            }
        }
        for $MODE, $GROUP, $FIRST, $THEN in (before, BEFORE, imm.value, 0), (behind, BEHIND, 0, imm.value) {
            /// Stores the low $BYTES bytes, and adds the offset to the address register before or
            /// after the store.
            opcode ${OP}_${MODE}_$R : [$GROUP, STORE_$BYTES] {
                encoding  { where rn != rt or rn == 31; }
                syntax    { $OP }
                operands  { OutList<rn>; }
                semantics(cpu: Memory) {
                    let address = rn.wrapping_add_signed($FIRST);
                    cpu.store(address, $BYTES, rt.value.into())?;
                    rn = address.wrapping_add_signed($THEN);
                }
            }
        }
        synonym ${OP}_at_$R of ${UNSCALED}_$R else ${OP}_$R { syntax { $OP rt, "[" rn{, "#" imm} "]"; } }
        synonym ${OP}_in_page_$R of ${OP}_$R { syntax { $OP rt, "[" rn, imm "]"; } }
    }

    for $OP, $UNSCALED, $USER, $R, $SIZE, $OPC, $BYTES, $AS, $T in
        (ldrb, ldurb, ldtrb, W, 0, 1, 1, u8, u32), (ldrsb, ldursb, ldtrsb, X, 0, 2, 1, i8, u64),
        (ldrsb, ldursb, ldtrsb, W, 0, 3, 1, i8, u32), (ldrh, ldurh, ldtrh, W, 1, 1, 2, u16, u32),
        (ldrsh, ldursh, ldtrsh, X, 1, 2, 2, i16, u64), (ldrsh, ldursh, ldtrsh, W, 1, 3, 2, i16, u32),
        (ldr, ldur, ldtr, W, 2, 1, 4, u32, u32), (ldrsw, ldursw, ldtrsw, X, 2, 2, 4, i32, u64),
        (ldr, ldur, ldtr, X, 3, 1, 8, u64, u64)
    {
        /// A load of $BYTES bytes.
        group LOAD_${OP}_$R : [ACCESS] { encoding { size == $SIZE; opc == $OPC; field<0, 5> $R rt; } operands { InList<rn, imm>; } }
        /// Loads $BYTES bytes at the sum of two registers.
        opcode ${OP}_index_$R : [INDEXED, LOAD_${OP}_$R] {
            syntax    { $OP }
            operands  { InList<rn, rm, s>; OutList<rt>; AsmFormat<index: rm, option, s> = Index$$BYTES(); }
            semantics(cpu: Memory) {
                let address = rn.value.wrapping_add(extend(rm.value, option.to_bits(), if s.value == 1 { $SIZE } else { 0 }));
                rt = cpu.load(address, $BYTES)? as $AS as $T;
            }
        }
        for $NAME, $GROUP in ($OP, SCALED_$BYTES), ($UNSCALED, UNSCALED_0), ($USER, UNSCALED_2) {
            /// Loads $BYTES bytes at a register plus an offset.
            opcode ${NAME}_$R : [$GROUP, LOAD_${OP}_$R] {
                syntax    { $NAME }
                operands  { OutList<rt>; }
                semantics(cpu: Memory) { rt = cpu.load(rn.value.wrapping_add(imm.value as u64), $BYTES)? as $AS as $T; }
            }
        }
        for $MODE, $GROUP, $FIRST, $THEN in (before, BEFORE, imm.value, 0), (behind, BEHIND, 0, imm.value) {
            /// Loads $BYTES bytes, and adds the offset to the address register before or after the
            /// load.
            opcode ${OP}_${MODE}_$R : [$GROUP, LOAD_${OP}_$R] {
                encoding  { where rn != rt or rn == 31; }
                syntax    { $OP }
                operands  { OutList<rt, rn>; }
                semantics(cpu: Memory) {
                    let address = rn.wrapping_add_signed($FIRST);
                    rt = cpu.load(address, $BYTES)? as $AS as $T;
                    rn = address.wrapping_add_signed($THEN);
                }
            }
        }
        synonym ${OP}_at_$R of ${UNSCALED}_$R else ${OP}_$R { syntax { $OP rt, "[" rn{, "#" imm} "]"; } }
        synonym ${OP}_in_page_$R of ${OP}_$R { syntax { $OP rt, "[" rn, imm "]"; } }
    }
    for $OP, $R, $OPC, $BYTES, $AS, $T in (ldr, W, 0, 4, u32, u32), (ldr, X, 1, 8, u64, u64), (ldrsw, X, 2, 4, i32, u64) {
        /// Loads $BYTES bytes at an address relative to the instruction.
        opcode ${OP}_literal_$R : [LITERAL] {
            encoding  { opc == $OPC; field<0, 5> $R rt; }
            syntax    { $OP }
            operands  { InList<to>; OutList<rt>; }
            semantics(cpu: Memory + Control) {
                rt = cpu.load(cpu.pc().wrapping_add_signed(to.value), $BYTES)? as $AS as $T;
            }
        }
    }

    /// A prefetch of memory that is needed soon.
    group PREFETCH {
        encoding { field<0, 5> Bits5 rt; }
        operands { OutList<>; AsmFormat<rt> = Prefetch(rt); }
    }
    for $OP, $GROUP in (prfm, SCALED_8), (prfum, UNSCALED_0) {
        /// Prefetches memory at a register plus an offset.
        opcode $OP : [$GROUP, PREFETCH] {
            encoding  { size == 3; opc == 2; }
            syntax    { $OP }
            operands  { InList<rn, imm>; }
            semantics { let _ = (rn, imm); }
        }
    }
    /// Prefetches memory at the sum of two registers.
    opcode prfm_index : [INDEXED, PREFETCH] {
        encoding  { size == 3; opc == 2; }
        syntax    { prfm }
        operands  { InList<rn, rm, s>; AsmFormat<index: rm, option, s> = Index8(); }
        semantics { let _ = (rn, rm, s, option); }
    }
    /// Prefetches memory at an address relative to the instruction.
    opcode prfm_literal : [LITERAL, PREFETCH] {
        encoding  { opc == 3; }
        syntax    { prfm }
        operands  { InList<to>; }
        semantics { let _ = to; }
    }
}
