//! Tests that words round-trip through their text.

mod toy;

use isa_core::parse::Parsed;
use isa_core::table::InstructionSet;
use isa_core::text::Cursor;
use toy::small::SMALL;
use toy::{Random, TOY, text};

/// Checks that the printed text of a word assembles to the word, also by the template interpreter.
fn survives(set: &InstructionSet, word: u128) {
    let text = text(set, word);
    let walked = set.parse_next_by_template(&mut Cursor::new(&text)).transpose();
    for read in [set.parse(&text), walked.expect("a statement")] {
        match read {
            Ok(parsed) => assert_eq!(parsed.word(), word, "{text}"),
            Err(error) => panic!("{word:#x} prints as `{text}`: {error}"),
        }
    }
}

/// Returns the text that is printed for the word of a text.
fn canonical(text: &str) -> String {
    match TOY.parse(text) {
        Ok(parsed) => toy::text(TOY, parsed.word()),
        Err(error) => panic!("`{text}`: {error}"),
    }
}

#[test]
fn every_small_word_survives() {
    for word in 0..1 << 16 {
        survives(SMALL, word);
    }
}

#[test]
fn random_words_survive() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        survives(TOY, random.word());
    }
}

#[test]
fn random_instructions_survive() {
    let mut random = Random(2);
    let mut legal = 0;
    for round in 0..50_000 {
        let opcode = TOY.opcodes[round % TOY.opcodes.len()];
        let word = random.word() & !opcode.unused & !opcode.fixed.mask | opcode.fixed.value;
        legal += u32::from(TOY.decode(word).is_ok());
        survives(TOY, word);
    }
    assert!(legal > 10_000, "only {legal} words were legal");
}

#[test]
fn no_text_panics() {
    let mut random = Random(3);
    let tokens = [
        "HADD2", "HSETP2", "vadd", ".FTZ", ".RN", ".", ",", ";", "R0", "R9", "c[0][4]", "-", "|",
        "@P0", "@", "!", "1", "-1", ".LT", ".u32", "?WAIT1", "&req=1", " ", "\n", "/*", "*/", "//",
        "é", "0x", ".word", "RZ", "PT", ".H0_H0",
    ];
    for _ in 0..50_000 {
        let len = random.half() % 16;
        let pick = |_| tokens[(random.half() % tokens.len() as u64) as usize];
        let text: String = (0..len).map(pick).collect();
        let mut cursor = Cursor::new(&text);
        while cursor.peek().is_some() {
            let before = cursor.position();
            if let Err(error) = TOY.parse_next(&mut cursor) {
                assert!(!error.to_string().is_empty() && text.get(error.span.clone()).is_some());
            }
            assert!(cursor.position() > before, "no progress in {text:?}");
        }
    }
}

#[test]
fn canonical_form() {
    for (written, printed) in [
        ("HADD2 R0, R1, R2;", "HADD2 R0, R1, R2;"),
        ("HADD2.RN.F16_V2 R0,R1.H1_H0,R2 ;", "HADD2 R0, R1, R2;"),
        ("HADD2.RZ.FTZ R1, -|R4|, -1, 1;", "HADD2.FTZ.RZ R1, -|R4|, -1, 1;"),
        ("@PT HADD2 R0, R1, R2;", "HADD2 R0, R1, R2;"),
        ("@ ! PT HADD2 R0, R1, R2;", "@!PT HADD2 R0, R1, R2;"),
        ("@P3 HADD2 R0, R1, -|c[0][352].H0_H0|;", "@P3 HADD2 R0, R1, -|c[0x0][0x160].H0_H0|;"),
        ("HADD2 R0, R1, c\x0b\x0c[0] [4];", "HADD2 R0, R1, c[0x0][0x4];"),
        ("HADD2 R0, -|R1|.H0_H0, R2;", "HADD2 R0, -|R1.H0_H0|, R2;"),
        ("HADD2 R0, R1, R2 &req=2 ?WAIT4;", "HADD2 R0, R1, R2 ?WAIT4 &req=2;"),
        ("HADD2.BF16_V2 R0, R1, 1, -1;", "HADD2.BF16_V2 R0, R1, 1, -1;"),
        ("HADD2 R0, R1, 0x7e01, +INF;", "HADD2 R0, R1, 0x7e01, +INF;"),
        ("HSETP2.LE P0, R1;", "HSETP2.LE P0, R1;"),
        ("HSETP2.LE P0, R1, PT;", "HSETP2.LE P0, R1;"),
        ("HSETP2.LE P0, R1, !PT;", "HSETP2.LE P0, R1, !PT;"),
        ("vadd.FTZ.s32.u32.s32 R0;", "vadd.s32.u32.s32.FTZ R0;"),
        ("vadd.s32.FTZ.s32.u32 R0;", "vadd.s32.s32.u32.FTZ R0;"),
        (".word 0x1;", ".word 0x00000000000000000000000000000001;"),
        ("HADD2 // a\n R0 /* b */ , R1\n\t, R2 // ; c\n;", "HADD2 R0, R1, R2;"),
    ] {
        assert_eq!(canonical(written), printed, "{written}");
        assert_eq!(canonical(printed), printed);
    }
}

#[test]
fn a_format_follows_its_modifier() {
    let imm = |text| TOY.parse(text).map(|parsed| (parsed.word() >> 32) as u32).ok();
    assert_eq!(imm("HADD2 R0, R1, 1, -1;"), Some(0x3c00_bc00));
    assert_eq!(imm("HADD2.BF16_V2 R0, R1, 1, -1;"), Some(0x3f80_bf80));
}

#[test]
fn dotted_mnemonics_take_the_longest() {
    let opcode = |text| match SMALL.parse(text) {
        Ok(Parsed::Instruction { opcode, .. }) => SMALL.opcodes[opcode].name,
        other => panic!("{other:?}"),
    };
    assert_eq!(opcode("fence;"), "FENCE");
    assert_eq!(opcode("fence.i;"), "FENCE_I");
    assert_eq!(opcode("li 33;"), "LI");
    assert_eq!(opcode("clear;"), "CLEAR");
}

#[test]
fn fields_in_two_pieces() {
    let word = SMALL.parse("li 33;").map(|parsed| parsed.word()).unwrap_or_default();
    assert_eq!(word, 0x8011);
    assert_eq!(text(SMALL, 0x8011), "li 33;");
    assert_eq!(text(SMALL, 0x01f1), "li 31;");
}

#[test]
fn the_more_specific_form_wins() {
    assert_eq!(text(SMALL, 0x0001), "clear;");
    assert_eq!(text(SMALL, 0x0011), "li 1;");
}

#[test]
fn all_statements_of_a_text_are_read() {
    let text = "HADD2 R0, R1, R2;\n HAD R0; // ; not here\n .word 0x5;\nHADD2 R0 /* ; */ R1;vadd.u32.u32.u32 R3;";
    let mut cursor = Cursor::new(text);
    let mut outcomes = Vec::new();
    loop {
        match TOY.parse_next(&mut cursor) {
            Ok(Some(parsed)) => outcomes.push(text[parsed.span().clone()].to_owned()),
            Ok(None) => break,
            Err(error) => outcomes.push(format!("error at {}", &text[error.span])),
        }
    }
    let expected =
        ["HADD2 R0, R1, R2;", "error at HAD", ".word 0x5;", "error at R1", "vadd.u32.u32.u32 R3;"];
    assert_eq!(outcomes, expected);
}
