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
//! Input is read and output is made in a stream. What `asm`, `exec` and `dis --strict` print is held
//! back, in memory or in a temporary file, until their whole input is known to be right. `dis` and
//! `explain` print what they can, in order, and report what is wrong behind all of it. The answers
//! of `exec --jsonl` come at once, since each line stands for itself.

mod args;
mod asm;
mod bytes;
mod chunks;
mod codes;
mod command;
mod console;
mod describe;
mod dis;
mod exec;
mod explain;
mod input;
mod json;
mod jsonl;
mod list;
mod location;
mod object;
mod output;
mod pages;
mod printer;
mod process;
mod recorder;
mod render;
mod scanner;
mod set;
mod source;
mod spool;
mod suggest;
mod system;
mod target;
mod warp;
mod words;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use args::{Command, Style};
use console::Console;
pub use process::main;

/// The streams that the tool works on.
pub struct Io<'a> {
    /// Where `-` reads from.
    pub stdin: &'a mut dyn Read,
    /// Where results go.
    pub stdout: &'a mut dyn Write,
    /// Where diagnostics and progress go.
    pub stderr: &'a mut dyn Write,
    /// Whether diagnostics are coloured where the command line does not say.
    pub color: bool,
    /// Whether long work shows its progress.
    pub progress: bool,
    /// Whether `stdin` is a terminal, from which nothing is read that was not asked for.
    pub stdin_is_terminal: bool,
    /// Whether `stdout` is a terminal, where progress would stand between the lines.
    pub stdout_is_terminal: bool,
}

impl<'a> Io<'a> {
    /// Streams without colour and progress.
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

    /// A failure to write a file that was asked for: that nobody reads a pipe is one too.
    fn saving(name: &str, error: &io::Error) -> Stop {
        Stop::System(format!("cannot write {name}: {error}"))
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
    let Io { stdin, stdout, stderr, color, progress, stdin_is_terminal, stdout_is_terminal } = io;
    let mut console = Console::new(stderr, color, progress);
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    console.set_style(Style::guess(&args));
    let result = args::parse(args)
        .and_then(|(command, style)| {
            console.set_style(style);
            // Other commands hold their output back while progress is shown.
            if stdout_is_terminal && matches!(command, Command::Dis(_) | Command::Explain(_)) {
                console.stop_progress();
            }
            execute(command, stdin, stdin_is_terminal, stdout, &mut console)
        })
        .and_then(|()| stdout.flush().map_err(Stop::printing));
    console.release();
    match result {
        Ok(()) | Err(Stop::Closed) => Status::Success,
        Err(Stop::Reported) => {
            console.summary();
            Status::Failure
        }
        Err(Stop::System(message)) => {
            console.message("system", &message);
            Status::Failure
        }
        Err(Stop::Usage(message)) => {
            console.message("usage", &message);
            Status::Usage
        }
    }
}

fn execute(
    command: Command,
    stdin: &mut dyn Read,
    stdin_is_terminal: bool,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    match command {
        Command::Asm(options) => asm::run(&options, stdin, stdout, console),
        Command::Dis(options) => dis::run(&options, stdin, stdout, console),
        Command::Explain(options) => {
            explain::run(&options, stdin, stdin_is_terminal, stdout, console)
        }
        Command::ExecWarp(options) => warp::run(&options, stdin, stdout, console),
        Command::Exec(options) => exec::run(&options, stdin, stdout, console),
        Command::ExecJsonl(input) => jsonl::run(input.as_ref(), stdin, stdout, console),
        Command::ExplainError(code) => codes::run(code.as_deref(), stdout),
        Command::List(options) => list::run(&options, stdout),
        Command::Completions(shell) => pages::completions(&shell, stdout),
        Command::Manual => pages::manual(stdout),
        Command::Print(text) => stdout.write_all(text.as_bytes()).map_err(Stop::printing),
    }
}
