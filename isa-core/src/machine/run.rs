//! Runs programs on machines whose state has names.

use alloc::string::{String, ToString};
use core::fmt::{self, Display};

use super::named::NamedMachine;
use super::processor::MAX_LENGTH;
use super::runner::{ExecuteWord, Outcome, Runner, Stop};
use crate::Isa;
use crate::error::NoInstruction;
use crate::table::{FeatureSet, InstructionSet};

/// The reason why an instruction was not executed. It prints only the reason.
#[derive(Debug, Clone)]
pub enum ExecuteError {
    /// The bytes are not a valid instruction.
    NoInstruction(NoInstruction),
    /// The instruction raised a trap.
    Trap(String),
    /// The address of the instruction is not a multiple of the [alignment](InstructionSet::alignment)
    /// of the set.
    Misaligned {
        /// The address.
        address: u64,
        /// The alignment in bytes.
        alignment: u64,
    },
}

impl Display for ExecuteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExecuteError::NoInstruction(error) => error.fmt(f),
            ExecuteError::Trap(trap) => f.write_str(trap),
            ExecuteError::Misaligned { address, alignment } => {
                write!(f, "the instruction address {address:#x} is not a multiple of {alignment}")
            }
        }
    }
}

/// A machine that executes a program, independent of the types of the machine and of the set.
pub trait Executor {
    /// Returns the state of the machine, with the names of its registers, flags and memories.
    fn state(&mut self) -> &mut dyn NamedMachine;

    /// Executes the first instruction in `bytes`.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a valid instruction, or if the instruction raises a
    /// trap.
    fn execute(&mut self, bytes: &[u8]) -> Result<(), ExecuteError>;

    /// Executes at most `steps` instructions of the loaded programs, from the
    /// [next](super::Processor::next) address until execution leaves them or reaches a
    /// [breakpoint](Executor::add_breakpoint). If a trap [is the regular end](Executor::is_end) of the
    /// program, the program counter remains at the instruction that raised the trap.
    fn run(&mut self, steps: u64) -> Ended;

    /// Stops [`run`](Executor::run) before the instruction at an address, each time that execution
    /// reaches it. A run that begins at the address executes the instruction. Returns whether the
    /// executor supports breakpoints.
    fn add_breakpoint(&mut self, address: u64) -> bool {
        let _ = address;
        false
    }

    /// Removes the breakpoint at an address and returns whether there was one.
    fn remove_breakpoint(&mut self, address: u64) -> bool {
        let _ = address;
        false
    }

    /// Returns whether a fault is the regular end of the program instead of an error.
    fn is_end(&self, fault: &ExecuteError) -> bool {
        let _ = fault;
        false
    }
}

/// Decodes the first instruction in `bytes` for a processor with these features.
///
/// # Errors
///
/// Returns an error if the bytes are not a valid instruction.
pub fn fetch<I: Isa>(features: FeatureSet, bytes: &[u8]) -> Result<I, ExecuteError> {
    match I::decode_first_with(features, bytes) {
        Ok((instruction, _)) => Ok(instruction),
        Err(error) => Err(ExecuteError::NoInstruction(error.into())),
    }
}

/// A machine that executes instructions of `I`.
#[derive(Debug)]
pub struct Simulation<I: Isa, M, O> {
    machine: M,
    runner: Runner<I, M, O>,
    ends: fn(&str) -> bool,
}

impl<I: Isa, M: NamedMachine, O: Outcome> Simulation<I, M, O> {
    /// Combines a machine, with its current state, and the method of the set that returns the functions
    /// of its opcodes: `MySet::executor::<MyMachine>`.
    pub fn new(machine: M, executor: fn(I) -> ExecuteWord<I::Word, M, O>) -> Self {
        Simulation { machine, runner: Runner::new(executor), ends: |_| false }
    }

    /// Sets the features of the processor. Without this call, it has the features that are on in the
    /// tables of the set.
    #[must_use]
    pub fn features(self, features: FeatureSet) -> Self {
        Simulation { runner: self.runner.with_features(features), ..self }
    }

    /// Sets the traps that end a program: `ends` receives the text of a trap.
    #[must_use]
    pub fn ends(self, ends: fn(&str) -> bool) -> Self {
        Simulation { ends, ..self }
    }
}

impl<I: Isa, M: NamedMachine, O: Outcome> Executor for Simulation<I, M, O> {
    fn state(&mut self) -> &mut dyn NamedMachine {
        &mut self.machine
    }

    fn execute(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        let instruction = fetch(self.runner.features(), bytes)?;
        let executed = self.runner.execute(instruction, &mut self.machine);
        executed.map_err(|trap| ExecuteError::Trap(trap.to_string()))
    }

    fn run(&mut self, steps: u64) -> Ended {
        let stop = self.runner.run(&mut self.machine, steps);
        let (pc, next) = (self.machine.pc(), self.machine.next());
        match stop {
            Stop::NoCode => Ok(()),
            Stop::Limit | Stop::Breakpoint => Err((next, Halt::Endless)),
            Stop::Invalid(error) => {
                Err((next, Halt::Error(ExecuteError::NoInstruction(error.into()))))
            }
            Stop::Misaligned => Err((pc, misaligned(I::SET, next))),
            Stop::Trap(trap) => {
                let fault = ExecuteError::Trap(trap.to_string());
                if self.is_end(&fault) {
                    self.machine.begin(pc, pc);
                    return Ok(());
                }
                Err((pc, Halt::Error(fault)))
            }
        }
    }

    fn add_breakpoint(&mut self, address: u64) -> bool {
        self.runner.add_breakpoint(address);
        true
    }

    fn remove_breakpoint(&mut self, address: u64) -> bool {
        self.runner.remove_breakpoint(address)
    }

    fn is_end(&self, fault: &ExecuteError) -> bool {
        matches!(fault, ExecuteError::Trap(trap) if (self.ends)(trap))
    }
}

fn misaligned(set: &InstructionSet, address: u64) -> Halt {
    Halt::Error(ExecuteError::Misaligned { address, alignment: set.alignment() })
}

/// The reason why a program stopped before its end.
#[derive(Debug, Clone)]
pub enum Halt {
    /// An instruction cannot be executed.
    Error(ExecuteError),
    /// The maximum number of instructions was executed, or the next instruction has a breakpoint.
    Endless,
}

/// A function that is called after each instruction. Its arguments are the machine, and the address and
/// the bytes of the instruction.
pub type AfterEach<'e, E> = &'e mut dyn FnMut(&mut dyn Executor, u64, &[u8]) -> Result<(), E>;

/// The result of a program; an error contains the address at which it stopped.
pub type Ended = Result<(), (u64, Halt)>;

/// Does the same as [`Executor::run`], but calls a function after each instruction, which is slower. If
/// the program stops before its end, the inner result contains the address and the reason.
///
/// ```
/// use isa_core::machine::{NamedMachine, Recorder, Simulation, run_each};
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     pub isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 8 { NOT = 1 }
/// #     opcode NOT {
/// #         encoding { field<8, 8> Op op == NOT; field<0, 8> Reg rd; } syntax { NOT Rd; }
/// #         operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = !Rd; }
/// #     }
/// # }
///
/// let mut machine = Recorder::default();
/// machine.load_program(0, &[5, 1, 6, 1]);
/// let mut machine = Simulation::new(machine, Tiny::executor::<Recorder>);
/// let mut executed = 0;
/// let ended = run_each(Tiny::SET, &mut machine, 1_000, &mut |machine, address, bytes| {
///     assert_eq!((address, bytes.len()), (2 * executed, 2));
///     executed += 1;
///     Ok::<(), core::convert::Infallible>(())
/// });
/// assert!(matches!(ended, Ok(Ok(()))));
/// assert_eq!(executed, 2);
/// ```
///
/// # Errors
///
/// Returns the error of `each`.
pub fn run_each<E>(
    set: &InstructionSet,
    machine: &mut dyn Executor,
    steps: u64,
    each: AfterEach<'_, E>,
) -> Result<Ended, E> {
    let mut left = steps;
    loop {
        let state = machine.state();
        let (pc, address) = (state.pc(), state.next());
        if address & (set.alignment() - 1) != 0 {
            return Ok(Err((pc, misaligned(set, address))));
        }
        let mut bytes = [0; MAX_LENGTH];
        let count = state.fetch(address, &mut bytes);
        if count == 0 {
            // The program counter is the address at which the program ended.
            state.begin(address, address);
            return Ok(Ok(()));
        }
        if left == 0 {
            return Ok(Err((address, Halt::Endless)));
        }
        left -= 1;
        let length = set.length(&bytes[..count]);
        state.begin(address, address.wrapping_add(length as u64));
        let bytes = bytes[..count].get(..length).unwrap_or_default();
        let executed = machine.execute(bytes);
        match &executed {
            Err(fault) if !machine.is_end(fault) => {}
            _ => each(machine, address, bytes)?,
        }
        match executed {
            Ok(()) => {}
            Err(fault) if machine.is_end(&fault) => {
                machine.state().begin(address, address);
                return Ok(Ok(()));
            }
            Err(fault) => return Ok(Err((address, Halt::Error(fault)))),
        }
    }
}
