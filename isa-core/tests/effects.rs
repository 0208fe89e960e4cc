//! Tests the effects of opcodes, in a set whose semantics use the machine in different ways.

use isa_core::machine::{GeneralRegs, Predicates};
use isa_core::table::{Effects, Opcode};

/// A trap.
#[derive(Debug)]
pub struct Fault;

/// The state of the machine besides its registers.
pub trait Cpu {
    /// Returns the address of the instruction.
    fn pc(&self) -> u32;

    /// Continues at another address.
    fn jump(&mut self, target: u32);

    /// Jumps by a distance.
    fn skip(&mut self, distance: u32) {
        self.jump(self.pc() + distance);
    }

    /// Returns the word at an address.
    fn load(&self, address: u32) -> u32;

    /// Replaces the word at an address.
    fn store(&mut self, address: u32, value: u32);

    /// Replaces the word at an address, and returns the old one.
    fn swap(&mut self, address: u32, value: u32) -> u32 {
        let old = self.load(address);
        self.store(address, value);
        old
    }

    /// Waits.
    fn wait(&mut self) {}
}

/// Registers, memory and the program counter.
pub trait Hart: GeneralRegs + Predicates + Cpu {}
impl<M: GeneralRegs + Predicates + Cpu + ?Sized> Hart for M {}

/// Returns the sum of two words in memory.
fn sum(cpu: &(impl Cpu + ?Sized), address: u32) -> u32 {
    cpu.load(address) + cpu.load(address + 1)
}

/// Returns the larger of two numbers.
macro_rules! larger {
    ($a:expr, $b:expr) => {
        if $a > $b { $a } else { $b }
    };
}

isa_core::define_isa! {
    /// One opcode for each effect.
    isa Toy: u32;

    machine crate::Hart {
        pc: pc, skip;
        jump: jump, skip;
        load: load, swap;
        store: store, swap;
        state: reg, set_reg;
    }
    trap crate::Fault;

    operand Reg: 8 = isa_core::operand::Reg;
    operand Pred: 3 = isa_core::operand::Pred;
    operand Number: 5 = isa_core::operand::Unsigned<5>;

    /// All opcodes.
    group ALL {
        encoding { field<0, 8> Reg rd; field<27, 5> Number op; }
        syntax { .. Rd; }
        operands { InList<rd>; OutList<rd>; Order<rd>; }
    }
    opcode NONE   : [ALL] { encoding { op == 0; } syntax { NONE } }
    opcode ADD    : [ALL] { encoding { op == 1; } syntax { ADD } semantics { Rd += 1; } }
    opcode COPY   : [ALL] { encoding { op == 2; } syntax { COPY } semantics(m: Hart) { m.set_reg(2, Rd); Rd = m.reg(Rd as u8); } }
    opcode PC     : [ALL] { encoding { op == 3; } syntax { PC } semantics(cpu: Cpu) { Rd += cpu.pc(); } }
    opcode JUMP   : [ALL] { encoding { op == 4; } syntax { JUMP } operands { OutList<>; } semantics(cpu: Cpu) { cpu.jump(Rd.value); } }
    opcode SKIP   : [ALL] { encoding { op == 5; } syntax { SKIP } operands { OutList<>; } semantics(cpu: Cpu) { if Rd.value == 0 { cpu.skip(2); } } }
    opcode LOAD   : [ALL] { encoding { op == 6; } syntax { LOAD } semantics(memory: Cpu) { Rd = memory.load(Rd); } }
    opcode STORE  : [ALL] { encoding { op == 7; } syntax { STORE } operands { OutList<>; } semantics(cpu: Cpu) { cpu.store(1, Rd.value); } }
    opcode SWAP   : [ALL] { encoding { op == 8; } syntax { SWAP } semantics(cpu: Cpu) { Rd = cpu.swap(1, Rd); } }
    opcode LARGER : [ALL] { encoding { op == 9; } syntax { LARGER } semantics(cpu: Cpu) { Rd = larger!(Rd, cpu.load(Rd) + cpu.pc()); } }
    opcode SUM    : [ALL] { encoding { op == 10; } syntax { SUM } semantics(cpu: Cpu) { Rd = sum(cpu, Rd); } }
    opcode WAIT   : [ALL] { encoding { op == 11; } syntax { WAIT } semantics(cpu: Cpu) { cpu.wait(); Rd = cpu.load(Rd); } }
    opcode CHECK  : [ALL] { encoding { op == 12; } syntax { CHECK } semantics { Rd = Rd.checked_add(1).ok_or(Fault)?; } }
    opcode STOP   : [ALL] { encoding { op == 13; } syntax { STOP } operands { OutList<>; } semantics { let _ = Rd; return Err(Fault); } }
    opcode EARLY  : [ALL] { encoding { op == 14; } syntax { EARLY } semantics { if Rd == 0 { return; } Rd += 2; } }
    opcode GUARDED : [ALL] {
        encoding { op == 15; field<8, 3> Pred pg = PT; }
        syntax { {@pg} GUARDED Rd; }
        operands { InList<pg, rd>; OutList<rd>; Order<pg, rd>; }
        guard { pg.value }
        semantics(cpu: Cpu) { Rd = cpu.load(Rd); }
    }
    alias ADD_R1 of ADD { encoding { rd == 1; } syntax { INCREMENT; } }
}

/// Returns the opcode with a name.
fn opcode(name: &str) -> &'static Opcode {
    Toy::SET.opcodes.iter().find(|opcode| opcode.name == name).unwrap()
}

#[test]
fn each_effect_is_found() {
    for (name, expected) in [
        ("NONE", "unknown"),
        ("ADD", "none"),
        ("COPY", "none"),
        ("PC", "pc"),
        ("JUMP", "jump"),
        ("SKIP", "pc, jump"),
        ("LOAD", "load"),
        ("STORE", "store"),
        ("SWAP", "load, store"),
        ("LARGER", "pc, load"),
        ("SUM", "other"),
        ("WAIT", "load, other"),
        ("CHECK", "trap"),
        ("STOP", "trap"),
        ("EARLY", "none"),
        ("GUARDED", "load"),
    ] {
        assert_eq!(opcode(name).effects.to_string(), expected, "{name}");
    }
    assert_eq!(Toy::SET.opcodes.len(), 16);
    let add = opcode("ADD");
    assert_eq!(add.aliases[0].row.effects, add.effects);
}

#[test]
fn each_method_answers_for_its_effect() {
    let answers = |effects: Effects| {
        let memory = [effects.loads(), effects.stores()];
        let control = [effects.reads_pc(), effects.jumps(), effects.may_trap()];
        (effects.is_known(), memory, control, effects.has_others())
    };
    assert_eq!(answers(Effects::UNKNOWN), (false, [true; 2], [true; 3], true));
    assert_eq!(Effects::default(), Effects::UNKNOWN);
    let of = |name| answers(opcode(name).effects);
    assert_eq!(of("ADD"), (true, [false; 2], [false; 3], false));
    assert_eq!(of("SWAP"), (true, [true; 2], [false; 3], false));
    assert_eq!(of("SKIP"), (true, [false; 2], [true, true, false], false));
    assert_eq!(of("STOP"), (true, [false; 2], [false, false, true], false));
    assert_eq!(of("WAIT"), (true, [true, false], [false; 3], true));
    assert_eq!(of("NONE"), answers(Opcode::NONE.effects));
}

/// A set without a block has no effects in its rows.
mod plain {
    isa_core::define_isa! {
        /// One opcode.
        pub isa Plain: u16;
        operand Reg: 8 = isa_core::operand::Reg;
        opcode NOT {
            encoding { field<0, 8> Reg rd; }
            syntax { NOT Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; }
            semantics { Rd = !Rd; }
        }
    }
}

#[test]
fn without_classes_nothing_is_known() {
    let effects = plain::Plain::SET.opcodes[0].effects;
    assert_eq!(effects, Effects::UNKNOWN);
    assert_eq!(effects.to_string(), "unknown");
}
