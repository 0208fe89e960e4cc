//! Operand types as authors write them, for random specifications. This file is also a module of
//! the compiled programs.

use isa_core::operand::{Numeral, NumeralBits, OperandKind, TextPart, Unsigned};
use isa_core::text::{Cursor, Line, OperandError};

isa_core::registers! {
    /// Registers with names that others have too: those of values, and words of templates.
    pub Bank: 2 = "A", "r1" to "r2", "by" or "r0" or "Xa" = 3 of u32;
    /// Registers with a sign in front.
    pub Sigil: 2 = "%r0" to "%r3" of u32;
}

/// A three-bit number in brackets, `[5]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(Unsigned<3>);

impl OperandKind for Place {
    type Value = u64;

    const WIDTH: u8 = 3;
    const EXPECTS: &'static str = "a number from 0 to 7 in brackets";
    const MAX_LEN: usize = 3;
    const FORMS: &'static [&'static str] = &["[0*"];
    const PARTS: &'static [TextPart] = &[
        TextPart::Text("["),
        TextPart::Number(Numeral::of(NumeralBits::low(3))),
        TextPart::Text("]"),
    ];

    fn from_bits(bits: u64) -> Self {
        Place(Unsigned::from_bits(bits))
    }

    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let start = cursor.position();
        if !cursor.eat(b'[') {
            return Err(cursor.fault(start, "expected `[`"));
        }
        let is_number = cursor.peek().is_some_and(|byte| byte.is_ascii_digit());
        let number = match is_number {
            true => Unsigned::read(cursor)?,
            false => return Err(cursor.fault(start, "a number without a sign is missing")),
        };
        let start = cursor.position();
        if !cursor.eat(b']') {
            return Err(cursor.fault(start, "expected `]`"));
        }
        Ok(Place(number))
    }

    fn write(self, line: &mut Line) {
        line.push_str("[");
        self.0.write(line);
        line.push_str("]");
    }
}
