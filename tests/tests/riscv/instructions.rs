//! Executes each instruction with extreme numbers, on our semantics and under QEMU.
//!
//! A program in assembly executes each test on all pairs of some numbers. They are in `a0` and
//! `a1`, with 0 in `a2` and 16 bytes of memory at `a3`. The program writes the results of three
//! registers.

use std::collections::BTreeSet;
use std::process::Command;

use isa_riscv::{Rv64imac, linux};
use isa_verify::random::SplitMix64;

use crate::executed::{link, start};
use crate::tools;

/// Instructions that end the program. `executed` compares them one by one.
const FATAL: [&str; 3] = ["EBREAK", "C_EBREAK", "C_UNIMP"];

/// The size of the results of one execution in bytes: three registers.
const RESULTS: usize = 24;

fn numbers() -> Vec<u64> {
    let mut numbers = vec![
        0,
        1,
        2,
        u64::MAX,
        i64::MAX as u64,
        i64::MIN as u64,
        i32::MAX as u64,
        i32::MIN as u64,
        1 << 31,
        u32::MAX.into(),
        0x7f,
        0x80,
        0x7fff,
        0x8000,
    ];
    let mut random = SplitMix64::new(12);
    numbers.extend((0..3).map(|_| random.bits()));
    numbers
}

/// Adds a text for each of some words.
fn each(texts: &mut Vec<String>, words: &str, text: impl Fn(&str) -> String) {
    texts.extend(words.split_whitespace().map(text));
}

/// Adds tests of arithmetic, which uses only registers.
fn arithmetic(texts: &mut Vec<String>) {
    let of_two = "add sub sll slt sltu xor srl sra or and addw subw sllw srlw sraw \
                  mul mulh mulhsu mulhu div divu rem remu mulw divw divuw remw remuw";
    each(texts, of_two, |name| format!("{name} a2, a0, a1"));
    each(texts, of_two, |name| format!("{name} zero, a0, a1; mv a2, zero"));
    for number in [0, 1, -1, 2047, -2048, 0x555] {
        let names = "addi slti sltiu xori ori andi addiw";
        each(texts, names, |name| format!("{name} a2, a0, {number}"));
    }
    for shift in [0, 1, 31, 32, 63] {
        each(texts, "slli srli srai", |name| format!("{name} a2, a0, {shift}"));
    }
    for shift in [0, 1, 31] {
        each(texts, "slliw srliw sraiw", |name| format!("{name} a2, a0, {shift}"));
    }
    for number in ["0", "1", "0x7ffff", "0x80000", "0xfffff"] {
        each(texts, "lui auipc", |name| format!("{name} a2, {number}"));
    }
}

/// Adds tests of memory. `a3` is the address of 16 bytes.
fn memory(texts: &mut Vec<String>) {
    for offset in [0, 1, 5, 8] {
        let load = |name: &str| format!("sd a0, 0(a3); sd a1, 8(a3); {name} a2, {offset}(a3)");
        each(texts, "lb lh lw ld lbu lhu lwu", load);
        let store = |name: &str| {
            format!(
                "addi a3, a3, 100; {name} a0, {}(a3); ld a1, -100(a3); ld a2, -92(a3)",
                offset - 100
            )
        };
        each(texts, "sb sh sw sd", store);
    }
    let operations = "swap add xor and or min max minu maxu";
    for width in ["w", "d"] {
        for order in ["", ".aq", ".rl", ".aqrl"] {
            let text = |name: &str| {
                format!("sd a0, 0(a3); amo{name}.{width}{order} a2, a1, (a3); ld a0, 0(a3)")
            };
            each(texts, operations, text);
        }
        texts.push(format!(
            "sd a0, 0(a3); lr.{width} a0, (a3); sc.{width} a2, a1, (a3); ld a1, 0(a3)"
        ));
        let twice = format!("sc.{width} a0, a1, (a3); sc.{width} a2, zero, (a3); ld a1, 0(a3)");
        texts.push(format!("sd a0, 0(a3); lr.{width} a2, (a3); {twice}"));
        let elsewhere = format!("addi a4, a3, 8; sc.{width} a2, a1, (a4); ld a1, 8(a3)");
        texts.push(format!("sd a0, 0(a3); sd a0, 8(a3); lr.{width} a2, (a3); {elsewhere}"));
    }
    each(texts, "fence fence.tso fence.i", |name| name.to_owned());
}

fn control(texts: &mut Vec<String>) {
    let branches = "beq bne blt bge bltu bgeu";
    each(texts, branches, |name| format!("{name} a0, a1, 1f; li a2, 1; 1:"));
    each(texts, branches, |name| format!("j 2f; 1: li a2, 1; j 3f; 2: {name} a0, a1, 1b; 3:"));
    texts.push("jal a2, 1f; li a0, 7; 1:".to_owned());
    for offset in [0, 1, 4] {
        texts.push(format!("la a3, 1f; jalr a2, {offset}(a3); 1: li a0, 7; li a1, 7"));
    }
    texts.push("la a2, 1f; jalr a2, 0(a2); li a0, 7; 1:".to_owned());
    // The rounding mode and flags, which QEMU provides to user programs.
    for csr in 1..=3 {
        let text = |name: &str| format!("csrw 3, a1; {name} a2, {csr}, a0; csrr a1, 3");
        each(texts, "csrrw csrrs csrrc", text);
        for number in [0, 5, 31] {
            let text = |name: &str| format!("csrw 3, a1; {name} a2, {csr}, {number}; csrr a1, 3");
            each(texts, "csrrwi csrrsi csrrci", text);
        }
    }
    // A read-only register, with instructions that do not write it.
    each(texts, "csrrs csrrc", |name| format!("{name} a2, 0xc00, zero; li a2, 3"));
    each(texts, "csrrsi csrrci", |name| format!("{name} a2, 0xc00, 0; li a2, 3"));
    // No system call has this number.
    texts.push("mv a4, a7; li a7, 5000; ecall; mv a7, a4".to_owned());
}

fn short(texts: &mut Vec<String>) {
    for number in [1, 31, -32] {
        each(texts, "addi addiw li andi", |name| format!("c.{name} a0, {number}"));
    }
    each(texts, "sub xor or and subw addw mv add", |name| format!("c.{name} a0, a1"));
    for shift in [1, 31, 32, 63] {
        each(texts, "slli srli srai", |name| format!("c.{name} a0, {shift}"));
    }
    each(texts, "slli64 srli64 srai64", |name| format!("c.{name} a0"));
    each(texts, "1 31 0xfffe0 0xfffff", |number| format!("c.lui a2, {number}"));
    each(texts, "c.nop", str::to_owned);
    texts.push("c.nop 5".to_owned());
    each(texts, "16 -64 496 -512", |number| {
        format!("mv a4, sp; c.addi16sp sp, {number}; sub a2, sp, a4; mv sp, a4")
    });
    each(texts, "4 8 1020", |number| format!("c.addi4spn a2, sp, {number}; sub a2, a2, sp"));
    let at = |kind: &str| match kind {
        "w" => [0, 4, 64],
        _ => [0, 8, 64],
    };
    for kind in ["w", "d"] {
        for offset in at(kind) {
            let base = format!("addi a3, a3, -{offset}; addi a4, a3, {offset}");
            texts.push(format!("{base}; sd a0, 0(a4); c.l{kind} a2, {offset}(a3)"));
            texts.push(format!("{base}; sd a0, 0(a4); c.s{kind} a1, {offset}(a3); ld a2, 0(a4)"));
            let (load, store) = (format!("c.l{kind}sp"), format!("c.s{kind}sp"));
            texts.push(format!("sd a0, {offset}(sp); {load} a2, {offset}(sp)"));
            texts.push(format!(
                "sd a0, {offset}(sp); {store} a1, {offset}(sp); ld a2, {offset}(sp)"
            ));
        }
    }
    texts.push("c.j 1f; li a2, 1; 1:".to_owned());
    each(texts, "c.beqz c.bnez", |name| format!("{name} a0, 1f; li a2, 1; 1:"));
    texts.push("la a3, 1f; c.jr a3; li a2, 1; 1:".to_owned());
    texts.push("la a3, 1f; ori a3, a3, 1; c.jalr a3; 1: mv a2, ra".to_owned());
    texts.push("la ra, 1f; c.jalr ra; li a0, 7; 1: mv a2, ra".to_owned());
}

fn tests() -> Vec<String> {
    let mut texts = Vec::new();
    arithmetic(&mut texts);
    memory(&mut texts);
    control(&mut texts);
    short(&mut texts);
    texts
}

/// Returns the program: two nested loops for each test.
fn program(tests: &[String], numbers: &[u64]) -> String {
    let mut text = String::from(
        ".globl _start\n_start:\nla s0, results\nla s3, numbers_end\nla s5, memory\n\
         addi sp, sp, -1024\n",
    );
    for test in tests {
        let short = if test.contains("c.") { "rvc" } else { "norvc" };
        text.push_str(&format!(
            ".option norvc\nla s2, numbers\n10: la s4, numbers\n\
             11: ld a0, 0(s2); ld a1, 0(s4); li a2, 0; mv a3, s5\n\
             sd zero, 0(a3); sd zero, 8(a3)\n\
             .option {short}\n{test}\n.option norvc\n.balign 4\n\
             sd a0, 0(s0); sd a1, 8(s0); sd a2, 16(s0); addi s0, s0, {RESULTS}\n\
             addi s4, s4, 8; bltu s4, s3, 11b\n\
             addi s2, s2, 8; bltu s2, s3, 10b\n"
        ));
    }
    let room = tests.len() * numbers.len() * numbers.len() * RESULTS;
    let list: Vec<String> = numbers.iter().map(|number| format!(".dword {number:#x}")).collect();
    text.push_str(&format!(
        "li a0, 1; la a1, results; sub a2, s0, a1; li a7, 64; ecall\n\
         li a0, 0; li a7, 93; ecall\n\
         .data\n.balign 8\nnumbers:\n{}\nnumbers_end:\n.zero 128\nmemory: .zero 128\n\
         .bss\nresults: .zero {room}\n",
        list.join("\n")
    ));
    text
}

/// Runs the program on our semantics. Returns its output and the opcodes that it executes.
fn run(executable: &std::path::Path) -> (Vec<u8>, BTreeSet<&'static str>) {
    let (mut hart, mut out, mut executed) = (start(executable), Vec::new(), BTreeSet::new());
    loop {
        executed.insert(hart.instruction().expect("an instruction").opcode().name);
        if let Err(trap) = hart.step() {
            let end = linux::serve(&mut hart, trap, &mut out, &mut Vec::new());
            if end.expect("a service").is_some() {
                return (out, executed);
            }
        }
    }
}

#[test]
fn every_instruction_computes_what_it_computes_under_qemu() {
    if !tools::are_here(&["riscv64-linux-gnu-gcc", "qemu-riscv64"]) {
        return;
    }
    let (tests, numbers) = (tests(), numbers());
    let executable = link(&program(&tests, &numbers));
    let theirs = tools::run(Command::new("qemu-riscv64").arg(&executable.0), String::new());
    assert!(theirs.status.success(), "{:?}", theirs.status);
    let (ours, executed) = run(&executable.0);
    let pairs = numbers.len() * numbers.len();
    assert_eq!(theirs.stdout.len(), tests.len() * pairs * RESULTS);
    let size = pairs * RESULTS;
    let both = tests.iter().zip(ours.chunks(size).zip(theirs.stdout.chunks(size)));
    let wrong: Vec<String> = both
        .filter_map(|(test, (ours, theirs))| difference(test, &numbers, ours, theirs))
        .collect();
    assert!(wrong.is_empty(), "{} tests differ\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(ours.len(), theirs.stdout.len());

    let all: BTreeSet<&str> = Rv64imac::SET.opcodes.iter().map(|opcode| opcode.name).collect();
    assert_eq!(all.len(), 121);
    let left: Vec<&&str> = all.iter().filter(|name| !executed.contains(**name)).collect();
    let fatal: BTreeSet<&str> = FATAL.into();
    assert_eq!(left, fatal.iter().collect::<Vec<_>>(), "never executed");
}

/// Describes the differences between results of a test: the number of pairs of numbers that differ,
/// and the first of them.
fn difference(test: &str, numbers: &[u64], ours: &[u8], theirs: &[u8]) -> Option<String> {
    let both = ours.chunks(RESULTS).zip(theirs.chunks(RESULTS)).enumerate();
    let mut wrong = both.filter(|(_, (ours, theirs))| ours != theirs);
    let (place, (ours, theirs)) = wrong.next()?;
    let (a0, a1) = (numbers[place / numbers.len()], numbers[place % numbers.len()]);
    let (ours, theirs, more) = (registers(ours), registers(theirs), wrong.count());
    Some(format!("{test}\n  of {a0:#x} and {a1:#x}: {ours}, not {theirs}; {more} more"))
}

/// Returns three registers as numbers.
fn registers(bytes: &[u8]) -> String {
    let numbers = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
    numbers.map(|number| format!("{number:#x}")).collect::<Vec<_>>().join(" ")
}
