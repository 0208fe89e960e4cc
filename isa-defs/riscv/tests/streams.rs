//! Tests the tool `rv` as a process whose standard streams are closed: it reports an error if it
//! cannot read input or write output.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

fn sh(line: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).env("RV", env!("CARGO_BIN_EXE_rv"));
    shell.output().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_closed_output_is_an_error() {
    for (line, status) in [
        ("echo nop | $RV asm >&-", 1),
        ("echo nop | $RV asm --emit elf >&-", 1),
        ("echo 00000013 | $RV dis >&-", 1),
        ("echo 'li a0, 1' | $RV exec >&-", 1),
        ("echo '{\"asm\": \"nop\"}' | $RV exec --jsonl >&-", 1),
        ("$RV list >&-", 1),
        ("$RV --help >&-", 1),
        // Only the exit status can report the error.
        ("echo nop | $RV asm >&- 2>&-", 1),
        ("echo nop | $RV asm 2>&-", 0),
        ("echo nop | $RV asm > /dev/null", 0),
        ("echo nop | $RV asm 1<> /dev/null", 0),
        // The tool writes nothing.
        ("$RV asm >&- < /dev/null", 0),
    ] {
        let output = sh(line);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{line}: {errors}");
        let is_said = errors.contains("error: cannot write standard output: it is closed\n");
        assert_eq!(is_said, status == 1 && !line.contains("2>&-"), "{line}: {errors}");
    }
}

#[test]
fn a_closed_input_is_an_error() {
    for command in ["asm", "dis", "exec", "exec --jsonl", "explain"] {
        let output = sh(&format!("$RV {command} <&-"));
        assert_eq!(output.status.code(), Some(1), "{command}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("error: cannot read <stdin>: it is closed\n"), "{errors}");
    }
}
