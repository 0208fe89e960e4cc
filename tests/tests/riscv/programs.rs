//! What the programs in C print, as the processor emulator of QEMU runs them.

use std::process::Command;

use crate::code::{PROGRAMS, compile};
use crate::tools;

/// The levels of optimization, which make different code of one program.
pub(crate) const LEVELS: [&str; 3] = ["-O0", "-O2", "-Os"];

/// What a program prints, and the status that it ends with.
pub(crate) fn emulate(executable: &std::path::Path) -> (String, i32) {
    let output = tools::run(Command::new("qemu-riscv64").arg(executable), String::new());
    let text = String::from_utf8(output.stdout).expect("text");
    (text, output.status.code().expect("an exit, not a signal"))
}

/// Lines that are known from elsewhere: the published digest of "abc", and plain arithmetic.
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
        // The parser ends with the number of lines that it could work out.
        assert_eq!(*status, if program == "parser" { 12 } else { 0 }, "{program}");
        for (_, line) in KNOWN.iter().filter(|(name, _)| *name == program) {
            assert!(text.lines().any(|printed| printed == *line), "{program}: {line}");
        }
    }
}
