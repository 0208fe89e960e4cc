//! Compares the states that words produce with the states under QEMU.

use std::collections::BTreeSet;
use std::fs;

use isa_a64::A64;
use isa_a64::branch::Branch;
use isa_a64::exclusive::Exclusive;
use isa_a64::immediate::Immediate;
use isa_a64::memory::OneRegister;
use isa_a64::pair::TwoRegisters;
use isa_a64::register::Register;
use isa_a64::simd::Simd;
use isa_core::table::InstructionSet;

use crate::cases::{Case, OTHERS, cases};
use crate::{emulated, tools};

/// The classes. Each has its own cases.
const CLASSES: [(&str, &InstructionSet); 7] = [
    ("immediate", Immediate::SET),
    ("register", Register::SET),
    ("branch", Branch::SET),
    ("memory", OneRegister::SET),
    ("pair", TwoRegisters::SET),
    ("exclusive", Exclusive::SET),
    ("simd", Simd::SET),
];

/// Returns the path of the file with the results of a class under QEMU.
fn file(class: &str) -> String {
    format!("{}/vectors/a64/executed/{class}.txt", env!("CARGO_MANIFEST_DIR"))
}

/// Returns a line with a word, the seed of its state, and the changes of the state.
fn line(case: &Case, changes: &str) -> String {
    format!("{:08x} {:016x} {changes}", case.word, case.seed).trim_end().to_owned()
}

/// Returns the cases of a class and the expected lines from its file.
fn lines(class: &str) -> (Vec<Case>, Vec<String>) {
    let text = fs::read_to_string(file(class)).expect("the file is there");
    let lines = text.lines().map(|line| {
        let parts: Vec<&str> = line.splitn(3, ' ').collect();
        let word = u32::from_str_radix(parts[0], 16).expect("a word");
        let seed = u64::from_str_radix(parts[1], 16).expect("a seed");
        (Case::new(word, seed), line.to_owned())
    });
    lines.collect()
}

/// Compares our lines with the expected lines.
fn compare(class: &str, cases: &[Case], theirs: &[String]) {
    assert_eq!((cases.len(), theirs.len()), (COUNT, COUNT), "{class}");
    let lines = cases.iter().map(|case| match case.run() {
        Ok(outcome) => line(case, &case.changes(&outcome)),
        Err(trap) => format!("{:08x}: {trap}", case.word),
    });
    let both = lines.zip(theirs).filter(|(ours, theirs)| ours != *theirs);
    let wrong: Vec<String> = both.map(|(ours, theirs)| format!("{theirs}, not {ours}")).collect();
    let some = wrong.len().min(20);
    assert!(wrong.is_empty(), "{class}: {} differ:\n{}", wrong.len(), wrong[..some].join("\n"));
}

/// The number of cases of each class.
const COUNT: usize = 1000;

#[test]
fn words_change_what_they_change_in_the_files() {
    for (class, _) in CLASSES {
        let (cases, theirs) = lines(class);
        compare(class, &cases, &theirs);
    }
}

/// Checks that the files contain each opcode, except those that stop a program or depend on the
/// system.
#[test]
fn every_opcode_is_in_the_files() {
    let words = CLASSES.iter().flat_map(|(class, _)| lines(class).0);
    let names = words.map(|case| A64::decode(case.word).expect("legal").opcode().name);
    let executed: BTreeSet<&str> = names.chain(OTHERS).collect();
    let all = A64::SET.opcodes.iter().map(|opcode| opcode.name);
    assert_eq!(all.filter(|name| !executed.contains(name)).collect::<Vec<_>>(), [""; 0]);
}

/// Checks that the files match the current results of QEMU, and that QEMU and our semantics agree
/// about other words. With `ISA_BLESS=1` the test writes the latter to the files.
#[test]
fn words_change_what_they_change_under_qemu() {
    if !tools::qemu_is_here() {
        return;
    }
    let bless = std::env::var("ISA_BLESS").is_ok();
    for ((class, set), seed) in CLASSES.iter().zip(1..) {
        let cases = cases(set.opcodes, COUNT, seed);
        let both = cases.iter().zip(emulated::run(&cases));
        let theirs: Vec<String> =
            both.map(|(case, outcome)| line(case, &case.changes(&outcome))).collect();
        compare(class, &cases, &theirs);
        if bless {
            fs::write(file(class), theirs.join("\n") + "\n").expect("the file is written");
        }
        let (cases, theirs) = lines(class);
        let both = cases.iter().zip(emulated::run(&cases));
        let again: Vec<String> =
            both.map(|(case, outcome)| line(case, &case.changes(&outcome))).collect();
        assert!(again == theirs, "{class}: QEMU says otherwise, ISA_BLESS=1 writes the file");
    }
}
