//! The command line of an instruction set as a library.
//!
//! A [`Tool`] assembles, disassembles, explains, lists and executes the instructions of an enum
//! that [`define_isa!`](isa_core::define_isa) defines. It takes all information from the tables of
//! the set, so a tool needs only a few lines:
//!
//! ```
//! use isa_core::machine::Recorder;
//! use isa_cli::{Io, Status, Tool};
//!
//! isa_core::define_isa! {
//!     /// Two instructions.
//!     pub isa Tiny: u16;
//!     operand Reg: 8 = isa_core::operand::Reg;
//!     enum Op: 8 { NEG = 1, NOT = 2 }
//!     opcode NEG {
//!         encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; }
//!         operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = Rd.wrapping_neg(); }
//!     }
//!     opcode NOT {
//!         encoding { field<8, 8> Op op == NOT; field<0, 8> Reg rd; } syntax { NOT Rd; }
//!         operands { InList<rd>; OutList<rd>; Order<rd>; } semantics { Rd = !Rd; }
//!     }
//! }
//!
//! /// The tool; `tool().main()` is all of a `main`.
//! fn tool() -> Tool<Tiny> {
//!     Tool::new("tiny").machine(Tiny::executor::<Recorder>)
//! }
//!
//! /// What a command prints.
//! fn run(args: &[&str], mut input: &[u8]) -> String {
//!     let (mut output, mut errors) = (vec![], vec![]);
//!     let status = tool().run(args, Io::of(&mut input, &mut output, &mut errors));
//!     assert_eq!(status, Status::Success, "{}", String::from_utf8_lossy(&errors));
//!     String::from_utf8(output).unwrap()
//! }
//!
//! assert_eq!(run(&["asm"], b"NEG R5; NOT R6;"), "0105\n0206\n");
//! assert_eq!(run(&["dis"], b"0105 0206"), "NEG R5;\nNOT R6;\n");
//! assert_eq!(run(&["exec", "--set", "R5=1"], b"NEG R5;"), "R5 = 0xffffffff\n");
//! assert_eq!(run(&["list", "not"], b""), "NOT  NOT rd:Reg;\n");
//! ```
//!
//! [`product`] describes all steps, including your own machine, tests and editor support.
//!
//! Without [`Tool::machine`] there is no command `exec`, and the help text mentions this. A machine
//! is any type that implements [`Named`](isa_core::machine::NamedMachine). The macro
//! [`named_state!`](isa_core::named_state) implements it from one line for each register file.
//!
//! The tool processes its input as a stream. Only a program with labels is read completely before it is
//! assembled. `asm`, `exec` and `dis --strict` hold their output back, in memory or in a temporary file,
//! until the whole input is known to be valid. `dis` and `explain` print all valid words in order, and
//! report errors after the last word. `exec --jsonl` prints each answer immediately, because each line
//! is independent of the other lines.

mod command;
mod console;
mod custom_command;
mod elf;
mod gdb;
mod gdb_target;
mod input;
#[cfg(feature = "lsp")]
mod lsp;
mod object_format;
mod output;
mod process;
mod profile;
mod program;
mod set;
mod simulator;
mod suggest;
mod tool;

use std::fmt;
use std::io::{self, Read, Write};
use std::process::ExitCode;

pub use custom_command::{CodeSection, ProgramCode, Report};
pub use gdb_target::GdbTarget;
pub use isa_core::machine::Outcome;
use isa_core::shown::Shown;
pub use object_format::ObjectFormat;
pub use profile::Samples;
pub use tool::Tool;

#[doc = include_str!("product.md")]
pub mod product {}

/// The standard streams and the terminal properties of one run of the tool.
pub struct Io<'a> {
    /// The stream that `-` reads from.
    pub stdin: &'a mut dyn Read,
    /// The stream for results.
    pub stdout: &'a mut dyn Write,
    /// The stream for diagnostics and progress.
    pub stderr: &'a mut dyn Write,
    /// Whether diagnostics are coloured if the command line does not specify it.
    pub color: bool,
    /// Whether long operations show their progress.
    pub progress: bool,
    /// Whether `stdin` is a terminal. The tool then reads from it only if the user asks for it.
    pub stdin_is_terminal: bool,
    /// Whether `stdout` is a terminal. Progress would then appear between the output lines.
    pub stdout_is_terminal: bool,
}

impl<'a> Io<'a> {
    /// Creates streams without colour and progress.
    pub fn of(
        stdin: &'a mut dyn Read,
        stdout: &'a mut dyn Write,
        stderr: &'a mut dyn Write,
    ) -> Self {
        Io {
            stdin,
            stdout,
            stderr,
            color: false,
            progress: false,
            stdin_is_terminal: false,
            stdout_is_terminal: false,
        }
    }
}

impl core::fmt::Debug for Io<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Io")
            .field("color", &self.color)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

/// The result of a run. Its number is the exit status of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// 0: the command succeeded.
    Success = 0,
    /// 1: the input has errors, a file cannot be read or written, or `diff` found differences.
    Failure = 1,
    /// 2: the command line is invalid, or `diff` cannot read its input.
    Usage = 2,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

/// The reason why a command ended before it completed.
#[derive(Debug)]
enum CommandError {
    /// The reader of the output has closed it.
    Closed,
    /// The input has errors, and all of them have been reported.
    Reported,
    /// The command line is invalid.
    Usage(String),
    /// A file cannot be read or written.
    System(String),
    /// The compared descriptions differ, and the differences have been printed.
    Different,
    /// The descriptions cannot be compared. As in the program `diff`, this must not look like a
    /// difference.
    Trouble(String),
}

impl CommandError {
    /// Returns the error for a failure to read `name`.
    fn reading(name: &str, error: &dyn fmt::Display) -> CommandError {
        CommandError::System(format!("cannot read {}: {error}", Shown(name)))
    }

    /// Returns the error for a failure to write `name`.
    fn writing(name: &str, error: &io::Error) -> CommandError {
        match error.kind() {
            io::ErrorKind::BrokenPipe => CommandError::Closed,
            _ => CommandError::saving(name, error),
        }
    }

    /// Returns the error for a failure to write a file that the user asked for. A closed pipe is
    /// also an error here.
    fn saving(name: &str, error: &io::Error) -> CommandError {
        CommandError::System(format!("cannot write {}: {error}", Shown(name)))
    }

    /// Returns the error for a failure to write standard output.
    fn printing(error: io::Error) -> CommandError {
        CommandError::writing("standard output", &error)
    }
}
