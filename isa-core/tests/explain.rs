//! Tests the explanation of a word, which gives the meaning of each part of its bits.

use isa_core::error::DecodeErrorKind;
use isa_core::table::{Access, Opcode};
use isa_core::text::Line;

use wide::Wide;

mod wide {
    isa_core::define_isa! {
        /// One opcode whose bits are almost all 0.
        pub isa Wide: u128;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Offset: 4 = isa_core::operand::Unsigned<4>;
        enum Op: 4 { ZERO = 0 }
        enum Mode: 2 {
            /// The first value.
            A = 0,
            B = 1,
            /// The last value.
            C = 3
        }

        opcode ZERO {
            encoding {
                field<0, 4> Op op == ZERO;
                field<8, 2> Mode mode = A;
                field<10, 8> Reg rd;
                field<120, 2 : 20, 2> Offset by;
                field<> Reg ra == 14;
            }
            syntax    { ZERO{.mode} rd, by "(" ra ")"; }
            operands  { InList<by, ra>; OutList<rd>; Order<rd, by, ra>; }
            semantics { rd = ra.value.wrapping_add(by.value as u32); }
        }
    }
}

fn zero() -> &'static Opcode {
    Wide::SET.opcodes[0]
}

/// Returns for each part of a word: the highest and lowest bit, the bits, the field, the piece and
/// the value, and whether the bits are valid.
fn parts(word: u128) -> Vec<(u8, u8, u128, &'static str, usize, u64, bool)> {
    let parts = zero().explain(word).map(|part| {
        let (name, piece, raw) =
            part.field.map_or(("", 0, 0), |field| (field.field.name, field.piece, field.raw));
        (part.high(), part.low(), part.bits, name, piece, raw, part.is_legal())
    });
    parts.collect()
}

#[test]
fn every_bit_has_its_part() {
    // `ZERO.C R5, 9(R14);`
    let word = 3 << 8 | 5 << 10 | 0b01 << 20 | 0b10 << 120;
    assert_eq!(
        parts(word),
        [
            (3, 0, 0, "op", 0, 0, true),
            (7, 4, 0, "", 0, 0, true),
            (9, 8, 3, "mode", 0, 3, true),
            (17, 10, 5, "rd", 0, 5, true),
            (19, 18, 0, "", 0, 0, true),
            (21, 20, 0b01, "by", 1, 9, true),
            (119, 22, 0, "", 0, 0, true),
            (121, 120, 0b10, "by", 0, 9, true),
            (127, 122, 0, "", 0, 0, true),
            (0, 0, 0, "ra", 0, 14, true),
        ]
    );
    // The number of another opcode, a mode that does not exist, and a bit outside all fields.
    let wrong = word ^ 1 ^ 1 << 8 ^ 1 << 127;
    let illegal = parts(wrong).into_iter().filter(|part| !part.6);
    let illegal: Vec<_> = illegal.map(|part| (part.1, part.2, part.3)).collect();
    assert_eq!(illegal, [(0, 1, "op"), (8, 2, "mode"), (122, 1 << 5, "")]);
}

#[test]
fn fields_say_what_they_are() {
    let word = 3 << 8 | 5 << 10;
    let fields: Vec<_> = zero().explain(word).filter_map(|part| part.field).collect();
    let said = fields.iter().map(|field| {
        let mut meaning = Line::new();
        field.meaning(&mut meaning);
        (
            field.field.name,
            meaning.to_string(),
            field.is_fixed(),
            field.is_default(),
            field.access(),
        )
    });
    let text = |text: &str| text.to_owned();
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            ("op", text("ZERO"), true, false, None),
            ("mode", text("C"), false, false, None),
            ("rd", text("R5"), false, false, Some(Access::Write)),
            ("by", text("0"), false, false, Some(Access::Read)),
            ("by", text("0"), false, false, Some(Access::Read)),
            ("ra", text("R14"), true, false, Some(Access::Read)),
        ]
    );
    assert_eq!((fields[1].doc(), fields[2].doc()), ("The last value.", ""));
    let first = zero().explain(0).filter_map(|part| part.field).nth(1).unwrap();
    assert_eq!((first.doc(), first.is_default()), ("The first value.", true));
}

#[test]
fn what_is_wrong_with_a_word() {
    let kind = |word| zero().validate(word).map_err(|error| error.kind());
    assert!(kind(0).is_ok());
    assert!(matches!(kind(1), Err(DecodeErrorKind::OtherOpcode { .. })));
    assert!(matches!(kind(2 << 8), Err(DecodeErrorKind::ReservedValue { raw: 2, .. })));
    assert!(matches!(kind(1 << 127), Err(DecodeErrorKind::UnusedBits { .. })));
    assert!(matches!(kind(zero().unused), Err(DecodeErrorKind::UnusedBits { .. })));
    let mixed = kind(1 | 2 << 8 | 1 << 127);
    assert!(matches!(mixed, Err(DecodeErrorKind::OtherOpcode { .. })));
    let mixed = kind(2 << 8 | 1 << 127);
    assert!(matches!(mixed, Err(DecodeErrorKind::ReservedValue { .. })));
}

#[test]
fn operands_say_how_many_there_are() {
    let mut operands = Wide::decode(5 << 10).unwrap().operands();
    assert_eq!((operands.len(), operands.size_hint()), (3, (3, Some(3))));
    let first = operands.next().unwrap();
    assert_eq!((first.name(), first.kind(), first.bits()), ("rd", "Reg", 5));
    assert_eq!(operands.len(), 2);
}
