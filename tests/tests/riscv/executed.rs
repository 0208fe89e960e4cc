//! Runs programs on the semantics of the set and under QEMU.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use isa_core::asm::Assembler;
use isa_riscv::elf::{ElfError, Executable};
use isa_riscv::hart::{Hart, Segment};
use isa_riscv::linux::{self, ProgramStop};
use isa_riscv::{Reg, Rv64imac, Trap};
use isa_tests::share::share;

use crate::code::{PROGRAMS, compile};
use crate::programs::{LEVELS, emulate};
use crate::tools::{self, Temporary};

const NEEDED: &[&str] = &["riscv64-linux-gnu-gcc", "qemu-riscv64"];

/// Returns a processor at the start of an executable.
pub(crate) fn start(executable: &Path) -> Hart {
    let bytes = std::fs::read(executable).expect("it was written");
    let program = Executable::read(&bytes).expect("a static executable");
    linux::start(program, &["program".to_owned()]).expect("room for the arguments")
}

/// Assembles and links a text to an executable.
pub(crate) fn link(text: &str) -> Temporary {
    let (source, executable) = (Temporary::new("s"), Temporary::new("elf"));
    std::fs::write(&source.0, text).expect("a temporary file");
    let flags = ["-march=rv64imac_zicsr_zifencei", "-mabi=lp64", "-static", "-nostdlib"];
    let output = tools::run(
        Command::new("riscv64-linux-gnu-gcc")
            .args(flags)
            .args(["-Wl,--no-relax", "-o"])
            .args([&executable.0, &source.0]),
        String::new(),
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    executable
}

#[test]
fn programs_in_c_print_what_they_print_under_qemu() {
    if !tools::are_here(NEEDED) {
        return;
    }
    let all = PROGRAMS.into_iter().flat_map(|program| LEVELS.map(|level| (program, level)));
    for (program, level) in all.step_by(share()) {
        let executable = compile(program, level);
        let (text, status) = emulate(&executable.0);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut hart = start(&executable.0);
        let ended = linux::run(&mut hart, &mut out, &mut err).expect("an end");
        assert_eq!(String::from_utf8_lossy(&out), text, "{program} {level}");
        assert_eq!((i32::from(ended), err), (status, Vec::new()), "{program} {level}");
    }
}

/// Builds Rust translations of programs. Each compares its states with `Hart::run`.
#[test]
#[ignore = "compiles programs with cargo"]
fn translated_programs_print_what_they_print_under_qemu() {
    if !tools::are_here(NEEDED) {
        return;
    }
    let cargo = |arguments: &[&str], paths: &[&Path]| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(arguments).args(paths);
        let output = tools::run(&mut cargo, String::new());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("translated");
    let manifest = folder.join("Cargo.toml");
    // The translation then uses the versions of dependencies that the project uses.
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    std::fs::copy(lock, folder.join("Cargo.lock")).expect("the lock file of the project");
    for program in PROGRAMS {
        let executable = compile(program, "-O2");
        let example = ["run", "-q", "-p", "isa-riscv", "--example", "translate", "--"];
        cargo(&example, &[&executable.0, &folder]);
        let text = cargo(&["run", "-q", "--manifest-path"], &[&manifest]);
        let (expected, status) = emulate(&executable.0);
        let (printed, summary) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
        assert_eq!(printed.trim_end(), expected.trim_end(), "{program}");
        assert!(summary.starts_with(&format!("status {status} after ")), "{program}: {summary}");
    }
}

/// Instructions that stop a program, the signal that Linux sends to it, and our trap.
const SIGILL: i32 = 4;
const SIGTRAP: i32 = 5;
const SIGSEGV: i32 = 11;
const STOPS: [(&str, i32, Trap); 8] = [
    ("ebreak", SIGTRAP, Trap::Breakpoint),
    ("c.ebreak", SIGTRAP, Trap::Breakpoint),
    ("c.unimp", SIGILL, Trap::IllegalInstruction),
    (".half 0x8000", SIGILL, Trap::IllegalInstruction),
    ("csrrw a0, 0xc00, a0", SIGILL, Trap::IllegalInstruction),
    ("csrrs a0, 0xc00, a1", SIGILL, Trap::IllegalInstruction),
    ("csrrci a0, 0x7ff, 0", SIGILL, Trap::IllegalInstruction),
    ("ld a0, 64(zero)", SIGSEGV, Trap::AccessFault(64)),
];

#[test]
fn what_stops_a_program_stops_it_here() {
    if !tools::are_here(NEEDED) {
        return;
    }
    for (text, signal, trap) in STOPS {
        let executable = link(&format!(".globl _start\n_start: li a1, 0\n{text}\n"));
        let output = tools::run(Command::new("qemu-riscv64").arg(&executable.0), String::new());
        assert_eq!(output.status.signal(), Some(signal), "{text}");
        let mut hart = start(&executable.0);
        let stop = linux::run(&mut hart, &mut Vec::new(), &mut Vec::new());
        assert!(matches!(stop, Err(ProgramStop::Trap(_, t)) if t == trap), "{text}: {stop:?}");
        assert_eq!(hart.retired(), 1, "{text}");
    }
}

#[test]
fn a_store_to_instructions_counts_from_the_next_fence_i_on() {
    use isa_core::operand::Signed;
    use isa_riscv::i::{Addi, FenceI};
    use isa_riscv::machine::{Control, Memory, Registers};
    use isa_riscv::{Imm12, Size};

    let word = |number| {
        let number = Signed::new(number).expect("a small number");
        Addi::new(Reg::A0, Reg::ZERO, Imm12::new(number)).encode().expect("a legal one")
    };
    let code = [word(1), FenceI::new().encode().expect("a legal one")];
    let bytes = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut hart =
        Hart::new(vec![Segment { start: 0, bytes, writable: true, executable: true }], 0);
    assert_eq!(hart.step(), Ok(()));
    hart.store(0, Size::W, word(2).into()).expect("writable");
    assert_eq!(hart.step(), Ok(()), "fence.i");
    hart.jump(0);
    hart.skip();
    assert_eq!((hart.step(), hart.reg(Reg::A0.number())), (Ok(()), 2));
}

/// Returns a hart with assembly at address 0, in memory that it can change.
fn hart_with(text: &str) -> Hart {
    let program = Assembler::new(Rv64imac::SET).assemble(text).expect("valid assembly");
    let bytes = program.bytes;
    Hart::new(vec![Segment { start: 0, bytes, writable: true, executable: true }], 0)
}

/// Runs a loop in which a store replaces an instruction of the loop.
#[test]
fn decoded_blocks_are_decoded_again_after_fence_i() {
    use isa_riscv::machine::{Control, Registers};

    let text = "
        lw t0, 32(zero);
        again: addi a1, a1, 1;
        sw t0, 16(zero);
        fence.i;
        addi a0, a0, 1;
        addi t1, zero, 3;
        blt a1, t1, again;
        ecall;
        addi a0, a0, 100;
    ";
    let mut hart = hart_with(text);
    assert_eq!(hart.run(), Trap::EnvironmentCall);
    assert_eq!(hart.reg(Reg::A0.number()), 3 * 100, "the store precedes the first execution");
    assert_eq!((hart.pc(), hart.retired()), (28, 1 + 3 * 6));
}

/// A block that is longer than the blocks of the cache, with an invalid instruction at its end.
#[test]
fn a_trap_in_a_block_is_at_its_instruction() {
    use isa_riscv::machine::{Control, Registers};

    let mut hart = hart_with(&("addi a0, a0, 1;".repeat(150) + ".4byte 0;"));
    for _ in 0..2 {
        assert_eq!(hart.run(), Trap::IllegalInstruction);
        assert_eq!((hart.pc(), hart.retired(), hart.reg(Reg::A0.number())), (600, 150, 150));
    }
    // A load outside of the memory, in the middle of a block.
    let mut hart = hart_with("addi a0, a0, 1; ld a1, -8(zero); addi a0, a0, 1;");
    assert_eq!(hart.run(), Trap::AccessFault(8u64.wrapping_neg()));
    assert_eq!((hart.pc(), hart.retired(), hart.reg(Reg::A0.number())), (4, 1, 1));
}

#[test]
fn no_instruction_is_at_an_odd_address() {
    // c.nop, which could also be fetched from address 1.
    let segment = Segment { start: 0, bytes: vec![1, 1, 0, 0], writable: false, executable: true };
    let mut hart = Hart::new(vec![segment], 1);
    assert_eq!(hart.step(), Err(Trap::Misaligned(1)));
    assert_eq!((hart.run(), hart.retired()), (Trap::Misaligned(1), 0));
}

#[test]
fn files_that_do_not_run_are_refused() {
    let header = |class: u8, kind: u8, machine: u8| {
        let mut bytes = [b"\x7fELF".as_slice(), &[class, 1, 1], &[0; 57]].concat();
        (bytes[0x10], bytes[0x12]) = (kind, machine);
        bytes
    };
    let refused = |bytes: &[u8]| Executable::read(bytes).unwrap_err();
    assert_eq!(refused(b"#!/bin/sh"), ElfError::NotElf);
    assert_eq!(refused(b""), ElfError::NotElf);
    assert_eq!(refused(b"\x7fELF"), ElfError::OtherClass);
    assert_eq!(refused(&header(1, 2, 243)), ElfError::OtherClass);
    assert_eq!(refused(&header(2, 2, 62)), ElfError::OtherMachine(62));
    assert_eq!(refused(&header(2, 3, 243)), ElfError::NotStatic);
    assert_eq!(refused(&header(2, 2, 243)[..60]), ElfError::Truncated);
    let mut large = header(2, 2, 243);
    large.extend([0; 56]);
    (large[0x20], large[0x36], large[0x38], large[0x40]) = (0x40, 56, 1, 1);
    assert!(Executable::read(&large).is_ok(), "an empty segment");
    large[0x40 + 44] = 1;
    assert_eq!(refused(&large), ElfError::TooLarge);
    large[0x40 + 44] = 0;
    large[0x40 + 32] = 200;
    assert_eq!(refused(&large), ElfError::TooLarge, "more in the file than in memory");
    large[0x40 + 40] = 200;
    assert_eq!(refused(&large), ElfError::Truncated);
    large[0x40] = 3;
    assert_eq!(refused(&large), ElfError::NotStatic, "it names a loader");
}

/// Returns a random valid instruction word and its length in bytes. Most jumps are short.
fn random_word(random: &mut impl FnMut() -> u32) -> (u32, usize) {
    loop {
        let mut word = random();
        if random().is_multiple_of(2) {
            word |= 3;
        }
        // Registers x8 to x15 contain addresses or small numbers.
        if word & 3 == 3 {
            word = word & !(0x18 << 15) | 8 << 15;
        }
        if let Ok((instruction, length)) = Rv64imac::decode_first(&word.to_le_bytes()) {
            let is_far = matches!(word & 0x7f, 0x6f | 0x63) && !random().is_multiple_of(8);
            let word = instruction.encode().expect("a decoded word is valid");
            if !is_far {
                return (word, length);
            }
        }
    }
}

/// Compares blocks with single steps on random programs that change their code. A store to code is
/// visible only after `fence.i`, so each program executes a `fence.i` after each instruction that could
/// store there.
#[test]
fn random_programs_do_the_same_in_blocks_and_in_steps() {
    use isa_riscv::i::FenceI;
    use isa_riscv::machine::{Control, Registers};

    let mut state = 0x9e37_79b9_u32;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let fence = FenceI::new().encode().expect("valid");
    let mut executed = 0;
    for case in 0..3000 {
        let mut bytes = Vec::new();
        for _ in 0..60 {
            let (word, length) = random_word(&mut random);
            bytes.extend_from_slice(&word.to_le_bytes()[..length]);
            let effects = Rv64imac::decode(word).expect("valid").opcode().effects;
            if effects.stores() || effects.has_others() {
                bytes.extend(fence.to_le_bytes());
            }
        }
        let mut hart = Hart::new(
            vec![
                Segment { start: 0, bytes, writable: true, executable: true },
                Segment { start: 0x4000, bytes: vec![7; 64], writable: true, executable: false },
            ],
            0,
        );
        for number in 8..16 {
            let value = [0x20, 0x4000, 0x4010, random() & 7, 0x40, random(), 0x4004, 0x60];
            hart.set_reg(number, value[usize::from(number - 8)].into());
        }
        let mut single = hart.clone();
        let code = |hart: &Hart| hart.bytes(0, 120).expect("mapped");
        let (mut trap, mut before) = (None, code(&single));
        for _ in 0..500 {
            trap = single.step().err();
            // A jump into the middle of an instruction can lead to a store without a fence.
            let is_fence = matches!(single.instruction(), Ok(Rv64imac::FenceI(_)));
            let has_changed = core::mem::replace(&mut before, code(&single)) != before;
            if trap.is_some() || (has_changed && !is_fence) {
                break;
            }
        }
        // The other programs do not end.
        let Some(trap) = trap else { continue };
        executed += single.retired();
        assert_eq!(hart.run(), trap, "case {case}");
        let all = |hart: &Hart| {
            let regs: Vec<u64> = (0..32).map(|number| hart.reg(number)).collect();
            (regs, hart.pc(), hart.retired(), code(hart), hart.bytes(0x4000, 64).expect("mapped"))
        };
        assert_eq!(all(&hart), all(&single), "case {case}");
    }
    assert!(executed > 5_000, "{executed}");
}
