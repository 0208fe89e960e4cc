use isa_core::text::{Cursor, OperandError, Line};
use isa_core::operand::OperandKind;

/// An operand type without `FORMS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silent(u8);

impl OperandKind for Silent {
    type Value = u8;
    const WIDTH: u8 = 8;
    const EXPECTS: &'static str = "a number";
    const MAX_LEN: usize = 3;

    fn from_bits(raw: u64) -> Self {
        Silent(raw as u8)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.number().map(|number| Silent(number as u8))
    }
    fn write(self, line: &mut Line) {
        line.push_decimal(self.0.into());
    }
}

isa_core::define_isa! {
    pub isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 2 { ONE = 0, TWO = 1 }
    enum Mode: 2 { A = 0, B = 1, C = 2 }

    operand Silent: 8;

    opcode MOVE_R {
        encoding { field<0, 2> Op op == ONE; field<8, 8> Reg rd; }
        syntax { MOVE rd; }
    }

    opcode MOVE_S {
        encoding { field<0, 2> Op op == TWO; field<8, 8> Silent s; }
        syntax { MOVE s; }
    }

    opcode NOP {
        encoding { field<0, 2> Mode mode == C; field<8, 8> Silent s = 0; }
        syntax { NOP{ s}; }
    }
}

fn main() {}
