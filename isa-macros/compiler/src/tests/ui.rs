//! Runs the cases of `tests/ui` without rustc and expects the same messages at the same places.
//!
//! The test with rustc takes minutes, this one takes seconds. If you break a rule on purpose, this
//! test quickly finds the case that detects it.

use std::fs;
use std::path::{Path, PathBuf};

use super::calls;
use super::imports::{FAMILIES, Sets};

/// Collects all files under a directory with this extension, in order.
pub(super) fn files(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
}

/// Returns `LINE:COLUMN MESSAGE` for each of the macro's errors in rustc's output, sorted.
fn printed(stderr: &str) -> Vec<String> {
    let mut rows = Vec::new();
    for error in stderr.split("error: [ISA").skip(1) {
        let (message, place) = error.split_once("--> ").expect("a place");
        let place = place.lines().next().and_then(|place| place.split_once(".rs:"));
        rows.push(row(place.expect("a place").1, &format!("[ISA{message}")));
    }
    rows.sort();
    rows
}

/// Returns a message after its place, with its lines trimmed and empty lines removed.
fn row(place: &str, message: &str) -> String {
    let lines: Vec<&str> = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    format!("{place} {}", lines.join("\n"))
}

/// Returns the same for the errors that the pipeline finds in a file, whose calls may import
/// `sets`.
fn found(source: &str, sets: &Sets) -> Vec<String> {
    let calls = calls(source.parse().unwrap());
    assert!(!calls.is_empty(), "no call");
    let faults = sets.clone().faults_of(calls).into_iter();
    let mut rows: Vec<String> = faults
        .map(|fault| row(&format!("{}:{}", fault.line, fault.column), &fault.message))
        .collect();
    rows.sort();
    rows
}

/// Compares the cases that import `isa-defs`, or all others.
fn compare(sets: &Sets, families: bool) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ui");
    let mut cases = Vec::new();
    files(&directory, "rs", &mut cases);
    // `tests/ui.rs` is not a case: it runs rustc on the cases.
    cases.retain(|case| !case.ends_with("tests/ui.rs"));
    if cases.is_empty() {
        println!("SKIPPED: there is no {}", directory.display());
        return;
    }
    let mut wrong = Vec::new();
    for case in &cases {
        let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
        let source = read(case);
        if source.contains(FAMILIES) != families {
            continue;
        }
        let mut expected = printed(&read(&case.with_extension("stderr")));
        let mut rows = found(&source, sets);
        // rustc shows an error in the source of another crate at the call.
        if families {
            for row in rows.iter_mut().chain(&mut expected) {
                row.drain(..row.find(' ').unwrap_or(0));
            }
        }
        if rows != expected {
            wrong.push(format!("{}\nfound {rows:#?}\nexpected {expected:#?}", case.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases differ from their `.stderr` files; to write these files, run \
         `ISA_UI=all TRYBUILD=overwrite cargo test -p isa-tests-ui`:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn cases_have_the_faults_that_the_compiler_prints() {
    compare(&Sets::default(), false);
}

#[test]
fn cases_with_the_families_have_the_faults_that_the_compiler_prints() {
    let (sets, _) = Sets::of_families(drop).unwrap_or_default();
    compare(&sets, true);
}
