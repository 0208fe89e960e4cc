//! Tests the `isa` tool as a process: exit status, closed pipes, memory, and prompt output.
#![cfg(feature = "cli")]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};

fn isa(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isa"));
    command.args(args);
    with_pipes(command)
}

fn with_pipes(mut command: Command) -> Command {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn start(mut command: Command) -> Child {
    command.spawn().unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a process to its end. A thread writes `input`, so no pipe blocks.
fn finish(mut child: Child, input: Vec<u8>) -> Output {
    let mut stdin = child.stdin.take();
    let writer = std::thread::spawn(move || {
        // The process may end before it has read all input.
        let _ = stdin.as_mut().map(|stdin| stdin.write_all(&input));
    });
    let output = child.wait_with_output();
    writer.join().unwrap_or_else(|_| panic!("the writer failed"));
    output.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn exit_status_is_0_1_or_2() {
    for (args, input, status) in [
        (&["list"][..], "", 0),
        (&["asm"], "HADD2 R0, R1, R2;", 0),
        (&["asm"], "HADD3 R0, R1, R2;", 1),
        (&["explain", "0"], "", 1),
        (&["asm", "missing-file"], "", 1),
        (&["asm", "--what"], "", 2),
        (&[], "", 2),
    ] {
        let output = finish(start(isa(args)), input.into());
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        assert_eq!(output.stderr.is_empty(), status == 0, "{args:?}");
    }
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let word = 0x2_0100_7130_u128.to_le_bytes();
    let code = "HADD2 R0, R1, R2;\n".repeat(40_000).into_bytes();
    let requests = "{\"asm\": \"\"}\n".repeat(40_000).into_bytes();
    for (args, input) in [
        (&["dis", "--from", "bin"][..], word.repeat(40_000)),
        (&["asm"], code.clone()),
        (&["exec", "--trace"], code.clone()),
        (&["exec", "--trace", "--warp"], code),
        (&["exec", "--jsonl"], requests),
        (&["list"], Vec::new()),
    ] {
        let mut child = start(isa(args));
        drop(child.stdout.take());
        let output = finish(child, input);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

#[test]
fn closed_diagnostics_do_no_harm() {
    let mut child = start(isa(&["asm"]));
    drop(child.stderr.take());
    let output = finish(child, "HADX;\n".repeat(50_000).into());
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn each_request_is_answered_before_the_next() {
    let mut child = start(isa(&["exec", "--jsonl"]));
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        panic!("no pipes");
    };
    let mut answers = BufReader::new(stdout).lines();
    for _ in 0..3 {
        assert!(stdin.write_all(b"{\"asm\": \"\"}\n").is_ok());
        let answer = answers.next().and_then(Result::ok);
        assert_eq!(answer.as_deref(), Some("{\"state\": {}}"));
    }
    drop(stdin);
    assert!(child.wait().is_ok_and(|status| status.success()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let mut command = isa(&["asm"]);
    let full = std::fs::File::options().write(true).open("/dev/full");
    command.stdout(full.unwrap_or_else(|error| panic!("{error}")));
    let output = finish(start(command), b"HADD2 R0, R1, R2;".into());
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("cannot write standard output"), "{err}");
}

/// Returns the number of bytes of address space that a 64-bit ELF program itself occupies.
#[cfg(target_os = "linux")]
fn program_size(path: &str) -> u64 {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{error}"));
    let number = |at: usize, size: usize| {
        bytes[at..at + size].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
    };
    let (table, size, count) = (number(32, 8), number(54, 2), number(56, 2));
    let headers = (0..count).map(|index| (table + index * size) as usize);
    // The loaded segments have the type 1.
    let loaded = headers.filter(|&at| number(at, 4) == 1);
    loaded.map(|at| number(at + 16, 8) + number(at + 40, 8)).max().unwrap_or(0)
}

/// The limit is 14 MiB of address space and the size of the program, which is over 20 MiB in
/// unoptimised builds. The input is 8 MiB, the output about 50 MiB.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    let program = env!("CARGO_BIN_EXE_isa");
    let limit = (program_size(program) >> 10) + (14 << 10);
    let script = format!("ulimit -v {limit}; {program} dis --from bin");
    let mut command = Command::new("sh");
    command.args(["-c", &script]);
    let mut child = start(with_pipes(command));
    let mut stdout = child.stdout.take();
    let counter = std::thread::spawn(move || {
        let (mut block, mut total) = ([0; 1 << 16], 0);
        while let Some(count) = stdout.as_mut().and_then(|out| out.read(&mut block).ok()) {
            if count == 0 {
                break;
            }
            total += count;
        }
        total
    });
    let output = finish(child, vec![0; 8 << 20]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*err), (Some(0), ""));
    assert!(counter.join().is_ok_and(|total| total > 50 << 20));
}
