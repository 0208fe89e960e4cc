//! Tests the support code of other tests: it finds installed tools and measures processor time.

use std::hint::black_box;
use std::process;
use std::time::Duration;

use isa_tests::processor::{Entry, of_family, of_this_thread};
use isa_tests::tools::{Tool, are_here, message};

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

#[test]
fn a_line_has_four_times() {
    let line = "7 (a) b) R 3 7 7 0 -1 4 1 2 3 4 100 20 3 1 20 0 1 0 5";
    let entry = Entry::parse(line).unwrap();
    assert_eq!((entry.parent, entry.time), (3, Duration::from_millis(1240)));
    assert!(Entry::parse("").is_none());
    assert!(Entry::parse("7 (a) R 3").is_none());
}

#[cfg(target_os = "linux")]
#[test]
fn work_takes_time_of_this_thread_and_of_its_process() {
    let (thread, family) = (of_this_thread().unwrap(), of_family(process::id()).unwrap());
    let mut number = 1_u64;
    while of_this_thread().unwrap() == thread || of_family(process::id()).unwrap() <= family {
        for _ in 0..100_000 {
            number = black_box(number.wrapping_mul(5));
        }
    }
    assert_eq!(of_family(u32::MAX), None);
}
