//! Small sets with features that the large sets lack: limits of SLEIGH, and sets that are rejected.

use isa_core::Isa;
use isa_core::table::InstructionSet;

use super::agrees;

mod wide {
    isa_core::define_isa! {
        /// Numbers for which SLEIGH has no format, and operands for which it has one.
        pub isa Numbers: u64;
        operand Small: 7 = isa_core::operand::Signed<7, 3>;
        operand Large: 40 = isa_core::operand::Signed<40>;
        operand Code: 8 = isa_core::operand::Unsigned<8>;
        enum Mode: 3 { A = 1, B = 2, C = 6 }
        /// A number in two parts. One part is declared elsewhere.
        opcode LOAD {
            encoding {
                field<0, 4> Op op == LOAD;
                field<4, 20 : 44, 20> Large offset;
                field<24, 7> Small step = 0;
                field<31, 3> Mode mode;
                field<36, 8> Code code = 3;
            }
            syntax { LOAD.mode offset "[" {step} "]" {, code}; }
            exception {
                EncodingError<IllegalBitFieldCombination, "B has no step"> = mode == B and step != 0;
            }
        }
        /// The same with one number.
        opcode ZERO inside LOAD {
            encoding {
                field<0, 4> Op op == LOAD;
                field<4, 20 : 44, 20> Large offset == 0;
                field<24, 7> Small step;
                field<31, 3> Mode mode == C;
                field<36, 8> Code code != 3;
            }
            syntax { ZERO step, code; }
        }
        enum Op: 4 { LOAD = 9 }
    }
}

/// A text with a quotation mark.
mod quoted {
    use isa_core::operand::OperandKind;
    use isa_core::text::{Cursor, Line, OperandError};

    /// A number in quotation marks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub(super) struct Quoted(u8);

    impl OperandKind for Quoted {
        type Value = u8;
        const WIDTH: u8 = 4;
        const EXPECTS: &'static str = "a number in quotation marks";
        const MAX_LEN: usize = 4;
        const FORMS: &'static [&'static str] = &["\"*"];

        fn from_bits(raw: u64) -> Self {
            Quoted(raw as u8 & 15)
        }

        fn to_bits(self) -> u64 {
            self.0.into()
        }

        fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
            let start = cursor.position();
            let fits = cursor.eat(b'"');
            let number = cursor.number()?;
            match u8::try_from(number) {
                Ok(number @ 0..16) if fits && cursor.eat(b'"') => Ok(Quoted(number)),
                _ => Err(cursor.fault(start, Self::EXPECTS)),
            }
        }

        fn write(self, line: &mut Line) {
            line.push(b'"');
            line.push_decimal(self.0.into());
            line.push(b'"');
        }
    }

    isa_core::define_isa! {
        /// One instruction.
        pub isa Quotes: u16;
        operand Quoted: 4;
        opcode SAY { encoding { field<0, 4> Quoted what; } syntax { SAY what; } }
    }
}

#[test]
fn numbers_and_special_cases_are_as_sleigh_reads_them() {
    agrees(wide::Numbers::SET, 20_000);
}

fn refused(set: &'static InstructionSet) -> String {
    let format = isa_export::format("sleigh").expect("the format is there");
    format.files(set).expect_err("it is refused").to_string()
}

#[test]
fn a_text_that_sleigh_cannot_write_is_refused() {
    let message = refused(<quoted::Quotes as Isa>::SET);
    assert!(
        message.starts_with("SLEIGH cannot print the text \"\\\"0\\\"\" of Quotes"),
        "{message}"
    );
}
