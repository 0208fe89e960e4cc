//! Exclusive loads and stores, and loads and stores that order other accesses.

use super::machine::Memory;

isa_core::define_isa! {
    /// Loads and stores that reserve memory, or that order other accesses.
    pub isa Exclusive: u32;

    use crate::base::Base;

    /// An access to the address in a register.
    group ORDERED {
        encoding {
            field<30, 2> Bits2 size; field<24, 6> Bits6 class == 0b001000; field<21, 3> Bits3 op;
            field<15, 1> Bits1 ordered; field<5, 5> Xsp rn;
        }
    }
    for $LDXR, $STXR, $LDAXR, $STLXR, $LDAR, $STLR, $R, $SIZE, $BYTES, $T in
        (ldxrb, stxrb, ldaxrb, stlxrb, ldarb, stlrb, W, 0, 1, u32),
        (ldxrh, stxrh, ldaxrh, stlxrh, ldarh, stlrh, W, 1, 2, u32),
        (ldxr, stxr, ldaxr, stlxr, ldar, stlr, W, 2, 4, u32),
        (ldxr, stxr, ldaxr, stlxr, ldar, stlr, X, 3, 8, u64)
    {
        /// An access of $BYTES bytes.
        group ORDERED_$BYTES : [ORDERED] { encoding { size == $SIZE; field<10, 5> Bits5 rt2 == 31; field<0, 5> $R rt; } }

        for $ORDER, $LOAD, $STORE in (0, $LDXR, $STXR), (1, $LDAXR, $STLXR) {
            /// Loads and reserves the address.
            opcode ${LOAD}_$BYTES : [ORDERED_$BYTES] {
                encoding  { op == 2; ordered == $ORDER; field<16, 5> Bits5 rs == 31; }
                syntax    { $LOAD rt, "[" rn "]"; }
                operands  { InList<rn>; OutList<rt>; Order<rt, rn>; }
                semantics(cpu: Memory) { rt = cpu.load_reserved(rn.value, $BYTES, $BYTES)?.0 as $T; }
            }
            /// Stores if the address is still reserved. Writes 0 if it stored, otherwise 1.
            opcode ${STORE}_$BYTES : [ORDERED_$BYTES] {
                encoding  { op == 0; ordered == $ORDER; field<16, 5> W rs; where rs != rt and (rs != rn or rn == 31); }
                syntax    { $STORE rs, rt, "[" rn "]"; }
                operands  { InList<rt, rn>; OutList<rs>; Order<rs, rt, rn>; }
                semantics(cpu: Memory) { rs = cpu.store_reserved(rn.value, $BYTES, &[rt.value.into()])?; }
            }
        }
        /// Loads, and orders the load before all later accesses.
        opcode ldar_$BYTES : [ORDERED_$BYTES] {
            encoding  { op == 6; ordered == 1; field<16, 5> Bits5 rs == 31; }
            syntax    { $LDAR rt, "[" rn "]"; }
            operands  { InList<rn>; OutList<rt>; Order<rt, rn>; }
            semantics(cpu: Memory) { rt = cpu.load(cpu.aligned(rn.value, $BYTES)?, $BYTES)? as $T; }
        }
        /// Stores, and orders the store after all earlier accesses.
        opcode stlr_$BYTES : [ORDERED_$BYTES] {
            encoding  { op == 4; ordered == 1; field<16, 5> Bits5 rs == 31; }
            syntax    { $STLR rt, "[" rn "]"; }
            operands  { InList<rt, rn>; OutList<>; Order<rt, rn>; }
            semantics(cpu: Memory) { cpu.store(cpu.aligned(rn.value, $BYTES)?, $BYTES, rt.value.into())?; }
        }
        // Synonyms with an explicit offset, which must be 0.
        for $OP, $NAME in ($LDXR, $LDXR), ($LDAXR, $LDAXR), ($LDAR, ldar), ($STLR, stlr) {
            synonym ${NAME}_at_0_$BYTES of ${NAME}_$BYTES { syntax { $OP rt, "[" rn, "#0" "]"; } }
        }
        for $OP in $STXR, $STLXR {
            synonym ${OP}_at_0_$BYTES of ${OP}_$BYTES { syntax { $OP rs, rt, "[" rn, "#0" "]"; } }
        }
    }
    for $R, $SIZE, $BYTES, $T in (W, 2, 4, u32), (X, 3, 8, u64) {
        /// An access to memory for two registers of $BYTES bytes.
        group TWO_ORDERED_$R : [ORDERED] { encoding { size == $SIZE; field<10, 5> $R rt2; field<0, 5> $R rt; } }

        for $ORDER, $LOAD, $STORE in (0, ldxp, stxp), (1, ldaxp, stlxp) {
            /// Loads two registers and reserves the address.
            opcode ${LOAD}_$R : [TWO_ORDERED_$R] {
                encoding  { op == 3; ordered == $ORDER; field<16, 5> Bits5 rs == 31; where rt != rt2; }
                syntax    { $LOAD rt, rt2, "[" rn "]"; }
                operands  { InList<rn>; OutList<rt, rt2>; Order<rt, rt2, rn>; }
                semantics(cpu: Memory) {
                    let (low, high) = cpu.load_reserved(rn.value, $BYTES, 2 * $BYTES)?;
                    (rt, rt2) = (low as $T, high as $T);
                }
            }
            /// Stores two registers if the address is still reserved. Writes 0 if it stored,
            /// otherwise 1.
            opcode ${STORE}_$R : [TWO_ORDERED_$R] {
                encoding  {
                    op == 1; ordered == $ORDER; field<16, 5> W rs;
                    where rs != rt and rs != rt2 and (rs != rn or rn == 31);
                }
                syntax    { $STORE rs, rt, rt2, "[" rn "]"; }
                operands  { InList<rt, rt2, rn>; OutList<rs>; Order<rs, rt, rt2, rn>; }
                semantics(cpu: Memory) {
                    rs = cpu.store_reserved(rn.value, $BYTES, &[rt.value.into(), rt2.value.into()])?;
                }
            }
        }
        for $OP in ldxp, ldaxp {
            synonym ${OP}_at_0_$R of ${OP}_$R { syntax { $OP rt, rt2, "[" rn, "#0" "]"; } }
        }
        for $OP in stxp, stlxp {
            synonym ${OP}_at_0_$R of ${OP}_$R { syntax { $OP rs, rt, rt2, "[" rn, "#0" "]"; } }
        }
    }
}
