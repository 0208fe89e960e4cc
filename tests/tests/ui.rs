//! Faulty specifications, and what an author is told of each.
//!
//! One fault a file, named after it; the `.stderr` beside it is what the compiler prints. After a
//! change of a message run the test with `TRYBUILD=overwrite` and read the difference.

use std::io::Write;
use std::process::Command;

/// The release whose wording the expected outputs have.
const RELEASE: &str = "1.95.";

#[test]
fn faults_are_reported_where_they_are() {
    let release = release();
    if !release.starts_with(RELEASE) {
        // Past the capture of the test harness, so that it is seen.
        let message =
            format!("SKIPPED: expected outputs are those of rustc {RELEASE}x, not {release}\n");
        let _ = std::io::stderr().write_all(message.as_bytes());
        return;
    }
    let tests = trybuild::TestCases::new();
    tests.compile_fail("ui/*.rs");
    tests.compile_fail("ui/*/*.rs");
}

/// The release of the compiler that the test would run.
fn release() -> String {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let words = text.unwrap_or_default();
    words.split_whitespace().nth(1).unwrap_or("unknown").to_owned()
}
