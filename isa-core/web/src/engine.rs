//! The engine of a set, with its settings.

use std::convert::Infallible;
use std::fmt;
use std::marker::PhantomData;

use isa_core::Isa;
use isa_core::asm::Assembler;
use isa_core::machine::{
    Ended, ExecuteError, Executor, NamedMachine, Outcome, RegisterFiles, fetch, run_each,
};
use isa_core::table::InstructionSet;

/// The engine of a set, which answers the requests of a page.
///
/// ```
/// use isa_core::machine::Recorder;
/// use isa_web::Engine;
///
/// isa_core::define_isa! {
///     /// One instruction.
///     pub isa Tiny: u16;
///     operand Reg: 8 = isa_core::operand::Reg;
///     enum Op: 8 { NEG = 1 }
///     opcode NEG {
///         encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; }
///         operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = Rd.wrapping_neg(); }
///     }
/// }
///
/// let engine = Engine::new::<Tiny>().machine(Tiny::execute::<Recorder>);
/// assert_eq!(engine.answer("disassemble\n0105 0205"),
///     "NEG R5;\n.word 0x0205; // no such opcode in Tiny\n".replace("no such opcode in Tiny",
///         &Tiny::decode(0x0205).unwrap_err().to_string()));
/// assert_eq!(engine.answer("assemble\nNEG R5;"),
///     r#"{"statements": [{"address": "0x0", "start": 0, "end": 7, "words": ["0105"]}]}"#);
/// let executed = engine.answer("execute\n10 R5=1\nNEG R5;");
/// assert!(executed.ends_with(r#""written": [["R5", "0xffffffff"]], "stopped": null}"#), "{executed}");
/// ```
pub struct Engine {
    pub(crate) set: &'static InstructionSet,
    /// The text that begins a comment, if statements end with their lines.
    pub(crate) comment: Option<&'static str>,
    pub(crate) directives: &'static [(&'static str, &'static str)],
    padding: &'static [&'static [u8]],
    pub(crate) machine: Option<MachineFactory>,
}

/// Creates machines that execute programs, and contains the names of their state.
pub(crate) struct MachineFactory {
    pub(crate) files: RegisterFiles,
    pub(crate) make: Box<dyn Fn() -> Box<dyn Executor>>,
}

/// A machine that decodes each instruction when it executes it. The functions that a runner stores would
/// enlarge the module.
struct Stepper<I, M, E> {
    machine: M,
    execute: E,
    isa: PhantomData<fn() -> I>,
}

impl<I: Isa, M: NamedMachine, O: Outcome, E: Fn(I, &mut M) -> O> Executor for Stepper<I, M, E> {
    fn state(&mut self) -> &mut dyn NamedMachine {
        &mut self.machine
    }

    fn execute(&mut self, bytes: &[u8]) -> Result<(), ExecuteError> {
        let instruction = fetch(I::SET.enabled, bytes)?;
        let executed = (self.execute)(instruction, &mut self.machine).into_result();
        executed.map_err(|trap| ExecuteError::Trap(trap.to_string()))
    }

    fn run(&mut self, steps: u64) -> Ended {
        let Ok(ended) = run_each::<Infallible>(I::SET, self, steps, &mut |_, _, _| Ok(()));
        ended
    }
}

impl Engine {
    /// Creates the engine of the set `I`, without a machine.
    #[must_use]
    pub fn new<I: Isa>() -> Engine {
        Engine { set: I::SET, comment: None, directives: &[], padding: &[], machine: None }
    }

    /// Makes statements end at the end of a line or at `;`. `comment` is a sign that begins a comment in
    /// addition to `//`. If it is empty, there is no such sign.
    #[must_use]
    pub fn lines(self, comment: &'static str) -> Engine {
        Engine { comment: Some(comment), ..self }
    }

    /// Adds names of directives to those that every program can use. See
    /// [`Assembler::directives`](isa_core::asm::Assembler::directives).
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, if a name does not begin with a dot or contains characters
    /// that labels cannot contain.
    #[must_use]
    pub fn directives(self, directives: &'static [(&'static str, &'static str)]) -> Engine {
        // This call panics if a name is invalid.
        let _ = Assembler::new(self.set).directives(directives);
        Engine { directives, ..self }
    }

    /// Sets the bytes of the instructions that fill code up to an alignment. See
    /// [`Assembler::padding`](isa_core::asm::Assembler::padding).
    #[must_use]
    pub fn padding(self, padding: &'static [&'static [u8]]) -> Engine {
        Engine { padding, ..self }
    }

    /// Sets the function that executes an instruction, `MySet::execute::<MyMachine>`. The machine
    /// starts with its default value.
    #[must_use]
    pub fn machine<I: Isa, M: NamedMachine + Default + 'static, O: Outcome + 'static>(
        self,
        execute: impl Fn(I, &mut M) -> O + Copy + 'static,
    ) -> Engine {
        let make = move || -> Box<dyn Executor> {
            Box::new(Stepper { machine: M::default(), execute, isa: PhantomData })
        };
        Engine {
            machine: Some(MachineFactory { files: M::default().files(), make: Box::new(make) }),
            ..self
        }
    }

    /// Returns the assembler for the engine's programs.
    pub(crate) fn assembler(&self, origin: Option<u64>) -> Assembler {
        let assembler = Assembler::new(self.set);
        let assembler = match origin {
            Some(origin) => assembler.origin(origin),
            None => assembler,
        };
        let assembler = assembler.directives(self.directives).padding(self.padding);
        match self.comment {
            Some(comment) => assembler.lines(comment),
            None => assembler,
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("set", &self.set.name).finish_non_exhaustive()
    }
}
