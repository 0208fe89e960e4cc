//! Semantics that access more state than their operands, and semantics that trap.

use isa_core::machine::{GeneralRegs, Predicates};

/// The reason why the machine trapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trap {
    DivideByZero,
    OutsideMemory(u32),
    Halted,
}

/// Memory in 32-bit words.
pub(crate) trait Memory {
    fn load(&self, address: u32) -> Option<u32>;
    fn store(&mut self, address: u32, value: u32) -> Option<()>;
}

/// A program counter.
pub(crate) trait Jump {
    fn pc(&self) -> u32;
    fn jump(&mut self, target: u32);
}

pub(crate) trait Hart: GeneralRegs + Predicates + Memory + Jump {}
impl<M: GeneralRegs + Predicates + Memory + Jump + ?Sized> Hart for M {}

/// A machine that counts the accesses to each of its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Small {
    regs: [u32; 16],
    pred: bool,
    memory: [u32; 4],
    pc: u32,
    stores: u32,
    set_regs: u32,
}

impl GeneralRegs for Small {
    fn reg(&self, number: u8) -> u32 {
        self.regs.get(usize::from(number)).copied().unwrap_or_default()
    }

    fn set_reg(&mut self, number: u8, value: u32) {
        self.set_regs += 1;
        self.regs[usize::from(number)] = value;
    }
}

impl Predicates for Small {
    fn pred(&self, number: u8) -> bool {
        number == 7 || self.pred
    }

    fn set_pred(&mut self, _: u8, value: bool) {
        self.pred = value;
    }
}

impl Memory for Small {
    fn load(&self, address: u32) -> Option<u32> {
        self.memory.get(address as usize).copied()
    }

    fn store(&mut self, address: u32, value: u32) -> Option<()> {
        *self.memory.get_mut(address as usize)? = value;
        self.stores += 1;
        Some(())
    }
}

impl Jump for Small {
    fn pc(&self) -> u32 {
        self.pc
    }

    fn jump(&mut self, target: u32) {
        self.pc = target;
    }
}

/// Declarations whose semantic functions and traits another call includes with `use`.
mod base {
    isa_core::define_isa! {
        pub(crate) isa Base: u32;

        machine crate::effects::Hart;
        trap crate::effects::Trap;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Pred: 3 = isa_core::operand::Pred;
        enum Op: 4 { LD = 1, ST = 2, BNZ = 3, DIV = 4, HALT = 5, INC = 6, SWAP = 7 }

        group ALL { encoding { field<0, 4> Op op; } }
        group TWO : [ALL] {
            encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; }
            syntax { .. Rd, Ra; }
            operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        }
        /// A load with any destination.
        group LOADS : [TWO] {
            semantics(hart: crate::effects::Memory) {
                use crate::effects::Trap;
                Rd = hart.load(Ra.value).ok_or(Trap::OutsideMemory(Ra.value))?;
            }
        }
    }
}

mod memory {
    use super::{Jump, Memory, Trap};

    isa_core::define_isa! {
        pub(crate) isa Toy: u32;

        use crate::effects::base::Base;

        opcode LD : [LOADS] {
            encoding { field<0, 4> Op op == LD; }
            syntax { LD }
        }
        opcode ST : [ALL] {
            encoding { field<0, 4> Op op == ST; field<8, 8> Reg ra; field<16, 8> Reg rb; }
            syntax { ST Ra, Rb; }
            operands { InList<ra, rb>; OutList<>; Order<ra, rb>; }
            semantics(machine: Memory) {
                let stored = machine.store(Ra.value, Rb.value);
                if stored.is_none() {
                    return Err(Trap::OutsideMemory(Ra.value));
                }
            }
        }
        /// Uses two traits of the machine and cannot trap.
        opcode BNZ : [ALL] {
            encoding { field<0, 4> Op op == BNZ; field<8, 8> Reg ra; field<16, 8> Reg rb; }
            syntax { BNZ Ra, Rb; }
            operands { InList<ra, rb>; OutList<>; Order<ra, rb>; }
            semantics(hart: Memory + Jump) {
                if Ra.value == 0 {
                    return;
                }
                let by = hart.load(0).unwrap_or_default();
                hart.jump(hart.pc() + Rb.value + by);
            }
        }
        /// Traps without using the machine, and has a guard.
        opcode DIV : [ALL] {
            encoding {
                field<0, 4> Op op == DIV;
                field<4, 3> Pred pg = PT;
                field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> Reg rb;
            }
            syntax { {@pg} DIV Rd, Ra, Rb; }
            operands { InList<pg, ra, rb>; OutList<rd>; Order<pg, rd, ra, rb>; }
            guard { pg.value }
            semantics {
                if Ra.value == 0 {
                    Rd = 0;
                    return;
                }
                Rd = Ra.value.checked_div(Rb.value).ok_or(Trap::DivideByZero)?;
            }
        }
        /// Always traps.
        opcode HALT : [ALL] {
            encoding { field<0, 4> Op op == HALT; }
            syntax { HALT; }
            operands { InList<>; OutList<>; }
            semantics { return Err(Trap::Halted); }
        }
        /// A semantic function that cannot trap.
        opcode INC : [TWO] {
            encoding { field<0, 4> Op op == INC; }
            syntax { INC }
            semantics { Rd = Ra.value.wrapping_add(1); }
        }
        /// Swaps a memory cell and a register.
        opcode SWAP : [TWO] {
            encoding { field<0, 4> Op op == SWAP; }
            syntax { SWAP }
            operands { InList<rd, ra>; OutList<rd>; Order<rd, ra>; }
            semantics(hart: Memory) {
                let outside = Trap::OutsideMemory(Ra.value);
                let before = hart.load(Ra.value).ok_or(outside)?;
                hart.store(Ra.value, Rd).ok_or(outside)?;
                Rd = before;
            }
        }
    }
}

use memory::Toy;

fn run(machine: &mut Small, text: &str) -> Result<(), Trap> {
    text.parse::<Toy>().unwrap().execute(machine)
}

fn small() -> Small {
    Small { regs: core::array::from_fn(|n| n as u32), ..Small::default() }
}

#[test]
fn loads_and_stores_go_to_computed_addresses() {
    let mut machine = Small { memory: [10, 20, 30, 40], ..small() };
    assert_eq!(run(&mut machine, "LD R5, R3;"), Ok(()));
    assert_eq!(run(&mut machine, "ST R2, R9;"), Ok(()));
    assert_eq!(run(&mut machine, "SWAP R7, R1;"), Ok(()));
    assert_eq!((machine.regs[5], machine.regs[7]), (40, 20));
    assert_eq!(machine.memory, [10, 7, 9, 40]);
}

#[test]
fn a_jump_changes_the_program_counter_alone() {
    let start = Small { memory: [3, 0, 0, 0], pc: 100, ..small() };
    let mut machine = start.clone();
    assert_eq!(run(&mut machine, "BNZ R0, R5;"), Ok(()));
    assert_eq!(machine, start, "not taken");
    assert_eq!(run(&mut machine, "BNZ R1, R5;"), Ok(()));
    assert_eq!(machine, Small { pc: 108, ..start });
}

#[test]
fn a_trap_stores_nothing() {
    for (text, trap) in [
        ("LD R5, R4;", Trap::OutsideMemory(4)),
        ("ST R9, R4;", Trap::OutsideMemory(9)),
        ("SWAP R5, R8;", Trap::OutsideMemory(8)),
        ("DIV R5, R4, R0;", Trap::DivideByZero),
        ("HALT;", Trap::Halted),
    ] {
        let mut machine = small();
        assert_eq!(run(&mut machine, text), Err(trap), "{text}");
        assert_eq!(machine, small(), "{text}");
    }
}

#[test]
fn what_does_not_trap_stores_and_says_so() {
    let mut machine = small();
    assert_eq!(run(&mut machine, "DIV R1, R9, R2;"), Ok(()));
    assert_eq!(run(&mut machine, "DIV R3, R0, R0;"), Ok(()), "a return without a value");
    assert_eq!(run(&mut machine, "INC R4, R9;"), Ok(()));
    assert_eq!((machine.regs[1], machine.regs[3], machine.regs[4]), (4, 0, 10));
    assert_eq!(machine.set_regs, 3);
}

#[test]
fn where_the_guard_is_false_nothing_traps() {
    let mut machine = small();
    assert_eq!(run(&mut machine, "@P0 DIV R5, R4, R0;"), Ok(()));
    assert_eq!(machine, small());
    machine.pred = true;
    assert_eq!(run(&mut machine, "@P0 DIV R5, R4, R0;"), Err(Trap::DivideByZero));
}

#[test]
fn an_instruction_by_itself_traps_as_in_its_set() {
    use isa_core::operand::Reg;
    let mut machine = small();
    let load = memory::Ld::new(Reg::R5, Reg::R4);
    assert_eq!(load.execute(&mut machine), Err(Trap::OutsideMemory(4)));
}

/// A family without a trap, with the machine as an unsized type.
mod plain {
    isa_core::define_isa! {
        pub(crate) isa Plain: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        machine isa_core::machine::GeneralRegs;
        enum PlainOp: 4 { NEG = 9 }
        opcode NEG {
            encoding { field<0, 4> PlainOp op == NEG; field<8, 8> Reg rd; }
            syntax { NEG Rd; }
            operands { InList<rd>; OutList<rd>; Order<rd>; }
            semantics(regs: isa_core::machine::GeneralRegs) {
                Rd = Rd.wrapping_neg().wrapping_add(regs.reg(1));
            }
        }
    }
}

/// A trap that the trap of a family converts into.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stop(Trap);

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Self {
        Stop(trap)
    }
}

isa_core::define_isa! {
    /// One family can trap, and the other cannot.
    pub(crate) isa Both: u32;
    machine crate::effects::Hart;
    trap crate::effects::Stop;
    include crate::effects::memory::Toy;
    include crate::effects::plain::Plain;
}

#[test]
fn a_set_with_a_trap_includes_families_with_and_without() {
    let mut machine = small();
    let neg: Both = "NEG R3;".parse().unwrap();
    assert_eq!(neg.execute(&mut machine), Ok(()));
    assert_eq!(machine.regs[3], 3_u32.wrapping_neg() + 1);
    let load: Both = "LD R5, R4;".parse().unwrap();
    assert_eq!(load.execute(&mut machine), Err(Stop(Trap::OutsideMemory(4))));
}

#[test]
fn a_body_with_a_machine_runs_on_a_warp_lane_by_lane() {
    let mut warp = isa_core::machine::Warp::<4>::new();
    warp.set_row(1, [10, 20, 30, 40]);
    warp.set_row(2, [1, 2, 3, 4]);
    warp.set_active([true, false, true, true]);
    let neg: plain::Plain = "NEG R2;".parse().unwrap();
    neg.execute_warp(&mut warp);
    assert_eq!(warp.row(2), [9, 2, 27, 36]);
}

#[test]
fn a_machine_may_have_no_size() {
    let mut machine = small();
    let regs: &mut dyn GeneralRegs = &mut machine;
    "NEG R2;".parse::<plain::Plain>().unwrap().execute(regs);
    assert_eq!(machine.regs[2], 2_u32.wrapping_neg() + 1);
}
