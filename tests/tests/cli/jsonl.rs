use std::time::Duration;

use isa_tests::processor;

use super::*;

fn answers(input: &str) -> Vec<String> {
    let outcome = isa(&["exec", "--jsonl"], input.as_bytes());
    outcome.fine().lines().map(String::from).collect()
}

#[test]
fn an_answer_is_what_was_written() {
    let request =
        r#"{"asm": "HADD2 R0, R1, R2;", "state": {"R1": "0x3c003c00", "R2": 1006648320}}"#;
    assert_eq!(answers(request), [r#"{"state": {"R0": "0x40004000"}}"#]);
    let request = concat!(
        r#"{"asm": "HADD2 R10, R1, R1;\n@P0 HADD2 R9, R1, c[0x0][0x160]; "#,
        r#"@P1 HADD2 R8, R1, R1; HADD2 R11, R10, UR4;", "state": {"R1": "0x3c003c00", "#,
        r#""P0": true, "P1": false, "UR4": "0x4000", "c[0x0][0x160]": "16384"}}"#,
    );
    let expected = r#"{"state": {"R9": "0x3c004200", "R10": "0x40004000", "R11": "0x40004400"}}"#;
    assert_eq!(answers(request), [expected]);
    assert_eq!(answers(r#"{"asm": "HADD2 RZ, R1, R1;"}"#), [r#"{"state": {}}"#]);
    assert_eq!(answers(r#"{"asm": ""}"#), [r#"{"state": {}}"#]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_request() {
    let request = "\u{feff}{\"asm\": \"HADD2 R0, R1, R1;\"}\r\n{\"asm\": \"\"}\r\n";
    let zero = r#"{"state": {"R0": "0x00000000"}}"#;
    assert_eq!(answers(request), [zero, r#"{"state": {}}"#]);
    assert_eq!(answers("\u{feff}\n"), [""; 0]);
}

#[test]
fn predicates_come_behind_registers() {
    let request = concat!(
        r#"{"asm": "HSETP2.LT.AND P2, P1, R1, R2; HADD2 R5, R1, R1; "#,
        r#"HSETP2.GT.AND PT, PT, R1, R2;", "state": {"R2": 15360}}"#,
    );
    let expected = r#"{"state": {"R5": "0x00000000", "P1": false, "P2": true}}"#;
    assert_eq!(answers(request), [expected]);
}

#[test]
fn errors_are_answers_and_the_run_goes_on() {
    let cases = [
        ("nonsense", "invalid JSON"),
        (r#"{"asm": "HADD2 R0, R1, R2;""#, "invalid JSON"),
        ("[1]", "expected an object"),
        (r#"{"state": {}}"#, "missing key `asm`"),
        (r#"{"asm": "", "states": {}}"#, "did you mean `state`?"),
        (r#"{"asm": 5}"#, "invalid `asm`: expected a string, found a number"),
        (r#"{"asm": "", "state": {"R1": "x"}}"#, "R1: `x` is not a number"),
        (r#"{"asm": "", "state": {"R1": 4294967296}}"#, "32 bits"),
        (r#"{"asm": "", "state": {"R255": 1}}"#, "there is no `R255`"),
        (r#"{"asm": "", "state": {"P0": 2}}"#, "P0: expected true, false, 1 or 0, found `2`"),
        (r#"{"asm": "\n HADD3 R0, R1, R2;"}"#, "asm:2:2: unknown mnemonic `HADD3`"),
        (r#"{"asm": "HADD2 R0, R1, R2"}"#, "asm:1:17: "),
        (r#"{"asm": ".word 0x12;"}"#, "asm:1:1: no such opcode"),
        (r#"{"asm": "\ud800"}"#, "invalid JSON"),
    ];
    let input: String = cases.iter().map(|(line, _)| format!("{line}\n\n  \r\n")).collect();
    let answers = answers(&(input + r#"{"asm": "HADD2 R0, R1, R2;"}"#));
    assert_eq!(answers.len(), cases.len() + 1);
    for ((line, part), answer) in cases.iter().zip(&answers) {
        assert!(answer.starts_with(r#"{"error": ""#) && answer.ends_with(r#""}"#), "{answer}");
        assert!(answer.contains(part), "{line}\n{answer}");
    }
    assert_eq!(answers[cases.len()], r#"{"state": {"R0": "0x00000000"}}"#);
}

#[test]
fn bytes_that_are_no_text_are_an_error_of_their_line() {
    let outcome = isa(&["exec", "--jsonl", "-"], b"\xff\n{\"asm\": \"\"}\n\x00\n");
    let lines: Vec<_> = outcome.fine().lines().collect();
    assert_eq!(lines.len(), 3);
    assert_has(lines[0], &["byte 0 is not UTF-8"]);
    assert_eq!(lines[1], r#"{"state": {}}"#);
}

#[test]
fn a_hundred_thousand_lines_take_seconds_at_most() {
    let line =
        r#"{"asm": "HADD2.FTZ R0, -R1, R2.H0_H0;", "state": {"R1": "0x3c003c00", "R2": "0x1234"}}"#;
    let input = format!("{line}\n").repeat(100_000);
    let start = processor::of_this_thread();
    let answers = answers(&input);
    assert_eq!(answers.len(), 100_000);
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    // This measures processor time, where the system reports it, because other work on the machine
    // must not affect the result. The limit is generous, for slow machines and builds without
    // optimization.
    if let (Some(start), Some(end)) = (start, processor::of_this_thread()) {
        assert!(end - start < Duration::from_secs(30), "{:?}", end - start);
    }
}

/// Checks that a short request cannot reserve more space than the assembler permits, and that the
/// permitted amount takes only seconds.
#[test]
fn the_room_of_a_request_is_limited() {
    let request = |text: String| format!("{}\n", serde_json::json!({ "asm": text }));
    let (most, more) = (4, 300);
    let input = [most, more].map(|count| request(".zero 16777216;\n".repeat(count))).concat();
    let outcome = run(&isa_riscv::tool(), &["exec", "--jsonl"], input.as_bytes());
    let lines: Vec<_> = outcome.fine().lines().collect();
    assert_has(lines[0], &["asm:1:1: ", "illegal instruction"]);
    assert_has(lines[1], &["asm:5:1: the program reserves more than 67108864 bytes"]);
}
