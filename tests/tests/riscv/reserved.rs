//! Reserved fields and hints: QEMU executes the words that we execute, and traps on the others.
//!
//! A program executes one word after another. A handler of SIGILL skips the word and the
//! instruction after it, which records that the word was executed.

use std::process::Command;

use isa_core::machine::{NamedMachine, Processor};
use isa_riscv::machine::{Control, Registers};
use isa_riscv::{Rv64imac, Trap, cpu::Cpu};
use isa_verify::random::SplitMix64;

use crate::executed::link;
use crate::tools;

/// A QEMU processor without the extensions that the set lacks.
const PROCESSOR: &str = "rv64,f=off,d=off,v=off,zba=off,zbb=off,zbc=off,zbs=off";

/// The register that holds the address of the memory for loads, stores and atomic operations.
const BASE: u32 = 24;
/// Registers that the words must not change: the memory, the stack pointer, the address of the next
/// record and the record.
const KEPT: core::ops::RangeInclusive<u32> = BASE..=27;

const fn bits(word: u32, at: u32, width: u32) -> u32 {
    word >> at & !(u32::MAX << width)
}

/// Returns 16-bit words that neither access memory nor jump, selected by opcode and the three
/// highest bits.
fn short_words() -> impl Iterator<Item = u32> {
    (0..0x1_0000).filter(|&word| match (word & 3, bits(word, 13, 3)) {
        (0, 0) | (1, 0..=4) | (2, 0) => true,
        // Moves and additions. Without a second register they are jumps.
        (2, 4) => bits(word, 2, 5) != 0,
        _ => false,
    })
}

/// Returns a random word of an instruction that does not jump and that accesses memory only at
/// [`BASE`].
fn long_word(random: &mut SplitMix64) -> u32 {
    const OPCODES: [u32; 11] = [0x03, 0x0f, 0x13, 0x17, 0x1b, 0x23, 0x2f, 0x33, 0x37, 0x3b, 0x0f];
    let opcode = *random.pick(&OPCODES);
    let word = random.bits() as u32 & !0x7f | opcode;
    match opcode {
        0x03 | 0x23 | 0x2f => word & !(31 << 15) | BASE << 15,
        // Most words of the other groups are reserved because one of their upper seven bits, except
        // bit 30, is set.
        0x13 | 0x1b | 0x33 | 0x3b if random.below(2) == 0 => word & !(0x5f << 25),
        _ => word,
    }
}

/// Returns a random fence: with ordinary modes, `fence.tso` or `fence.i`.
fn fence(random: &mut SplitMix64) -> u32 {
    let word = random.bits() as u32 & !0x707f | 0x0f;
    match random.below(4) {
        0 => word & 0x000f_ffff | 0x8330_0000,
        1 => word | 0x1000,
        _ => word,
    }
}

fn words() -> Vec<u32> {
    let mut random = SplitMix64::new(38);
    let mut words = vec![0x00d2_878f, 0x0ff2_900f, 0x8330_000f];
    words.extend((0..4000).map(|_| fence(&mut random)));
    words.extend((0..20_000).map(|_| long_word(&mut random)));
    words.extend(short_words());
    // The words must not write the registers that the program keeps.
    let writes = |word: u32| bits(word, 0, 7) != 0x0f && bits(word, 0, 7) != 0x23;
    words.retain(|&word| !(writes(word) && KEPT.contains(&bits(word, 7, 5))));
    words
}

/// Returns the program that executes the words and writes a byte for each: 1 if it was executed.
fn program(words: &[u32]) -> String {
    let mut text = format!(
        ".option norvc\n.globl _start\n_start:\n\
         li a0, 4; la a1, action; li a2, 0; li a3, 8; li a7, 134; ecall\n\
         lla x{BASE}, memory + 2048; mv x25, sp; la x26, results; li x27, 1\n"
    );
    for word in words {
        let (directive, word) = if word & 3 == 3 { ("4byte", word) } else { ("2byte", word) };
        text.push_str(&format!(
            "mv sp, x25; addi x26, x26, 1\n.{directive} {word:#x}\nsb x27, -1(x26)\n"
        ));
    }
    // The program counter is at offset 176 of the context, which is the third argument.
    text.push_str(&format!(
        "li a0, 1; la a1, results; li a2, {count}; li a7, 64; ecall\n\
         li a0, 0; li a7, 93; ecall\n\
         handler: ld t0, 176(a2); lhu t1, 0(t0); andi t1, t1, 3; addi t1, t1, -3\n\
         addi t0, t0, 8; beqz t1, 1f; addi t0, t0, -2; 1: sd t0, 176(a2); ret\n\
         .data\n.balign 8\naction: .dword handler, 4, 0\n\
         .bss\n.balign 16\nmemory: .zero 4112\nresults: .zero {count}\n",
        count = words.len()
    ));
    text
}

/// Returns whether our semantics execute a word. A fence changes nothing but the program counter.
fn executes(word: u32) -> bool {
    let Ok(instruction) = Rv64imac::decode(word) else { return false };
    let mut cpu = Cpu::default();
    cpu.set_reg(BASE as u8, 0x1_0000);
    Processor::begin(&mut cpu, 0x1000, 0x1000 + u64::from(instruction.opcode().bits / 8));
    let before = cpu.written().len();
    match instruction.execute(&mut cpu) {
        Ok(()) => {}
        Err(Trap::IllegalInstruction) => return false,
        Err(trap) => panic!("{word:#010x}: {trap}"),
    }
    assert_eq!(
        Control::next(&cpu),
        Control::pc(&cpu) + u64::from(instruction.opcode().bits / 8),
        "{word:#010x}"
    );
    if bits(word, 0, 7) == 0x0f {
        assert_eq!(cpu.written().len(), before, "{word:#010x} writes nothing");
    }
    true
}

#[test]
fn words_with_reserved_fields_execute_as_under_qemu() {
    if !tools::are_here(&["riscv64-linux-gnu-gcc", "qemu-riscv64"]) {
        return;
    }
    let words = words();
    let executable = link(&program(&words));
    let mut qemu = Command::new("qemu-riscv64");
    let output = tools::run(qemu.args(["-cpu", PROCESSOR]).arg(&executable.0), String::new());
    assert!(output.status.success(), "{:?}", output.status);
    let theirs = output.stdout;
    assert_eq!(theirs.len(), words.len());
    let both =
        words.iter().zip(&theirs).filter(|(word, theirs)| executes(**word) != (**theirs == 1));
    let wrong: Vec<String> =
        both.map(|(word, theirs)| format!("{word:#010x}: QEMU executes it: {theirs}")).collect();
    assert!(
        wrong.is_empty(),
        "{} words differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
    let fences = words.iter().zip(&theirs).filter(|(word, _)| *word & 0x6_07f == 0x0f);
    assert!(fences.clone().count() > 4000 && fences.clone().all(|(_, done)| *done == 1));
    let executed = theirs.iter().filter(|done| **done == 1).count();
    assert!(executed > 20_000 && theirs.len() - executed > 5_000, "{executed}");
}

/// Checks that a word with a reserved field prints as its fence and encodes as itself. In a
/// disassembled program it is data that assembles to the same bytes.
#[test]
fn fences_with_reserved_fields_stay_as_they_are() {
    let cases = [
        (0x00d2_878f, "fence unknown, iow;", 0x00d0_000f),
        (0x0ff2_900f, "fence.i;", 0x0000_100f),
        (0x8332_878f, "fence.tso;", 0x8330_000f),
        (0x8330_000f, "fence.tso;", 0x8330_000f),
        (0x8ff0_000f, "fence;", 0x0ff0_000f),
        (0xf330_000f, "fence rw, rw;", 0x0330_000f),
    ];
    for (word, text, assembled) in cases {
        let instruction = Rv64imac::decode(word).expect("a fence");
        assert_eq!(instruction.to_string(), text, "{word:#010x}");
        assert_eq!(instruction.encode().ok(), Some(word), "{word:#010x}");
        let again: Rv64imac = text.parse().expect("a fence");
        assert_eq!(again.encode().ok(), Some(assembled), "{text}");
        let bytes = word.to_le_bytes();
        let listing = isa_core::asm::Disassembler::new(Rv64imac::SET).disassemble(&bytes);
        let again = isa_core::asm::Assembler::new(Rv64imac::SET).assemble(&listing);
        assert_eq!(again.expect("it assembles").bytes, bytes, "{listing}");
        assert_eq!(listing.trim() == text, word == assembled, "{listing}");
    }
}
