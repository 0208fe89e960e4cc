//! The command `exec --jsonl`, which reads one request per line and writes one answer per line.
//!
//! The answers are in the order of the requests. A line that contains only white space has no answer.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{Read, Write};

use isa_core::json::quoted;
use isa_core::machine::{Executor, Halt};
use isa_core::text::Cursor;

use crate::CommandError;
use crate::console::Console;
use crate::input::{Chunk, Input};
use crate::profile::Profile;
use crate::program;
use crate::set::SizedWord;
use crate::simulator::Simulator;

use super::request::ExecRequest;

/// The maximum number of executed instructions in a request.
const STEPS: u64 = 1_000_000;
/// The maximum length of a line in bytes.
const LONGEST: usize = 16 << 20;
/// The number of bytes written at a time.
const BLOCK: usize = 64 << 10;

pub(crate) fn run(
    profile: &Profile,
    input: Option<&OsString>,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), CommandError> {
    let Some(simulator) = &profile.machine else { return Ok(()) };
    let setting = profile.samples().setting;
    let example = setting.split_once('=').map_or("", |(_, value)| value);
    let server = RequestServer { profile, simulator, example };
    let mut lines = RequestLines::new(Input::open(input, stdin)?);
    let mut answers = String::new();
    loop {
        while let Some(line) = lines.next() {
            server.respond(line, &mut answers)?;
            if answers.len() >= BLOCK {
                release(&mut answers, stdout)?;
            }
        }
        // The client may wait for an answer before it sends the next request.
        release(&mut answers, stdout)?;
        if lines.ended {
            return Ok(());
        }
        lines.fill(console)?;
    }
}

fn release(answers: &mut String, stdout: &mut dyn Write) -> Result<(), CommandError> {
    if answers.is_empty() {
        return Ok(());
    }
    let result = stdout.write_all(answers.as_bytes());
    answers.clear();
    result.and_then(|()| stdout.flush()).map_err(CommandError::printing)
}

/// A line without its line break.
#[derive(Debug, PartialEq)]
enum RequestLine<'l> {
    Bytes(&'l [u8]),
    TooLong,
}

/// The lines of the input.
struct RequestLines<'a> {
    input: Input<'a>,
    buffer: Vec<u8>,
    /// The start of the next line, and (in `searched`) the end of the bytes that were searched for
    /// a line break.
    start: usize,
    searched: usize,
    /// Whether the line is too long. The part that was read is dropped.
    too_long: bool,
    ended: bool,
}

impl<'a> RequestLines<'a> {
    fn new(input: Input<'a>) -> Self {
        RequestLines {
            input,
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            too_long: false,
            ended: false,
        }
    }

    /// Returns the next complete line.
    fn next(&mut self) -> Option<RequestLine<'_>> {
        let rest = &self.buffer[self.searched..];
        let end = match rest.iter().position(|&byte| byte == b'\n') {
            Some(at) => self.searched + at,
            None if self.ended && (self.start < self.buffer.len() || self.too_long) => {
                self.buffer.len()
            }
            None => {
                self.searched = self.buffer.len();
                return None;
            }
        };
        let line = self.start..end;
        self.start = (end + 1).min(self.buffer.len());
        self.searched = self.start;
        if core::mem::take(&mut self.too_long) {
            return Some(RequestLine::TooLong);
        }
        Some(RequestLine::Bytes(&self.buffer[line]))
    }

    /// Reads more bytes.
    fn fill(&mut self, console: &mut Console<'_>) -> Result<(), CommandError> {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        if self.buffer.len() > LONGEST {
            self.too_long = true;
            self.buffer.clear();
            self.searched = 0;
        }
        let kept = self.buffer.len();
        self.buffer.resize(kept + BLOCK, 0);
        let count = self.input.read(&mut self.buffer[kept..], console)?;
        self.buffer.truncate(kept + count);
        self.ended = count == 0;
        Ok(())
    }
}

/// Answers requests.
struct RequestServer<'p> {
    profile: &'p Profile,
    simulator: &'p Simulator,
    /// An example value for messages.
    example: &'p str,
}

impl RequestServer<'_> {
    /// Appends the answer to a line.
    fn respond(&self, line: RequestLine<'_>, answers: &mut String) -> Result<(), CommandError> {
        let files = self.simulator.files;
        let answer = match line {
            RequestLine::TooLong => Err(format!("the line is longer than {LONGEST} bytes")),
            RequestLine::Bytes(bytes) => match core::str::from_utf8(bytes) {
                Ok(text) if without_mark(text).trim().is_empty() => return Ok(()),
                Ok(text) => match ExecRequest::parse(files, self.example, without_mark(text)) {
                    Ok(request) => self.answer(&request)?,
                    Err(message) => Err(message),
                },
                Err(error) => Err(format!("byte {} is not UTF-8", error.valid_up_to())),
            },
        };
        match answer {
            Ok(state) => answers.push_str(&state),
            Err(message) => {
                let _ = write!(answers, "{{\"error\": {}}}", quoted(&message));
            }
        }
        answers.push('\n');
        Ok(())
    }

    /// Runs the instructions of a request. Returns the state that they wrote, or the first error.
    fn answer(&self, request: &ExecRequest) -> Result<Result<String, String>, CommandError> {
        let mut answer = Ok(String::new());
        self.simulator.start(&request.state, self.profile.processor(), &mut |machine| {
            let ran = match program::needs_all_text(self.profile) || self.simulator.has_counter() {
                true => self.run_program(request, machine)?,
                false => self.run_statements(request, machine),
            };
            answer = ran.map(|()| state(machine)).map_err(|(at, message)| {
                let (line, column) = Chunk::whole("", &request.asm).line_column(at);
                format!("asm:{line}:{column}: {message}")
            });
            Ok(())
        })?;
        Ok(answer)
    }

    /// Executes statements one after the other.
    fn run_statements(
        &self,
        request: &ExecRequest,
        machine: &mut dyn Executor,
    ) -> Result<(), (usize, String)> {
        let set = self.profile.set;
        let mut cursor = Cursor::new(&request.asm);
        let mut has_ended = false;
        loop {
            let statement = match set.tables.parse_next(&mut cursor) {
                Ok(None) => return Ok(()),
                Ok(Some(statement)) => statement,
                Err(error) => return Err((error.span.start, error.to_string())),
            };
            if has_ended {
                continue;
            }
            let word = SizedWord { word: statement.word(), bits: set.tables.bits };
            let bytes = set.bytes_of(word);
            match machine.execute(&bytes[..word.bytes()]) {
                Ok(()) => {}
                Err(fault) if machine.is_end(&fault) => has_ended = true,
                Err(fault) => return Err((statement.span().start, fault.to_string())),
            }
        }
    }

    /// Assembles and runs a program.
    fn run_program(
        &self,
        request: &ExecRequest,
        machine: &mut dyn Executor,
    ) -> Result<Result<(), (usize, String)>, CommandError> {
        let origin = machine.state().next();
        let program = match program::assemble(self.profile, &request.asm, origin) {
            Ok(program) => program,
            Err(errors) => {
                let first = errors.iter().next();
                let described = first.map(|error| {
                    let help = error.help().map(|help| format!("; {help}")).unwrap_or_default();
                    (error.span.start, format!("{}{help}", error.title()))
                });
                return Ok(Err(described.unwrap_or_default()));
            }
        };
        machine.state().load_program(origin, &program.bytes);
        let ran = machine.run(STEPS);
        Ok(ran.map_err(|(address, halt)| {
            let mut statements = program.statements.iter().rev();
            let statement = statements.find(|statement| statement.address <= address);
            let at = statement.map_or(0, |statement| statement.span.start);
            match halt {
                Halt::Error(fault) => (at, fault.to_string()),
                Halt::Endless => {
                    (at, format!("the program has not ended after {STEPS} instructions"))
                }
            }
        }))
    }
}

/// Removes a byte order mark at the start of a line.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Formats the written state: `{"state": {"R0": "0x40004000", "P0": true}}`.
fn state(machine: &mut dyn Executor) -> String {
    let mut text = String::from("{\"state\": {");
    let state = machine.state();
    let files = state.files();
    let mut separator = "";
    for place in state.written() {
        let value = files.show(place, state.get(place, 0));
        let quote = if files.is_flag(place) { "" } else { "\"" };
        let _ = write!(text, "{separator}\"{}\": {quote}{value}{quote}", files.name(place));
        separator = ", ";
    }
    text + "}}"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<String> {
        let (mut err, mut found) = (Vec::new(), Vec::new());
        let mut console = Console::new(&mut err, false, false);
        let mut lines = RequestLines::new(Input::new("x", input));
        loop {
            while let Some(line) = lines.next() {
                found.push(match line {
                    RequestLine::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                    RequestLine::TooLong => "too long".into(),
                });
            }
            if lines.ended {
                return found;
            }
            assert!(lines.fill(&mut console).is_ok());
        }
    }

    #[test]
    fn lines_come_one_by_one() {
        assert_eq!(all(b""), Vec::<String>::new());
        assert_eq!(all(b"a\n\nb"), ["a", "", "b"]);
        assert_eq!(all(b"a\r\nb\n"), ["a\r", "b"]);
        let long = "x".repeat(BLOCK * 2 + 1);
        assert_eq!(all(format!("a\n{long}\nb\n").as_bytes()), ["a", &long, "b"]);
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let long = "x".repeat(LONGEST + BLOCK * 3);
        assert_eq!(all(format!("a\n{long}\nb").as_bytes()), ["a", "too long", "b"]);
        assert_eq!(all(long.as_bytes()), ["too long"]);
    }
}
