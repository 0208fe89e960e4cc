//! Operands that accept a part of an address on input and are printed as a number.

use isa_cli::Tool;
use isa_core::operand::OperandKind;
use isa_core::text::{Cursor, Line, OperandError};
use serde_json::json;

use super::client::edited;
use super::subjects::serve;

/// The low byte of an address, `low(label)`, or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LowByte(u64);

impl OperandKind for LowByte {
    type Value = u64;
    const WIDTH: u8 = 8;
    const EXPECTS: &'static str = "a number or `low(label)`";
    const MAX_LEN: usize = 3;
    const FORMS: &'static [&'static str] = &["low*", "0*", "9*"];

    fn from_bits(raw: u64) -> Self {
        LowByte(raw)
    }

    fn to_bits(self) -> u64 {
        self.0
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        if cursor.peek() != Some(b'l') {
            return Ok(LowByte(cursor.number()? as u64 & 0xff));
        }
        cursor.word();
        cursor.eat(b'(');
        let address = cursor.address()?;
        cursor.eat(b')');
        Ok(LowByte(address & 0xff))
    }

    fn write(self, line: &mut Line) {
        line.push_decimal(self.0);
    }
}

isa_core::define_isa! {
    /// Two instructions: a set without targets has no labels.
    isa Parts: u16;
    operand Part: 8 = super::parts::LowByte;
    operand To: 8 = isa_core::operand::Relative<8>;
    enum Op: 1 { SET = 0, JUMP = 1 }
    opcode SET { encoding { field<0, 1> Op op == SET; field<8, 8> Part by; } syntax { SET by; } }
    opcode JUMP { encoding { field<0, 1> Op op == JUMP; field<8, 8> To to; } syntax { JUMP to; } }
}

#[test]
fn formatting_keeps_what_names_a_part_of_an_address() {
    let text = "SET   9;\nSET 0;\nhere: SET low(here);\nSET  low( here );\n";
    let mut client = serve(|| Tool::<Parts>::new("parts"));
    client.begin("utf-16");
    assert_eq!(client.open(text).len(), 0);
    let formatted = edited(text, &client.ask("formatting", json!({ "options": {} })));
    assert_eq!(formatted, text.replace("SET   9", "SET 9"));
    client.end();
}
