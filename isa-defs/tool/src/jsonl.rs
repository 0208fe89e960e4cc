//! `isa exec --jsonl`: one request a line in, one answer a line out.
//!
//! Lines of white space have no answer; all others have one, in their order.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{Read, Write};

use isa_core::asm::Cursor;

use super::Stop;
use super::chunks::Chunk;
use super::console::Console;
use super::input::Input;
use super::json::Request;
use super::location::Value;
use super::recorder::Recorder;
use super::set;

/// The longest line, in bytes.
const LONGEST: usize = 16 << 20;
/// How much is written at a time.
const BLOCK: usize = 64 << 10;

pub(super) fn run(
    input: Option<&OsString>,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let mut lines = Lines::new(Input::open(input, stdin)?);
    let mut answers = String::new();
    loop {
        while let Some(line) = lines.next() {
            respond(line, &mut answers);
            if answers.len() >= BLOCK {
                release(&mut answers, stdout)?;
            }
        }
        // Whoever waits for an answer before the next request gets it.
        release(&mut answers, stdout)?;
        if lines.ended {
            return Ok(());
        }
        lines.fill(console)?;
    }
}

fn release(answers: &mut String, stdout: &mut dyn Write) -> Result<(), Stop> {
    if answers.is_empty() {
        return Ok(());
    }
    let result = stdout.write_all(answers.as_bytes());
    answers.clear();
    result.and_then(|()| stdout.flush()).map_err(Stop::printing)
}

/// A line without its end.
#[derive(Debug, PartialEq)]
enum Line<'l> {
    Bytes(&'l [u8]),
    TooLong,
}

/// The lines of the input.
struct Lines<'a> {
    input: Input<'a>,
    buffer: Vec<u8>,
    /// The start of the next line, and how far its end was looked for.
    start: usize,
    searched: usize,
    /// The line is longer than any may be, and what was read of it is dropped.
    too_long: bool,
    ended: bool,
}

impl<'a> Lines<'a> {
    fn new(input: Input<'a>) -> Self {
        Lines { input, buffer: Vec::new(), start: 0, searched: 0, too_long: false, ended: false }
    }

    /// The next line that is read as a whole.
    fn next(&mut self) -> Option<Line<'_>> {
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
            return Some(Line::TooLong);
        }
        Some(Line::Bytes(&self.buffer[line]))
    }

    /// Reads more.
    fn fill(&mut self, console: &mut Console<'_>) -> Result<(), Stop> {
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

/// Appends the answer to a line.
fn respond(line: Line<'_>, answers: &mut String) {
    let answer = match line {
        Line::TooLong => Err(format!("the line is longer than {LONGEST} bytes")),
        Line::Bytes(bytes) => match core::str::from_utf8(bytes) {
            Ok(text) if without_mark(text).trim().is_empty() => return,
            Ok(text) => Request::parse(without_mark(text)).and_then(|request| execute(&request)),
            Err(error) => Err(format!("byte {} is not UTF-8", error.valid_up_to())),
        },
    };
    match answer {
        Ok(machine) => write_state(&machine, answers),
        Err(message) => {
            let message = serde_json::Value::from(message);
            let _ = write!(answers, "{{\"error\": {message}}}");
        }
    }
    answers.push('\n');
}

/// The text of a line behind a byte order mark.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Runs the instructions of a request. The first that is wrong is the answer.
fn execute(request: &Request) -> Result<Recorder, String> {
    let mut machine = Recorder::new();
    for &(location, value) in &request.state {
        machine.set(location, value);
    }
    let mut cursor = Cursor::new(&request.asm);
    loop {
        let (at, message) = match set::set().parse_next(&mut cursor) {
            Ok(None) => return Ok(machine),
            Ok(Some(statement)) => match set::execute(statement.word(), &mut machine) {
                Ok(()) => continue,
                Err(error) => (statement.span().start, error.to_string()),
            },
            Err(error) => (error.span.start, error.to_string()),
        };
        let (line, column) = Chunk::whole("", &request.asm).line_column(at);
        return Err(format!("asm:{line}:{column}: {message}"));
    }
}

/// `{"state": {"R0": "0x40004000", "P0": true}}`
fn write_state(machine: &Recorder, answers: &mut String) {
    answers.push_str("{\"state\": {");
    let mut separator = "";
    for (location, value) in machine.written() {
        let _ = write!(answers, "{separator}\"{location}\": ");
        let _ = match value {
            Value::Word(_) => write!(answers, "\"{value}\""),
            Value::Truth(_) => write!(answers, "{value}"),
        };
        separator = ", ";
    }
    answers.push_str("}}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8]) -> Vec<String> {
        let (mut err, mut found) = (Vec::new(), Vec::new());
        let mut console = Console::new(&mut err, false, false);
        let mut lines = Lines::new(Input::new("x", input));
        loop {
            while let Some(line) = lines.next() {
                found.push(match line {
                    Line::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                    Line::TooLong => "too long".into(),
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
