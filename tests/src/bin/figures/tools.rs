//! Compares the tool with LLVM's tools by the run time of a process per line of text. Each tool
//! processes its own assembly language.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use isa_defs::gpu::Gpu;

use crate::{Figures, cargo, is_there, run};
use isa_tests::work::kernel;
use isa_verify::random::SplitMix64;

/// The number of lines in the texts, large enough that the start of a process is negligible.
const LINES: usize = 200_000;

/// The number of runs of each command. The fastest run is used.
const RUNS: usize = 5;

/// Measures assembling and disassembling.
///
/// # Errors
///
/// Returns an error if a command fails.
pub(crate) fn measure(figures: &mut Figures, folder: &Path) -> Result<(), String> {
    run(cargo().args(["build", "--release", "-p", "isa-defs", "--bin", "isa"]))?;
    let file = |name: &str| folder.join(name);
    let write = |name: &str, text: &str| {
        fs::write(file(name), text).map_err(|error| format!("{name}: {error}"))
    };
    write("ours.s", &our_text())?;
    write("theirs.s", &their_text())?;
    let isa = tool()?;
    let emit = ["--emit", "bin", "-o"].map(PathBuf::from);
    let assemble = arguments("asm", [file("ours.s")], emit.into_iter().chain([file("ours.bin")]));
    let from = ["--from", "bin"].map(PathBuf::from);
    let disassemble = arguments("dis", [file("ours.bin")], from);
    figures.add("assemble", "a line", "isa asm", time(&isa, &assemble)?);
    figures.add("disassemble", "a line", "isa dis", time(&isa, &disassemble)?);
    for (program, table) in [("llvm-mc", "assemble"), ("llvm-objdump", "disassemble")] {
        if !is_there(program) {
            figures.skip(format!("{program} is not installed"));
            continue;
        }
        let machine = ["--triple=riscv64", "--mattr=+m"].map(PathBuf::from);
        let arguments: Vec<PathBuf> = match program {
            "llvm-mc" => {
                let rest = ["--filetype=obj", "-o"].map(PathBuf::from);
                let files = [file("theirs.o"), file("theirs.s")];
                machine.into_iter().chain(rest).chain(files).collect()
            }
            _ => machine.into_iter().chain(["-d".into(), file("theirs.o")]).collect(),
        };
        if program == "llvm-objdump" && !file("theirs.o").exists() {
            figures.skip("llvm-objdump has nothing to disassemble without llvm-mc");
            continue;
        }
        figures.add(table, "a line", program, time(Path::new(program), &arguments)?);
    }
    Ok(())
}

fn arguments(
    command: &str,
    first: impl IntoIterator<Item = PathBuf>,
    rest: impl IntoIterator<Item = PathBuf>,
) -> Vec<PathBuf> {
    [PathBuf::from(command)].into_iter().chain(first).chain(rest).collect()
}

/// Returns the path of the tool, relative to this program.
fn tool() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = own.parent().and_then(Path::parent).ok_or("this program is in no folder")?;
    Ok(target.join("release/isa"))
}

/// Returns the time per line in nanoseconds.
fn time(program: &Path, arguments: &[PathBuf]) -> Result<f64, String> {
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let mut command = Command::new(program);
        let start = Instant::now();
        run(command.args(arguments).stdout(Stdio::null()))?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best * 1e9 / LINES as f64)
}

/// Returns the instructions that the benchmark `codec` measures as kernel-like code.
fn our_text() -> String {
    let work = kernel(Gpu::SET);
    work.lines().into_iter().cycle().take(LINES).collect()
}

/// Returns instructions of 64-bit RISC-V with three registers, or with two registers and an
/// immediate.
fn their_text() -> String {
    const THREE: [&str; 10] =
        ["add", "sub", "xor", "or", "and", "sll", "srl", "slt", "mul", "addw"];
    const IMMEDIATE: [&str; 6] = ["addi", "xori", "ori", "andi", "slti", "addiw"];
    let mut random = SplitMix64::new(4);
    let mut text = String::new();
    for _ in 0..LINES {
        let [d, a, b] = [(); 3].map(|()| random.below(32));
        let immediate = random.below(4096) as i64 - 2048;
        let written = match random.below(3) {
            0 => writeln!(text, "{} x{d}, x{a}, {immediate}", random.pick(&IMMEDIATE)),
            1 => writeln!(text, "ld x{d}, {immediate}(x{a})"),
            _ => writeln!(text, "{} x{d}, x{a}, x{b}", random.pick(&THREE)),
        };
        written.expect("a string takes all");
    }
    text
}
