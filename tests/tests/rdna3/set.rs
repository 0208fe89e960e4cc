//! The specification.

use super::operands;
use isa_core::operand::FixedText;

isa_core::define_isa! {
    /// The packed half instructions of RDNA3, and those for one half in their short form.
    pub(crate) isa Rdna3: u32 | u64 | u96;

    operand Vgpr: 8 = operands::Vgpr;
    /// A register that an instruction for one half can name.
    operand LowVgpr: 8 = operands::Vgpr, reserved("1xxxxxxx");
    operand Source: 9 = operands::Source, reserved(
        "011010001", "01101001x", "0110101xx", "011011xxx", "011100xxx", "01110100x", "011101010",
        "011111001", "011111010"
    );
    operand LowSource: 9 = operands::Source, reserved(
        "011010001", "01101001x", "0110101xx", "011011xxx", "011100xxx", "01110100x", "011101010",
        "011111001", "011111010", "11xxxxxxx"
    );
    operand Literal16: 16 = isa_core::operand::Hex<16>;
    operand Literal32: 32 = isa_core::operand::Hex<32>;
    operand OpSel2: 2 = operands::OpSel2;
    operand OpSel3: 3 = operands::OpSel3;
    operand OpSelHi2: 2 = operands::OpSelHi2;
    operand OpSelHi3: 3 = operands::OpSelHi3;
    operand NegLo2: 2 = operands::NegLo2;
    operand NegLo3: 3 = operands::NegLo3;
    operand NegHi2: 2 = operands::NegHi2;
    operand NegHi3: 3 = operands::NegHi3;

    format SourceHalf = FixedText<operands::SourceHalf>;
    format SourceHalves = FixedText<operands::SourceHalves>;
    format SourceWords = FixedText<operands::SourceWords>;
    format MixSource = FixedText<operands::MixSource>;
    format Number = FixedText<isa_core::operand::PrefixedHex<32>>;

    enum Bit: 1 { Off = 0, On = 1 }
    enum Clamp: 1 { unlimited = 0, clamp = 1 }
    enum Vop2: 6 {
        v_add_f16 = 50, v_sub_f16 = 51, v_subrev_f16 = 52, v_mul_f16 = 53, v_fmac_f16 = 54, v_fmamk_f16 = 55,
        v_fmaak_f16 = 56, v_max_f16 = 57, v_min_f16 = 58, v_ldexp_f16 = 59, v_pk_fmac_f16 = 60
    }
    enum Vop3p: 7 {
        v_pk_mad_i16 = 0, v_pk_mul_lo_u16 = 1, v_pk_add_i16 = 2, v_pk_sub_i16 = 3, v_pk_lshlrev_b16 = 4,
        v_pk_lshrrev_b16 = 5, v_pk_ashrrev_i16 = 6, v_pk_max_i16 = 7, v_pk_min_i16 = 8, v_pk_mad_u16 = 9,
        v_pk_add_u16 = 10, v_pk_sub_u16 = 11, v_pk_max_u16 = 12, v_pk_min_u16 = 13, v_pk_fma_f16 = 14,
        v_pk_add_f16 = 15, v_pk_mul_f16 = 16, v_pk_min_f16 = 17, v_pk_max_f16 = 18, v_dot2_f32_f16 = 19,
        v_dot4_i32_iu8 = 22, v_dot4_u32_u8 = 23, v_dot8_i32_iu4 = 24, v_dot8_u32_u4 = 25,
        v_fma_mix_f32 = 32, v_fma_mixlo_f16 = 33, v_fma_mixhi_f16 = 34
    }

    /// Two sources. The first can be a literal after the instruction.
    group VOP2 {
        encoding {
            field<31, 1> Bit format == Off;
            field<25, 6> Vop2 op;
        }
    }
    /// Numbers of 16 bits. The upper half of the literal has no effect.
    group HALF : [VOP2] {
        encoding {
            word<64> if src0 == 255 or op in {v_fmamk_f16, v_fmaak_f16} else word<32>;
            field<17, 8> LowVgpr vdst;
            field<9, 8> LowVgpr vsrc1;
            field<0, 9> LowSource src0;
            field<32, 16> Literal16 literal = 0;
        }
        operands { AsmFormat<src0: literal, src0> = SourceHalf(); }
    }
    for $OP in add, sub, subrev, mul, fmac, max, min, ldexp {
        opcode v_$OP$$_f16 : [HALF] {
            encoding { op == v_$OP$$_f16; field<48, 16> Literal16 upper = 0, ignored; }
            syntax { "v_${OP}_f16_e32" vdst, src0, vsrc1; }
        }
    }
    /// The literal is the second factor.
    opcode v_fmamk_f16 : [HALF] {
        encoding { op == v_fmamk_f16; field<48, 16> Literal16 upper; }
        syntax { v_fmamk_f16 vdst, src0, k, vsrc1; }
        operands { AsmFormat<k: upper, literal> = Number(); }
    }
    /// The literal is the summand.
    opcode v_fmaak_f16 : [HALF] {
        encoding { op == v_fmaak_f16; field<48, 16> Literal16 upper; }
        syntax { v_fmaak_f16 vdst, src0, vsrc1, k; }
        operands { AsmFormat<k: upper, literal> = Number(); }
    }
    opcode v_pk_fmac_f16 : [VOP2] {
        encoding {
            word<64> if src0 == 255 else word<32>;
            op == v_pk_fmac_f16;
            field<17, 8> Vgpr vdst;
            field<9, 8> Vgpr vsrc1;
            field<0, 9> Source src0;
            field<32, 32> Literal32 literal = 0;
        }
        syntax { v_pk_fmac_f16 vdst, src0, vsrc1; }
        operands { AsmFormat<src0: literal, src0> = SourceHalves(); }
    }

    /// Instructions of 64 bits.
    group VOP3P {
        encoding {
            field<24, 8> Encoding format == vop3p;
            field<16, 7> Vop3p op;
            field<15, 1> Clamp clamp = unlimited;
            field<0, 8> Vgpr vdst;
            field<32, 9> Source src0;
            field<41, 9> Source src1;
        }
    }
    enum Encoding: 8 { vop3p = 0xcc }
    /// Two packed sources.
    group PACKED2 : [VOP3P] {
        encoding {
            word<96> if src0 == 255 or src1 == 255 else word<64>;
            field<8, 2> NegHi2 neg_hi = 0;
            field<11, 2> OpSel2 op_sel = 0;
            field<14, 1> Bit op_sel_hi2 = On, ignored;
            field<59, 2> OpSelHi2 op_sel_hi = 3;
            field<61, 2> NegLo2 neg_lo = 0;
            field<64, 32> Literal32 literal = 0;
        }
        syntax { .. vdst, src0, src1 $op_sel $op_sel_hi $neg_lo $neg_hi $clamp; }
    }
    /// Three packed sources.
    group PACKED3 : [VOP3P] {
        encoding {
            word<96> if src0 == 255 or src1 == 255 or src2 == 255 else word<64>;
            field<50, 9> Source src2;
            field<8, 3> NegHi3 neg_hi = 0;
            field<11, 3> OpSel3 op_sel = 0;
            field<14, 1 : 59, 2> OpSelHi3 op_sel_hi = 7;
            field<61, 3> NegLo3 neg_lo = 0;
            field<64, 32> Literal32 literal = 0;
        }
        syntax { .. vdst, src0, src1, src2 $op_sel $op_sel_hi $neg_lo $neg_hi $clamp; }
    }
    for $FORMAT, $KIND in (SourceHalves, HALVES), (SourceWords, INTEGERS) {
        group ${KIND}_2 : [PACKED2] {
            operands {
                AsmFormat<src0: literal, src0> = $FORMAT();
                AsmFormat<src1: literal, src1> = $FORMAT();
            }
        }
        group ${KIND}_3 : [PACKED3] {
            operands {
                AsmFormat<src0: literal, src0> = $FORMAT();
                AsmFormat<src1: literal, src1> = $FORMAT();
                AsmFormat<src2: literal, src2> = $FORMAT();
            }
        }
    }
    for $OP in pk_add, pk_mul, pk_min, pk_max {
        opcode v_$OP$$_f16 : [HALVES_2] { encoding { op == v_$OP$$_f16; } syntax { v_$OP$$_f16 } }
    }
    opcode v_pk_fma_f16 : [HALVES_3] { encoding { op == v_pk_fma_f16; } syntax { v_pk_fma_f16 } }
    /// The last source is a 32-bit float.
    opcode v_dot2_f32_f16 : [HALVES_3] {
        encoding { op == v_dot2_f32_f16; }
        syntax { v_dot2_f32_f16 }
        operands { AsmFormat<src2: literal, src2> = SourceWords(); }
    }
    for $OP in
        mul_lo_u16, add_i16, sub_i16, lshlrev_b16, lshrrev_b16, ashrrev_i16, max_i16, min_i16, add_u16, sub_u16,
        max_u16, min_u16
    {
        opcode v_pk_$OP : [INTEGERS_2] { encoding { op == v_pk_$OP; } syntax { v_pk_$OP } }
    }
    for $OP in pk_mad_i16, pk_mad_u16, dot4_i32_iu8, dot4_u32_u8, dot8_i32_iu4, dot8_u32_u4 {
        opcode v_$OP : [INTEGERS_3] { encoding { op == v_$OP; } syntax { v_$OP } }
    }

    /// Sources that are floats of 32 or 16 bits. `op_sel_hi` selects 16 bits.
    group MIX : [VOP3P] {
        encoding {
            word<96> if src0 == 255 or src1 == 255 or src2 == 255 else word<64>;
            field<50, 9> Source src2;
            field<61, 1> Bit neg0; field<62, 1> Bit neg1; field<63, 1> Bit neg2;
            field<8, 1> Bit abs0; field<9, 1> Bit abs1; field<10, 1> Bit abs2;
            field<11, 3> OpSel3 op_sel = 0;
            field<14, 1 : 59, 2> OpSelHi3 op_sel_hi = 0;
            field<64, 16> Literal16 literal = 0;
            field<80, 16> Literal16 upper = 0, ignored;
        }
        syntax { .. vdst, src0, src1, src2 $op_sel $op_sel_hi $clamp; }
        operands {
            AsmFormat<src0: neg0, abs0, literal, src0> = MixSource();
            AsmFormat<src1: neg1, abs1, literal, src1> = MixSource();
            AsmFormat<src2: neg2, abs2, literal, src2> = MixSource();
        }
    }
    for $OP in mix_f32, mixlo_f16, mixhi_f16 {
        opcode v_fma_$OP : [MIX] { encoding { op == v_fma_$OP; } syntax { v_fma_$OP } }
    }
}
