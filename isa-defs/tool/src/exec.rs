//! `isa exec`: runs straight-line code and prints what it wrote.

use std::ffi::OsString;
use std::io::{Read, Write};

use isa_core::asm::{Line, Parsed};
use isa_core::error::DecodeError;

use super::Stop;
use super::chunks::Chunk;
use super::console::Console;
use super::input::Input;
use super::location::{Location, Value};
use super::output::Output;
use super::recorder::Recorder;
use super::set::{self, WORD_BYTES};
use super::source::{self, Visitor};

/// The arguments.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Options {
    pub(super) input: Option<OsString>,
    pub(super) settings: Vec<(Location, Value)>,
    pub(super) trace: bool,
}

pub(super) fn run(
    options: &Options,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let input = Input::open(options.input.as_ref(), stdin)?;
    let mut executor = Executor {
        machine: Recorder::new(),
        trace: options.trace,
        output: Output::stdout(),
        offset: 0,
    };
    for &(location, value) in &options.settings {
        executor.machine.set(location, value);
    }
    if options.trace {
        executor.machine.start_trace();
    }
    source::read_file(input, &mut executor, console)?;
    let mut text = String::new();
    for (location, value) in executor.machine.written() {
        text += &format!("{location} = {value}\n");
    }
    if executor.trace && !text.is_empty() {
        executor.output.put(b"\n")?;
    }
    executor.output.put(text.as_bytes())?;
    executor.output.commit(stdout)
}

struct Executor {
    machine: Recorder,
    trace: bool,
    output: Output,
    /// The byte that the next word begins at.
    offset: u64,
}

impl Visitor for Executor {
    fn visit(
        &mut self,
        statement: &Parsed,
        chunk: &mut Chunk<'_>,
        console: &mut Console<'_>,
    ) -> Result<(), Stop> {
        let word = statement.word();
        if let Err(error) = set::execute(word, &mut self.machine) {
            refuse(&error, statement, chunk, console);
        } else if self.trace {
            self.print_trace(word)?;
        }
        self.offset += WORD_BYTES as u64;
        Ok(())
    }
}

/// Reports a word that is no instruction.
pub(super) fn refuse(
    error: &DecodeError,
    statement: &Parsed,
    chunk: &mut Chunk<'_>,
    console: &mut Console<'_>,
) {
    let span = statement.span().clone();
    let title = format!("this cannot be executed: {error}");
    console.report(&chunk.diagnostic(
        "no-instruction",
        span,
        title,
        "no instruction".into(),
        vec![],
    ));
}

/// Appends a word with its offset and its text, as in a listing.
pub(super) fn print_listed(offset: u64, word: u128, line: &mut Line) {
    source::print_place(offset, word, line);
    // The word was executed, so that it is an instruction.
    let _ = source::print(word, line);
}

impl Executor {
    /// The word and what it did.
    fn print_trace(&mut self, word: u128) -> Result<(), Stop> {
        let mut line = Line::new();
        print_listed(self.offset, word, &mut line);
        let (reads, writes) = self.machine.take_trace();
        let (reads, writes) = (list(&reads), list(&writes));
        let text = format!("{line}\n    reads   {reads}\n    writes  {writes}\n");
        self.output.put(text.as_bytes())
    }
}

fn list(entries: &[(Location, Value)]) -> String {
    if entries.is_empty() {
        return "nothing".into();
    }
    let entries = entries.iter().map(|(location, value)| format!("{location} = {value}"));
    entries.collect::<Vec<_>>().join(", ")
}
