//! Runs the `isa` tool, and in `any_set` other tools, in this process: the output, diagnostics and
//! status of each command.

mod any_set;
mod asm;
mod campaigns;
mod codes;
mod compare;
mod diagnostics;
mod diff;
mod dis;
mod exec;
mod execution_vectors;
mod explain;
mod export;
mod features;
mod firmware;
mod gdb;
mod hostile;
mod jsonl;
mod linkers;
mod list;
mod noise;
mod objects;
mod orders;
mod pages;
mod patch;
mod sections;
mod usage;
mod vectors;
mod warp;

use std::fs;
use std::path::PathBuf;

use isa_defs::cli::{Io, Status, Tool, tool};

/// The result of a run of the tool.
#[derive(Debug)]
struct Outcome {
    status: Status,
    out: Vec<u8>,
    err: String,
}

impl Outcome {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap_or("not UTF-8")
    }

    /// Returns the output of a run without errors.
    #[track_caller]
    fn fine(&self) -> &str {
        assert_eq!(self.status, Status::Success, "{}", self.err);
        assert_eq!(self.err, "");
        self.text()
    }

    /// Returns the output and the diagnostics of a run with errors that still wrote output.
    #[track_caller]
    fn partly(&self) -> (&str, &str) {
        assert_eq!(self.status, Status::Failure, "{}", self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        (self.text(), &self.err)
    }

    /// Returns the diagnostics as JSON objects, one for each line.
    fn json(&self) -> Vec<serde_json::Value> {
        self.err.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the diagnostics of a run with errors that wrote no output.
    #[track_caller]
    fn failed(&self, status: Status) -> &str {
        assert_eq!(self.status, status, "{}\n{}", self.text(), self.err);
        assert_eq!(self.text(), "");
        assert!(self.err.starts_with("error: "), "{}", self.err);
        &self.err
    }
}

fn isa(args: &[&str], stdin: &[u8]) -> Outcome {
    run(&tool(), args, stdin)
}

fn run<I: isa_core::Isa>(tool: &Tool<I>, args: &[&str], mut stdin: &[u8]) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = tool.run(args, Io::of(&mut stdin, &mut out, &mut err));
    Outcome { status, out, err: String::from_utf8(err).unwrap_or_else(|error| panic!("{error}")) }
}

#[track_caller]
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// A directory for the files of one test. It is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("isa-tests.{}.{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{error}"));
        Scratch(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{error}"));
        path
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
