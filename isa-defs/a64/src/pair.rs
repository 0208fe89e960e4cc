//! Loads and stores of register pairs.

use super::machine::Memory;

isa_core::define_isa! {
    /// Loads and stores of two registers.
    pub isa TwoRegisters: u32;

    use crate::base::Base;

    for $N, $SHIFT in (4, 2), (8, 3) {
        /// An offset in units of $N bytes.
        operand Steps$$N: 7 = isa_core::operand::Signed<7, $SHIFT>;
    }

    /// An access for two registers, to an address that a third register specifies.
    group PAIR {
        encoding {
            field<30, 2> Bits2 opc; field<25, 5> Bits5 class == 0b10100; field<23, 2> Bits2 mode;
            field<22, 1> Bits1 load; field<5, 5> Xsp rn;
        }
    }
    /// An access at a register plus an offset.
    group PAIR_AT : [PAIR] { syntax { .. rt, rt2, "[" rn{, "#" imm} "]"; } }
    /// An access at a register plus an offset. The register is then set to the address.
    group PAIR_BEFORE : [PAIR] { encoding { mode == 3; } syntax { .. rt, rt2, "[" rn, "#" imm "]" "!"; } }
    /// An access at a register. The offset is then added to the register.
    group PAIR_BEHIND : [PAIR] { encoding { mode == 1; } syntax { .. rt, rt2, "[" rn "]", "#" imm; } }

    for $R, $OPC, $BYTES in (W, 0, 4), (X, 2, 8) {
        /// A store of two registers of $BYTES bytes.
        group STORE_PAIR_$R : [PAIR] {
            encoding { opc == $OPC; load == 0; field<10, 5> $R rt2; field<0, 5> $R rt; }
            operands { InList<rt, rt2, rn, imm>; }
        }
        for $OP, $MODE in (stnp, 0), (stp, 2) {
            /// Stores two registers of $BYTES bytes at a third register plus an offset.
            opcode ${OP}_$R : [PAIR_AT, STORE_PAIR_$R] {
                encoding  { mode == $MODE; field<15, 7> Steps$$BYTES imm = 0; }
                syntax    { $OP }
                operands  { OutList<>; }
                semantics(cpu: Memory) {
                    let address = rn.value.wrapping_add_signed(imm.value);
                    cpu.store(address, $BYTES, rt.value.into())?;
                    cpu.store(address.wrapping_add($BYTES), $BYTES, rt2.value.into())?;
                }
            }
        }
        for $MODE, $GROUP, $FIRST, $THEN in (before, PAIR_BEFORE, imm.value, 0), (behind, PAIR_BEHIND, 0, imm.value) {
            /// Stores two registers, and adds the offset to the address register before or after
            /// the store.
            opcode stp_${MODE}_$R : [$GROUP, STORE_PAIR_$R] {
                encoding  { field<15, 7> Steps$$BYTES imm; where rn != rt and rn != rt2 or rn == 31; }
                syntax    { stp }
                operands  { OutList<rn>; }
                semantics(cpu: Memory) {
                    let address = rn.wrapping_add_signed($FIRST);
                    cpu.store(address, $BYTES, rt.value.into())?;
                    cpu.store(address.wrapping_add($BYTES), $BYTES, rt2.value.into())?;
                    rn = address.wrapping_add_signed($THEN);
                }
            }
        }
    }

    for $OP, $R, $OPC, $BYTES, $AS, $T in (ldp, W, 0, 4, u32, u32), (ldpsw, X, 1, 4, i32, u64), (ldp, X, 2, 8, u64, u64) {
        /// A load of two registers, each from $BYTES bytes of memory.
        group LOAD_${OP}_$R : [PAIR] {
            encoding { opc == $OPC; load == 1; field<10, 5> $R rt2; field<0, 5> $R rt; field<15, 7> Steps$$BYTES imm; where rt != rt2; }
            operands { InList<rn, imm>; OutList<rt, rt2>; }
        }
        for $MODE, $GROUP, $FIRST, $THEN in (before, PAIR_BEFORE, imm.value, 0), (behind, PAIR_BEHIND, 0, imm.value) {
            /// Loads two registers, and adds the offset to the address register before or after the
            /// load.
            opcode ${OP}_${MODE}_$R : [$GROUP, LOAD_${OP}_$R] {
                encoding  { where rn != rt and rn != rt2 or rn == 31; }
                syntax    { $OP }
                operands  { OutList<rt, rt2, rn>; }
                semantics(cpu: Memory) {
                    let address = rn.wrapping_add_signed($FIRST);
                    rt = cpu.load(address, $BYTES)? as $AS as $T;
                    rt2 = cpu.load(address.wrapping_add($BYTES), $BYTES)? as $AS as $T;
                    rn = address.wrapping_add_signed($THEN);
                }
            }
        }
    }
    for $NAME, $OP, $R, $MODE, $BYTES, $AS, $T in (ldp, ldp, W, 2, 4, u32, u32), (ldpsw, ldpsw, X, 2, 4, i32, u64),
        (ldp, ldp, X, 2, 8, u64, u64), (ldnp, ldp, W, 0, 4, u32, u32), (ldnp, ldp, X, 0, 8, u64, u64)
    {
        /// Loads two registers at a third register plus an offset. `ldnp` hints that the memory is
        /// not needed again soon.
        opcode ${NAME}_$R : [PAIR_AT, LOAD_${OP}_$R] {
            encoding  { mode == $MODE; imm = 0; }
            syntax    { $NAME }
            semantics(cpu: Memory) {
                let address = rn.value.wrapping_add_signed(imm.value);
                rt = cpu.load(address, $BYTES)? as $AS as $T;
                rt2 = cpu.load(address.wrapping_add($BYTES), $BYTES)? as $AS as $T;
            }
        }
    }
}
