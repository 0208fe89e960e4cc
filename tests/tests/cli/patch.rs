//! The command `patch`, and the processors of object formats.

use isa_cli::ObjectFormat;
use isa_tests::share::part_of;
use object::{Object as _, ObjectSection as _};

use super::noise::{Numbers, mutate};
use super::*;

fn rv(args: &[&str], stdin: &str) -> Outcome {
    run(&isa_riscv::tool(), args, stdin.as_bytes())
}

const PROGRAM: &str = ".globl main\nmain:\naddi a0, a0, 1\nc.nop\nc.nop\ntail:\nbnez a0, main\n\
                       .section .text.far, \"ax\", %progbits\nfar:\njal ra, puts\n.data\nvalue: .word 5\n";

/// Writes an object and returns its path and its bytes.
fn object(scratch: &Scratch, text: &str) -> (String, Vec<u8>) {
    let path = scratch.path("program.o");
    assert_eq!(rv(&["asm", "--emit", "elf", "-o", &path], text).fine(), "");
    let bytes = fs::read(&path).unwrap();
    (path, bytes)
}

/// Returns the offset of a section's bytes in a file.
fn offset(bytes: &[u8], section: &str) -> usize {
    let file = object::File::parse(bytes).unwrap();
    let section = file.section_by_name(section).unwrap();
    section.file_range().unwrap().0 as usize
}

#[test]
fn only_the_bytes_of_the_instructions_change() {
    let scratch = Scratch::new("patch");
    let (path, old) = object(&scratch, PROGRAM);
    let out = scratch.path("patched.o");
    // The words are from the manual of RISC-V: addi x10, x10, -3 is ffd50513, and c.nop is 0001.
    for (place, text, report, at, new) in [
        (
            "main",
            "addi a0, a0, -3",
            "- 0x0: addi a0, a0, 1;\n+ 0x0: addi a0, a0, -3;\n",
            0,
            &[0x13, 0x05, 0xd5, 0xff][..],
        ),
        // Two instructions of 16 bits become one of 32 bits.
        (
            ".text+4",
            "addi a0, a0, -3;",
            "- 0x4: c.nop;\n- 0x6: c.nop;\n+ 0x4: addi a0, a0, -3;\n",
            4,
            &[0x13, 0x05, 0xd5, 0xff],
        ),
        // A label of the file: the distance from 8 to 0 is -8, as in the old instruction.
        (
            "tail",
            "beqz a0, main",
            "- 0x8: bnez a0, -8;\n+ 0x8: beqz a0, -8;\n",
            8,
            &[0xe3, 0x0c, 0x05, 0xfe],
        ),
        ("main+0x6", "c.addi a0, 1", "- 0x6: c.nop;\n+ 0x6: c.addi a0, 1;\n", 6, &[0x05, 0x05]),
    ] {
        assert_eq!(rv(&["patch", &path, "--at", place, text, "-o", &out], "").fine(), report);
        let mut expected = old.clone();
        let at = offset(&old, ".text") + at;
        expected[at..at + new.len()].copy_from_slice(new);
        assert!(fs::read(&out).unwrap() == expected, "{place}: {text}");
        assert!(fs::read(&path).unwrap() == old, "the input did not change");
    }
    // Without `-o` the file itself changes. The assembly can come from standard input.
    let report = rv(&["patch", &path, "--at", "main", "--from", "-"], "addi a0, a0, -3\n");
    assert_eq!(report.fine(), "- 0x0: addi a0, a0, 1;\n+ 0x0: addi a0, a0, -3;\n");
    assert!(fs::read(&path).unwrap() != old);
    assert_eq!(scratch.names(), ["patched.o", "program.o"]);
}

#[test]
fn errors_change_no_file() {
    let scratch = Scratch::new("patch-errors");
    let (path, old) = object(&scratch, PROGRAM);
    for (place, text, message) in [
        ("mian", "c.nop", "it has no symbol or section `mian`; did you mean `main`?"),
        ("main+1", "c.nop", "main+1 is not the start of an instruction: expected a multiple of 2"),
        ("main+0x10", "c.nop", "main+0x10 is not in the section .text, which has 0xc bytes"),
        (
            "tail",
            "c.nop; addi a0, a0, 1",
            "have 6 bytes, but the section .text ends 4 bytes after tail",
        ),
        ("main", "c.nop", "end 2 bytes before the end of an instruction"),
        ("value", "c.nop", "the section .data does not contain code"),
        ("0x4", "c.nop", "0x4 can be in several sections: expected NAME+OFFSET"),
        (
            "far",
            "jal ra, 8",
            "a linker changes the instruction at 0x0: it has a relocation for `puts`",
        ),
        ("main", "", "the assembly does not contain an instruction"),
        ("main", "adi a0, a0, 1", "unknown mnemonic `adi`"),
        ("tail", "bnez a0, far", "unknown label `far`"),
    ] {
        let outcome = rv(&["patch", &path, "--at", place, text], "");
        let error = outcome.failed(Status::Failure);
        assert!(error.contains(message), "{place}, {text}: {error}");
        assert!(fs::read(&path).unwrap() == old, "{place}, {text}");
    }
    for args in [&["patch", &path, "--at", "main"][..], &["patch", &path, "c.nop"]] {
        rv(args, "").failed(Status::Usage);
    }
    assert!(isa(&["patch", &path, "--at", "main", "NOP;"], b"").err.contains("unknown command"));
}

#[test]
fn damaged_files_are_reported_or_changed_only_in_the_instructions() {
    let scratch = Scratch::new("patch-damaged");
    let (_, old) = object(&scratch, PROGRAM);
    let (mut numbers, out) = (Numbers(0x2545_f491_4f6c_dd1d), scratch.path("out.o"));
    for _ in 0..part_of(2000) {
        let mut bytes = old.clone();
        // Headers and tables are at the ends of the file.
        for _ in 0..1 + numbers.below(3) {
            let at = numbers.below(bytes.len());
            bytes[at] = [0, 1, 0x7f, 0x80, 0xff, numbers.below(256) as u8][numbers.below(6)];
        }
        if numbers.below(4) == 0 {
            mutate(&mut bytes, &mut numbers);
        }
        let path = scratch.write("damaged.o", &bytes);
        let args = ["patch", &path, "--at", "main", "addi a0, a0, -3", "-o", &out];
        let outcome = rv(&args, "");
        if outcome.status == Status::Success {
            let new = fs::read(&out).unwrap();
            let differing = (0..bytes.len()).filter(|&at| bytes[at] != new[at]);
            let differing: Vec<usize> = differing.collect();
            let (first, last) = (differing.first(), differing.last());
            assert!(bytes.len() == new.len() && last.zip(first).is_none_or(|(b, a)| b - a < 4));
        } else {
            outcome.failed(Status::Failure);
        }
    }
}

/// A set with two processors whose files have different flags.
fn chips(args: &[&str], stdin: &[u8]) -> Outcome {
    const FORMAT: ObjectFormat =
        ObjectFormat::elf64(0x1234).processors(&[("OLD", 0x10), ("NEW", 0x20), ("NEW", 0x21)]);
    run(&Tool::<super::features::Chips>::new("chips").object(FORMAT), args, stdin)
}

#[test]
fn the_flags_of_a_file_choose_the_features() {
    // The word 01020101 is SHL on both processors, and 01020105 shifts by 5 only on the old one.
    for (features, flags, text) in
        [("OLD", 0x10, "SHL R1, R2, 5;"), ("NEW", 0x20, "SHL.SAT R1, R2, 1;")]
    {
        let bytes = chips(&["asm", "--emit", "elf", "--features", features], text.as_bytes()).out;
        assert_eq!(u32::from_le_bytes(bytes[48..52].try_into().unwrap()), flags);
        assert!(chips(&["dis", "--strict"], &bytes).fine().contains(text));
        assert!(chips(&["dis", "--features", features], &bytes).fine().contains(text));
        let other = if features == "OLD" { "NEW" } else { "OLD" };
        let wrong = chips(&["dis", "--features", other], &bytes);
        let message = format!("it is for a processor with the features {features}, but --features");
        assert!(wrong.failed(Status::Failure).contains(&message), "{}", wrong.err);
        let mut unknown = bytes.clone();
        unknown[48] = 0x40;
        let error = chips(&["dis"], &unknown);
        let message = "expected the ELF flags of OLD (0x10), NEW (0x20), NEW (0x21); found 0x40";
        assert!(error.failed(Status::Failure).contains(message), "{}", error.err);
    }
    let none = chips(&["asm", "--emit", "elf", "--features", "PACKED"], b"NOT R1, R2;");
    let message = "no ELF flags for these features: choose a processor with --features";
    assert!(none.failed(Status::Failure).contains(message), "{}", none.err);
}

#[test]
fn a_style_leaves_out_attributes() {
    let text = "HADD2 R0, R1, R2 &req={0};\n";
    let hex = isa(&["asm"], text.as_bytes()).fine().to_owned();
    let short = isa(&["dis", "--style", "no-settings"], hex.as_bytes());
    assert_eq!(short.fine(), "HADD2 R0, R1, R2;\n");
    assert_eq!(isa(&["dis", "--style", "hex"], hex.as_bytes()).fine(), text);
    // RISC-V has no attributes.
    let none = rv(&["dis", "--style", "no-settings"], "00000013");
    assert!(none.failed(Status::Usage).contains("no-settings"), "{}", none.err);
}
