//! Tests the text of values and errors in the public interface, and the sources of errors.
#![cfg(feature = "alloc")]

use std::error::Error;
use std::fmt::Write;

use isa_core::asm::Assembler;
use isa_core::operand::{AsmFormat, Hex, Pred, format_of, text_of};
use isa_core::print::Listing;
use isa_core::text::{Cursor, InstructionContext, Labels, Line, OperandError};

use tiny::{Neg, Tiny};

mod tiny {
    isa_core::define_isa! {
        /// One instruction.
        pub isa Tiny: u16;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { NEG = 1 }
        enum Mode: 2 { A = 0, B = 1 }
        opcode NEG {
            encoding { field<12, 4> Op op == NEG; field<8, 2> Mode mode; field<0, 8> Reg rd; }
            syntax { NEG.mode Rd; }
            exception { EncodingError<Illegal, "B is for R0 alone"> = mode == B and rd != 0; }
        }
    }
}

#[test]
fn errors_show_the_place_and_the_message() {
    let decoded = Tiny::decode(0x1205).unwrap_err();
    assert_eq!(
        format!("{decoded:?}"),
        "DecodeError { word: 0x1205, message: NEG: `mode` (bits 9:8) is 0x2, which is reserved; \
         expected A (0x0) or B (0x1), .. }"
    );
    let neg = Neg::new(tiny::Mode::B, isa_core::operand::Reg::R5);
    let encoded = neg.encode().unwrap_err();
    let message = "NEG: B is for R0 alone (Illegal: mode == B and rd != 0)";
    assert_eq!(
        format!("{encoded:?}"),
        format!("EncodeError {{ word: 0x1105, message: {message}, .. }}")
    );

    let parsed = |text: &str| text.parse::<Tiny>().unwrap_err();
    let known = "no such register: expected `R0` to `R254`, or `RZ`";
    let error = parsed("NEG.A R300;");
    assert_eq!(format!("{error:?}"), format!("ParseError {{ span: 6..10, message: {known}, .. }}"));
    assert_eq!(error.source().map(ToString::to_string), Some(known.to_owned()));
    assert_eq!(parsed("NEG.B R5;").source().map(ToString::to_string), Some(message.to_owned()));
    assert!(parsed("NEG.C R5;").source().is_none());

    let errors = Assembler::new(Tiny::SET).assemble("NEG.A R300; NEG.C R5;").unwrap_err();
    assert_eq!((&errors).into_iter().count(), 2);
}

mod fixed {
    isa_core::define_isa! {
        /// Opcodes that fix two fields.
        pub isa Fixed: u16;
        enum First: 4 { ONE = 1, TWO = 2, THREE = 3 }
        enum Second: 4 { A = 1, B = 2 }
        group ALL { encoding { field<0, 4> First first; field<4, 4> Second second; } }
        opcode P : [ALL] { encoding { first == ONE; second == A; } syntax { P; } }
        opcode Q : [ALL] { encoding { first == TWO; second == A; } syntax { Q; } }
        opcode R : [ALL] { encoding { first == THREE; second == B; } syntax { R; } }
    }
}

#[test]
fn only_what_goes_with_the_other_fixed_bits_is_said() {
    assert_eq!(
        fixed::Fixed::decode(0x10).unwrap_err().to_string(),
        "no such opcode: `first` (bits 3:0) is 0x0; the other fixed bits require ONE \
         (0x1) or TWO (0x2)"
    );
}

mod moves {
    isa_core::define_isa! {
        /// A class of moves, and an addition with other bits.
        pub isa Moves: u32;
        enum Kind: 8 { PLAIN = 0 }
        operand Three: 3 = isa_core::operand::Unsigned<3>;
        operand Four: 4 = isa_core::operand::Unsigned<4>;
        operand Eight: 8 = isa_core::operand::Unsigned<8>;
        opcode MOV {
            encoding {
                field<0, 3> Three class == 7; field<4, 4> Four code == 11;
                field<16, 8> Kind kind == PLAIN;
            }
            syntax { MOV; }
        }
        opcode MOVSX {
            encoding {
                field<0, 3> Three class == 7; field<4, 4> Four code == 11;
                field<16, 8> Eight kind == 8;
            }
            syntax { MOVSX; }
        }
        opcode AADD {
            encoding {
                field<0, 3> Three class == 3; field<5, 3> Three mode == 6;
                field<24, 8> Eight op == 0;
            }
            syntax { AADD; }
        }
        opcode ASUB {
            encoding {
                field<24, 8> Eight op == 1; field<0, 3> Three class == 3; field<5, 3> Three mode == 6;
            }
            syntax { ASUB; }
        }
    }
}

#[test]
fn what_most_opcodes_fix_is_decided_first() {
    let said = |word: u128| {
        let error = moves::Moves::decode(word as u32).unwrap_err();
        (error.to_string(), error.closest().unwrap().name)
    };
    let kind = "no such opcode: `kind` (bits 23:16) is 0x2; the other fixed bits require \
                PLAIN (0x0) or 0x8";
    assert_eq!(said(0x0002_00b7), (kind.to_owned(), "MOV"));
    let op = "no such opcode: `op` (bits 31:24) is 0x9; the other fixed bits require 0x0 \
              or 0x1";
    assert_eq!(said(0x0900_00c3), (op.to_owned(), "AADD"));
    let class = "no such opcode: `class` (bits 2:0) is 0x5, which no opcode has";
    assert_eq!(said(0x0900_00c5).0, class);
    let code = "no such opcode: `code` (bits 7:4) is 0x6, which no opcode has";
    assert_eq!(said(0x0002_0067), (code.to_owned(), "MOV"));
    let mode = "no such opcode: `mode` (bits 7:5) is 0x5; the other fixed bits require \
                0x6";
    assert_eq!(said(0x0100_00a3), (mode.to_owned(), "ASUB"));
}

#[test]
fn lines_and_sites() {
    let mut line = Line::new();
    write!(line, "{}-{:?}", 1, true).unwrap();
    assert_eq!((line.as_str(), format!("{line:?}")), ("1-true", "\"1-true\"".to_owned()));
    assert_eq!(format!("{:?}", InstructionContext::new(8, &())), "Site { address: 8, .. }");
    assert_eq!((().name(8), ().address("x")), (None, None));
}

#[test]
fn a_line_has_room_where_there_is_said_to_be() {
    let mut buffer = [0; Listing::LINE];
    let mut listing = Listing::new(&mut buffer);
    assert!(listing.has_room());
    listing.print(Tiny::SET.opcodes[0], 0x1005);
    listing.push(b'\n');
    assert_eq!(listing.as_bytes(), b"NEG.A R5;\n");
}

mod numbers {
    isa_core::define_isa! {
        /// A number with too many bits for a table of its texts.
        pub(super) isa Numbers: u16;
        operand Num: 12 = isa_core::operand::Signed<12>;
        enum Op: 4 { SET = 1 }
        opcode SET { encoding { field<12, 4> Op op == SET; field<0, 12> Num n; } syntax { SET n; } }
    }
}

/// A value printed by a function appears in a line and in a listing as the template specifies.
#[test]
fn fields_are_written_to_their_places() {
    let row = numbers::Numbers::SET.opcodes[0];
    let mut buffer = [0; 2 * Listing::LINE];
    for word in 0x1000..0x2000 {
        let (mut line, mut walked) = (Line::new(), Line::new());
        row.print(word, &mut line);
        row.print_template(word, &mut walked);
        assert_eq!(line.as_str(), walked.as_str());
        let mut listing = Listing::new(&mut buffer);
        listing.print(row, word);
        listing.print(row, word);
        assert_eq!(listing.as_bytes(), format!("{walked}{walked}").as_bytes());
    }
}

#[test]
fn operands_that_are_none() {
    let none = Pred::try_from(8).unwrap_err().to_string();
    assert!(none.starts_with("0x8 is not a valid encoding of a predicate"), "{none}");
    let looks = |text| text_of::<Hex<32>>().looks_like(&Cursor::new(text));
    assert!(looks("0x3c00bc00") && looks("1") && !looks("R1") && !looks(""));
}

/// A format that declares nothing about the beginning of its text except its forms.
struct Percent;

impl AsmFormat for Percent {
    const EXPECTS: &'static str = "a share (`%50`)";
    const MAX_LEN: usize = 4;
    const FORMS: &'static [&'static str] = &["%*"];

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        cursor.eat(b'%');
        cursor.number().map(|number| number as u64)
    }

    fn write(raw: u64, _: &[u64], line: &mut Line) {
        line.push(b'%');
        line.push_decimal(raw);
    }
}

#[test]
fn a_format_looks_like_its_forms() {
    let looks = |cursor: &Cursor<'_>| format_of::<Percent>().looks_like(cursor);
    assert!(looks(&Cursor::new(" %5")) && !looks(&Cursor::new("5")) && !looks(&Cursor::new("")));
}
