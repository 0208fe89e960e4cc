//! Sections of programs, for the sets that have programs: flat words, objects, errors.

use object::read::elf::{FileHeader as _, SectionHeader as _};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind, elf};

use super::any_set::{Subject, subjects};
use super::*;

/// Returns the sets with programs.
fn with_programs() -> impl Iterator<Item = Subject> {
    subjects().into_iter().filter(|subject| subject.name != "isa")
}

/// Returns the object of a text.
fn object(run: fn(&[&str], &[u8]) -> Outcome, text: &str) -> Vec<u8> {
    let outcome = run(&["asm", "--emit", "elf"], text.as_bytes());
    assert_eq!((outcome.status, outcome.err.as_str()), (Status::Success, ""), "{text}");
    outcome.out
}

/// The contents of other sections of a text.
const DATA: &str = "value: .8byte start, value + 4\n";
const ROOM: &str = ".balign 16, 0\nroom: .zero 40\n";

fn text(code: &str) -> String {
    format!(
        ".globl start\n.data\n{DATA}.text\nstart:\n{code}.section .rodata\n.byte 1, 2\n\
         .section .bss\n{ROOM}.section .text.hot\nhot:\n{code}.section .x, \"w\"\n.zero 8\nend:\n"
    )
}

#[test]
fn flat_programs_have_their_sections_one_behind_the_other() {
    for Subject { run, code, .. } in with_programs() {
        let grouped = format!(
            ".globl start\nstart:\n{code}{DATA}.byte 1, 2\n{ROOM}hot:\n{code}.zero 8\nend:\n"
        );
        for start in ["0", "0x1008"] {
            let args = ["asm", "--emit", "bin", "--start-address", start];
            let flat = run(&args, text(code).as_bytes());
            assert_eq!(flat.err, "");
            assert_eq!(flat.out, run(&args, grouped.as_bytes()).out);
        }
        let words = format!(".data\n.4byte 1\n.section .text\n{code}.section .rodata\n.4byte 2\n");
        let grouped = format!("{code}.4byte 1\n.4byte 2\n");
        let listing = ["asm", "--emit", "listing"];
        for args in [&["asm"][..], &listing] {
            assert_eq!(run(args, words.as_bytes()).fine(), run(args, grouped.as_bytes()).fine());
        }
        let again = run(&["asm"], &run(&listing, words.as_bytes()).out);
        assert_eq!(again.fine(), run(&["asm"], words.as_bytes()).fine());
    }
}

#[test]
fn objects_have_the_sections_of_the_text() {
    for Subject { run, code, .. } in with_programs() {
        let bytes = object(run, &text(code));
        let code = run(&["asm", "--emit", "bin"], code.as_bytes()).out;
        let size = code.len() as u64;
        let file = object::File::parse(&*bytes).unwrap();
        let room: &[u8] = &[];
        let flags = |flags: &[elf::SectionFlags]| {
            flags.iter().fold(elf::SectionFlags(0), |all, flag| all | *flag)
        };
        let (a, w, x) = (elf::SHF_ALLOC, elf::SHF_WRITE, elf::SHF_EXECINSTR);
        let header = elf::FileHeader64::<object::Endianness>::parse(&*bytes).unwrap();
        let endian = header.endian().unwrap();
        let headers = header.sections(endian, &*bytes).unwrap();
        let least = file.section_by_name(".text").unwrap().align();
        for (number, (name, kind, expected, size, align, bytes)) in [
            (".text", elf::SHT_PROGBITS, flags(&[a, x]), size, least, &code[..]),
            (".data", elf::SHT_PROGBITS, flags(&[a, w]), 16, 1, &[0; 16]),
            (".rodata", elf::SHT_PROGBITS, a, 2, 1, &[1, 2]),
            (".bss", elf::SHT_NOBITS, flags(&[a, w]), 40, 16, room),
            (".text.hot", elf::SHT_PROGBITS, flags(&[a, x]), size, least, &code),
            (".x", elf::SHT_PROGBITS, w, 8, 1, &[0; 8]),
        ]
        .into_iter()
        .enumerate()
        {
            let section = file.section_by_name(name).unwrap();
            assert_eq!(section.index().0, number + 1, "{name}");
            let header = headers.section(section.index()).unwrap();
            let found = header.sh_type(endian);
            assert_eq!((found, header.sh_flags(endian)), (kind, expected));
            assert_eq!((section.size(), section.align()), (size, align), "{name}");
            assert_eq!(section.data().unwrap(), bytes, "{name}");
            assert_eq!(section.address(), 0);
        }
        assert_eq!(file.section_by_name(".bss").unwrap().kind(), SectionKind::UninitializedData);

        let symbol = |name: &str| {
            let symbol = file.symbol_by_name(name).unwrap();
            let section = file.section_by_index(symbol.section_index().unwrap()).unwrap();
            (section.name().unwrap().to_owned(), symbol.address(), symbol.is_global())
        };
        let place = |section: &str, address| (section.to_owned(), address, false);
        assert_eq!(symbol("start"), (".text".to_owned(), 0, true));
        assert_eq!(symbol("value"), place(".data", 0));
        assert_eq!(symbol("room"), place(".bss", 0));
        assert_eq!(symbol("hot"), place(".text.hot", 0));
        assert_eq!(symbol("end"), place(".x", 8));
        let data = file.section_by_name(".data").unwrap();
        let fills: Vec<_> = data.relocations().map(|(at, it)| (at, it.addend())).collect();
        assert_eq!(fills, [(0, 0), (8, 4)]);
        let others = file.sections().filter(|section| section.name() != Ok(".data"));
        assert_eq!(others.map(|section| section.relocations().count()).sum::<usize>(), 0);
    }
}

#[test]
fn sections_with_code_are_listed_by_their_names() {
    for Subject { run, code, .. } in with_programs() {
        let indented = code.lines().map(|line| format!("    {line}\n")).collect::<String>();
        let listed = run(&["dis"], &object(run, &text(code)));
        let expected = format!(
            "// section .text\n.globl start;\nstart:\n{indented}\n// section .text.hot\n.section .text.hot, \"ax\", %progbits;\nhot:\n{indented}"
        );
        assert_eq!(listed.fine(), expected);
        let ran = run(&["exec"], &object(run, &text(code)));
        let parts = ["cannot execute <stdin>: expected an object with one section"];
        assert_has(ran.failed(Status::Failure), &parts);
    }
}

/// Checks that a reference to another section becomes a relocation, if the format has one for it,
/// and otherwise an error.
#[test]
fn what_names_another_section_is_filled_in_or_refused() {
    let [_, Subject { run: rv, .. }, Subject { run: a64, .. }, ..] = subjects();
    for (run, jump, own) in [(rv, "jal ra, there", 0x00c0_00ef_u32), (a64, "bl there", 0x9400_0003)]
    {
        let text = format!("{jump}\n{jump}\n.section .text.x\n.zero 4\nthere: {jump}\n");
        let bytes = object(run, &text);
        let file = object::File::parse(&*bytes).unwrap();
        let count = |name| file.section_by_name(name).unwrap().relocations().count();
        assert_eq!((count(".text"), count(".text.x")), (2, 0));
        // In a flat program the target is three words ahead.
        let flat = run(&["asm", "--emit", "bin"], text.as_bytes()).out;
        assert_eq!(flat[..4], own.to_le_bytes());
        let wrong = ".data\nx: .byte 1\n.text\n.byte x\n.equ n, . - x\n.byte n\n";
        let refused = run(&["asm", "--emit", "elf"], wrong.as_bytes());
        let parts = [
            "the address of `x` is not known before the program is linked",
            "<stdin>:4:7\n",
            "the object format has no relocation for a byte of data",
            "`n` is a distance between sections",
            "<stdin>:5:6\n",
            "^ only the linker can compute it",
            "subtract a label of the same section",
            "2 errors; nothing was written",
        ];
        assert_has(refused.failed(Status::Failure), &parts);
    }
}

#[test]
fn mistakes_in_lines_of_sections_are_shown() {
    for Subject { run, .. } in with_programs() {
        for (line, column, parts) in [
            (".section .x, \"aq\"", 14, &["expected flags in quotes: `a` (loaded)"][..]),
            (".section", 9, &["expected the name of a section, such as `.rodata`"]),
            (".section .x, aw", 14, &["`w` (writable)"]),
            (".section .x, \"aw\", @none", 20, &["expected `@progbits` or `@nobits`"]),
            (".data x", 6, &["expected `;` after the section"]),
            (
                ".section .text, \"aw\"",
                10,
                &[
                    "conflicting flags for section `.text`",
                    "^ differs from an earlier line",
                    "remove the flags here",
                ],
            ),
        ] {
            let place = format!("<stdin>:2:{column}\n");
            let wrong = run(&["asm"], format!("\n{line}\n").as_bytes());
            let parts = [&[&*place, "^", "1 error; nothing was written"], parts].concat();
            assert_has(wrong.failed(Status::Failure), &parts);
        }
        let wrong = b".equ n, . - x\n.data\nx:\n.section .data, \"a\"\n";
        let codes = run(&["asm", "--json", "--emit", "elf"], wrong).json();
        let codes: Vec<_> = codes.iter().map(|object| object["code"].to_string()).collect();
        assert_eq!(codes, ["\"sections\"", "\"section-flags\"", "null"]);
    }
    let [Subject { run: isa, .. }, ..] = subjects();
    assert_has(isa(&["asm"], b".section .x;").failed(Status::Failure), &["unknown directive"]);
}
