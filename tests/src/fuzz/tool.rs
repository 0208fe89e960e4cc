//! Fuzz targets that run the tool as a function. The tool must not panic on any input, and its status
//! must agree with its output.

use isa_defs::cli::{self, Io, Status};
use serde_json::Value;

use super::reached;

/// The result of a run.
struct Outcome {
    status: Status,
    out: Vec<u8>,
    err: String,
}

impl Outcome {
    /// Returns a number for the result: the status, the first words of the message, and the size of
    /// the output.
    fn reached(&self) -> u64 {
        let words =
            self.err.split([' ', '`']).filter(|word| word.bytes().all(|b| b.is_ascii_lowercase()));
        reached((self.status as u8, words.take(6).collect::<Vec<_>>(), self.out.len().min(64) / 8))
    }
}

/// Runs a command.
///
/// # Panics
///
/// Panics if there is an error without a message, or a message without an error. Also panics if
/// there is both an error and output, except for `dis`, which prints output despite errors.
fn tool(args: &[&str], mut input: &[u8]) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = cli::tool().run(args, Io::of(&mut input, &mut out, &mut err));
    let err = String::from_utf8(err).expect("messages are UTF-8");
    assert_ne!(status, Status::Usage, "{err}");
    assert_eq!(status == Status::Failure, err.contains("error: "), "{args:?}: {err}");
    let goes_on = args.first() == Some(&"dis") && !args.contains(&"--strict");
    assert!(status == Status::Success || goes_on || out.is_empty(), "{args:?} wrote beside {err}");
    Outcome { status, out, err }
}

/// Returns the command that the first byte selects, and the rest of the input.
fn choose<'d, T: Copy>(data: &'d [u8], commands: &[T]) -> Option<(T, &'d [u8])> {
    let (choice, input) = data.split_first()?;
    Some((commands[usize::from(*choice) % commands.len()], input))
}

/// Runs the target on assembly, after a byte that selects the output format.
///
/// # Panics
///
/// Panics if the output and the status disagree, or if the assembled code does not round-trip
/// through its disassembly.
pub fn asm(data: &[u8]) -> u64 {
    const COMMANDS: [&[&str]; 2] = [&["asm"], &["asm", "--emit", "listing"]];
    let Some((args, input)) = choose(data, &COMMANDS) else { return 0 };
    let assembled = tool(args, input);
    if assembled.status == Status::Success && args.len() == 1 {
        let text = tool(&["dis"], &assembled.out);
        assert_eq!(text.status, Status::Success, "{}", text.err);
        let again = tool(args, &text.out);
        assert_eq!(again.out, assembled.out, "{}", again.err);
    }
    assembled.reached()
}

/// Runs the target on words, after a byte that selects numbers or bytes.
///
/// # Panics
///
/// Panics if the output and the status disagree, or if a disassembly does not assemble.
pub fn dis(data: &[u8]) -> u64 {
    const COMMANDS: [&[&str]; 4] = [
        &["dis"],
        &["dis", "--from", "bin"],
        &["dis", "--strict"],
        &["dis", "--from", "bin", "--strict"],
    ];
    let Some((args, input)) = choose(data, &COMMANDS) else { return 0 };
    let listed = tool(args, input);
    if listed.status == Status::Success {
        let assembled = tool(&["asm"], &listed.out);
        assert_eq!(assembled.status, Status::Success, "{}", assembled.err);
        let again = tool(&["dis"], &assembled.out);
        assert_eq!(again.out, listed.out, "{}", again.err);
    }
    listed.reached()
}

/// Runs the target on a program, after a byte that selects one lane or a warp.
///
/// # Panics
///
/// Panics if the output and the status disagree.
pub fn exec(data: &[u8]) -> u64 {
    const COMMANDS: [&[&str]; 2] = [&["exec", "--trace"], &["exec", "--warp", "--trace"]];
    let Some((args, input)) = choose(data, &COMMANDS) else { return 0 };
    tool(args, input).reached()
}

/// Runs the target on requests, one per line.
///
/// # Panics
///
/// Panics if the output and the status disagree, if an answer is not a JSON object with one key, or
/// if an answer is missing.
pub fn jsonl(data: &[u8]) -> u64 {
    let outcome = tool(&["exec", "--jsonl"], data);
    assert_eq!(outcome.status, Status::Success, "{}", outcome.err);
    let text = String::from_utf8(outcome.out).expect("answers are UTF-8");
    let mut found = Vec::new();
    for line in text.lines() {
        let answer: Value = serde_json::from_str(line).expect("answers are JSON");
        let keys = answer.as_object().expect("answers are objects");
        assert_eq!(keys.len(), 1, "{line}");
        let message = answer["error"].as_str().unwrap_or_default();
        let words = message.split([' ', '`']).filter(|w| w.bytes().all(|b| b.is_ascii_lowercase()));
        found.push(words.take(5).map(str::to_owned).collect::<Vec<_>>());
    }
    // A line of white space has no answer. A byte order mark is not text.
    let lines = data.split(|&byte| byte == b'\n');
    let asked = lines.filter(|line| !is_blank(line)).count();
    assert_eq!(found.len(), asked, "{text}");
    reached(found.into_iter().take(2).collect::<Vec<_>>())
}

fn is_blank(line: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(line) else { return false };
    text.strip_prefix('\u{feff}').unwrap_or(text).trim().is_empty()
}
