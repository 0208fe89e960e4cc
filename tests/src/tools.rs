//! Programs and files that some tests need and that not every machine has.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, io, thread};

/// A program or a file, and the command that installs it.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The name of the program, or the absolute path of the file.
    pub program: &'static str,
    /// A text that the output of `--version` or `-V` must contain: the release, or a part of the name if any
    /// release works. It is empty for a file.
    pub release: &'static str,
    /// The command that installs it.
    pub install: &'static str,
}

impl Tool {
    /// Returns whether the file exists, or whether the program runs and has this release. A tool
    /// manager may provide the name of a program that it has not installed. Such a program starts,
    /// but fails.
    #[must_use]
    pub fn is_here(&self) -> bool {
        if Path::new(self.program).is_absolute() {
            return Path::new(self.program).exists();
        }
        // Some programs print their release only for `-V`.
        ["--version", "-V"].into_iter().any(|option| {
            let output = Command::new(self.program).arg(option).stdin(Stdio::null()).output();
            output.is_ok_and(|output| {
                let said = String::from_utf8_lossy(&output.stdout);
                output.status.success() && said.contains(self.release)
            })
        })
    }
}

/// Returns whether all programs and files that a test needs are present. If not, prints one line to
/// standard error, which the test harness does not capture. The line states that the test is skipped,
/// and how to install the missing programs and files.
///
/// # Panics
///
/// Panics if a program or file is missing and the environment contains `ISA_TOOLS=required`.
#[must_use]
pub fn are_here(needed: &[Tool]) -> bool {
    let missing: Vec<&Tool> = needed.iter().filter(|tool| !tool.is_here()).collect();
    if missing.is_empty() {
        return true;
    }
    let message = message(thread::current().name(), &missing);
    let required = env::var("ISA_TOOLS").is_ok_and(|value| value == "required");
    assert!(!required, "with ISA_TOOLS=required, this is an error: {message}");
    // If standard error is closed, the message is lost.
    let _ = io::stderr().write_all(format!("{message}\n").as_bytes());
    false
}

/// Returns the message that a test is skipped, with the commands that install the missing programs and
/// files.
#[must_use]
pub fn message(test: Option<&str>, missing: &[&Tool]) -> String {
    // If all tests run in one thread, its name is `main`.
    let test = test.filter(|name| *name != "main").unwrap_or("a test");
    let needs =
        missing.iter().map(|Tool { program, release, install }| match program.contains(release) {
            true => format!("`{program}`: `{install}`"),
            false => format!("`{program}` ({release}): `{install}`"),
        });
    format!("SKIPPED: {test}, which needs {}", needs.collect::<Vec<_>>().join(", "))
}

/// Runs a program with a text as its standard input.
///
/// # Panics
///
/// Panics if the program does not start, or exits before it has read all input.
pub fn run(command: &mut Command, input: String) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // Another thread writes the input, because the program may write output before it has read
    // everything.
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends").expect("the program reads all");
    output
}

/// Replaces each run of white space by one space.
#[must_use]
pub fn tidy(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A temporary file, deleted when the value is dropped.
#[derive(Debug)]
pub struct Temporary(pub PathBuf);

impl Temporary {
    /// Creates a path with a unique name.
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

/// The result of LLVM's disassembler for one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The assembly without comments, or `None` if the word is not an instruction.
    pub text: Option<String>,
    /// Whether LLVM reports the instruction as potentially undefined.
    pub unpredictable: bool,
}

/// Disassembles words, which are passed as bytes, with `llvm-mc` and these flags.
///
/// # Panics
///
/// Panics if the output does not contain each word once.
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
