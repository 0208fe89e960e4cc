//! Programs and files that tests compare with or drive, and that not every machine has.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, io, thread};

/// A program or a file, and how to get it.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The name of the program, as it is started; or the path of a file.
    pub program: &'static str,
    /// What its `--version` says: which release, or a part of its name where any will do. Nothing
    /// for a file.
    pub release: &'static str,
    /// The command that installs it.
    pub install: &'static str,
}

impl Tool {
    /// Whether the file is there, or the program starts and is of this release. A name that a tool
    /// manager keeps for a program that it has not installed starts, and fails.
    #[must_use]
    pub fn is_here(&self) -> bool {
        if Path::new(self.program).is_absolute() {
            return Path::new(self.program).exists();
        }
        let output = Command::new(self.program).arg("--version").output();
        output.is_ok_and(|output| {
            let said = String::from_utf8_lossy(&output.stdout);
            output.status.success() && said.contains(self.release)
        })
    }
}

/// Whether a test has all that it needs. Where it has not, says in one line, past the
/// capture of the test harness, that the test is skipped and how to get them.
///
/// # Panics
///
/// Where one is missing, with `ISA_TOOLS=required` in the environment.
#[must_use]
pub fn are_here(needed: &[Tool]) -> bool {
    let missing: Vec<&Tool> = needed.iter().filter(|tool| !tool.is_here()).collect();
    if missing.is_empty() {
        return true;
    }
    let message = message(thread::current().name(), &missing);
    let required = env::var("ISA_TOOLS").is_ok_and(|value| value == "required");
    assert!(!required, "with ISA_TOOLS=required, this is an error: {message}");
    // Where standard error is closed, there is nobody to tell.
    let _ = io::stderr().write_all(format!("{message}\n").as_bytes());
    false
}

/// That a test is skipped, and how to get what it needs.
#[must_use]
pub fn message(test: Option<&str>, missing: &[&Tool]) -> String {
    // With one thread for all tests, it is the main one.
    let test = test.filter(|name| *name != "main").unwrap_or("a test");
    let needs =
        missing.iter().map(|Tool { program, release, install }| match program.contains(release) {
            true => format!("`{program}`: `{install}`"),
            false => format!("`{program}` ({release}): `{install}`"),
        });
    format!("SKIPPED: {test}, which needs {}", needs.collect::<Vec<_>>().join(", "))
}

/// Runs a program on a text.
///
/// # Panics
///
/// Where it does not start, or ends before it has read all.
pub fn run(command: &mut Command, input: String) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // From another thread, since the program may answer before it has read all.
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends").expect("the program reads all");
    output
}

/// Single spaces for tabs.
#[must_use]
pub fn tidy(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A file that goes with the value.
#[derive(Debug)]
pub struct Temporary(pub PathBuf);

impl Temporary {
    /// A name that no other has.
    #[must_use]
    pub fn new(extension: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("isa-tests-{}-{count}.{extension}", std::process::id());
        Temporary(env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What LLVM makes of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its text, without comments; `None` where it is no instruction.
    pub text: Option<String>,
    /// Whether LLVM says that nobody knows what it does.
    pub unpredictable: bool,
}

/// What LLVM makes of each of some words, as bytes, with these flags.
///
/// # Panics
///
/// Where it does not list each of them once.
#[must_use]
pub fn llvm(flags: &[&str], words: impl Iterator<Item = Vec<u8>>) -> Vec<Listed> {
    let (mut input, mut count) = (String::new(), 0);
    for word in words {
        input.extend(word.iter().map(|byte| format!("{byte:#04x} ")));
        input.push('\n');
        count += 1;
    }
    let output = run(Command::new("llvm-mc").arg("--disassemble").args(flags), input);
    let (mut refused, mut unpredictable) = (vec![false; count], vec![false; count]);
    for message in String::from_utf8_lossy(&output.stderr).lines() {
        let Some((place, said)) = message.strip_prefix("<stdin>:").and_then(|m| m.split_once(':'))
        else {
            continue;
        };
        let line: usize = place.parse().expect("the number of a line");
        let all = if said.contains("potentially") { &mut unpredictable } else { &mut refused };
        all[line - 1] = true;
    }
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().map(|line| tidy(line.split("//").next().unwrap_or(line)));
    let mut lines = lines.filter(|line| !line.is_empty() && line != ".text");
    let listing = refused.iter().zip(unpredictable).map(|(refused, unpredictable)| Listed {
        text: (!refused).then(|| lines.next().expect("a line an instruction")),
        unpredictable,
    });
    let listing = listing.collect();
    assert_eq!(lines.next(), None, "as many lines as instructions");
    listing
}
