//! Programs in C: each prints here what it prints under QEMU, and ends with the same status.

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

/// The programs, and levels of optimization, which make different code of one program: those of
/// A64, and those that the test of RISC-V runs too.
const PROGRAMS: [(&str, &[&str], &[&str]); 2] = [
    ("a64", &["bits", "machine", "records"], &["-O2", "-O0", "-Os"]),
    ("riscv", &["compress", "hash", "matrix", "parser", "sort"], &["-O2"]),
];

/// The integer instructions with checksums, and no library beside the program.
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

/// Lines that are known from elsewhere: published checksums of "123456789" and the digest of "abc",
/// 100!, how many primes are below 2,000, which number below 100 takes most steps to 1.
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

/// Where the stack ends, and how large it is.
const STACK_END: u64 = 0x40_0000_0000;
const STACK: u64 = 1 << 20;

/// Services of Linux by their numbers.
const WRITE: u64 = 64;
const EXIT: u64 = 93;

/// Where the programs of a set are.
fn sources(set: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(set).join("programs")
}

/// An executable of a program.
fn compile(set: &str, program: &str, level: &str) -> Temporary {
    let executable = Temporary::new("elf");
    let mut gcc = Command::new("aarch64-linux-gnu-gcc");
    gcc.args(FLAGS).arg(level).arg("-I").arg(sources("riscv")).arg("-o").arg(&executable.0);
    gcc.arg(sources(set).join(program).with_extension("c")).arg(sources("riscv").join("runtime.c"));
    let output = tools::run(&mut gcc, String::new());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    executable
}

/// What a program prints, and the status that it ends with.
#[derive(Debug, PartialEq, Eq)]
struct Ended {
    text: String,
    status: i32,
}

/// A program under QEMU.
fn emulate(executable: &Path) -> Ended {
    let output = tools::run(Command::new("qemu-aarch64").arg(executable), String::new());
    Ended {
        text: String::from_utf8(output.stdout).expect("text"),
        status: output.status.code().expect("an exit, not a signal"),
    }
}

/// A processor at the start of an executable.
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

/// A program here, and how many instructions it took.
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
                // Linux keeps the low byte.
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

/// How many instructions the programs take, and how long: `cargo test --release -p isa-tests --test
/// a64 speed_of_programs -- --ignored --nocapture`.
#[test]
#[ignore = "measures; prints its figures"]
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
