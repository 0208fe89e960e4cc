use isa_core::text::{Cursor, OperandError, Line};
use isa_core::operand::OperandKind;

isa_core::define_isa! {
    /// A toy set with 16-bit words.
    isa Toy: u16;
    operand Reg: 3;
    /// The operation.
    enum Op: 4 { HALT = 0, ADD = 1, SUB = 2 }
    /// The handling of overflow.
    enum Limit: 1 { WRAP = 0, SAT = 1 }

    /// Stops the machine.
    opcode HALT {
        encoding { field<12, 4> Op op == HALT; }
        syntax   { HALT; }
    }

    /// Two sources and a destination.
    group ALU {
        encoding {
            field<12, 4> Op    op;
            field< 9, 3> Reg   rd;
            field< 6, 3> Reg   ra;
            field< 4, 1> Limit limit = WRAP;
            field< 0, 3> Reg   rb;
        }
        syntax { ..{.limit} Rd, Ra, Rb; }
    }

    /// Adds.
    opcode ADD : [ALU] {
        encoding { field<12, 4> Op op == ADD; }
        syntax   { ADD }
    }

    /// Subtracts.
    opcode SUB : [ALU] {
        encoding { field<12, 4> Op op == SUB; }
        syntax   { SUB }
    }
}

/// A register, `R0` to `R7`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reg(u8);

impl OperandKind for Reg {
    type Value = i64;
    const WIDTH: u8 = 3;
    const EXPECTS: &'static str = "a register (`R0` to `R7`)";
    const MAX_LEN: usize = "R7".len();
    const FORMS: &'static [&'static str] = &["R0"];

    fn from_bits(raw: u64) -> Self { Reg(raw as u8 & 7) }
    fn to_bits(self) -> u64 { self.0.into() }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let start = cursor.position();
        match cursor.word().as_bytes() {
            [b'R', digit @ b'0'..=b'7'] => Ok(Reg(digit - b'0')),
            _ => Err(cursor.fault(start, "no such register: there are `R0` to `R7`")),
        }
    }
    fn write(self, line: &mut Line) {
        line.push(b'R');
        line.push_decimal(self.0.into());
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let instruction = Sub::new(Reg(1), Reg(2), Reg(3)).limit(Limit::SAT);
    println!("{:#06x}  {instruction}", instruction.encode()?);
    println!("{}", "ADD.SET R1, R2, R3;".parse::<Toy>().unwrap_err());
    Ok(())
}
