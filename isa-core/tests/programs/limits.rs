//! Tests the time and memory for programs with many statements, errors and bytes.

use std::fmt::Write as _;

use isa_core::asm::{AssembleError, AssembleErrorKind, Assembler, Draft};
use isa_core::table::InstructionSet;

use super::{Mixed, Plain};

/// Returns the processor time of this thread in nanoseconds, or `None` if the system does not
/// provide it.
fn processor_time() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Returns a text of `count` statements: `statement` for each number below `count`.
fn repeated(count: usize, statement: fn(usize, usize) -> String) -> String {
    (0..count).map(|number| statement(number, count)).collect()
}

/// Checks that the time of the assembler grows linearly: four times as many statements take about four
/// times as long, without errors and with errors.
#[track_caller]
fn is_linear(set: &'static InstructionSet, statement: fn(usize, usize) -> String) {
    let time = |count| {
        let text = repeated(count, statement);
        let start = processor_time()?;
        let said = Assembler::new(set).assemble(&text).map_or_else(|it| it.into_vec().len(), |_| 0);
        let errors = Draft::new(Assembler::new(set), text).errors();
        assert_eq!(errors.len(), said);
        Some(processor_time()? - start)
    };
    let (Some(few), Some(many)) = (time(5_000), time(20_000)) else {
        println!("SKIPPED: the system does not tell the time of a thread");
        return;
    };
    assert!(many < 9 * few + 200_000_000, "{few} ns became {many} ns");
}

#[test]
fn errors_about_labels_take_linear_time() {
    is_linear(Mixed::SET, |i, _| format!("l{i}: J m{i};\n"));
    is_linear(Mixed::SET, |i, n| format!("l{i}: J l{};\n", (i + n / 2) % n));
    is_linear(Mixed::SET, |i, n| format!("l{}: INC R1;\n", i % (n / 2)));
    is_linear(Mixed::SET, |i, _| format!(".equ c{i}, 1; INC d{i};\n"));
    is_linear(Plain::SET, |i, _| format!(".equ c{i}, 1; l{i}: INC R1;\n"));
}

#[test]
fn directives_with_names_take_linear_time() {
    is_linear(Mixed::SET, |i, _| format!(".globl g{i};\n"));
    is_linear(Mixed::SET, |i, _| format!(".type g{i}, %function; g{i}:\n"));
    is_linear(Mixed::SET, |i, _| format!(".equ c{i}, {i}; .set d{i}, c{i} + 1;\n"));
    is_linear(Mixed::SET, |i, _| format!(".section .s{i}; .byte 1;\n"));
}

#[test]
fn one_line_of_errors_takes_linear_time() {
    is_linear(Mixed::SET, |_, _| "foo;".into());
    is_linear(Mixed::SET, |_, _| "J ä;".into());
}

#[test]
fn places_in_one_line_are_exact() {
    let errors = Assembler::new(Mixed::SET).assemble("/* ä */ foo; é foo;\nfoo;/*é*/foo; a: a:");
    let places: Vec<_> =
        errors.unwrap_err().iter().map(|error| (error.line, error.column)).collect();
    assert_eq!(places, [(1, 9), (1, 14), (2, 1), (2, 10), (2, 18)]);
    let twice = Assembler::new(Mixed::SET).assemble("\na:\nb:\n\nb: a:").unwrap_err().to_string();
    let named =
        ["5:1: `b` is defined twice; the first definition is on line 3", "5:4: `a` is defined"];
    assert!(named.iter().all(|part| twice.contains(part)), "{twice}");
    assert!(twice.contains("the first definition is on line 2"), "{twice}");
}

fn suggestion(error: &AssembleError) -> Option<&str> {
    match &error.kind {
        AssembleErrorKind::Statement { near, .. } => near.as_deref(),
        _ => None,
    }
}

/// Every error that is shown by default has a suggestion. More errors have one up to a limit on the
/// product of the number of suggestions and the number of labels.
#[test]
fn suggestions_are_limited() {
    for (labels, expected) in [(100, 1_000), (1 << 12, 64), (20_000, 20)] {
        let mut text = repeated(labels, |i, _| format!("label{i}:\n"));
        for number in 0..1_000 {
            let _ = writeln!(text, "J lable{};", number % labels);
        }
        let errors = Assembler::new(Mixed::SET).assemble(&text).unwrap_err();
        let suggested: Vec<bool> = errors.iter().map(|error| suggestion(error).is_some()).collect();
        assert_eq!(suggested.len(), 1_000);
        assert!(suggested[..expected].iter().all(|is| *is), "{labels} labels");
        assert!(!suggested[expected..].iter().any(|is| *is), "{labels} labels");
        let draft = Draft::new(Assembler::new(Mixed::SET), text).errors();
        let draft: Vec<bool> = draft.iter().map(|error| suggestion(error).is_some()).collect();
        assert_eq!(draft, suggested);
    }
}

/// Returns the errors for a text, which must be the same from the assembler and a draft.
fn said(assembler: &Assembler, text: &str) -> String {
    let said = assembler.assemble(text).map_or_else(|errors| errors.to_string(), |_| String::new());
    let draft = Draft::new(assembler.clone(), text.into()).errors();
    let draft: Vec<String> = draft.iter().map(ToString::to_string).collect();
    assert_eq!(draft.join("\n"), said, "{text}");
    said
}

#[test]
fn the_room_of_a_program_is_limited() {
    let assembler = Assembler::new(Mixed::SET);
    let message = "the program reserves more than 67108864 bytes; reserve fewer bytes with \
                   `.zero`, `.balign`, `.p2align` and `.org`";
    let four = ".zero 16777216;\n".repeat(4);
    assert_eq!(assembler.assemble(&four).unwrap().bytes.len(), 1 << 26);
    // Instructions and data do not count towards the limit, because the text contains each of them.
    let others = "INC R1; .byte 1, 2; .word 5; .ascii \"x\";\n.zero 0;";
    assert_eq!(said(&assembler, &format!("{others}{four}{others}")), "");
    let cases = [
        (format!("{four}.zero 1;"), "5:1"),
        (format!("{four}INC R1; .skip 1; .zero 1;"), "5:9"),
        (format!("{four}.byte 1; .balign 4;"), "5:10"),
        (format!("{four}.byte 1; .p2align 2, 7;"), "5:10"),
        (format!("{four}.org 0x4000001;"), "5:1"),
        (format!(".equ N, 0x1000000; {four}.zero N; .zero N;"), "5:1"),
        (format!("{four}.zero N; .equ N, 2;"), "5:1"),
        (format!(".bss; {four}.zero 1;"), "5:1"),
        (format!("{four}.data; .zero 1;"), "5:8"),
        (".zero 16777216;\n".repeat(300), "5:1"),
        (".byte 1; .balign 65536;\n".repeat(2_000), "1025:10"),
    ];
    for (text, place) in cases {
        assert_eq!(said(&assembler, &text), format!("{place}: {message}"), "{:.60}", text);
        let object = assembler.clone().relocations(|_| None);
        assert_eq!(object.assemble(&text).unwrap_err().to_string(), format!("{place}: {message}"));
    }
    // Another error does not hide this one.
    let said = said(&assembler, &format!("J x; {four}.zero 1;"));
    assert!(said.contains("1:3: unknown label `x`") && said.contains(message), "{said}");
}
