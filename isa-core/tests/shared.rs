//! Opcodes that share a syntax and can be told apart only behind a place where both fit.

use isa_core::asm::Cursor;

use shared::Shared;

mod shared {
    isa_core::define_isa! {
        /// Sets of modifiers with a name in common, and operands of several kinds.
        pub isa Shared: u32;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Imm: 8 = isa_core::operand::Unsigned<8>;
        enum Op: 4 { ADD_R = 1, ADD_I = 2, NEG_R = 3, NEG_I = 4, NEG_M = 5 }
        enum Near: 2 { LO = 0, MID = 1 }
        enum Far: 2 { MID = 2, HI = 3 }
        enum Neg: 1 { False = 0, True = 1 }
        affix "-" = neg;

        group ALL { encoding { field<0, 4> Op op; field<8, 8> Reg rd; } }

        optype ADD : [ALL] { syntax { ADD.mode Rd, SrcB; } }
        opcode ADD_R : [ADD] {
            encoding { op == ADD_R; field<4, 2> Near mode; field<16, 8> Reg rb; }
            operands { InList<rb>; OutList<rd>; Order<rd, rb>; }
            semantics { Rd = SrcB.value; }
        }
        opcode ADD_I : [ADD] {
            encoding { op == ADD_I; field<4, 2> Far mode; field<16, 8> Imm imm; }
            operands { InList<imm>; OutList<rd>; Order<rd, imm>; }
            semantics { Rd = SrcB.value as u32; }
        }

        optype NEG : [ALL] { syntax { NEG Rd, {-}SrcB; } }
        opcode NEG_R : [NEG] {
            encoding { op == NEG_R; field<16, 8> Reg rb; field<24, 1> Neg rb.neg = False; }
            operands { InList<rb>; OutList<rd>; Order<rd, rb>; }
            semantics { Rd = SrcB.value; let _ = SrcB.neg; }
        }
        opcode NEG_I : [NEG] {
            encoding { op == NEG_I; field<16, 8> Imm imm; }
            operands { InList<imm>; OutList<rd>; Order<rd, imm>; }
            semantics { Rd = SrcB.value as u32; }
        }

        /// The same mnemonic with another template.
        opcode NEG_M : [ALL] {
            encoding { op == NEG_M; field<16, 8> Reg ra; field<24, 8> Reg rb; }
            syntax { NEG Rd, "[" Ra "]", Rb; }
        }
    }
}

fn word(text: &str) -> Result<u32, String> {
    let parsed = text.parse::<Shared>().map_err(|error| error.to_string());
    parsed.map(|instruction| instruction.encode().expect("what is read is legal"))
}

#[test]
fn a_name_of_two_sets_is_decided_by_the_operand() {
    assert_eq!(word("ADD.LO R1, R2;"), Ok(0x02_0101));
    assert_eq!(word("ADD.MID R1, R2;"), Ok(0x02_0111));
    assert_eq!(word("ADD.MID R1, 2;"), Ok(0x02_0122));
    assert_eq!(word("ADD . MID R1 , 2 ;"), Ok(0x02_0122));
    assert_eq!(word("ADD.HI R1, 2;"), Ok(0x02_0132));
    for text in ["ADD.LO R1, 2;", "ADD.HI R1, R2;", "ADD.NO R1, R2;", "ADD R1, R2;", "ADD R1, 2;"] {
        assert!(word(text).is_err(), "{text}");
    }
}

#[test]
fn a_mark_is_decided_by_the_operand() {
    assert_eq!(word("NEG R1, -R2;"), Ok(0x0102_0103));
    assert_eq!(word("NEG R1, R2;"), Ok(0x02_0103));
    assert_eq!(word("NEG R1, 2;"), Ok(0x02_0104));
    assert!(word("NEG R1, -2;").is_err());
}

#[test]
fn the_walk_reads_the_same() {
    for text in ["ADD.MID R1, R2;", "ADD.MID R1, 2;", "NEG R1, -R2;", "NEG R1, 2;"] {
        let walked = Shared::SET.parse_next_by_template(&mut Cursor::new(text));
        let walked = walked.ok().flatten().map(|parsed| parsed.word());
        assert_eq!(walked, word(text).ok().map(u128::from), "{text}");
    }
}

#[test]
fn of_several_templates_the_one_is_meant_that_fits_furthest() {
    assert_eq!(word("NEG R1, [R2], R3;"), Ok(0x0302_0105));
    let error = word("NEG R1, [R2], 5;").unwrap_err();
    assert!(error.starts_with("expected `Rb`, found `5`"), "{error}");
    let error = word("NEG R1, -5;").unwrap_err();
    assert!(error.starts_with("out of range: a number from 0 to 255"), "{error}");
}

#[test]
fn what_goes_together_is_said() {
    assert_eq!(
        [word("ADD.LO R1, 2;"), word("ADD.HI R1, R2;")].map(Result::unwrap_err),
        ["`2`", "`R2`"].map(|found| format!(
            "`ADD` does not take {found} beside the other operands; it takes `Reg, Reg` or `Reg, Imm`"
        ))
    );
}
