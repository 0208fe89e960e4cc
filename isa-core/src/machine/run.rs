//! Programs on machines whose state has names: one instruction after the other.

use alloc::string::{String, ToString};
use core::fmt::{self, Display};
use core::marker::PhantomData;

use super::named::Named;
use crate::Isa;
use crate::error::NoInstruction;
use crate::table::InstructionSet;

/// What `execute` of an instruction gives: nothing, or a `Result` with what stopped it.
pub trait Outcome {
    /// What stopped the instruction, as text.
    ///
    /// # Errors
    ///
    /// The trap.
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

/// Why an instruction was not executed. It prints as the reason alone.
#[derive(Debug, Clone)]
pub enum Fault {
    /// It is none.
    NoInstruction(NoInstruction),
    /// It stopped the machine.
    Trap(String),
    /// It is at an address that is not a multiple of the [alignment](InstructionSet::alignment) of the set.
    Misaligned {
        /// The address.
        address: u64,
        /// The alignment in bytes.
        alignment: u64,
    },
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoInstruction(error) => error.fmt(f),
            Fault::Trap(trap) => f.write_str(trap),
            Fault::Misaligned { address, alignment } => {
                write!(f, "the instruction address {address:#x} is not a multiple of {alignment}")
            }
        }
    }
}

/// A machine in the middle of a program, of whatever type and set.
pub trait Executor {
    /// The state of the machine, by the names of its registers, flags and memories.
    fn state(&mut self) -> &mut dyn Named;

    /// Executes the instruction that bytes begin with.
    ///
    /// # Errors
    ///
    /// Bytes that are no instruction, and a trap.
    fn execute(&mut self, bytes: &[u8]) -> Result<(), Fault>;

    /// Whether what stopped an instruction is the end of the program, and no mistake of it.
    fn is_end(&self, fault: &Fault) -> bool {
        let _ = fault;
        false
    }
}

/// The instruction that bytes begin with.
///
/// # Errors
///
/// Bytes that are none.
pub fn fetch<I: Isa>(bytes: &[u8]) -> Result<I, Fault> {
    match I::decode_first(bytes) {
        Ok((instruction, _)) => Ok(instruction),
        Err(error) => Err(Fault::NoInstruction(error.into())),
    }
}

/// A machine that executes instructions of `I` by a function: most often `MySet::execute::<MyMachine>`.
#[derive(Debug)]
pub struct Simulation<I, M, E> {
    machine: M,
    execute: E,
    ends: fn(&str) -> bool,
    isa: PhantomData<fn() -> I>,
}

impl<I: Isa, M: Named, O: Outcome, E: Fn(I, &mut M) -> O> Simulation<I, M, E> {
    /// A machine with the values that it has, and what executes on it.
    pub fn new(machine: M, execute: E) -> Self {
        Simulation { machine, execute, ends: |_| false, isa: PhantomData }
    }

    /// With traps at which programs end: `ends` has the text of a trap.
    #[must_use]
    pub fn ends(self, ends: fn(&str) -> bool) -> Self {
        Simulation { ends, ..self }
    }
}

impl<I: Isa, M: Named, O: Outcome, E: Fn(I, &mut M) -> O> Executor for Simulation<I, M, E> {
    fn state(&mut self) -> &mut dyn Named {
        &mut self.machine
    }

    fn execute(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let instruction = fetch(bytes)?;
        (self.execute)(instruction, &mut self.machine).into_result().map_err(Fault::Trap)
    }

    fn is_end(&self, fault: &Fault) -> bool {
        matches!(fault, Fault::Trap(trap) if (self.ends)(trap))
    }
}

/// Why a program stopped before its end.
#[derive(Debug, Clone)]
pub enum Halt {
    /// An instruction cannot be executed.
    Fault(Fault),
    /// As many instructions were executed as may be.
    Endless,
}

/// A function that is called behind each instruction, with its address and its bytes.
pub type AfterEach<'e, E> = &'e mut dyn FnMut(&mut dyn Executor, u64, &[u8]) -> Result<(), E>;

/// How a program ended; what stopped it has the address.
pub type Ended = Result<(), (u64, Halt)>;

/// Runs a program to its end, or out of it, from where the program counter is; without one, from address
/// 0. The inner result has the address at which it stopped. A trap that [is the end](Executor::is_end) leaves
/// the program counter at its instruction.
///
/// ```
/// use isa_core::machine::{Named, Recorder, Simulation, run};
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
/// What `each` gives.
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

/// Runs a program, of which each part has its address, to its end, or out of it. It begins at `entry`.
///
/// A jump to an address that is not aligned stops the program at the jump.
///
/// # Errors
///
/// What `each` gives.
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
            let fault = Fault::Misaligned { address, alignment };
            return Ok(Err((last, Halt::Fault(fault))));
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
                return Ok(Err((address, Halt::Fault(fault))));
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
    // The counter is where the program ended.
    machine.state().begin(address, 0);
    Ok(Ok(()))
}
