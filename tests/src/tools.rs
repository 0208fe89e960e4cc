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
    /// Whether the file is there, or the program starts and is of this release. A name that a tool manager keeps for a program
    /// that it has not installed starts, and fails.
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
fn message(test: Option<&str>, missing: &[&Tool]) -> String {
    // With one thread for all tests, it is the main one.
    let test = test.filter(|name| *name != "main").unwrap_or("a test");
    let needs =
        missing.iter().map(|Tool { program, release, install }| match program.contains(release) {
            true => format!("`{program}`: `{install}`"),
            false => format!("`{program}` ({release}): `{install}`"),
        });
    format!("SKIPPED: {test}, which needs {}", needs.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUSTC: Tool = Tool { program: "rustc", release: "rustc", install: "rustup install" };
    const OLD: Tool = Tool { program: "rustc", release: "rustc 0.", install: "rustup install 0" };
    const NONE: Tool =
        Tool { program: "isa-has-no-such-tool", release: "tool 3", install: "apt install tool" };

    #[test]
    fn a_file_is_there_or_not() {
        let file = |program| Tool { program, release: "", install: "git restore" };
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(file(manifest).is_here());
        let none = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.none");
        assert!(!file(none).is_here());
        let expected = format!("SKIPPED: a test, which needs `{none}`: `git restore`");
        assert_eq!(message(None, &[&file(none)]), expected);
    }

    #[test]
    fn a_tool_is_of_its_release() {
        assert!(RUSTC.is_here());
        assert!(!OLD.is_here());
        assert!(!NONE.is_here());
        assert!(are_here(&[RUSTC]) && are_here(&[]));
    }

    #[test]
    fn what_is_missing_is_one_line() {
        assert_eq!(
            message(Some("code::listings"), &[&OLD, &NONE]),
            "SKIPPED: code::listings, which needs `rustc` (rustc 0.): `rustup install 0`, \
             `isa-has-no-such-tool` (tool 3): `apt install tool`"
        );
        let any = message(Some("code"), &[&RUSTC]);
        assert_eq!(any, "SKIPPED: code, which needs `rustc`: `rustup install`");
        assert!(message(Some("main"), &[&NONE]).starts_with("SKIPPED: a test, which needs `isa"));
        assert_eq!(message(None, &[&NONE]), message(Some("main"), &[&NONE]));
    }
}
