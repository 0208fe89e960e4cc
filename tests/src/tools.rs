//! Programs and files that tests compare with or drive, and that not every machine has.

use std::io::Write;
use std::path::Path;
use std::process::Command;
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
