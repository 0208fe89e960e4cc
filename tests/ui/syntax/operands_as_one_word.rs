//! Two operands between which no blank prints: register 1 and the number 2 would be `R12`. The text of an
//! operand that ends with a bracket may stand there.

use isa_core::asm::{Cursor, Fault, Line};
use isa_core::operand::{Bits, Numeral, OperandKind, TextPart, Unsigned};

/// `[5]`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(Unsigned<8>);

impl OperandKind for Place {
    type Value = u64;

    const WIDTH: u8 = 8;
    const EXPECTS: &'static str = "a place in brackets";
    const MAX_LEN: usize = 5;
    const FORMS: &'static [&'static str] = &["[0]"];
    const PARTS: &'static [TextPart] =
        &[TextPart::Text("["), TextPart::Number(Numeral::of(Bits::low(8))), TextPart::Text("]")];

    fn from_bits(bits: u64) -> Self {
        Place(Unsigned::from_bits(bits))
    }
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
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
    operand Imm: 8 = isa_core::operand::Unsigned<8>;
    operand Place: 8;
    enum Op: 4 { ADD = 0, SUB = 1, LOAD = 2 }
    opcode ADD {
        encoding { field<0, 4> Op op == ADD; field<8, 8> Reg rd; field<16, 8> Imm by; }
        syntax { ADD rd _ by; }
    }
    opcode SUB {
        encoding { field<0, 4> Op op == SUB; field<8, 8> Reg rd; field<16, 8> Imm by; }
        syntax { SUB by _ "x" rd; }
    }
    opcode LOAD {
        encoding { field<0, 4> Op op == LOAD; field<8, 8> Reg rd; field<16, 8> Place at; }
        syntax { LOAD at _ rd; }
    }
}

fn main() {}
