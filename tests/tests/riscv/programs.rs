//! The output of the programs in C under QEMU.

use std::process::Command;

use crate::code::{PROGRAMS, compile};
use crate::tools;

/// The optimization levels. Each makes different code of a program.
pub(crate) const LEVELS: [&str; 3] = ["-O0", "-O2", "-Os"];

/// Returns the output of a program and its exit status.
pub(crate) fn emulate(executable: &std::path::Path) -> (String, i32) {
    let output = tools::run(Command::new("qemu-riscv64").arg(executable), String::new());
    let text = String::from_utf8(output.stdout).expect("text");
    (text, output.status.code().expect("an exit, not a signal"))
}

/// Output lines that are known independently: the published digest of "abc", and simple arithmetic.
const KNOWN: [(&str, &str); 3] = [
    ("hash", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("parser", "0xff * 0x10 - ~0 = 4081"),
    ("parser", "-7 % 2 = -1"),
];

#[test]
fn programs_print_the_same_however_they_are_compiled() {
    if !tools::are_here(&["riscv64-linux-gnu-gcc", "qemu-riscv64"]) {
        return;
    }
    for program in PROGRAMS {
        let printed = LEVELS.map(|level| emulate(&compile(program, level).0));
        assert!(printed.iter().all(|other| *other == printed[0]), "{program}: {printed:?}");
        let (text, status) = &printed[0];
        // The parser exits with the number of lines that it could evaluate.
        assert_eq!(*status, if program == "parser" { 12 } else { 0 }, "{program}");
        for (_, line) in KNOWN.iter().filter(|(name, _)| *name == program) {
            assert!(text.lines().any(|printed| printed == *line), "{program}: {line}");
        }
    }
}
