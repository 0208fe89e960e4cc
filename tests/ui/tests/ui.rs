//! Compiles specifications with errors and compares the messages with the expected ones.
//!
//! Each case has one error, which its file name describes. The `.stderr` file with the same name
//! contains the expected output of the compiler. After you change a message, run the test with
//! `ISA_UI=all TRYBUILD=overwrite` and review the difference.
//!
//! The tests of `isa-compiler` compare all cases with their `.stderr` files in seconds, without
//! rustc. This test therefore runs only the cases that need rustc, and one case of each folder.
//! With `ISA_UI=all` it runs all cases, which takes minutes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The release of rustc that produced the expected outputs.
const RELEASE: &str = "1.95.";

#[test]
fn faults_are_reported_where_they_are() {
    let release = release();
    if !release.starts_with(RELEASE) {
        // Write directly, because the test harness would capture the message.
        let message = format!(
            "SKIPPED: faulty specifications, whose expected outputs are those of rustc {RELEASE}x, \
             not {release}: `cargo +{RELEASE}0 test -p isa-tests-ui`\n"
        );
        let _ = std::io::stderr().write_all(message.as_bytes());
        return;
    }
    let tests = trybuild::TestCases::new();
    if std::env::var("ISA_UI").is_ok_and(|value| value == "all") {
        topics().flat_map(|topic| cases_in(&topic)).for_each(|case| tests.compile_fail(case));
        return;
    }
    let cases: Vec<PathBuf> = topics().flat_map(|topic| chosen(&topic)).collect();
    assert!(cases.len() > 25, "{cases:?}");
    cases.into_iter().for_each(|case| tests.compile_fail(case));
}

/// Returns the folders of cases: the package folder and its subfolders, except `tests`.
fn topics() -> impl Iterator<Item = PathBuf> {
    let folders = entries(Path::new("./")).into_iter().filter(|path| path.is_dir());
    let topics = folders.filter(|path| !path.ends_with("tests"));
    [PathBuf::from("./")].into_iter().chain(topics)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.map(|path| path.strip_prefix("./").map_or(path.clone(), Path::to_owned)).collect();
    paths.sort();
    paths
}

/// Returns the cases in a folder.
fn cases_in(folder: &Path) -> Vec<PathBuf> {
    let is_case = |path: &PathBuf| path.extension().is_some_and(|other| other == "rs");
    entries(folder).into_iter().filter(is_case).collect()
}

/// Returns the first case in a folder, and all cases that need rustc.
fn chosen(folder: &Path) -> Vec<PathBuf> {
    let mut cases = cases_in(folder);
    let mut place = 0..;
    cases.retain(|case| place.next() == Some(0) || needs_compiler(case));
    cases
}

/// Returns whether a call imports another call, or the expected output contains an error of rustc.
fn needs_compiler(case: &Path) -> bool {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_default();
    let imports = |line: &str| {
        let words = line.trim_start();
        words != line && (words.starts_with("include ") || words.starts_with("use "))
    };
    read(case).lines().any(imports) || read(&case.with_extension("stderr")).contains("error[E")
}

/// Returns the release of rustc that the test would run.
fn release() -> String {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let words = text.unwrap_or_default();
    words.split_whitespace().nth(1).unwrap_or("unknown").to_owned()
}
