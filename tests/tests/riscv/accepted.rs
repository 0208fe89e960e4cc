//! Compares texts at the limits of their ranges with LLVM and the GNU assembler.

use isa_riscv::Rv64imac;
use isa_tests::accepted::{Difference, Foreign, compare, wraps};
use isa_tests::share::share;

use crate::tools;

/// Returns the option for a text: short instructions are spelled explicitly, and no other text may
/// be encoded as one.
fn option(text: &str) -> &'static str {
    if text.starts_with("c.") { ".option rvc; " } else { ".option norvc; " }
}

const FOREIGN: [Foreign; 2] = [
    Foreign {
        program: "llvm-mc",
        args: &["-triple=riscv64", "-mattr=+m,+a,+c", "-filetype=obj", "-o"],
        objcopy: "llvm-objcopy",
        before: option,
        has_distances: true,
    },
    Foreign {
        program: "riscv64-linux-gnu-as",
        args: &["-march=rv64imac_zicsr_zifencei", "-mno-relax", "-o"],
        objcopy: "riscv64-linux-gnu-objcopy",
        before: option,
        has_distances: false,
    },
];

const DIFFERENCES: &[Difference] = &[
    Difference {
        why: "numbers of which the others drop bits",
        applies: |text, ours, theirs| ours.is_none() && theirs.is_some() && wraps(text),
    },
    Difference {
        why: "numbers that take other or several instructions than `addi`",
        applies: |text, ours, theirs| ours.is_none() && theirs.is_some() && text.starts_with("li "),
    },
    Difference {
        why: "a register where only a target can be, which the others take for a label",
        applies: |text, ours, theirs| {
            ours.is_none() && theirs.is_some() && text.starts_with("jal ") && !text.contains(',')
        },
    },
    Difference {
        why: "the default of `c.nop`, and how disassemblers write a fence of nothing",
        applies: |text, ours, theirs| {
            ours.is_some() && theirs.is_none() && ["c.nop 0", UNKNOWN].contains(&text)
        },
    },
];

/// A fence that orders nothing.
const UNKNOWN: &str = "fence unknown, unknown";

#[test]
fn ranges_are_those_of_other_assemblers() {
    if !tools::are_here(&["llvm-mc", "riscv64-linux-gnu-as"]) {
        return;
    }
    let (compared, met) = compare(Rv64imac::SET, &FOREIGN, DIFFERENCES);
    assert!(compared > 10_000 / share(), "{compared}");
    assert!(share() > 1 || met.len() == DIFFERENCES.len(), "{met:#?}");
}
