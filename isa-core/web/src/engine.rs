//! An engine, and which request is answered by what.

use std::fmt;

use isa_core::Isa;
use isa_core::asm::Assembler;
use isa_core::json::{Object, quoted};
use isa_core::machine::{Executor, Files, Named, Outcome, Simulation};
use isa_core::table::InstructionSet;

use crate::{answer, execute, words};

/// What answers the requests of a page about one set.
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
    /// What begins a comment, where statements end with their lines.
    pub(crate) comment: Option<&'static str>,
    directives: &'static [(&'static str, &'static str)],
    padding: &'static [&'static [u8]],
    pub(crate) machine: Option<Machine>,
}

/// What the engine executes on.
pub(crate) struct Machine {
    pub(crate) files: Files,
    pub(crate) make: Box<dyn Fn() -> Box<dyn Executor>>,
}

impl Engine {
    /// An engine of the set `I`, which executes nothing.
    #[must_use]
    pub fn new<I: Isa>() -> Engine {
        Engine { set: I::SET, comment: None, directives: &[], padding: &[], machine: None }
    }

    /// With statements that end with their lines, or with `;`, and a sign besides `//` that begins a
    /// comment; empty for no other sign.
    #[must_use]
    pub fn lines(self, comment: &'static str) -> Engine {
        Engine { comment: Some(comment), ..self }
    }

    /// With names of directives besides those that all programs have, as
    /// [`Assembler::directives`](isa_core::asm::Assembler::directives) takes them.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions: a name does not begin with a dot, or has other signs than those of
    /// labels.
    #[must_use]
    pub fn directives(self, directives: &'static [(&'static str, &'static str)]) -> Engine {
        // It says what is wrong with a name.
        let _ = Assembler::new(self.set).directives(directives);
        Engine { directives, ..self }
    }

    /// With the bytes of instructions that fill code up to an alignment, as
    /// [`Assembler::padding`](isa_core::asm::Assembler::padding) takes them.
    #[must_use]
    pub fn padding(self, padding: &'static [&'static [u8]]) -> Engine {
        Engine { padding, ..self }
    }

    /// With a machine, which begins as its default: `MySet::execute::<MyMachine>`.
    #[must_use]
    pub fn machine<I: Isa, M: Named + Default + 'static, O: Outcome + 'static>(
        self,
        execute: impl Fn(I, &mut M) -> O + Copy + 'static,
    ) -> Engine {
        let make = move || -> Box<dyn Executor> {
            Box::new(Simulation::<I, M, _>::new(M::default(), execute))
        };
        Engine {
            machine: Some(Machine { files: M::default().files(), make: Box::new(make) }),
            ..self
        }
    }

    /// Answers a request. Its first line says what is asked, the rest what about:
    ///
    /// | first line | the rest | answer |
    /// |---|---|---|
    /// | `describe` | | JSON: the set's name, its widths, and the files of the machine |
    /// | `assemble` | a program | JSON: its statements with their words, or its errors |
    /// | `disassemble` | words in hexadecimal, all digits | a line for each, as the command `dis` prints it |
    /// | `explain` | such a word | JSON, as `explain --json` prints it |
    /// | `execute` | a line with the most steps and settings `NAME=VALUE`, a program | JSON: what each step read and wrote |
    ///
    /// Places in a text are numbers of UTF-16 units, as scripts count. Addresses and values are texts, such as
    /// `"0x1f"`, because the numbers of scripts are exact only up to 2^53. What is no request is answered by JSON
    /// with the key `error`.
    #[must_use]
    pub fn answer(&self, request: &str) -> String {
        let (what, rest) = request.split_once('\n').unwrap_or((request, ""));
        match what {
            "describe" => self.describe(),
            "assemble" => answer::assembled(self, rest),
            "disassemble" => words::disassemble(self.set, self.directives, rest),
            "explain" => match words::read(self.set, rest.trim()) {
                Ok((word, bits)) => self.set.explain_as(word, bits).json(),
                Err(message) => error(&message),
            },
            "execute" => execute::executed(self, rest),
            _ => error("a request is describe, assemble, disassemble, explain or execute"),
        }
    }

    fn describe(&self) -> String {
        let mut object = Object::new();
        object.text("name", self.set.name);
        object.list("widths", self.set.widths.iter().map(|width| width.bits));
        let files = self.machine.as_ref().map_or(&[][..], |machine| machine.files.0);
        let files = files.iter().map(|file| {
            let mut object = Object::new();
            object.text("all", &file.all()).raw("settable", !file.is_counter());
            object.finish()
        });
        object.raw("executes", self.machine.is_some()).list("files", files);
        object.finish()
    }

    /// The assembler of the engine's programs.
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

/// The answer to what is no request.
pub(crate) fn error(message: &str) -> String {
    format!("{{\"error\": {}}}", quoted(message))
}
