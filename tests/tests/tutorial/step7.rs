use std::borrow::BorrowMut;

use isa_core::text::{Cursor, OperandError, Line};
use isa_core::machine::{Sink, Source};
use isa_core::operand::{OperandKind, Signed};

isa_core::define_isa! {
    /// A toy set with 16-bit words.
    isa Toy: u16;
    machine Machine;
    operand Reg: 3;
    operand Int4: 4 = isa_core::operand::Signed<4>;
    operand Mem: 3;
    operand Target: 7;
    /// The operation.
    enum Op: 4 { HALT = 0, ADD = 1, SUB = 2, LD = 4, ST = 5, B = 8 }
    /// The handling of overflow.
    enum Limit: 1 { WRAP = 0, SAT = 1 }
    /// The type of the second source.
    enum Form: 1 { REG = 0, INT = 1 }
    /// A comparison of a register with 0.
    enum When: 2 { EQ = 0, NE = 1, LT = 2, GE = 3 }

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

    /// Loads a word.
    opcode LD {
        encoding  { field<12, 4> Op op == LD; field<9, 3> Reg rd; field<6, 3> Mem ma; }
        syntax    { LD Rd, "[" Ma "]"; }
        operands  { InList<ma>; OutList<rd>; Order<rd, ma>; }
        semantics { Rd = Ma.value; }
        examples  { LD R1, [R2]; }
    }

    /// Stores a word.
    opcode ST {
        encoding  { field<12, 4> Op op == ST; field<9, 3> Reg ra; field<6, 3> Mem md; }
        syntax    { ST "[" Md "]", Ra; }
        operands  { InList<ra>; OutList<md>; Order<md, ra>; }
        semantics { Md = Ra.value; }
        examples  { ST [R2], R1; }
    }

    /// Branches if the comparison of a register with 0 is true.
    opcode B {
        encoding {
            field<12, 4> Op     op == B;
            field< 9, 3> Reg    ra;
            field< 7, 2> When   when;
            field< 0, 7> Target to;
        }
        syntax    { B.when Ra, To; }
        operands  { InList<ra>; OutList<to>; Order<ra, to>; }
        exception { EncodingError<EndlessLoop, "a branch to itself never ends"> = to == 0; }
        semantics {
            To = match when {
                When::EQ => Ra.value == 0,
                When::NE => Ra.value != 0,
                When::LT => Ra.value < 0,
                When::GE => Ra.value >= 0,
            };
        }
        examples  { B.NE R1, -5; }
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

/// The word of memory that a register points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mem(Reg);

impl OperandKind for Mem {
    type Value = i64;
    const WIDTH: u8 = Reg::WIDTH;
    const EXPECTS: &'static str = Reg::EXPECTS;
    const MAX_LEN: usize = Reg::MAX_LEN;
    const FORMS: &'static [&'static str] = Reg::FORMS;

    fn from_bits(raw: u64) -> Self { Mem(Reg::from_bits(raw)) }
    fn to_bits(self) -> u64 { self.0.to_bits() }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> { Reg::read(cursor).map(Mem) }
    fn write(self, line: &mut Line) { self.0.write(line); }
}

impl<M: Machine + ?Sized> Source<M> for Mem {
    fn fetch(self, machine: &M) -> i64 {
        let address = self.0.fetch(machine) as u8;
        machine.borrow().memory[usize::from(address)].into()
    }
}
impl<M: Machine + ?Sized> Sink<M> for Mem {
    fn store(self, machine: &mut M, value: i64) {
        let address = self.0.fetch(machine) as u8;
        machine.borrow_mut().memory[usize::from(address)] = value as i16;
    }
}

/// A branch target, relative to the branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Target(Signed<7>);

impl OperandKind for Target {
    /// Whether the branch is taken.
    type Value = bool;
    const WIDTH: u8 = 7;
    const EXPECTS: &'static str = "a target (`-64` to `63`)";
    const MAX_LEN: usize = "-64".len();
    const FORMS: &'static [&'static str] = Signed::<7>::FORMS;

    fn from_bits(raw: u64) -> Self { Target(Signed::from_bits(raw)) }
    fn to_bits(self) -> u64 { self.0.to_bits() }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> { Signed::read(cursor).map(Target) }
    fn write(self, line: &mut Line) { self.0.write(line); }
}

impl<M: Machine + ?Sized> Sink<M> for Target {
    fn store(self, machine: &mut M, taken: bool) {
        let cpu = machine.borrow_mut();
        if taken {
            cpu.next = cpu.pc.wrapping_add_signed(self.0.get() as i16);
        }
    }
}

/// The machine.
struct Cpu {
    regs: [i16; 8],
    memory: [i16; 256],
    /// The addresses of the current and of the next instruction.
    pc: u16,
    next: u16,
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

impl Cpu {
    fn new() -> Self { Cpu { regs: [0; 8], memory: [0; 256], pc: 0, next: 0 } }

    /// Runs a program to its `HALT`.
    fn run(&mut self, program: &[u16]) -> Result<(), String> {
        for _ in 0..100_000 {
            let pc = self.pc;
            let word = program.get(usize::from(pc)).ok_or(format!("{pc}: the program has ended"))?;
            let instruction = Toy::decode(*word).map_err(|error| format!("{pc}: {error}"))?;
            if let Toy::Halt(_) = instruction {
                return Ok(());
            }
            self.next = pc.wrapping_add(1);
            instruction.execute(self);
            self.pc = self.next;
        }
        Err("no `HALT` in 100000 instructions".to_owned())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut program = Vec::new();
    for text in ["ADD R1, R0, 5;", "ST [R1], R1;", "SUB R1, R1, 1;", "B.NE R1, -2;", "HALT;"] {
        program.push(text.parse::<Toy>()?.encode()?);
    }
    let mut cpu = Cpu::new();
    cpu.run(&program)?;
    println!("{:?}", &cpu.memory[..8]);
    println!("{}", "B.EQ R1, 0;".parse::<Toy>().unwrap_err());
    Ok(())
}
