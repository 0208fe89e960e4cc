//! Compares texts at the limits of their ranges with LLVM and the GNU assembler.

use isa_a64::A64;
use isa_tests::accepted::{Difference, Foreign, compare, wraps};
use isa_tests::share::share;

use crate::tools;

const FOREIGN: [Foreign; 2] = [
    Foreign {
        program: "llvm-mc",
        args: &["-triple=aarch64", "-mattr=+crc,+el3", "-filetype=obj", "-o"],
        objcopy: "llvm-objcopy",
        before: |_| "",
        has_distances: true,
    },
    Foreign {
        program: "aarch64-linux-gnu-as",
        args: &["-march=armv8-a+crc", "-o"],
        objcopy: "aarch64-linux-gnu-objcopy",
        before: |_| "",
        has_distances: false,
    },
];

const DIFFERENCES: &[Difference] = &[
    Difference {
        why: "numbers of which the others drop bits",
        applies: |text, ours, theirs| ours.is_none() && theirs.is_some() && wraps(text),
    },
    Difference {
        why: "numbers of prefetches beyond their five bits, which LLVM 14 cuts",
        applies: |text, ours, theirs| {
            ours.is_none() && theirs.is_some() && text.starts_with("prfm #")
        },
    },
    Difference {
        why: "numbers without `#`, which the set reads only where compilers write them",
        applies: |text, ours, theirs| {
            let bare = |part: &str| {
                part.trim_start_matches(['[', '-']).starts_with(|c: char| c.is_ascii_digit())
            };
            ours.is_none() && theirs.is_some() && text.split([' ', ',']).any(bare)
        },
    },
    Difference {
        why: "a test of a low bit of a register with its name for 64 bits, not for 32",
        applies: |text, ours, theirs| {
            let is_test = text.starts_with("tbz x") || text.starts_with("tbnz x");
            ours.is_none() && theirs.is_some() && is_test
        },
    },
    Difference {
        why: "two loads to one register, the effects of which nobody knows",
        applies: |text, ours, theirs| {
            let mut registers = text.split([' ', ',']).filter(|part| !part.is_empty()).skip(1);
            let is_load =
                ["ldp", "ldnp", "ldxp", "ldaxp"].iter().any(|name| text.starts_with(name));
            ours.is_none() && theirs.is_some() && is_load && registers.next() == registers.next()
        },
    },
];

#[test]
fn ranges_are_those_of_other_assemblers() {
    if !tools::assemblers_are_here() {
        return;
    }
    let (compared, met) = compare(A64::SET, &FOREIGN, DIFFERENCES);
    assert!(compared > 20_000 / share(), "{compared}");
    assert!(share() > 1 || met.len() == DIFFERENCES.len(), "{met:#?}");
}
