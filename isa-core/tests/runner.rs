//! Compares the runner with a loop that decodes each instruction again, on random programs that jump,
//! trap, read the program counter and the number of executed instructions, and change their own code.

#![cfg(feature = "alloc")]

use isa_core::machine::{
    AddressSpace, GeneralRegs, MAX_LENGTH, Permissions, Processor, Runner, Stop,
};

/// The address of a store that is not permitted, or `None` for `trap`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault(Option<u32>);

impl core::fmt::Display for Fault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "fault {:?}", self.0)
    }
}

/// The state that the semantics use.
pub trait Core: GeneralRegs {
    /// Returns the address of the current instruction.
    fn here(&self) -> u32;
    /// Continues at another address.
    fn jump(&mut self, target: u32);
    /// Loads four bytes.
    fn load(&self, address: u32) -> u32;
    /// Stores four bytes.
    ///
    /// # Errors
    ///
    /// Returns a fault if the bytes must not be written.
    fn store(&mut self, address: u32, value: u32) -> Result<(), Fault>;
    /// Returns the number of executed instructions.
    fn count(&self) -> u32;
    /// Makes stored instructions visible.
    fn fence(&mut self) {}
}

isa_core::define_isa! {
    /// One opcode for each effect.
    isa Toy: u32;

    machine crate::Core {
        pc: here;
        jump: jump;
        load: load;
        store: store;
        state: reg, set_reg;
    }
    trap crate::Fault;

    operand Reg: 8 = isa_core::operand::Reg;
    operand By: 8 = isa_core::operand::Signed<8>;
    operand Op: 8 = isa_core::operand::Unsigned<8>;

    /// All opcodes.
    group ALL {
        encoding { field<0, 8> Op op; field<8, 8> Reg rd; field<16, 8> Reg ra; field<24, 8> By by; }
        syntax { .. Rd, Ra, by; }
    }
    opcode ADD : [ALL] { encoding { op == 0; } syntax { ADD } operands { InList<ra, by>; OutList<rd>; }
        semantics { Rd = Ra.value.wrapping_add(by.value as u32); } }
    opcode LD : [ALL] { encoding { op == 1; } syntax { LD } operands { InList<ra, by>; OutList<rd>; }
        semantics(core: crate::Core) { Rd = core.load(Ra.value.wrapping_add(by.value as u32)); } }
    opcode ST : [ALL] { encoding { op == 2; } syntax { ST } operands { InList<rd, ra, by>; OutList<>; }
        semantics(core: crate::Core) { core.store(Ra.value.wrapping_add(by.value as u32), Rd.value)?; } }
    opcode BNE : [ALL] { encoding { op == 3; } syntax { BNE } operands { InList<rd, ra, by>; OutList<>; }
        semantics(core: crate::Core) {
            if Rd.value != Ra.value { core.jump(core.here().wrapping_add((by.value as u32).wrapping_mul(4))); }
        } }
    opcode JR : [ALL] { encoding { op == 4; } syntax { JR } operands { InList<ra>; OutList<>; }
        semantics(core: crate::Core) { core.jump(Ra.value); } }
    opcode HERE : [ALL] { encoding { op == 5; } syntax { HERE } operands { InList<>; OutList<rd>; }
        semantics(core: crate::Core) { Rd = core.here(); } }
    opcode COUNT : [ALL] { encoding { op == 6; } syntax { COUNT } operands { InList<>; OutList<rd>; }
        semantics(core: crate::Core) { Rd = core.count(); } }
    opcode FENCE : [ALL] { encoding { op == 7; } syntax { FENCE } operands { InList<>; OutList<>; }
        semantics(core: crate::Core) { core.fence(); } }
    opcode TRAP : [ALL] { encoding { op == 8; } syntax { TRAP } operands { InList<rd>; OutList<>; }
        semantics { if Rd.value & 7 == 0 { return Err(crate::Fault(None)); } } }
}

/// A processor.
#[derive(Debug, Clone)]
struct Machine {
    regs: [u32; 8],
    pc: u64,
    next: u64,
    memory: AddressSpace,
    count: u64,
    is_coherent: bool,
}

impl GeneralRegs for Machine {
    fn reg(&self, number: u8) -> u32 {
        self.regs[usize::from(number % 8)]
    }
    fn set_reg(&mut self, number: u8, value: u32) {
        self.regs[usize::from(number % 8)] = value;
    }
}

impl Core for Machine {
    fn here(&self) -> u32 {
        self.pc as u32
    }
    fn jump(&mut self, target: u32) {
        self.next = target.into();
    }
    fn load(&self, address: u32) -> u32 {
        self.memory.read(address.into()).map_or(0, u32::from_le_bytes)
    }
    fn store(&mut self, address: u32, value: u32) -> Result<(), Fault> {
        let is_stored = self.memory.write(address.into(), value.to_le_bytes());
        if is_stored { Ok(()) } else { Err(Fault(Some(address))) }
    }
    fn count(&self) -> u32 {
        self.count as u32
    }
}

impl Processor for Machine {
    fn pc(&self) -> u64 {
        self.pc
    }
    fn next(&self) -> u64 {
        self.next
    }
    fn begin(&mut self, address: u64, next: u64) {
        (self.pc, self.next) = (address, next);
    }
    fn fetch(&self, address: u64, bytes: &mut [u8; MAX_LENGTH]) -> usize {
        self.memory.fetch(address, bytes)
    }
    fn watch(&mut self, address: u64, length: u64) {
        self.memory.watch(address, length);
    }
    fn take_code_change(&mut self) -> bool {
        self.memory.take_code_change()
    }
    fn is_coherent(&self) -> bool {
        self.is_coherent
    }
    fn retire(&mut self, count: u64) {
        self.count += count;
    }
}

/// The reason to stop, without the error of the decoder.
#[derive(Debug, PartialEq, Eq)]
enum Reason {
    Trap(Fault),
    Invalid,
    Misaligned,
    NoCode,
    Breakpoint,
    Limit,
}

impl From<Stop<Fault>> for Reason {
    fn from(stop: Stop<Fault>) -> Self {
        match stop {
            Stop::Trap(fault) => Reason::Trap(fault),
            Stop::Invalid(_) => Reason::Invalid,
            Stop::Misaligned => Reason::Misaligned,
            Stop::NoCode => Reason::NoCode,
            Stop::Breakpoint => Reason::Breakpoint,
            Stop::Limit => Reason::Limit,
        }
    }
}

/// Executes at most `limit` instructions, and decodes each one when it is executed.
fn simple(machine: &mut Machine, limit: u64, breakpoints: &[u64]) -> Reason {
    for done in 0..=limit {
        let address = machine.next;
        if !address.is_multiple_of(4) {
            return Reason::Misaligned;
        }
        let mut bytes = [0; MAX_LENGTH];
        let count = machine.memory.fetch(address, &mut bytes);
        let decoded = Toy::decode_first(&bytes[..count]);
        let stop = match decoded {
            _ if count == 0 => Some(Reason::NoCode),
            Err(_) => Some(Reason::Invalid),
            _ if breakpoints.contains(&address) && (done > 0 || limit == 0) => {
                Some(Reason::Breakpoint)
            }
            _ if done == limit => Some(Reason::Limit),
            _ => None,
        };
        if let Some(stop) = stop {
            machine.begin(address, address);
            return stop;
        }
        machine.begin(address, address + 4);
        let Ok((instruction, _)) = decoded else { unreachable!("it was decoded") };
        if let Err(fault) = instruction.execute(machine) {
            return Reason::Trap(fault);
        }
        machine.count += 1;
    }
    Reason::Limit
}

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

const CODE: u64 = 0x1000;
const WORDS: u64 = 40;

/// Returns a machine with a random program whose registers often contain addresses of its code.
fn random_machine(random: &mut Random) -> Machine {
    let mut memory = AddressSpace::default();
    let permissions = Permissions { read: true, write: true, execute: true };
    // Sometimes the code is in several regions that overlap, which are stored in another way.
    if random.below(4) == 0 {
        memory.map(CODE, WORDS * 2, permissions);
    }
    memory.map(CODE, WORDS * 4, permissions);
    memory.map(0x8000, 0x40, Permissions::READ_WRITE);
    let mut word = || {
        // Opcodes from 9 on do not exist.
        let op = [0, 0, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9][random.below(13) as usize];
        let op = if op == 9 && random.below(4) > 0 { 0 } else { op };
        let by = match op {
            3 => random.below(21) as i64 - 10,
            _ => 4 * (random.below(9) as i64 - 4),
        };
        op | random.below(8) << 8 | random.below(8) << 16 | u64::from(by as u8) << 24
    };
    let code: Vec<u8> = (0..WORDS).flat_map(|_| (word() as u32).to_le_bytes()).collect();
    let some_words: Vec<u32> = (0..3).map(|_| word() as u32).collect();
    memory.put(CODE, &code);
    let mut regs = [0; 8];
    for (at, reg) in regs.iter_mut().enumerate() {
        *reg = match at {
            0..3 => CODE as u32 + 4 * random.below(WORDS) as u32,
            3 => 0x8000 + 4 * random.below(16) as u32,
            4..7 => some_words[at - 4],
            _ => random.below(10) as u32,
        };
    }
    let is_coherent = random.below(2) == 0;
    Machine { regs, pc: CODE, next: CODE, memory, count: 0, is_coherent }
}

/// Returns everything that a program can observe.
fn state(machine: &Machine) -> ([u32; 8], u64, u64, u64, Vec<u8>, Vec<u8>) {
    let mut code = vec![0; WORDS as usize * 4];
    let mut data = vec![0; 0x40];
    machine.memory.copy(CODE, &mut code);
    machine.memory.copy(0x8000, &mut data);
    (machine.regs, machine.pc, machine.next, machine.count, code, data)
}

#[test]
fn random_programs_do_the_same_in_blocks_and_in_steps() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut reasons = [0; 6];
    for case in 0..6000 {
        let mut machine = random_machine(&mut random);
        // Without coherence, a store to decoded code takes effect at the end of a block, so the
        // comparison needs programs that do not store to their code.
        let mut expected = machine.clone();
        if !machine.is_coherent {
            let readable = Permissions { read: true, write: false, execute: true };
            let mut memory = AddressSpace::default();
            let mut code = vec![0; WORDS as usize * 4];
            machine.memory.copy(CODE, &mut code);
            memory.map(CODE, WORDS * 4, readable);
            memory.map(0x8000, 0x40, Permissions::READ_WRITE);
            memory.put(CODE, &code);
            machine.memory = memory.clone();
            expected.memory = memory;
        }
        let mut runner = Runner::new(Toy::executor::<Machine>);
        let mut breakpoints = vec![];
        for _ in 0..random.below(3) {
            breakpoints.push(CODE + 4 * random.below(WORDS));
            runner.add_breakpoint(breakpoints[breakpoints.len() - 1]);
        }
        for _ in 0..20 {
            let limit = [0, 1, 2, 3, 7, 50, 400][random.below(7) as usize];
            let found = Reason::from(runner.run(&mut machine, limit));
            let wanted = simple(&mut expected, limit, &breakpoints);
            assert_eq!((&found, state(&machine)), (&wanted, state(&expected)), "case {case}");
            assert_eq!(runner.executed(), expected.count, "case {case}");
            reasons[match found {
                Reason::Trap(_) => 0,
                Reason::Invalid => 1,
                Reason::Misaligned => 2,
                Reason::NoCode => 3,
                Reason::Breakpoint => 4,
                Reason::Limit => 5,
            }] += 1;
            match found {
                Reason::Limit | Reason::Breakpoint => {}
                // Traps are served, and the program continues.
                Reason::Trap(_) => {}
                _ => break,
            }
        }
    }
    assert!(reasons.iter().all(|count| *count > 50), "{reasons:?}");
}

#[test]
fn a_restored_machine_does_the_same_again() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut changed = 0;
    for case in 0..2000 {
        let mut machine = random_machine(&mut random);
        machine.is_coherent = true;
        let mut runner = Runner::new(Toy::executor::<Machine>);
        runner.run(&mut machine, random.below(20));
        let snapshot = machine.clone();
        let mut run = |machine: &mut Machine| -> Vec<_> {
            [1, 2, 5, 50, 300]
                .map(|limit| (Reason::from(runner.run(machine, limit)), state(machine)))
                .into()
        };
        let trace = run(&mut machine);
        changed += usize::from(state(&machine).4 != state(&snapshot).4);
        machine = snapshot;
        assert_eq!(run(&mut machine), trace, "case {case}");
    }
    assert!(changed > 50, "{changed} programs changed their code");
}

#[test]
fn a_store_to_the_next_instruction_takes_effect_at_once() {
    let lines = [
        "LD R1, R0, 16;", // 0x1000: the word `ADD R2, R2, 9`
        "ST R1, R0, 12;", // replaces the instruction at 0x100c
        "ADD R3, R3, 1;",
        "ADD R2, R2, 1;",
        "ADD R2, R2, 9;",
    ];
    let words = lines.map(|line| line.parse::<Toy>().unwrap().encode().unwrap());
    let mut memory = AddressSpace::default();
    memory.map(CODE, 20, Permissions { read: true, write: true, execute: true });
    memory.put(CODE, &words.map(u32::to_le_bytes).concat());
    let regs = [CODE as u32, 0, 0, 0, 0, 0, 0, 0];
    let mut machine = Machine { regs, pc: CODE, next: CODE, memory, count: 0, is_coherent: true };
    let mut runner = Runner::new(Toy::executor::<Machine>);
    assert!(matches!(runner.run(&mut machine, u64::MAX), Stop::NoCode));
    assert_eq!((machine.regs[2], machine.regs[3], machine.count), (18, 1, 5));
}

#[test]
fn a_copy_of_the_machine_gives_the_same_results_again() {
    let mut random = Random(77);
    for _ in 0..50 {
        let mut machine = random_machine(&mut random);
        let mut runner = Runner::new(Toy::executor::<Machine>);
        let _ = runner.run(&mut machine, 25);
        let snapshot = machine.clone();
        let first = (Reason::from(runner.run(&mut machine, 300)), state(&machine));
        machine = snapshot;
        runner.forget();
        let again = (Reason::from(runner.run(&mut machine, 300)), state(&machine));
        assert_eq!(first, again);
    }
}
