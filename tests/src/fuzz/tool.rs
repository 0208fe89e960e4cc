//! The tool as a function: any input, with a status that fits what was written.

use isa_defs::cli::{self, Io, Status};
use serde_json::Value;

use super::reached;

/// How a run ended, and what it wrote.
struct Outcome {
    status: Status,
    out: Vec<u8>,
    err: String,
}

impl Outcome {
    /// A number for how it ended: the status and the first words of the message.
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
/// Where an error has no message, a message no error, or output stands beside an error of a command
/// other than `dis`, which prints what it can.
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

/// The command that the first byte chooses, and its input.
fn choose<'d, T: Copy>(data: &'d [u8], commands: &[T]) -> Option<(T, &'d [u8])> {
    let (choice, input) = data.split_first()?;
    Some((commands[usize::from(*choice) % commands.len()], input))
}

/// Takes assembly text behind a byte that chooses the output.
///
/// # Panics
///
/// Where the tool's output and status disagree, or what was assembled does not come back from its disassembly.
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

/// Takes words, as numbers or bytes, behind a byte that chooses which.
///
/// # Panics
///
/// Where the tool's output and status disagree, or a disassembly does not assemble.
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

/// Takes a program behind a byte that chooses one lane or a warp.
///
/// # Panics
///
/// Where the tool's output and status disagree.
pub fn exec(data: &[u8]) -> u64 {
    const COMMANDS: [&[&str]; 2] = [&["exec", "--trace"], &["exec", "--warp", "--trace"]];
    let Some((args, input)) = choose(data, &COMMANDS) else { return 0 };
    tool(args, input).reached()
}

/// Takes requests, one a line.
///
/// # Panics
///
/// Where the tool's output and status disagree, an answer is no object of JSON with one key, or one is missing.
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
    // Lines of white space have no answer, and a byte order mark is no text.
    let lines = data.split(|&byte| byte == b'\n');
    let asked = lines.filter(|line| !is_blank(line)).count();
    assert_eq!(found.len(), asked, "{text}");
    reached(found.into_iter().take(2).collect::<Vec<_>>())
}

fn is_blank(line: &[u8]) -> bool {
    let Ok(text) = core::str::from_utf8(line) else { return false };
    text.strip_prefix('\u{feff}').unwrap_or(text).trim().is_empty()
}
