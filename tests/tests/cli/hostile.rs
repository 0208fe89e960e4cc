//! Malicious input, which could harm the user or the machine: control characters of a terminal, and
//! ELF files with shared parts that would take far more memory or time than their size.

use std::time::Duration;

use allocation_counter::measure;
use isa_core::shown::is_shown;
use isa_tests::fuzz::elf::{File, Section, Symbol, most_memory, time_of_thread};
use isa_tests::share::part_of;

use super::any_set::subjects;
use super::*;

/// Characters that must not be printed: the start of a terminal sequence in 7 and in 8 bits,
/// delete, an override and an isolate of the text direction, direction marks, a space and a joiner
/// without width, ends of a line and of a paragraph, a byte order mark, a tag.
const HIDDEN: [char; 14] = [
    '\u{1b}',
    '\u{9b}',
    '\u{80}',
    '\u{7f}',
    '\u{202e}',
    '\u{2067}',
    '\u{200f}',
    '\u{61c}',
    '\u{200b}',
    '\u{200d}',
    '\u{2028}',
    '\u{2029}',
    '\u{feff}',
    '\u{e0041}',
];

#[track_caller]
fn assert_shown(text: &str) {
    let hidden = text.chars().find(|&c| c != '\n' && !is_shown(c));
    assert_eq!(hidden, None, "{text:?}");
}

fn rv(args: &[&str], input: &[u8]) -> Outcome {
    run(&isa_riscv::tool(), args, input)
}

#[test]
fn source_lines_are_quoted_without_hidden_characters() {
    for subject in subjects() {
        for hidden in HIDDEN {
            let text = format!("/* {hidden} */ bad{hidden} r1;\n");
            for command in ["asm", "exec"] {
                let outcome = (subject.run)(&[command], text.as_bytes());
                assert_shown(outcome.failed(Status::Failure));
                assert!(outcome.err.contains("/* \u{fffd} */"), "{hidden:?}: {}", outcome.err);
                let json = (subject.run)(&[command, "--json"], text.as_bytes());
                assert_shown(&json.err);
                // JSON output for programs contains the original line.
                assert_eq!(json.json()[0]["text"], text.trim_end_matches('\n'));
            }
        }
    }
}

/// Checks that carets are below their text. Hidden characters of one to four bytes precede the
/// location, and the printed line reserves a column for each of them.
#[test]
fn carets_are_below_their_text() {
    let outcome = rv(&["asm"], "/* \u{9b}\u{202e}\u{e0041} */ addi a0, a1, 5000;".as_bytes());
    let lines: Vec<&str> = outcome.failed(Status::Failure).lines().collect();
    let place = |part| {
        let line = lines.iter().find(|line| line.contains(part)).unwrap();
        line.split(part).next().unwrap().chars().count()
    };
    assert_eq!(place("5000;"), place("^^^^"), "{}", outcome.err);
    assert_has(&outcome.err, &["<stdin>:1:24\n"]);
}

#[test]
fn names_in_objects_are_printed_without_hidden_characters() {
    for hidden in HIDDEN {
        let mut file = File::object(&[1, 0, 0x13, 0, 0, 0]);
        let name = file.name(&format!("f{hidden}g"));
        file.symbols.push(Symbol { name, section: 1, ..Symbol::default() });
        file.sections[0].name = name;
        let bytes = file.build();
        let listed = rv(&["dis"], &bytes);
        assert_shown(listed.fine());
        let expected = "// section f\u{fffd}g\n// f\u{fffd}g:\n    c.nop;\n    nop;\n";
        assert_eq!(listed.text(), expected, "{hidden:?}");
        assert_eq!(rv(&["asm"], listed.text().as_bytes()).fine(), "0001\n00000013\n");
    }
    let mut file = File::object(&[0; 4]);
    let name = file.name("f\n\u{9b}");
    file.symbols.push(Symbol { name, section: 1, ..Symbol::default() });
    let ran = rv(&["exec"], &file.build());
    assert_has(ran.failed(Status::Failure), &["error: at 0x0 <f\u{fffd}\u{fffd}>: "]);
}

#[test]
fn answers_in_json_have_escapes() {
    for hidden in HIDDEN {
        let asked = serde_json::json!({ "asm": format!("bad{hidden};"), "state": {} });
        let key = serde_json::json!({ format!("no{hidden}"): 1 });
        let state = serde_json::json!({ "asm": "nop", "state": { format!("R{hidden}"): 1 } });
        for request in [asked, key, state] {
            let answer = rv(&["exec", "--jsonl"], format!("{request}\n").as_bytes());
            assert_has(answer.fine(), &["{\"error\": "]);
            assert_shown(answer.text());
        }
    }
}

#[test]
fn differences_and_names_of_files_are_shown_without_hidden_characters() {
    let scratch = Scratch::new("hidden");
    let description = isa(&["export", "json"], b"").text().to_owned();
    let old = scratch.write("old", description.as_bytes());
    for hidden in HIDDEN {
        let name = serde_json::Value::from(format!("HADD2_RR{hidden}\nadded     X")).to_string();
        let text = description.replacen("\"HADD2_RR\"", &name, 1);
        assert_ne!(text, description);
        let new = scratch.write(&format!("new{hidden}\nerror: new"), text.as_bytes());
        let outcome = isa(&["diff", &old, &new], b"");
        assert_shown(outcome.text());
        assert_shown(&outcome.err);
        assert!(!outcome.text().contains("\nadded     X"), "{}", outcome.text());
        let broken = scratch.write(&format!("broken{hidden}\nerror: new"), b"\xff");
        let missing = format!("{new}.missing");
        for args in [
            &["asm", &missing][..],
            &["asm", &new],
            &["asm", "--output", &format!("{new}/x"), &old],
            &["dis", &missing],
            &["diff", &old, &missing],
            &["diff", &old, &broken],
            &["import", "json", &broken],
            &["import", "json", &missing],
            &["dis", "--from", "elf", &broken],
        ] {
            let outcome = isa(args, b"");
            assert!(!outcome.err.is_empty(), "{args:?}");
            assert_shown(&outcome.err);
            assert!(!outcome.err.contains("\nerror: new"), "{args:?}: {}", outcome.err);
        }
    }
}

#[test]
fn files_for_another_machine_or_with_other_flags_are_refused() {
    let object = |machine, flags| File { machine, flags, ..File::object(&[1, 0]) }.build();
    // 16-bit instructions, floats in registers, total store order: the set decodes the code in the
    // same way.
    for flags in [0, 1, 3, 5, 7, 0x11, 0x17] {
        assert_has(rv(&["dis"], &object(243, flags)).fine(), &["c.nop;"]);
    }
    for (machine, flags, parts) in [
        (62, 1, ["expected ELF machine number 243 (RISC-V), found 62 (x86-64)", "other_machines"]),
        (0xfeed, 1, ["found 65261; ", "`ObjectFormat::other_machines`"]),
        // Only 16 registers.
        (243, 9, ["expected 0x1, which may differ in 0x17, found 0x9", "the bits 0x8 with"]),
        (
            243,
            0x8000_0020,
            ["found 0x80000020", "the bits 0x80000020 with `ObjectFormat::other_flags`"],
        ),
    ] {
        for command in ["dis", "exec"] {
            let outcome = rv(&[command], &object(machine, flags));
            assert_has(
                outcome.failed(Status::Failure),
                &["cannot read <stdin>: ", parts[0], parts[1]],
            );
        }
    }
    let strict = isa_riscv::tool().object(isa_cli::ObjectFormat::elf64(243).other_machines(&[10]));
    assert_has(run(&strict, &["dis"], &object(10, 0)).fine(), &["c.nop;"]);
    let outcome = run(&strict, &["dis"], &object(243, 1));
    let all = "expected 0x0, found 0x1; if the set also covers";
    assert_has(outcome.failed(Status::Failure), &[all]);
}

/// Checks that relocations are recognized by their type. Sections of machine-specific types may
/// refer to the symbols and to another section without being relocations.
#[test]
fn relocations_are_known_by_their_type() {
    let mut file = File::object(&[1, 0].repeat(50));
    file.sections.push(Section { flags: 2, bytes: vec![7; 4000], ..Section::default() });
    let table = file.symbol_table();
    for kind in [1, 7, 17, 0x7000_0000] {
        file.sections[1].kind = kind;
        file.sections[1].link = (table, 1);
        let listed = rv(&["dis"], &file.build());
        assert_eq!(listed.fine().matches("c.nop;").count(), 50, "type {kind}");
        assert!(!listed.text().contains("relocation"), "type {kind}");
    }
}

/// Lists and runs a file. Returns the processor time and the output of `dis`.
#[track_caller]
fn bounded(bytes: &[u8]) -> (Duration, String) {
    let start = time_of_thread();
    let mut listed = String::new();
    for command in ["dis", "exec"] {
        let mut text = String::new();
        let used = measure(|| text = rv(&[command], bytes).text().to_owned());
        let most = most_memory(bytes.len());
        assert!(used.bytes_max <= most, "{command}: {} of {most} bytes", used.bytes_max);
        if command == "dis" {
            listed = text;
        }
    }
    (time_of_thread().saturating_sub(start), listed)
}

/// Returns a file with symbols whose names overlap: the name of each symbol is the end of the
/// previous name.
fn overlapping(count: u32) -> Vec<u8> {
    let mut file = File::object(&[1, 0].repeat(20));
    let name = file.name(&"a".repeat(count as usize));
    for number in 0..count {
        let value = u64::from(number % 20) * 2;
        file.symbols.push(Symbol { name: name + number, section: 1, value, ..Symbol::default() });
    }
    file.build()
}

#[test]
fn overlapping_names_take_no_more_than_their_file() {
    let bytes = overlapping(20_000);
    let (time, text) = bounded(&bytes);
    assert!(text.len() < 16 * bytes.len(), "{} of {}", text.len(), bytes.len());
    assert!(time < Duration::from_secs(10), "{time:?}");
    assert_has(
        &text,
        &["// 19972 names are omitted, because the names are longer than the file\n", "c.nop;"],
    );
    // If there are only few symbols, all of them become labels, and assembling the text gives the
    // same names.
    let bytes = overlapping(200);
    let (_, text) = bounded(&bytes);
    assert!(!text.contains("omitted"));
    let again = rv(&["asm", "--emit", "elf"], text.as_bytes());
    assert_eq!(rv(&["dis"], &again.out).text(), text);
}

/// Checks symbols that share a long name, and relocations that all refer to one of them.
#[test]
fn a_shared_name_is_not_copied() {
    let mut file = File::object(&[1, 0].repeat(20_000));
    let name = file.name(&"b".repeat(100_000));
    for number in 0..20_000 {
        file.symbols.push(Symbol { name, section: 1, value: 2 * number, ..Symbol::default() });
    }
    let (time, text) = bounded(&file.build());
    assert!(time < Duration::from_secs(10), "{time:?}");
    assert_has(&text, &[" names are omitted, ", &format!("\n{}:\n", "b".repeat(100_000))]);

    file.symbols.truncate(1);
    file.symbols[0].section = 0;
    file.symbols[0].info = 16;
    let entry = [0, 1 << 32 | 17, 0u64].into_iter().flat_map(u64::to_le_bytes);
    let bytes = entry.collect::<Vec<u8>>().repeat(20_000);
    let link = (file.symbol_table() + 1, 1);
    file.sections.push(Section { kind: 4, bytes, link, ..Section::default() });
    let (time, text) = bounded(&file.build());
    assert!(time < Duration::from_secs(10), "{time:?}");
    assert_has(&text, &["relocation 17: bbbb"]);
}

/// Checks sections that share a long name, and many sections that each contain symbols, jumps and
/// relocations.
#[test]
fn many_sections_take_time_in_line_with_their_number() {
    let mut file = File::object(&[]);
    let name = file.name(&"c".repeat(50_000));
    let section = Section { name, bytes: vec![1, 0], ..file.sections[0].clone() };
    file.sections = vec![section; 5_000];
    let (_, text) = bounded(&file.build());
    assert_has(&text, &["names are omitted", "// section (an omitted name)\n"]);

    // Each section jumps to its second instruction. Its new label name is already used in other
    // sections.
    let many = |count: u16, kind: u16| {
        let mut file = File::object(&[0x09, 0xa0, 0x01, 0x00]);
        file.kind = kind;
        file.sections = vec![file.sections[0].clone(); usize::from(count)];
        let name = file.name("L_2");
        for number in 0..count {
            let start = if kind == 1 { 0 } else { u64::from(number) * 4 };
            file.sections[usize::from(number)].address = start;
            let symbol = Symbol { name, section: number + 1, value: 0, ..Symbol::default() };
            file.symbols.push(Symbol { value: u64::from(number), ..symbol });
        }
        file.build()
    };
    for kind in [1, 2] {
        let (time, _) = bounded(&many(part_of(64_000) as u16, kind));
        assert!(time < Duration::from_secs(10), "{time:?}");
    }
}

/// Checks that sections of a program at the same address have the same labels.
#[test]
fn a_label_is_listed_once() {
    let mut file = File::object(&[1, 0].repeat(20));
    file.kind = 2;
    file.sections = vec![file.sections[0].clone(); 1_500];
    for (number, letter) in ["d", "e", "f", "g", "h", "i"].into_iter().enumerate() {
        let name = file.name(&letter.repeat(9_000));
        let value = 2 * number as u64;
        file.symbols.push(Symbol { name, section: 2, value, ..Symbol::default() });
    }
    let (_, text) = bounded(&file.build());
    assert_eq!(text.matches(&format!("{}:\n", "e".repeat(9_000))).count(), 1);
    assert_eq!(text.matches("// section .text\n").count(), 1_500);
}

/// Checks segments that are in different memory pages: none of them may allocate a large page.
#[test]
fn small_segments_take_no_large_pages() {
    let mut file = File::object(&[1, 0]);
    file.kind = 2;
    file.sections = vec![file.sections[0].clone(); 60_000];
    for (number, section) in file.sections.iter_mut().enumerate() {
        section.address = 4096 * number as u64;
    }
    file.segments = (1..=60_000).collect();
    bounded(&file.build());
}

/// Checks segments with more zeros than the computer has bytes, and many segments with fewer.
#[test]
fn zeros_after_segments_take_little_memory() {
    for zeros in [1 << 62, 1 << 24] {
        let mut file = File::object(&[1, 0]);
        file.kind = 2;
        file.sections = vec![file.sections[0].clone(); 200];
        for (number, section) in file.sections.iter_mut().enumerate() {
            section.address = (1 << 23) * number as u64;
        }
        file.segments = (1..=200).collect();
        let mut bytes = file.build();
        for header in bytes[64..].chunks_mut(56).take(200) {
            header[40..48].copy_from_slice(&u64::to_le_bytes(zeros));
        }
        let (time, _) = bounded(&bytes);
        assert!(time.as_secs() < 5, "{time:?}");
    }
}

/// Checks that reserved space contains no bytes, in the object and during assembly, unless it is
/// filled with a byte other than 0.
#[test]
fn room_has_no_bytes() {
    let text = format!("nop\n.bss\nx: {}.data\ny: .byte 7\n", ".zero 16777216\n".repeat(3));
    let mut object = Outcome { status: Status::Failure, out: vec![], err: String::new() };
    let used = measure(|| object = rv(&["asm", "--emit", "elf"], text.as_bytes()));
    assert_eq!(object.err, "");
    assert!(used.bytes_max < 1 << 20 && object.out.len() < 2000, "{} bytes", used.bytes_max);
    let file = object::File::parse(&*object.out).unwrap();
    let section = |name: &str| {
        let section = file.section_by_name(name).unwrap();
        (section.size(), section.data().unwrap().to_vec())
    };
    assert_eq!(section(".bss"), (3 << 24, vec![]));
    assert_eq!(section(".data"), (1, vec![7]));
    assert_eq!(section(".text"), (4, vec![0x13, 0, 0, 0]));
    let filled = rv(&["asm", "--emit", "elf"], b".bss\n.zero 2, 0\n.zero 2, 0xff\n");
    let file = object::File::parse(&*filled.out).unwrap();
    use object::{Object as _, ObjectSection as _};
    assert_eq!(file.section_by_name(".bss").unwrap().data().unwrap(), [0, 0, 0xff, 0xff]);
}
