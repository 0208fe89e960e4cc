//! The commands `compare` and `flips`, with a disassembler that is a script of the shell.

use super::*;

isa_core::define_isa! {
    /// Two instructions.
    isa Toy: u16;

    operand Reg: 8 = isa_core::operand::Reg;
    enum Op: 7 { NEG = 1, NOT = 2 }
    enum Sat: 1 { NO = 0, SAT = 1 }

    for $NAME in NEG, NOT {
        opcode $NAME {
            encoding { field<0, 8> Reg rd; field<8, 7> Op op == $NAME; field<15, 1> Sat sat = NO; }
            syntax { $NAME{.SAT} Rd; }
        }
    }
}

/// Prints NEG without `.SAT` and with other names for registers from 128, has the instruction INV,
/// which the set does not have, and stops at all other words.
const SCRIPT: &str = "od -An -v -tx1 -w2 {} | while read low high; do \
                      rd=$((0x$low)); at=$((${at:--2} + 2)); printf '/*%04x*/ ' $at; \
                      case $high in \
                      01) if [ $rd -ge 128 ]; then echo \"NEG X$rd ;\"; else echo \"NEG R$rd ;\"; fi ;; \
                      81) echo \"NEG  R$rd // saturates\" ;; \
                      03) echo INV R$rd ;; \
                      *) exit 1 ;; esac; done";

fn toy(args: &[&str], stdin: &str) -> Outcome {
    run(&Tool::<Toy>::new("toy"), args, stdin.as_bytes())
}

#[test]
fn equal_words_are_counted_and_differences_are_shown() {
    let compare = |words: &str| toy(&["compare", "--with", SCRIPT], words);
    // Both reject 0405.
    assert_eq!(compare("0105 0107 0405").fine(), "3 words: 3 equal, 0 different\n");
    // The words before and after a rejected word are compared too.
    let different = compare("0105 0180 0205 0101 0305");
    assert_eq!(different.status, Status::Failure);
    assert_eq!(
        different.text(),
        "5 words: 2 equal, 3 different\n\
         \nINV: 1 word: not a valid instruction of this set\n  word   0305\n  \
         own    no such opcode: `op` (bits 14:8) is 0x3, which no opcode has\n  other  INV R5\n\
         \nNEG: 1 word: the texts differ\n  word   0180\n  own    NEG R128\n  other  NEG X128\n  fields rd=0x80\n\
         \nNOT: 1 word: the other program rejects it\n  word   0200\n  own    NOT R0\n  other  (rejected)\n"
    );
    // The register does not matter for the difference, so the example has register 0.
    let saturated = compare("8105 8107");
    assert_eq!(
        saturated.text(),
        "2 words: 0 equal, 2 different\n\nNEG: 2 words: the texts differ\n  word   8100\n  \
         own    NEG.SAT R0\n  other  NEG R0\n  fields sat=SAT\n"
    );
    // Random valid words of one opcode. The other program rejects all of them.
    let random = toy(&["compare", "--with", SCRIPT, "--count", "30", "--only", "NEG"], "");
    assert!(random.text().starts_with("30 words: "), "{}", random.text());
    assert!(!random.text().contains("rejects"), "{}", random.text());
}

#[test]
fn the_effect_of_each_bit_is_shown() {
    let flips = toy(&["flips", "0105", "--with", SCRIPT], "");
    let expected = "word  NEG R5\n   0  NEG R4\n   1  NEG R7\n   2  NEG R1\n   3  NEG R13\n   4  NEG R21\n   \
                    5  NEG R37\n   6  NEG R69\n   7  NEG X133\n      own: NEG R133\n   8  (rejected)\n   \
                    9  INV R5\n      own: (rejected)\n  10  (rejected)\n  11  (rejected)\n  12  (rejected)\n  \
                    13  (rejected)\n  14  (rejected)\n  15  NEG R5\n      own: NEG.SAT R5\n";
    assert_eq!(flips.fine(), expected);
}

#[test]
fn errors_of_the_other_program_are_reported() {
    for (args, message) in [
        (&["compare", "--with", "no-such-program {}"][..], "cannot run the command of --with: "),
        (&["compare", "--with", " "], "expected a command for --with"),
        (&["compare", "--with", "cat", "--seed", "1"], "--seed and --only require --count"),
        (&["compare", "--with", "cat", "--count", "1", "x"], "--count cannot be used with FILE"),
        (&["compare"], "--with"),
        (&["flips", "xyz", "--with", "cat"], "invalid value for WORD"),
    ] {
        let outcome = toy(args, "0105");
        assert!(outcome.failed(Status::Usage).contains(message), "{args:?}: {}", outcome.err);
    }
    let all = (0..30).map(|rd| format!("01{rd:02x} ")).collect::<String>();
    let outcome = toy(&["compare", "--with", "echo oops >&2; exit 1"], &all);
    assert!(outcome.failed(Status::Usage).contains("rejects 21 words: oops"), "{}", outcome.err);
    // Invalid input is reported like in `dis`.
    let outcome = toy(&["compare", "--with", SCRIPT], "0105 xyz");
    assert!(outcome.failed(Status::Failure).contains("xyz"), "{}", outcome.err);
}
