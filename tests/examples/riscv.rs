//! Runs a static 64-bit RISC-V program on the semantics of its specification.
//!
//! ```text
//! cargo run --release -p isa-tests --example riscv -- [--count] PROGRAM.elf [ARGUMENT ...]
//! ```
//!
//! Prints the output of the program and exits with its status. `--count` prints the number of
//! executed instructions to standard error. The status is 126 if the program cannot be run, and 125
//! if an instruction traps.

use std::io::{Write, stderr, stdout};
use std::process::ExitCode;
use std::time::Instant;

use isa_riscv::elf::Executable;
use isa_riscv::linux;

const USAGE: &str = "usage: riscv [--count] PROGRAM.elf [ARGUMENT ...]";
const TRAPPED: u8 = 125;
const UNUSABLE: u8 = 126;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let count = arguments.first().is_some_and(|first| first == "--count");
    arguments.drain(..usize::from(count));
    let status = match arguments.first() {
        Some(program) if !program.starts_with('-') => run(program, &arguments, count),
        _ => Err((2, USAGE.to_owned())),
    };
    status.map_or_else(
        |(status, message)| {
            let _ = writeln!(stderr(), "{message}");
            ExitCode::from(status)
        },
        ExitCode::from,
    )
}

/// Returns the exit status of the program, or an error status with a message.
fn run(path: &str, arguments: &[String], count: bool) -> Result<u8, (u8, String)> {
    let unusable = |error: &dyn std::fmt::Display| (UNUSABLE, format!("error: {path}: {error}"));
    let bytes = std::fs::read(path).map_err(|error| unusable(&error))?;
    let program = Executable::read(&bytes).map_err(|error| unusable(&error))?;
    let mut hart = linux::start(program, arguments)
        .ok_or_else(|| unusable(&"the arguments are longer than the stack"))?;
    let begin = Instant::now();
    let status = linux::run(&mut hart, &mut stdout().lock(), &mut stderr());
    if count {
        let (retired, time) = (hart.retired(), begin.elapsed().as_secs_f64());
        let speed = retired as f64 / time / 1e6;
        let _ =
            writeln!(stderr(), "{retired} instructions, {time:.3} s, {speed:.1} million a second");
    }
    status.map_err(|stop| (TRAPPED, format!("error: {path}: {stop}")))
}
