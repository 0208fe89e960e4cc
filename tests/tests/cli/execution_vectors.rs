//! The command `vectors`: vectors with operand values and expected results, and their coverage.

use std::process::Command;

use isa_tests::tools::{Tool, are_here, run as run_program};

use super::any_set::subjects;
use super::*;

const PYTHON: Tool =
    Tool { program: "python3", release: "Python 3", install: "apt-get install python3" };

/// Checks the results with the model in `tests/oracle`, which shares no code with the crates.
#[test]
fn results_are_those_of_the_model() {
    if !are_here(&[PYTHON]) {
        return;
    }
    let args = ["vectors", "--format", "plain", "--count", "60", "--seed", "5"];
    let vectors = isa(&args, b"");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/oracle/check_vectors.py");
    let output = run_program(Command::new("python3").arg(script), vectors.fine().to_owned());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2340 vectors\n");
}

/// Executes the vectors of the model, which contain more vectors for each opcode.
#[test]
fn vectors_of_the_model_pass() {
    for (family, count) in [("halu", 5370), ("video", 3120)] {
        let file = format!("{}/vectors/{family}/exec.txt", env!("CARGO_MANIFEST_DIR"));
        let checked = isa(&["vectors", "--check", &file], b"");
        assert_eq!(checked.fine(), format!("{count} vectors, 0 with another result\n"));
    }
}

#[test]
fn vectors_of_every_set_pass_in_both_formats() {
    let scratch = Scratch::new("vectors");
    for subject in subjects() {
        for format in ["jsonl", "plain"] {
            let file = scratch.path("vectors");
            let args = ["vectors", "--count", "5", "--format", format, "-o", &file];
            let written = (subject.run)(&args, b"");
            if subject.exec.0.is_empty() && written.status != Status::Success {
                continue;
            }
            assert_eq!(written.fine(), "", "{}", subject.name);
            let text = fs::read_to_string(&file).unwrap();
            let again = (subject.run)(&args[..5], b"");
            assert_eq!(again.fine(), text, "{}: the same seed", subject.name);
            let count = text.lines().count();
            assert!(count > 0, "{}", subject.name);
            let checked = (subject.run)(&["vectors", "--check", &file], b"");
            let expected = format!("{count} vectors, 0 with another result\n");
            assert_eq!(checked.fine(), expected, "{}", subject.name);
            // Standard input works as well as a file.
            let checked = (subject.run)(&["vectors", "--check", "-"], text.as_bytes());
            assert_eq!(checked.fine(), expected, "{}", subject.name);
        }
    }
}

#[test]
fn options_restrict_and_change_the_vectors() {
    let only = isa(&["vectors", "--only", "HADD2_R?", "--count", "3"], b"");
    let opcodes: Vec<String> = only
        .fine()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|vector| vector["opcode"].as_str().unwrap().to_owned())
        .collect();
    let expected = ["HADD2_RR", "HADD2_RU", "HADD2_RI", "HADD2_RC"].map(|name| [name; 3]);
    assert_eq!(opcodes, expected.concat());
    let other = isa(&["vectors", "--only", "HADD2_R?", "--count", "3", "--seed", "2"], b"");
    assert_ne!(only.text(), other.text());
    for (args, message) in [
        (&["--only", "HADX"][..], "no opcode or mnemonic matches `HADX`"),
        (&["--format", "jsn"], "expected one of jsonl, plain, found `jsn`"),
        (&["--count", "x"], "invalid value for --count: expected a number, found `x`"),
        (&["--missing"], "--missing requires --coverage FILE"),
        (&["--html"], "--html requires --coverage FILE"),
        (&["--check", "a", "--coverage", "b"], "--check cannot be used with --coverage"),
        (&["--missing", "--html", "--coverage", "b"], "--missing cannot be used with --html"),
        (&["--check", "a", "--only", "HADD2"], "--only cannot be used with --check"),
        (&["--check", "a", "-o", "b"], "--output cannot be used with --check"),
        (&["--coverage", "a", "--seed", "2"], "--seed cannot be used with --coverage"),
    ] {
        let outcome = isa(&[&["vectors"], args].concat(), b"");
        assert_has(outcome.failed(Status::Usage), &[message]);
    }
}

/// Two values that differ in one bit are reported, with their line.
#[test]
fn other_results_are_reported() {
    let text = "# comment\n\nHADD2 R0, R1, R2; | R1=0x3c003c00 R2=0x3c003c00 | R0=0x40004001\n\
                HADD2 R0, R1, R2; | R1=0x3c003c00 R2=0x3c003c00 | R0=0x40004000\n";
    let outcome = isa(&["vectors", "--check", "-"], text.as_bytes());
    assert_eq!(outcome.status, Status::Failure);
    let expected = "<stdin>:3: HADD2 R0, R1, R2;: expected R0=0x40004001, found R0=0x40004000\n\
                    2 vectors, 1 with another result\n";
    assert_eq!(outcome.text(), expected);
    let trap = "ecall; | - | trap environment call\necall; | - | a0=0x0\n";
    let outcome = run(&isa_riscv::tool(), &["vectors", "--check", "-"], trap.as_bytes());
    assert_has(
        outcome.text(),
        &[
            "<stdin>:2: ecall;: expected a0=0x0000000000000000, found trap environment call",
            "2 vectors, 1",
        ],
    );
}

#[test]
fn lines_that_are_not_vectors_are_errors() {
    for (line, message) in [
        (
            "HADD2 R0, R1, R2;",
            "<stdin>:1:1: expected three parts, `ASM | STATE | EXPECTED`, found 1",
        ),
        ("HADD3 R0; | - | -", "<stdin>:1:1: "),
        ("HADD2 R0, R1, R2; | R1 | -", "<stdin>:1:21: expected NAME=VALUE, found `R1`"),
        ("HADD2 R0, R1, R2; | R1=0x100000000 | -", "32 bits"),
        ("HADD2 R0, R1, R2; | - | X1=1", "<stdin>:1:25: "),
        ("HADD2 R0, R1, R2; | R1=1 R2=1 R1=2 | -", "<stdin>:1:31: `R1` is set twice"),
        ("HADD2 R0, R1, R2; | - | R0=1 R0=1", "<stdin>:1:30: `R0` is set twice"),
        (".word 0x0; | - | -", "expected an instruction, found `.word 0x0;`"),
        ("{", "<stdin>:1:1: invalid JSON"),
        ("{\"asm\": 1}", "invalid `asm`: expected a string, found a number"),
        ("{}", "missing key `asm`"),
        (r#"{"asm": "HADD2 R0, R1, R2;"}"#, "expected one of the keys `expected` and `trap`"),
        (r#"{"asm": "HADD2 R0, R1, R2;", "expcted": {}}"#, "did you mean `expected`?"),
        (r#"{"asm": "HADD2 R0, R1, R2;", "expected": []}"#, "expected an object, found an array"),
        (
            r#"{"asm": "HADD2 R0, R1, R2;", "state": {"R1": 1, "R1": 2}, "expected": {}}"#,
            "`R1` is set twice",
        ),
        (
            r#"{"asm": "HADD2 R0, R1, R2;", "state": {"c[0][4]": 1, "c[0x0][4]": 2}, "expected": {}}"#,
            "both set c[0x0][0x4]",
        ),
        (r#"{"asm": "HADD2 R0, R1, R2;", "opcode": "X", "expected": {}}"#, "found `X`"),
        (r#"{"asm": "HADD2 R0, R1, R2;", "word": "0x1", "expected": {}}"#, "found `0x1`"),
    ] {
        for command in ["--check", "--coverage"] {
            let outcome = isa(&["vectors", command, "-"], line.as_bytes());
            assert_has(outcome.failed(Status::Failure), &[message]);
        }
    }
    let many = "x\n".repeat(100);
    let outcome = isa(&["vectors", "--check", "-"], many.as_bytes());
    assert_has(outcome.failed(Status::Failure), &["<stdin>:20:1:", "and 80 more invalid lines"]);
    let outcome = isa(&["vectors", "--check", "-"], b"\xff");
    assert_has(outcome.failed(Status::Failure), &["byte 0 is not UTF-8"]);
}

/// The combinations of an opcode are counted by hand. `HADD2_RR` has no other places than two sources
/// with two lanes of 16 bits in these vectors. 26 values are special, and lanes have three relations.
#[test]
fn coverage_counts_combinations() {
    let cover = |text: &str, args: &[&str]| {
        let args = [&["vectors", "--coverage", "-", "--only", "HADD2_RR"], args].concat();
        isa(&args, text.as_bytes()).fine().to_owned()
    };
    let line = "HADD2 R0, R1, R2; | R1=0x7c007c00 R2=0x80000000 | R0=0x7c007c00\n";
    // The fields with named values are hfmt_v2, FTZ, SAT, F32 and four signs with two values each, the
    // rounding with four values, and two selections of halves with three values each.
    let modifiers = 2 * (1 + 3 + 4) + 2 + 4 + 2 * 3;
    let combinations = modifiers * 26 * 3;
    // The vector uses one value of each of the 12 modifiers, with one value for each source.
    let expected = format!("HADD2_RR        1 {:>9}/{combinations:<9}", 12 * 2);
    let text = cover(line, &[]);
    assert!(text.lines().nth(1).unwrap().starts_with(&expected), "{expected}\n{text}");
    let missing = cover(line, &["--missing"]);
    assert_eq!(missing.lines().count(), combinations - 12 * 2);
    assert_has(&missing, &["HADD2_RR ftz=FTZ 0x7c00 (f16 +INF), equal lanes\n"]);
    assert!(!missing.contains("HADD2_RR ftz=NoFTZ 0x7c00 (f16 +INF), equal lanes"), "{missing}");
    assert_has(&cover("", &["--missing"]), &["HADD2_RR: no vector\n"]);
    let page = cover(line, &["--html"]);
    let title = format!("title=\"HADD2_RR, f16 +INF: 12 of {}\"", modifiers * 3);
    assert_has(&page, &["<th scope=\"row\">HADD2_RR</th>", &title, "0x7c00 (16 bits)"]);
}

/// Vectors of instructions of 16 and of 32 bits are counted for their opcodes, and opcodes without a
/// vector are mentioned.
#[test]
fn coverage_counts_vectors_of_every_width() {
    let tool = isa_riscv::tool();
    let vectors = run(&tool, &["vectors", "--count", "2"], b"");
    let count = vectors.fine().lines().count();
    let cover = run(&tool, &["vectors", "--coverage", "-"], vectors.fine().as_bytes());
    let rows: Vec<Vec<&str>> =
        cover.fine().lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let all = rows.last().unwrap();
    assert_eq!(all[..2], ["all", &count.to_string()], "{}", cover.text());
    let named = |name: &str| rows.iter().find(|row| row[0] == name).unwrap()[1];
    for line in vectors.fine().lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_ne!(named(vector["opcode"].as_str().unwrap()), "0", "{line}");
    }
    let line = "HADD2 R0, R1, R2; | R1=0 R2=0 | R0=0\n";
    let cover = isa(&["vectors", "--coverage", "-", "--only", "HADD2_R?"], line.as_bytes());
    assert_has(cover.fine(), &["opcodes without vectors: 3; the next line"]);
}

/// Many vectors of one opcode cover nearly all of its combinations.
#[test]
fn many_vectors_cover_the_combinations() {
    let args = ["vectors", "--only", "vadd2", "--count", "3000"];
    let vectors = isa(&args, b"");
    let cover = ["vectors", "--only", "vadd2", "--coverage", "-"];
    let text = isa(&cover, vectors.fine().as_bytes());
    let share = text.fine().lines().last().unwrap().split_whitespace().rev().nth(1).unwrap();
    assert!(share.parse::<f64>().unwrap() > 99.0, "{}", text.text());
}
