//! The `isa` tool as a function: [`run`] takes arguments and streams and gives a [`Status`].
//!
//! ```
//! use isa_defs::cli::{Io, Status, run};
//!
//! let (mut input, mut output, mut errors) = (&b"HADD2 R0, R1, R2;"[..], vec![], vec![]);
//! let status = run(["asm"], Io::of(&mut input, &mut output, &mut errors));
//! assert_eq!(status, Status::Success);
//! assert_eq!(output, b"00000000000000000000000201007130\n");
//! ```
//!
//! Input is read and output is made in a stream. What a command prints is held back, in memory
//! or in a temporary file, until its whole input is known to be right. Two answers come at once:
//! those of `exec --jsonl`, where each line stands for itself, and the explanation of a word that
//! is no instruction, which is what was asked for.

mod args;
mod asm;
mod bytes;
mod chunks;
mod codes;
mod console;
mod dis;
mod exec;
mod explain;
mod help;
mod input;
mod json;
mod jsonl;
mod list;
mod location;
mod output;
mod recorder;
mod render;
mod scanner;
mod set;
mod source;
mod spool;
mod suggest;
mod warp;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use args::Command;
use console::Console;

/// The streams that the tool works on.
pub struct Io<'a> {
    /// Where `-` reads from.
    pub stdin: &'a mut dyn Read,
    /// Where results go.
    pub stdout: &'a mut dyn Write,
    /// Where diagnostics and progress go.
    pub stderr: &'a mut dyn Write,
    /// Whether diagnostics are coloured.
    pub color: bool,
    /// Whether long work shows its progress.
    pub progress: bool,
}

impl<'a> Io<'a> {
    /// Streams without colour and progress.
    pub fn of(
        stdin: &'a mut dyn Read,
        stdout: &'a mut dyn Write,
        stderr: &'a mut dyn Write,
    ) -> Self {
        Io { stdin, stdout, stderr, color: false, progress: false }
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

/// How a run ended; as a number, the exit status of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// 0: everything was done.
    Success = 0,
    /// 1: the input has errors, or a file could not be read or written.
    Failure = 1,
    /// 2: the command line is wrong.
    Usage = 2,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

/// Why a command stopped before its end.
#[derive(Debug)]
enum Stop {
    /// Nobody reads the output any more.
    Closed,
    /// The input has errors, and all of them are reported.
    Reported,
    /// The command line is wrong.
    Usage(String),
    /// A file cannot be read or written.
    System(String),
}

impl Stop {
    /// A failure to read `name`.
    fn reading(name: &str, error: &io::Error) -> Stop {
        Stop::System(format!("cannot read {name}: {error}"))
    }

    /// A failure to write `name`.
    fn writing(name: &str, error: &io::Error) -> Stop {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Stop::Closed,
            _ => Stop::System(format!("cannot write {name}: {error}")),
        }
    }

    /// A failure to write standard output.
    fn printing(error: io::Error) -> Stop {
        Stop::writing("standard output", &error)
    }
}

/// Runs the tool; `args` are the arguments behind the program's name.
///
/// It never panics, whatever the arguments and the input are.
pub fn run<I>(args: I, io: Io<'_>) -> Status
where
    I: IntoIterator,
    I::Item: Into<OsString>,
{
    let mut console = Console::new(io.stderr, io.color, io.progress);
    let args = args.into_iter().map(Into::into).collect();
    let result = args::parse(args)
        .and_then(|command| execute(command, io.stdin, io.stdout, &mut console))
        .and_then(|()| io.stdout.flush().map_err(Stop::printing));
    match result {
        Ok(()) | Err(Stop::Closed) => Status::Success,
        Err(Stop::Reported) => {
            console.summary();
            Status::Failure
        }
        Err(Stop::System(message)) => {
            console.message(&message);
            Status::Failure
        }
        Err(Stop::Usage(message)) => {
            console.message(&message);
            Status::Usage
        }
    }
}

fn execute(
    command: Command,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    match command {
        Command::Asm(options) => asm::run(&options, stdin, stdout, console),
        Command::Dis(options) => dis::run(&options, stdin, stdout, console),
        Command::Explain(subject) => explain::run(&subject, stdout, console),
        Command::ExecWarp(options) => warp::run(&options, stdin, stdout, console),
        Command::Exec(options) => exec::run(&options, stdin, stdout, console),
        Command::ExecJsonl(input) => jsonl::run(input.as_ref(), stdin, stdout, console),
        Command::ExplainError(code) => codes::run(code.as_deref(), stdout),
        Command::List => list::run(stdout),
        Command::Print(text) => stdout.write_all(text.as_bytes()).map_err(Stop::printing),
    }
}
