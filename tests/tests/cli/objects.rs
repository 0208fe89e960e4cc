//! ELF objects, for the sets that have an object format: written objects can be read, errors and
//! broken files are reported, and a set without a format reports that it lacks one. The tests of
//! RISC-V and A64 compare objects with independent tools.

use isa_tests::share::part_of;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

use super::any_set::{Subject, subjects};
use super::noise::Numbers;
use super::*;

/// Returns the sets with objects.
fn with_objects() -> impl Iterator<Item = Subject> {
    subjects().into_iter().filter(|subject| subject.name != "isa")
}

/// Returns the object of a text.
fn object(run: fn(&[&str], &[u8]) -> Outcome, text: &str) -> Vec<u8> {
    let outcome = run(&["asm", "--emit", "elf"], text.as_bytes());
    assert_eq!((outcome.status, outcome.err.as_str()), (Status::Success, ""), "{text}");
    outcome.out
}

#[test]
fn what_is_written_is_read() {
    for Subject { run, code, exec: (settings, written), .. } in with_objects() {
        let text = format!(".globl start;\nstart:\n{code}.2byte 0x1234;\nend:\n");
        let bytes = object(run, &text);
        let listed = run(&["dis"], &bytes);
        let indented = code.lines().map(|line| format!("    {line}\n")).collect::<String>();
        let expected = format!(
            "// section .text\n.globl start;\nstart:\n{indented}    .2byte 0x1234;\nend:\n"
        );
        assert_eq!(listed.fine(), expected);
        assert_eq!(object(run, listed.text()), bytes, "a listing makes the same object");
        let placed = run(&["dis", "--from", "elf", "--addresses", "--strict"], &bytes);
        let listing = run(&["asm", "--emit", "listing"], code.as_bytes());
        assert!(placed.fine().contains(listing.fine()), "{}", placed.text());

        // Objects are at address 0, and so is the program.
        let settings: Vec<_> = settings.iter().filter(|it| !it.starts_with("pc")).collect();
        let args = ["exec", "--set"].into_iter().chain(settings.into_iter().copied());
        let args: Vec<&str> = args.collect();
        assert_eq!(run(&args, &object(run, code)).fine(), written);
        let trace = run(&[&args[..], &["--trace"]].concat(), &object(run, code));
        assert_eq!(trace.text().matches("\n    reads   ").count(), code.lines().count());
    }
}

/// Checks that data that is aligned in the text is aligned wherever a linker places the section.
#[test]
fn alignments_are_the_section_s() {
    for Subject { run, code, .. } in with_objects() {
        let aligned = |text: &str| {
            let bytes = object(run, text);
            let file = object::File::parse(&*bytes).unwrap();
            let section = file.section_by_name(".text").unwrap();
            (section.align(), section.size())
        };
        let (own, size) = aligned(code);
        assert!(own <= 4);
        assert_eq!(aligned(&format!("{code}.p2align 5\n.balign 64\n.byte 1\n")), (64, 65));
        assert_eq!(aligned(&format!("{code}.org {size}\n.zero 3")), (own, size + 3));
    }
}

#[test]
fn labels_are_the_symbols() {
    let [_, Subject { run: rv, .. }, Subject { run: a64, .. }, ..] = subjects();
    let text =
        ".globl f, g\nf: jal ra, g\n.Lown: beq a0, a1, .Lown\nhere: c.j puts\n.8byte here + 2, .\n";
    let listed = rv(&["dis"], &object(rv, text));
    // Names that begin with `.L` are local to the program.
    let expected = "// section .text\n.globl f;\nf:\n    jal g;\nL_4:\n    beq a0, a1, L_4;\nhere:\n    \
                    c.j puts;\n    .8byte here + 2;\n    .8byte .text + 10;\n";
    assert_eq!(listed.fine(), expected);
    // Only the linker knows the location of a page.
    let listed = a64(&["dis", "--addresses"], &object(a64, "adrp x1, x\nadr x2, x\nx: b.eq y\n"));
    let expected = "// section .text\n/* 00000000  90000001 */  adrp x1, x;\n\
                    /* 00000004  10000022 */  adr x2, x;\nx:\n/* 00000008  54000000 */  b.eq y;\n";
    assert_eq!(listed.fine(), expected);
    let wrong = rv(&["asm", "--emit", "elf"], b"x: .byte x\n addi a0, a0, x\n .2byte y\n");
    let parts = [
        "the address of `x` is not known before the program is linked",
        "no relocation for a byte of data",
        "<stdin>:2:15\n",
        "unknown label `y`",
        "3 errors; nothing was written",
    ];
    assert_has(wrong.failed(Status::Failure), &parts);
    let place = rv(&["asm", "--emit", "elf", "--start-address", "8"], b"");
    assert_has(place.failed(Status::Usage), &["the linker chooses the addresses"]);
    let place = rv(&["dis", "--start-address", "8"], &object(rv, "ret"));
    assert_has(place.failed(Status::Usage), &["contains its addresses"]);
}

/// Checks that a constant becomes a symbol with its number if other objects or a target refer to
/// it. Compilers give such names to parts of functions and to tables, for example `gcc -O2`.
#[test]
fn names_with_dots_are_symbols() {
    let [_, Subject { run: rv, .. }, Subject { run: a64, .. }, ..] = subjects();
    for (run, call) in [(rv, "jal ra,"), (a64, "bl")] {
        let text = format!(
            ".section \".text\"\n.type mul.constprop.0, @function\nmul.constprop.0:\n{call} there.part.0\n\
             {call} mul.cold\n.size mul.constprop.0, .-mul.constprop.0\n.globl mul.constprop.0\n\
             .section \".rodata.cst4\",\"aM\",@progbits,4\n.4byte CSWTCH.19 + 4\nCSWTCH.19: .4byte 1\n\
             .section .text.unlikely,\"ax\",@progbits\nmul.cold: {call} mul.constprop.0\n"
        );
        let bytes = object(run, &text);
        let file = object::File::parse(&*bytes).unwrap();
        let names: Vec<&str> = file.symbols().filter_map(|it| it.name().ok()).collect();
        for name in ["mul.constprop.0", "there.part.0", "mul.cold", "CSWTCH.19"] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        assert!(file.section_by_name(".rodata.cst4").is_some());
        let listed = run(&["dis"], &bytes);
        for text in ["\nmul.constprop.0:\n", " there.part.0", ".globl mul.constprop.0;"] {
            assert!(listed.fine().contains(text), "{text}\n{}", listed.text());
        }
        let again = object(run, listed.text());
        assert_eq!(run(&["dis"], &again).text(), listed.text());
    }
}

#[test]
fn constants_are_absolute_symbols() {
    let [_, Subject { run: rv, .. }, Subject { run: a64, .. }, ..] = subjects();
    for (run, jump) in [(rv, "jal ra, entry"), (a64, "bl entry")] {
        let text = format!(
            ".globl n\n.equ n, own - 3\n.equ own, 2\n.equ entry, 0x80\nf: {jump}\n.equ g, f + own\n\
             .balign own\n"
        );
        let bytes = object(run, &text);
        let file = object::File::parse(&*bytes).unwrap();
        let symbols = file.symbols().filter(|symbol| !symbol.name().unwrap().starts_with('$'));
        let symbols = symbols.filter(|symbol| !symbol.name().unwrap().is_empty());
        let mut found: Vec<_> = symbols
            .map(|it| {
                let is_absolute = it.section() == object::SymbolSection::Absolute;
                (it.name().unwrap(), it.address(), is_absolute, it.is_global())
            })
            .collect();
        found.sort_unstable();
        let expected = [
            ("entry", 0x80, true, false),
            ("f", 0, false, false),
            ("g", 2, false, false),
            ("n", u64::MAX, true, true),
        ];
        assert_eq!(found, expected);
        let section = file.section_by_name(".text").unwrap();
        assert_eq!(section.relocations().count(), 1, "the target");
    }
}

#[test]
fn a_set_without_a_format_says_what_it_lacks() {
    let written = isa(&["asm", "--emit", "elf"], b"HADD2 R0, R1, R2;");
    let lacks = "`isa` has no object format; declare one";
    assert_has(written.failed(Status::Usage), &[lacks, "`Tool::object`"]);
    for command in ["dis", "exec"] {
        let read = isa(&[command], b"\x7fELF\x02\x01");
        assert_has(read.failed(Status::Failure), &["cannot read the ELF file <stdin>: ", lacks]);
    }
    let known = isa(&["asm", "--emit", "what"], b"");
    assert_has(
        known.failed(Status::Usage),
        &["invalid value for --emit: expected one of hex, bin, listing, found `what`"],
    );
    // Words that begin like an object are words.
    let word = isa(&["dis", "--from", "bin"], b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    assert_has(word.fine(), &[".word 0x"]);
}

/// Overwrites bytes of a file.
fn with(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn files_of_other_kinds_are_refused() {
    let [_, Subject { run, .. }, Subject { run: a64, .. }, ..] = subjects();
    let bytes = object(run, "f: jal ra, g");
    for (wrong, why) in [
        (b"HADD2".to_vec(), "not an ELF file: expected the first bytes 7f 45 4c 46"),
        (
            object(a64, "ret"),
            "wrong machine: expected ELF machine number 243 (RISC-V), found 183 (AArch64)",
        ),
        (with(&bytes, 4, &[1]), "wrong address width: expected 64 bits, found 32"),
        (with(&bytes, 5, &[2]), "found the highest byte first"),
        (with(&bytes, 16, &[4]), "neither an object nor a program: unsupported ELF file type 4"),
        (bytes[..bytes.len() - 1].to_vec(), "the ELF file is damaged or truncated: "),
        (bytes[..20].to_vec(), "the ELF file is damaged or truncated: "),
        // The size of the code, in the header of the first section.
        (
            with(&bytes, bytes.len() - 5 * 64 + 32, &[0xff; 8]),
            "damaged or truncated: invalid elf section",
        ),
        (object(run, ""), "no section contains code"),
    ] {
        let read = run(&["dis", "--from", "elf"], &wrong);
        assert_has(read.failed(Status::Failure), &["cannot read <stdin>: ", why]);
    }
    for (wrong, why) in [
        (bytes.clone(), "the object contains relocations; link it first"),
        (with(&bytes, 16, &[3]), "the program is dynamically linked"),
        (with(&bytes, 16, &[2]), "the entry address 0x0 is not in the code"),
    ] {
        let ran = run(&["exec"], &wrong);
        assert_has(ran.failed(Status::Failure), &["cannot execute <stdin>: ", why]);
    }
    let trap = run(&["exec"], &object(run, "li a0, 1\nf: nop\nebreak"));
    let place = "at 0x8 <f+0x4>: trap: breakpoint";
    assert_has(trap.failed(Status::Failure), &[place, "byte 72"]);
    let endless = run(&["exec", "--steps", "9"], &object(run, "f: j f"));
    assert_has(endless.failed(Status::Failure), &["at 0x0 <f>: the program has not ended after 9"]);
    let strict = run(&["dis", "--strict"], &with(&object(run, "nop\nnop"), 68, &[0xff; 4]));
    assert_has(strict.failed(Status::Failure), &["<stdin>: byte 68\n", "1 error"]);
}

/// Checks that objects with changed bytes, numbers and lengths result in an error or a listing, and
/// quickly.
#[test]
fn broken_objects_end_with_a_status() {
    let commands: [&[&str]; 4] = [
        &["dis"],
        &["dis", "--from", "elf", "--strict", "--addresses"],
        &["exec", "--steps", "20"],
        &["dis", "--json"],
    ];
    let mut numbers = Numbers(11);
    for Subject { run, code, .. } in with_objects() {
        let text = format!(".globl f, g\nf: {code}.8byte g - 1, f, .\n g: {code} .2byte 1\n h:\n");
        let bytes = object(run, &text);
        for round in 0..part_of(2_500) as usize {
            let mut input = bytes.clone();
            for _ in 0..=numbers.below(3) {
                // Most often change a header.
                let at = match numbers.below(3) {
                    0 => numbers.below(64),
                    1 => input.len() - 1 - numbers.below(6 * 64),
                    _ => numbers.below(input.len()),
                };
                let size = [1, 2, 4, 8][numbers.below(4)].min(input.len() - at);
                let value = match numbers.below(4) {
                    0 => [0xff; 8],
                    1 => (numbers.below(bytes.len() * 2) as u64).to_le_bytes(),
                    2 => (1u64 << numbers.below(64)).to_le_bytes(),
                    _ => [numbers.below(256) as u8; 8],
                };
                input[at..at + size].copy_from_slice(&value[..size]);
            }
            if round % 4 == 0 {
                input.truncate(numbers.below(bytes.len() + 1));
            }
            for args in commands {
                let outcome = run(args, &input);
                let failed = outcome.status == Status::Failure;
                assert_eq!(failed, !outcome.err.is_empty(), "{args:?} {input:x?}");
                assert_ne!(outcome.status, Status::Usage);
            }
        }
    }
}
