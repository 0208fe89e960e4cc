//! Runs programs on machines whose state has names, one instruction after the other.

use alloc::string::{String, ToString};
use core::fmt::{self, Display};
use core::marker::PhantomData;

use super::named::NamedMachine;
use crate::Isa;
use crate::error::NoInstruction;
use crate::table::{FeatureSet, InstructionSet};

/// The result of `execute`: nothing, or a `Result` whose error is a trap.
pub trait Outcome {
    /// Converts the result, with the trap as text.
    ///
    /// # Errors
    ///
    /// Returns the trap if the instruction raised one.
    fn into_result(self) -> Result<(), String>;
}

impl Outcome for () {
    fn into_result(self) -> Result<(), String> {
        Ok(())
    }
}

impl<T: Display> Outcome for Result<(), T> {
    fn into_result(self) -> Result<(), String> {
        self.map_err(|trap| trap.to_string())
    }
}

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

/// A machine that executes instructions of `I` with a function, usually
/// `MySet::execute::<MyMachine>`.
#[derive(Debug)]
pub struct Simulation<I, M, E> {
    machine: M,
    execute: E,
    ends: fn(&str) -> bool,
    features: FeatureSet,
    isa: PhantomData<fn() -> I>,
}

impl<I: Isa, M: NamedMachine, O: Outcome, E: Fn(I, &mut M) -> O> Simulation<I, M, E> {
    /// Combines a machine, with its current state, and the function that executes instructions on
    /// it.
    pub fn new(machine: M, execute: E) -> Self {
        let features = I::SET.enabled;
        Simulation { machine, execute, ends: |_| false, features, isa: PhantomData }
    }

    /// Sets the features of the processor. Without this call, it has the features that are on in the
    /// tables of the set.
    #[must_use]
    pub fn features(self, features: FeatureSet) -> Self {
        Simulation { features, ..self }
    }

    /// Sets the traps that end a program: `ends` receives the text of a trap.
    #[must_use]
    pub fn ends(self, ends: fn(&str) -> bool) -> Self {
        Simulation { ends, ..self }
    }
}

impl<I: Isa, M: NamedMachine, O: Outcome, E: Fn(I, &mut M) -> O> Executor for Simulation<I, M, E> {
    fn state(&mut self) -> &mut dyn NamedMachine {
        &mut self.machine
    }

    fn execute(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        let instruction = fetch(self.features, bytes)?;
        (self.execute)(instruction, &mut self.machine).into_result().map_err(ExecuteError::Trap)
    }

    fn is_end(&self, fault: &ExecuteError) -> bool {
        matches!(fault, ExecuteError::Trap(trap) if (self.ends)(trap))
    }
}

/// The reason why a program stopped before its end.
#[derive(Debug, Clone)]
pub enum Halt {
    /// An instruction cannot be executed.
    Error(ExecuteError),
    /// The maximum number of instructions was executed.
    Endless,
}

/// A function that is called after each instruction. Its arguments are the machine, and the address and
/// the bytes of the instruction.
pub type AfterEach<'e, E> = &'e mut dyn FnMut(&mut dyn Executor, u64, &[u8]) -> Result<(), E>;

/// The result of a program; an error contains the address at which it stopped.
pub type Ended = Result<(), (u64, Halt)>;

/// Runs a program until execution leaves it. It starts at the address in the program counter, or at
/// address 0 if there is none. If the program stops before its end, the inner result contains the
/// address and the reason. If a trap [is the regular end](Executor::is_end) of the program, the program
/// counter remains at the instruction that raised the trap.
///
/// ```
/// use isa_core::machine::{NamedMachine, Recorder, Simulation, run};
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
/// let mut machine = Simulation::new(Recorder::default(), Tiny::execute::<Recorder>);
/// let mut executed = 0;
/// let ended = run(Tiny::SET, &mut machine, &[5, 1, 6, 1], 1_000, &mut |machine, address, bytes| {
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
pub fn run<E>(
    set: &InstructionSet,
    machine: &mut dyn Executor,
    code: &[u8],
    steps: u64,
    each: AfterEach<'_, E>,
) -> Result<Ended, E> {
    let origin = machine.state().next().unwrap_or_default();
    run_parts(set, machine, (origin, &[(origin, code)]), steps, each)
}

/// Runs a program that consists of several parts with their addresses, beginning at `entry`, until
/// execution leaves all parts.
///
/// A jump to an address that is not aligned stops the program at the jump.
///
/// # Errors
///
/// Returns the error of `each`.
pub fn run_parts<E>(
    set: &InstructionSet,
    machine: &mut dyn Executor,
    (entry, code): (u64, &[(u64, &[u8])]),
    steps: u64,
    each: AfterEach<'_, E>,
) -> Result<Ended, E> {
    code.iter().for_each(|(start, part)| machine.state().load_program(*start, part));
    let (mut address, mut last, alignment) = (entry, entry, set.alignment());
    for step in 0.. {
        if address & (alignment - 1) != 0 {
            let fault = ExecuteError::Misaligned { address, alignment };
            return Ok(Err((last, Halt::Error(fault))));
        }
        let rest = code.iter().find_map(|(start, part)| {
            part.get(usize::try_from(address.wrapping_sub(*start)).ok()?..)
                .filter(|it| !it.is_empty())
        });
        let Some(rest) = rest else { break };
        if step >= steps {
            return Ok(Err((address, Halt::Endless)));
        }
        let length = set.length(rest);
        let bytes = rest.get(..length).unwrap_or_default();
        machine.state().begin(address, length as u64);
        let executed = machine.execute(bytes);
        match executed {
            Err(fault) if !machine.is_end(&fault) => {
                return Ok(Err((address, Halt::Error(fault))));
            }
            _ => each(machine, address, bytes)?,
        }
        if executed.is_err() {
            break;
        }
        let behind = address.wrapping_add(length as u64);
        last = address;
        address = machine.state().next().unwrap_or(behind);
    }
    // The program counter is the address at which the program ended.
    machine.state().begin(address, 0);
    Ok(Ok(()))
}
