use std::borrow::BorrowMut;

use isa_core::text::{Cursor, OperandError, Line};
use isa_core::machine::{Sink, Source};
use isa_core::operand::OperandKind;

isa_core::define_isa! {
    /// A toy set with 16-bit words.
    isa Toy: u16;
    machine Machine;
    operand Reg: 3;
    operand Int4: 4 = isa_core::operand::Signed<4>;
    /// The operation.
    enum Op: 4 { HALT = 0, ADD = 1, SUB = 2 }
    /// The handling of overflow.
    enum Limit: 1 { WRAP = 0, SAT = 1 }
    /// The type of the second source.
    enum Form: 1 { REG = 0, INT = 1 }

    /// Stops the machine.
    opcode HALT {
        encoding  { field<12, 4> Op op == HALT; }
        syntax    { HALT; }
        operands  { InList<>; OutList<>; }
        semantics {}
    }

    /// Two sources and a destination.
    group ALU {
        encoding {
            field<12, 4> Op    op;
            field< 9, 3> Reg   rd;
            field< 6, 3> Reg   ra;
            field< 4, 1> Limit limit = WRAP;
        }
        syntax { ..{.limit} Rd, Ra, SrcB; }
    }
    /// The second source is a register.
    group RR : [ALU] {
        encoding { field<5, 1> Form form == REG; field<0, 3> Reg rb; }
        operands { InList<ra, rb>; OutList<rd>; Order<rd, ra, rb>; }
    }
    /// The second source is a number.
    group RI : [ALU] {
        encoding { field<5, 1> Form form == INT; field<0, 4> Int4 imm; }
        operands { InList<ra, imm>; OutList<rd>; Order<rd, ra, imm>; }
    }

    /// Adds.
    optype ADD : [ALU] {
        encoding  { field<12, 4> Op op == ADD; }
        syntax    { ADD }
        semantics { Rd = limited(Ra.value + SrcB.value, limit); }
        examples  { ADD R1, R2, R3; ADD.SAT R1, R2, -8; }
    }
    opcode ADD_RR : [ADD, RR] {}
    opcode ADD_RI : [ADD, RI] {}

    /// Subtracts.
    optype SUB : [ALU] {
        encoding  { field<12, 4> Op op == SUB; }
        syntax    { SUB }
        semantics { Rd = limited(Ra.value - SrcB.value, limit); }
        examples  { SUB R1, R2, R3; SUB.SAT R1, R2, 7; }
    }
    opcode SUB_RR : [SUB, RR] {}
    opcode SUB_RI : [SUB, RI] {}

    /// Does nothing.
    opcode NOP inside ADD_RI {
        encoding {
            field<12, 4> Op    op == ADD;
            field< 9, 3> Reg   rd == 0;
            field< 6, 3> Reg   ra == 0;
            field< 5, 1> Form  form == INT;
            field< 4, 1> Limit limit == WRAP;
            field< 0, 4> Int4  imm == 0;
        }
        syntax    { NOP; }
        operands  { InList<>; OutList<>; }
        semantics {}
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

/// The machine.
#[derive(Debug, Default)]
struct Cpu {
    regs: [i16; 8],
}

/// A type that is or contains a `Cpu`.
trait Machine: BorrowMut<Cpu> {}
impl Machine for Cpu {}

impl<M: Machine + ?Sized> Source<M> for Reg {
    fn fetch(self, machine: &M) -> i64 { machine.borrow().regs[usize::from(self.0)].into() }
}
impl<M: Machine + ?Sized> Sink<M> for Reg {
    fn store(self, machine: &mut M, value: i64) {
        machine.borrow_mut().regs[usize::from(self.0)] = value as i16;
    }
}

/// Converts a result to 16 bits, as `limit` specifies.
fn limited(result: i64, limit: Limit) -> i64 {
    match limit {
        Limit::WRAP => (result as i16).into(),
        Limit::SAT => result.clamp(i16::MIN.into(), i16::MAX.into()),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut cpu = Cpu::default();
    for text in ["ADD R1, R0, 7;", "SUB R2, R0, R1;", "ADD.SAT R3, R2, -8;"] {
        text.parse::<Toy>()?.execute(&mut cpu);
    }
    println!("{:?}", cpu.regs);
    Ok(())
}
