//! Examples that the compile-time check must accept. The generated test checks their encodings.

isa_core::define_isa! {
    /// All parts that the text of an instruction can contain.
    pub isa Shown: u64;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Pred: 3 = isa_core::operand::Pred;
    operand F16ImmX2: 32 = isa_defs::base::F16ImmX2;
    enum Op: 3 { ADD = 0, CMP = 1, BRA = 2, END = 3 }
    enum Rnd: 2 { RN = 0, RM = 1, RP = 2 }
    enum Bit: 1 { OFF = 0, ON = 1 }
    affix "!" = not;
    affix "-" = neg;
    affix "|" "|" = abs;

    group GUARDED {
        encoding { field<4, 3> Pred pg = PT; field<7, 1> Bit pg.not = OFF; }
        syntax { {@{!}pg} .. }
    }
    optype ADD : [GUARDED] {
        encoding { field<8, 8> Reg rd; field<60, 1> Bit fast = OFF; field<58, 2> Rnd rnd = RN; }
        syntax { ADD{.ON}{.rnd} Rd, {-}{|}SrcB{.half}{|}; }
        examples {
            ADD R1, R2;
            ADD.RM.ON R1, -|R2|;
            @!P1 ADD.ON R1, |R2.RP|;
            ADD R1, 0x3c00bc00;
            ADD.RN R1, R2; => ADD R1, R2;
            @PT ADD R1, -R2.RN; => ADD R1,-R2;
        }
    }
    opcode ADD_R : [ADD] {
        encoding {
            field<0, 3> Op op == ADD; field<3, 1> Bit imm == OFF; field<16, 8> Reg rb;
            field<24, 1> Bit rb.neg = OFF; field<25, 1> Bit rb.abs = OFF;
            field<26, 2> Rnd rb.half = RN;
        }
        operands { InList<pg, rb>; OutList<rd>; Order<pg, rd, rb>; }
    }
    opcode ADD_I : [ADD] {
        encoding { field<0, 3> Op op == ADD; field<3, 1> Bit imm == ON; field<16, 32> F16ImmX2 vb; }
        operands { InList<pg, vb>; OutList<rd>; Order<pg, rd, vb>; }
    }
    opcode CMP : [GUARDED] {
        encoding {
            field<0, 3> Op op == CMP; field<8, 8> Reg rd; field<16, 8> Reg ra;
            field<24, 2> Rnd one; field<26, 2> Rnd two; field<28, 2> Rnd mode; field<30, 2> Rnd last = RM;
            field<32, 1> Bit mode.not = OFF;
        }
        syntax { CMP.one.two Rd, "[" Ra "+" {!}Mode "]"{, Last}; }
        examples { CMP.RN.RP R1, [R2+RP]; CMP.RN.RN R1, [R2 + !RN], RN; @P0 CMP.RM.RM RZ, [RZ+RM], RM; }
    }
    opcode BRA : [GUARDED] {
        encoding { field<0, 3> Op op == BRA; field<8, 3> Pred pp; }
        syntax { "BRA.U" "(" pp ")"; }
        examples { BRA.U(P1); @P2 BRA.U (PT); }
    }
    opcode END {
        encoding { field<0, 3> Op op == END; }
        syntax { END; }
        examples { END; }
    }
}

#[test]
fn the_arrow_is_no_part_of_the_text() {
    let examples = AddR::OPCODE.examples;
    assert_eq!(examples.len(), 6);
    assert_eq!(examples[4], "ADD.RN R1, R2;");
}
