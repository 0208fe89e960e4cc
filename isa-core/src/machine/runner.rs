//! Runs programs in blocks of decoded instructions.
//!
//! A *block* is a sequence of instructions at consecutive addresses, and only its last instruction may
//! read or change the program counter. The others are executed without updating it. After a block, the
//! runner continues with the block that followed it the last time, if its address is the same.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::processor::{MAX_LENGTH, Processor};
use crate::Isa;
use crate::error::DecodeError;
use crate::table::FeatureSet;

/// The result of `execute`: nothing, or a `Result` whose error is a trap.
pub trait Outcome {
    /// The trap; [`Infallible`](core::convert::Infallible) if there is none.
    type Trap: Display;

    /// Converts the result.
    ///
    /// # Errors
    ///
    /// Returns the trap if the instruction raised one.
    fn into_result(self) -> Result<(), Self::Trap>;
}

impl Outcome for () {
    type Trap = core::convert::Infallible;

    #[inline]
    fn into_result(self) -> Result<(), Self::Trap> {
        Ok(())
    }
}

impl<T: Display> Outcome for Result<(), T> {
    type Trap = T;

    #[inline]
    fn into_result(self) -> Result<(), T> {
        self
    }
}

/// The reason why a [`Runner`] stopped.
#[derive(Debug, Clone, Copy)]
pub enum Stop<T> {
    /// The current instruction raised a trap. The next address is the address after it.
    Trap(T),
    /// The bytes at the next address are not a valid instruction.
    Invalid(DecodeError),
    /// The next address is not a multiple of the [alignment](crate::table::InstructionSet::alignment)
    /// of the set.
    Misaligned,
    /// The processor cannot execute instructions at the next address.
    NoCode,
    /// The next address has a breakpoint.
    Breakpoint,
    /// The maximum number of instructions was executed.
    Limit,
}

/// A function that executes the words of an opcode on a machine of type `M`. The method `executor` of a set
/// returns it.
pub type ExecuteWord<W, M, O> = fn(W, &mut M) -> O;

/// A decoded instruction.
struct Step<W, M, O> {
    execute: ExecuteWord<W, M, O>,
    word: W,
    /// The length in bytes.
    length: u8,
}

/// A decoded instruction, and the kind of its block if it must be the last one of the block.
type DecodedStep<W, M, O> = (Step<W, M, O>, Option<BlockKind>);

impl<W: Copy, M, O: Outcome> Step<W, M, O> {
    #[inline(always)]
    fn execute(&self, machine: &mut M) -> Result<(), O::Trap> {
        (self.execute)(self.word, machine).into_result()
    }
}

/// Decoded instructions at consecutive addresses.
struct Block<W, M, O> {
    /// All instructions except the last one.
    body: Box<[Step<W, M, O>]>,
    ending: Step<W, M, O>,
    kind: BlockKind,
    /// The address of the first instruction.
    start: u64,
    /// The address of the last instruction.
    last: u64,
    /// The address after the last instruction.
    end: u64,
    /// The two blocks that followed most recently. At first it is the block itself.
    next: [Link; 2],
}

/// The reason why a block needs more than the execution of its instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Usual,
    /// The last instruction can observe the number of executed instructions.
    Observer,
    /// The address of the block has a breakpoint.
    Breakpoint,
}

/// A position in a run.
struct Position {
    /// The index of the block that is executed.
    block: u32,
    /// The number of instructions that may still be executed.
    left: u64,
    /// The value of `left` when the machine last counted instructions.
    counted: u64,
}

/// The reason why the execution of linked blocks ended.
enum Exit<T> {
    /// No link leads to the next address.
    Unlinked,
    /// The code may have changed.
    NewCode,
    /// The instruction with this index in the block raised a trap.
    Trap(usize, T),
    /// The last instruction of the block raised a trap.
    LastTrap(T),
    /// The instructions before this index in the block were executed.
    Limit(usize),
    Breakpoint,
}

/// An address and the index of its block.
#[derive(Debug, Clone, Copy)]
struct Link {
    address: u64,
    block: u32,
}

/// The binary logarithm of the number of blocks that can be found by address.
const LOOKUP_BITS: u32 = 13;

/// The maximum number of instructions of a block.
const BLOCK_LENGTH: usize = 64;

/// The maximum number of decoded instructions.
const MAX_STEPS: usize = 1 << 18;

/// Runs programs on machines of type `M`. It stores decoded instructions, so a program that repeats
/// instructions runs many times faster than with `execute` of the set.
///
/// The runner depends on the [effects](crate::table::Effects) of opcodes: classify the methods of the
/// machine in the specification. Otherwise each instruction is a block, which is slower.
///
/// To take a snapshot, clone the machine. To restore it, assign the copy to the machine. The runner notices
/// that the code may differ if the machine stores it in an [`AddressSpace`](super::AddressSpace).
///
/// ```standalone_crate
/// use isa_core::machine::{Counter, NamedMachine, RecordedRegisters, RegisterFile, Runner, Stop};
///
/// pub trait Jump {
///     fn jump(&mut self, target: u64);
/// }
///
/// isa_core::named_state! {
///     /// A program counter and a register.
///     pub struct Core {
///         const R: RecordedRegisters<u32> = RegisterFile::numbered("R", 16);
///         const PC: Counter = RegisterFile::listed(&["pc"]);
///     }
/// }
/// # impl isa_core::machine::GeneralRegs for Core {
/// #     fn reg(&self, number: u8) -> u32 { self.state.read(Self::R, number) }
/// #     fn set_reg(&mut self, number: u8, value: u32) { self.state.write(Self::R, number, value) }
/// # }
/// # impl Jump for Core { fn jump(&mut self, target: u64) { self.state.jump(target) } }
/// # pub trait Cpu: Jump + isa_core::machine::GeneralRegs {}
/// # impl<M: Jump + isa_core::machine::GeneralRegs + ?Sized> Cpu for M {}
///
/// isa_core::define_isa! {
///     /// A loop that counts down.
///     pub isa Loops: u16;
///     machine crate::Cpu { jump: jump; }
/// #   operand Reg: 8 = isa_core::operand::Reg;
/// #   operand To: 4 = isa_core::operand::Absolute<4>;
/// #   enum Op: 4 { DEC = 1 }
///     opcode DEC {
/// #       encoding { field<0, 4> Op op == DEC; field<4, 4> To to; field<8, 8> Reg rd; }
/// #       syntax { DEC Rd, to; }
/// #       operands { InList<rd, to>; OutList<rd>; Order<rd, to>; }
/// #       flow { branch to or next; }
///         // ...
///         semantics(machine: crate::Cpu) { Rd = Rd - 1; if Rd != 0 { machine.jump(to.value as u64); } }
///     }
/// }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
///
/// let mut core = Core::default();
/// core.set(Core::FILES.place("R1")?, 0, 1000);
/// core.load_program(0, &"DEC R1, 0;".parse::<Loops>()?.encode()?.to_le_bytes());
///
/// let mut runner = Runner::new(Loops::executor::<Core>);
/// assert!(matches!(runner.run(&mut core, 300), Stop::Limit));
/// assert_eq!(core.get(Core::FILES.place("R1")?, 0), 700);
/// let snapshot = core.clone();
/// assert!(matches!(runner.run(&mut core, u64::MAX), Stop::NoCode));
/// assert_eq!(runner.executed(), 1000);
/// core = snapshot;
/// assert_eq!(core.get(Core::FILES.place("R1")?, 0), 700);
/// assert!(matches!(runner.run(&mut core, u64::MAX), Stop::NoCode));
/// assert_eq!(runner.executed(), 1700);
/// # Ok(())
/// # }
/// ```
pub struct Runner<I: Isa, M, O> {
    executor: fn(I) -> ExecuteWord<I::Word, M, O>,
    features: FeatureSet,
    blocks: Vec<Block<I::Word, M, O>>,
    /// The number of instructions in all blocks.
    stored: usize,
    /// For each hash of an address, the index of the newest block with this hash. The table is allocated
    /// with the first block.
    lookup: Box<[u32]>,
    breakpoints: BTreeSet<u64>,
    executed: u64,
}

impl<I: Isa, M, O> fmt::Debug for Runner<I, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("blocks", &self.blocks.len())
            .field("executed", &self.executed)
            .finish_non_exhaustive()
    }
}

impl<I: Isa, M, O> Clone for Runner<I, M, O> {
    /// Creates a runner with the same settings and count, but without decoded instructions.
    fn clone(&self) -> Self {
        let breakpoints = self.breakpoints.clone();
        let new = Runner::new(self.executor).with_features(self.features);
        Runner { breakpoints, executed: self.executed, ..new }
    }
}

impl<I: Isa, M, O> Runner<I, M, O> {
    /// Creates a runner. `executor` is the method of the set, `MySet::executor::<MyMachine>`.
    #[must_use]
    pub fn new(executor: fn(I) -> ExecuteWord<I::Word, M, O>) -> Self {
        Runner {
            executor,
            features: I::SET.enabled,
            blocks: Vec::new(),
            stored: 0,
            lookup: Box::default(),
            breakpoints: BTreeSet::new(),
            executed: 0,
        }
    }

    /// Sets the features of the processor. Without this call, it has the features that are on in the
    /// tables of the set.
    #[must_use]
    pub fn with_features(mut self, features: FeatureSet) -> Self {
        self.features = features;
        self.forget();
        self
    }

    /// Returns the features of the processor.
    #[must_use]
    pub const fn features(&self) -> FeatureSet {
        self.features
    }

    /// Returns the number of instructions executed. An instruction that raised a trap is not counted.
    #[must_use]
    pub const fn executed(&self) -> u64 {
        self.executed
    }

    /// Stops before the instruction at an address, each time that execution reaches it. A run that
    /// begins at the address executes the instruction.
    pub fn add_breakpoint(&mut self, address: u64) {
        self.breakpoints.insert(address);
        self.forget();
    }

    /// Removes the breakpoint at an address and returns whether there was one.
    pub fn remove_breakpoint(&mut self, address: u64) -> bool {
        self.forget();
        self.breakpoints.remove(&address)
    }

    /// Forgets all decoded instructions. Call it if you change the code of the machine and the machine
    /// does not report the change. An [`AddressSpace`](super::AddressSpace) reports changes.
    pub fn forget(&mut self) {
        self.blocks.clear();
        self.stored = 0;
        self.lookup = Box::default();
    }

    #[inline]
    fn find(&self, address: u64) -> Option<u32> {
        let found = *self.lookup.get(slot(address))?;
        (self.blocks.get(found as usize)?.start == address).then_some(found)
    }
}

/// Returns the index of an address in [`Runner::lookup`].
#[inline]
const fn slot(address: u64) -> usize {
    (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - LOOKUP_BITS)) as usize
}

impl<I: Isa, M, O: Outcome> Runner<I, M, O> {
    /// Executes an instruction as the current one of a machine.
    pub(super) fn execute(&self, instruction: I, machine: &mut M) -> Result<(), O::Trap> {
        // An instruction that was decoded is a valid word.
        match instruction.encode() {
            Ok(word) => (self.executor)(instruction)(word, machine).into_result(),
            Err(_) => Ok(()),
        }
    }
}

impl<I: Isa, M: Processor, O: Outcome> Runner<I, M, O> {
    /// Executes instructions until one traps, or until another reason to stop. It executes at most
    /// `limit` instructions. The next run continues at the [next](Processor::next) address.
    pub fn run(&mut self, machine: &mut M, limit: u64) -> Stop<O::Trap> {
        if limit > 0 && self.breakpoints.contains(&machine.next()) {
            return match self.step(machine) {
                Ok(()) => self.run_blocks(machine, limit - 1),
                Err(stop) => stop,
            };
        }
        self.run_blocks(machine, limit)
    }

    fn run_blocks(&mut self, machine: &mut M, limit: u64) -> Stop<O::Trap> {
        let mut position = Position { block: 0, left: limit, counted: limit };
        let stop = self.run_from(machine, &mut position);
        machine.retire(position.counted - position.left);
        self.executed += limit - position.left;
        stop
    }

    fn run_from(&mut self, machine: &mut M, position: &mut Position) -> Stop<O::Trap> {
        if machine.take_code_change() {
            self.forget();
        }
        let mut from = None;
        loop {
            position.block = match self.block(machine, machine.next(), from) {
                Ok(block) => block,
                Err(stop) => return stop,
            };
            let exit = follow(&self.blocks, machine, position);
            from = Some(position.block);
            match exit {
                Exit::Unlinked => {}
                Exit::NewCode => {
                    self.forget();
                    from = None;
                }
                Exit::Trap(at, trap) => {
                    self.stop(machine, position, at, at + 1);
                    return Stop::Trap(trap);
                }
                Exit::LastTrap(trap) => return Stop::Trap(trap),
                Exit::Limit(at) => {
                    self.stop(machine, position, at, at);
                    return Stop::Limit;
                }
                Exit::Breakpoint => {
                    self.stop(machine, position, 0, 0);
                    return Stop::Breakpoint;
                }
            }
        }
    }

    /// Makes the instruction with index `at` in a block the current one, and the instruction with index
    /// `next` the next one.
    fn stop(&self, machine: &mut M, position: &Position, at: usize, next: usize) {
        let block = &self.blocks[position.block as usize];
        let address = |count: usize| {
            let before = block.body.iter().chain([&block.ending]).take(count);
            block.start.wrapping_add(before.map(|step| u64::from(step.length)).sum())
        };
        machine.begin(address(at), address(next));
    }

    /// Executes the next instruction, even if its address has a breakpoint.
    ///
    /// # Errors
    ///
    /// Returns the reason if the instruction was not executed.
    pub fn step(&mut self, machine: &mut M) -> Result<(), Stop<O::Trap>> {
        let address = machine.next();
        let (step, _) = match self.decode(machine, address) {
            Ok(decoded) => decoded,
            Err(stop) => return Err(refused(machine, address, stop)),
        };
        machine.begin(address, address.wrapping_add(step.length.into()));
        step.execute(machine).map_err(Stop::Trap)?;
        machine.retire(1);
        self.executed += 1;
        Ok(())
    }

    /// Returns the block at an address, and links it to the block before it.
    #[cold]
    fn block(
        &mut self,
        machine: &mut M,
        address: u64,
        mut from: Option<u32>,
    ) -> Result<u32, Stop<O::Trap>> {
        let block = match self.find(address) {
            Some(found) => found,
            None => {
                if self.stored > MAX_STEPS {
                    self.forget();
                    from = None;
                }
                match self.decode_block(machine, address) {
                    Ok(block) => block,
                    Err(stop) => return Err(refused(machine, address, stop)),
                }
            }
        };
        if let Some(from) = from.and_then(|from| self.blocks.get_mut(from as usize)) {
            from.next = [Link { address, block }, from.next[0]];
        }
        Ok(block)
    }

    /// Decodes the block at an address. An error of a later instruction is reported when execution
    /// reaches the instruction.
    fn decode_block(&mut self, machine: &mut M, start: u64) -> Result<u32, Stop<O::Trap>> {
        let (mut ending, mut kind) = self.decode(machine, start)?;
        let (mut body, mut last) = (Vec::new(), start);
        let mut end = start.wrapping_add(ending.length.into());
        if self.breakpoints.contains(&start) {
            kind = Some(BlockKind::Breakpoint);
        }
        while kind.is_none() && body.len() < BLOCK_LENGTH && !self.breakpoints.contains(&end) {
            let Ok((step, next)) = self.decode(machine, end) else { break };
            (last, end, kind) = (end, end.wrapping_add(step.length.into()), next);
            body.push(core::mem::replace(&mut ending, step));
        }
        machine.watch(start, end.wrapping_sub(start));
        self.stored += body.len() + 1;
        let block = self.blocks.len() as u32;
        let next = [Link { address: start, block }; 2];
        let (body, kind) = (body.into(), kind.unwrap_or(BlockKind::Usual));
        self.blocks.push(Block { body, ending, kind, start, last, end, next });
        if self.lookup.is_empty() {
            self.lookup = vec![u32::MAX; 1 << LOOKUP_BITS].into();
        }
        self.lookup[slot(start)] = block;
        Ok(block)
    }

    /// Decodes the instruction at an address.
    fn decode(
        &self,
        machine: &M,
        address: u64,
    ) -> Result<DecodedStep<I::Word, M, O>, Stop<O::Trap>> {
        if address & (I::SET.alignment() - 1) != 0 {
            return Err(Stop::Misaligned);
        }
        let mut bytes = [0; MAX_LENGTH];
        let count = machine.fetch(address, &mut bytes);
        if count == 0 {
            return Err(Stop::NoCode);
        }
        let decoded = I::decode_first_with(self.features, &bytes[..count.min(MAX_LENGTH)]);
        let (instruction, length) = decoded.map_err(Stop::Invalid)?;
        // A decoded instruction is a valid word.
        let Ok(word) = instruction.encode() else { return Err(Stop::NoCode) };
        let effects = instruction.opcode().effects;
        let ends = effects.reads_pc() || effects.jumps();
        let kind = match () {
            () if effects.has_others() => Some(BlockKind::Observer),
            () if ends || machine.is_coherent() && effects.stores() => Some(BlockKind::Usual),
            () => None,
        };
        let execute = (self.executor)(instruction);
        Ok((Step { execute, word, length: length as u8 }, kind))
    }
}

/// Makes an address without a valid instruction the current one. If it is misaligned, the instruction
/// that jumped to it remains the current one.
fn refused<M: Processor, T>(machine: &mut M, address: u64, stop: Stop<T>) -> Stop<T> {
    if !matches!(stop, Stop::Misaligned) {
        machine.begin(address, address);
    }
    stop
}

/// Executes linked blocks. The machine has counted the instructions only up to the position.
fn follow<W: Copy, M: Processor, O: Outcome>(
    blocks: &[Block<W, M, O>],
    machine: &mut M,
    position: &mut Position,
) -> Exit<O::Trap> {
    let Position { block: mut index, mut left, mut counted } = *position;
    let exit = loop {
        let Some(block) = blocks.get(index as usize) else { break Exit::Unlinked };
        let length = block.body.len() as u64;
        if length >= left || block.kind == BlockKind::Breakpoint {
            break limited(block, machine, &mut left);
        }
        if let Err((at, trap)) = run_all(&block.body, machine) {
            left -= at as u64;
            break Exit::Trap(at, trap);
        }
        machine.begin(block.last, block.end);
        if block.kind == BlockKind::Observer {
            machine.retire(counted - left + length);
            counted = left - length;
        }
        if let Err(trap) = block.ending.execute(machine) {
            left -= length;
            break Exit::LastTrap(trap);
        }
        left -= length + 1;
        if machine.take_code_change() {
            break Exit::NewCode;
        }
        let address = machine.next();
        let [one, other] = &block.next;
        if one.address == address {
            index = one.block;
        } else if other.address == address {
            index = other.block;
        } else {
            break Exit::Unlinked;
        }
    };
    *position = Position { block: index, left, counted };
    exit
}

/// Executes a block that has a breakpoint, or the first instructions of a block that has at least
/// `left` instructions before its last one.
#[cold]
fn limited<W: Copy, M: Processor, O: Outcome>(
    block: &Block<W, M, O>,
    machine: &mut M,
    left: &mut u64,
) -> Exit<O::Trap> {
    if block.kind == BlockKind::Breakpoint {
        return Exit::Breakpoint;
    }
    match run_all(&block.body[..*left as usize], machine) {
        Ok(()) => Exit::Limit(core::mem::take(left) as usize),
        Err((at, trap)) => {
            *left -= at as u64;
            Exit::Trap(at, trap)
        }
    }
}

/// Executes instructions in order. An error contains the index of the instruction that trapped.
///
/// Four instructions have separate calls, so that a processor predicts the target of each from the
/// instructions before it.
#[inline(always)]
fn run_all<W: Copy, M, O: Outcome>(
    steps: &[Step<W, M, O>],
    machine: &mut M,
) -> Result<(), (usize, O::Trap)> {
    let mut rest = steps;
    macro_rules! execute {
        ($step:ident, $index:expr) => {
            if let Err(trap) = $step.execute(machine) {
                return Err((steps.len() - rest.len() + $index, trap));
            }
        };
    }
    while let [a, b, c, d, others @ ..] = rest {
        execute!(a, 0);
        execute!(b, 1);
        execute!(c, 2);
        execute!(d, 3);
        rest = others;
    }
    if let [a, b, others @ ..] = rest {
        execute!(a, 0);
        execute!(b, 1);
        rest = others;
    }
    if let [a] = rest {
        execute!(a, 0);
    }
    Ok(())
}
