//! Runs programs in C: each prints the same text and exits with the same status as under QEMU.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use isa_a64::Trap;
use isa_a64::cpu::{Cpu, Segment};
use isa_a64::machine::{Control, Memory, Registers};
use isa_tests::share::share;
use isa_tests::tools::{self, Temporary};
use object::read::{Object, ObjectSegment};

use crate::tools::gcc_and_qemu_are_here;

/// The programs, with optimization levels, because each level makes different code. Besides the
/// programs of A64, it includes the programs that the test of RISC-V runs.
const PROGRAMS: [(&str, &[&str], &[&str]); 2] = [
    ("a64", &["bits", "machine", "records"], &["-O2", "-O0", "-Os"]),
    ("riscv", &["compress", "hash", "matrix", "parser", "sort"], &["-O2"]),
];

/// The integer instructions with checksums, without libraries.
const FLAGS: [&str; 8] = [
    "-march=armv8-a+crc",
    "-mgeneral-regs-only",
    "-mno-outline-atomics",
    "-static",
    "-nostdlib",
    "-ffreestanding",
    "-fno-stack-protector",
    "-fno-tree-loop-distribute-patterns",
];

/// Output lines that are known independently: published checksums of "123456789" and the digest of
/// "abc", 100!, the number of primes below 2,000, and the number below 100 that takes most steps to
/// 1.
const KNOWN: [(&str, &str); 6] = [
    ("bits", "cbf43926 e3069283"),
    (
        "bits",
        "93326215443944152681699238856266700490715968264381621468592963895217599993229915608941463\
         976156518286253697920827223758251185210916864000000000000000000000000",
    ),
    ("hash", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("machine", "303 in 81404 steps"),
    ("machine", "97 118 in 138524 steps"),
    ("parser", "0xff * 0x10 - ~0 = 4081"),
];

/// The end of the stack, and its size in bytes.
const STACK_END: u64 = 0x40_0000_0000;
const STACK: u64 = 1 << 20;

/// The numbers of Linux system calls.
const WRITE: u64 = 64;
const EXIT: u64 = 93;

/// Returns the folder with the programs of a set.
fn sources(set: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(set).join("programs")
}

/// Compiles a program to an executable.
fn compile(set: &str, program: &str, level: &str) -> Temporary {
    let executable = Temporary::new("elf");
    let mut gcc = Command::new("aarch64-linux-gnu-gcc");
    gcc.args(FLAGS).arg(level).arg("-I").arg(sources("riscv")).arg("-o").arg(&executable.0);
    gcc.arg(sources(set).join(program).with_extension("c")).arg(sources("riscv").join("runtime.c"));
    let output = tools::run(&mut gcc, String::new());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    executable
}

/// The output of a program and its exit status.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    text: String,
    status: i32,
}

/// Runs a program under QEMU.
fn emulate(executable: &Path) -> Ended {
    let output = tools::run(Command::new("qemu-aarch64").arg(executable), String::new());
    Ended {
        text: String::from_utf8(output.stdout).expect("text"),
        status: output.status.code().expect("an exit, not a signal"),
    }
}

/// Returns a processor at the start of an executable.
fn start(executable: &Path) -> Cpu {
    let bytes = std::fs::read(executable).expect("it was written");
    let file = object::File::parse(&*bytes).expect("an executable");
    let mut segments =
        vec![Segment { start: STACK_END - STACK, bytes: vec![0; STACK as usize], writable: true }];
    for segment in file.segments() {
        let mut bytes = segment.data().expect("in the file").to_vec();
        bytes.resize(segment.size() as usize, 0);
        let writable = segment.permissions().writable();
        segments.push(Segment { start: segment.address(), bytes, writable });
    }
    let mut cpu = Cpu::new(segments, file.entry());
    cpu.sp = STACK_END;
    cpu
}

/// Runs a program on our semantics. Returns its result and the number of instructions.
fn run(executable: &Path) -> (Ended, u64) {
    let (mut cpu, mut printed, mut count) = (start(executable), Vec::new(), 0);
    loop {
        count += 1;
        let trap = match cpu.step() {
            Ok(()) => continue,
            Err(trap) => trap,
        };
        assert_eq!(trap, Trap::Supervisor(0), "at {:#x}", cpu.pc());
        let [first, address, bytes, service] = [0, 1, 2, 8].map(|number| cpu.reg(number));
        match service {
            EXIT => {
                let text = String::from_utf8(printed).expect("text");
                // Linux keeps only the low byte.
                return (Ended { text, status: i32::from(first as u8) }, count);
            }
            WRITE => {
                assert_eq!(first, 1, "to standard output");
                let read = |at| cpu.load(at, 1).expect("what is printed is in memory") as u8;
                printed.extend((address..address + bytes).map(read));
                cpu.set_reg(0, bytes);
            }
            other => panic!("service {other} at {:#x}", cpu.pc()),
        }
        cpu.skip();
    }
}

#[test]
fn programs_in_c_print_what_they_print_under_qemu() {
    if !gcc_and_qemu_are_here() {
        return;
    }
    let all = PROGRAMS.into_iter().flat_map(|(set, programs, levels)| {
        let levels = move |program| levels.iter().map(move |level| (set, program, *level));
        programs.iter().flat_map(move |program| levels(*program))
    });
    for (set, program, level) in all.step_by(share()) {
        let executable = compile(set, program, level);
        let (here, _) = run(&executable.0);
        assert_eq!(here, emulate(&executable.0), "{program} {level}");
        for (_, line) in KNOWN.iter().filter(|(name, _)| *name == program) {
            assert!(here.text.lines().any(|l| l == *line), "{program} {level}: {line}");
        }
    }
}

/// Prints the number of instructions of the programs and their run time:
/// `cargo test --release -p isa-tests --test a64 speed_of_programs -- --ignored --nocapture`.
#[test]
#[ignore = "measures and prints times"]
fn speed_of_programs() {
    if !gcc_and_qemu_are_here() {
        return;
    }
    let (mut all, mut took) = (0, Duration::ZERO);
    for (set, programs, _) in PROGRAMS {
        for program in programs {
            let executable = compile(set, program, "-O2");
            let begun = Instant::now();
            let (_, count) = run(&executable.0);
            let time = begun.elapsed();
            (all, took) = (all + count, took + time);
            println!("{program}: {count} instructions in {time:.1?}");
        }
    }
    println!("{:.1} million instructions a second", all as f64 / took.as_secs_f64() / 1e6);
}
