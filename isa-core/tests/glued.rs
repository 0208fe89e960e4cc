//! Tests operands that are printed without a space between them. `LOAD [5]R1;` round-trips because
//! the text of the first operand ends with a bracket, as its `PARTS` declare. Also tests operands
//! that differ in their first byte.
#![cfg(feature = "alloc")]

use isa_core::operand::{Numeral, NumeralBits, OperandKind, TextPart, Unsigned};
use isa_core::text::{Cursor, Line, OperandError};

/// A number in brackets, `[5]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(Unsigned<8>);

impl OperandKind for Place {
    type Value = u64;

    const WIDTH: u8 = 8;
    const EXPECTS: &'static str = "a place in brackets";
    const MAX_LEN: usize = 5;
    const FORMS: &'static [&'static str] = &["[0]"];
    const PARTS: &'static [TextPart] = &[
        TextPart::Text("["),
        TextPart::Number(Numeral::of(NumeralBits::low(8))),
        TextPart::Text("]"),
    ];

    fn from_bits(bits: u64) -> Self {
        Place(Unsigned::from_bits(bits))
    }
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.eat(b'[');
        let place = Unsigned::read(cursor)?;
        cursor.eat(b']');
        Ok(Place(place))
    }
    fn write(self, line: &mut Line) {
        line.push_str("[");
        self.0.write(line);
        line.push_str("]");
    }
}

isa_core::define_isa! {
    isa Toy: u32;
    operand Reg: 8 = isa_core::operand::Reg;
    operand Place: 8;
    enum Op: 4 { LOAD = 0, STORE = 1 }
    enum Size: 2 { byte = 0, word = 1 }
    opcode LOAD {
        encoding { field<0, 4> Op op == LOAD; field<8, 8> Reg rd; field<16, 8> Place at; }
        syntax { LOAD at _ rd; }
    }
    opcode STORE {
        encoding { field<0, 4> Op op == STORE; field<4, 2> Size size; field<8, 8> Reg rd; field<16, 8> Place at; }
        syntax { STORE rd _ at _ size; }
    }
}

#[test]
fn what_prints_behind_a_bracket_reads_back() {
    for (text, word) in [("LOAD [5]R1;", 0x0005_0100), ("STORE R2[255]word;", 0x00ff_0211)] {
        let read: Toy = text.parse().unwrap();
        assert_eq!(read.encode().unwrap(), word, "{text}");
        assert_eq!(Toy::decode(word).unwrap().to_string(), text);
    }
}

mod told {
    isa_core::define_isa! {
        pub isa Told: u16;
        operand Number: 4 = isa_core::operand::Unsigned<4>;
        operand Hash: 4 = isa_core::operand::HashPrefixed<isa_core::operand::Unsigned<4>>;
        enum Unit: 1 { "8b" = 0, "16b" = 1 }
        enum Op: 4 { PLAIN = 0, MARKED = 1, PAIR = 2, NAMED = 3 }
        opcode PLAIN { encoding { field<0, 4> Op op == PLAIN; field<4, 4> Number n; } syntax { MOV n; } }
        opcode MARKED { encoding { field<0, 4> Op op == MARKED; field<4, 4> Hash n; } syntax { MOV n; } }
        opcode PAIR {
            encoding { field<0, 4> Op op == PAIR; field<4, 4> Number n; field<8, 4> Number m; }
            syntax { _ n ":" m; }
        }
        opcode NAMED {
            encoding { field<0, 4> Op op == NAMED; field<4, 1> Unit unit; field<8, 4> Hash m; }
            syntax { _ unit ":" m; }
        }
    }
}

/// An operand type that wraps another is a different type. A label does not begin with a digit, so
/// a number or a name that begins with a digit may precede a colon.
#[test]
fn kinds_within_others_and_numbers_before_a_colon_are_told_apart() {
    let texts = [("MOV 3;", 0x30), ("MOV #3;", 0x31), ("3:4;", 0x432), ("16b:#5;", 0x513)];
    for (text, word) in texts {
        let read: told::Told = text.parse().unwrap();
        assert_eq!(read.encode().unwrap(), word, "{text}");
        assert_eq!(read.to_string(), text);
        let program = isa_core::asm::Assembler::new(told::Told::SET).assemble(text).unwrap();
        assert_eq!(program.bytes, word.to_le_bytes(), "{text}");
    }
}
