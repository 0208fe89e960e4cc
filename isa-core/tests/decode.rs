//! Tests words that are not valid instructions and their error messages; every bit is explained.

mod toy;

use isa_core::error::{DecodeErrorKind, EncodeError};
use isa_core::table::Access;
use isa_core::text::Line;
use toy::small::SMALL;
use toy::{HADD2_RR, Random, TOY};

fn refused(word: u128) -> String {
    match TOY.decode(word) {
        Ok(opcode) => panic!("{word:#x} decodes to {}", opcode.name),
        Err(error) => error.to_string(),
    }
}

#[test]
fn reasons() {
    assert_eq!(
        refused(0x930),
        "no such opcode: `stype` (bits 11:8) is 0x9; the other fixed bits require \
         RR (0x1), RI (0x3) or RC (0x5)"
    );
    assert_eq!(refused(0), "no such opcode: `optype` (bits 7:0) is 0x0, which no opcode has");
    assert_eq!(
        refused(0x130 | 1 << 80),
        "HADD2_RR: `ra.hsel2` (bits 81:80) is 0x1, which is reserved; \
         expected H1_H0 (0x0), H0_H0 (0x2) or H1_H1 (0x3)"
    );
    assert_eq!(refused(0x130 | 7 << 40 | 1 << 50), "HADD2_RR: unused bits 50 and 42:40 must be 0");
    assert_eq!(refused(0x130 | 1 << 127), "HADD2_RR: unused bit 127 must be 0");
    assert_eq!(
        refused(0x130 | 1 << 94 | 1 << 76),
        "HADD2_RR: BF16_V2 does not support .FTZ \
         (IllegalBitFieldCombination: hfmt_v2 == BF16_V2 and ftz == FTZ)"
    );
    assert_eq!(
        refused(0x530 | 1 << 32),
        "HADD2_RC: `vb` (bits 53:32) is 0x1, which is reserved; \
         expected constant memory (`c[0x0][0x160]`, 4-byte aligned)"
    );
}

#[test]
fn bits_above_the_word_are_refused() {
    assert!(SMALL.decode(0x8011).is_ok());
    let error = SMALL.decode(0x1_8011).unwrap_err();
    assert!(matches!(error.kind(), DecodeErrorKind::UnusedBits { .. }));
    assert_eq!(error.unused_bits(), 0x1_0000);
}

#[test]
fn an_opcode_says_what_another_word_lacks() {
    let error = EncodeError::from(HADD2_RR.validate(0x330).unwrap_err());
    assert_eq!(error.to_string(), "HADD2_RR: `stype` (bits 11:8) is 0x3 instead of RR (0x1)");
}

#[test]
fn decoding_agrees_with_a_search() {
    let mut random = Random(4);
    for round in 0..50_000 {
        let near = TOY.opcodes[round % TOY.opcodes.len()];
        let noise = random.word() & random.word() & random.word();
        let word = near.fixed.value ^ noise;
        let found = TOY.opcodes.iter().position(|opcode| opcode.check(word));
        assert_eq!(TOY.index(word).ok(), found, "{word:#x}");
    }
}

#[test]
fn every_bit_is_explained() {
    let mut random = Random(5);
    for opcode in TOY.opcodes.iter().chain(SMALL.opcodes) {
        let word = random.word() & u128::MAX >> (128 - opcode.bits);
        let (mut next, mut rebuilt) = (0, 0);
        for part in opcode.explain(word) {
            assert_eq!(part.low(), next);
            next += part.piece.width;
            rebuilt |= part.bits << part.low();
        }
        assert_eq!((next, rebuilt), (opcode.bits, word), "{}", opcode.name);
    }
}

#[test]
fn explanations() {
    let word = TOY.parse("HADD2.FTZ R3, R1, -R2;").map(|parsed| parsed.word()).unwrap_or_default();
    let mut shown = Vec::new();
    for part in HADD2_RR.explain(word) {
        assert!(part.is_legal());
        let Some(field) = part.field else { continue };
        let mut line = Line::new();
        field.meaning(&mut line);
        if !field.is_default() {
            shown.push((field.field.name, line.to_string(), field.is_fixed(), field.access()));
        }
    }
    let of = |name, text: &str, fixed, access| (name, text.to_owned(), fixed, access);
    let expected = [
        of("optype", "HADD2", true, None),
        of("stype", "RR", true, None),
        of("rd", "R3", false, Some(Access::Write)),
        of("ra", "R1", false, Some(Access::Read)),
        of("rb", "R2", false, Some(Access::Read)),
        of("ftz", "FTZ", false, None),
        of("rb.neg", "True", false, None),
    ];
    assert_eq!(shown, expected);
}
