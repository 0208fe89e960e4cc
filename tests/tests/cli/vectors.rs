//! Runs the vectors of the independent model through the tool, as a program in another language
//! would do it.

use std::path::Path;

use super::*;

/// The families whose vectors are run.
const FAMILIES: [&str; 2] = ["halu", "video"];

/// Returns the fields of each line of a vector file.
fn read(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let fields = lines.map(|line| line.split(" | ").map(String::from).collect());
    let lines: Vec<Vec<String>> = fields.collect();
    assert!(lines.len() > 100, "{name}");
    lines
}

/// Returns one column, with one line for each row.
fn column(lines: &[Vec<String>], column: usize) -> String {
    lines.iter().map(|line| format!("{}\n", line[column])).collect()
}

#[test]
fn words_and_texts_are_each_others() {
    for set in FAMILIES {
        let lines = read(&format!("{set}/encode.txt"));
        let (words, texts) = (column(&lines, 0), column(&lines, 1));
        assert_eq!(isa(&["dis", "--strict"], words.as_bytes()).fine(), texts, "{set}");
        assert_eq!(isa(&["asm"], texts.as_bytes()).fine(), words, "{set}");
    }
}

#[test]
fn illegal_words_stay_the_same_words() {
    for set in FAMILIES {
        let lines = read(&format!("{set}/illegal_words.txt"));
        let words = column(&lines, 0);
        let text = isa(&["dis"], words.as_bytes());
        let valid: Vec<&str> =
            text.fine().lines().filter(|line| !line.starts_with(".word 0x")).collect();
        // Words of new opcodes are valid: add the opcodes to `tests/oracle/tables.py`, and run
        // `tests/oracle/gen_vectors.py`.
        assert!(valid.is_empty(), "valid words in {set}/illegal_words.txt: {valid:#?}");
        assert_eq!(isa(&["asm"], &text.out).fine(), words, "{set}");
        let strict = isa(&["dis", "--strict"], words.as_bytes());
        let summary = format!("{} errors", lines.len());
        assert_has(strict.failed(Status::Failure), &[&summary]);
    }
}

/// Converts `R1=0x1 P2=1`, or `-` for nothing, to a JSON object.
fn object(state: &str) -> String {
    let entries = state.split_whitespace().filter_map(|entry| entry.split_once('='));
    let entries = entries.map(|(name, value)| match name.starts_with('P') {
        true => format!("\"{name}\": {}", value == "1"),
        false => format!("\"{name}\": \"{value}\""),
    });
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

#[test]
fn execution_writes_what_the_model_writes() {
    for set in FAMILIES {
        let lines = read(&format!("{set}/exec.txt"));
        let requests = lines.iter().map(|line| {
            let (asm, state) = (&line[0], object(&line[1]));
            format!("{{\"asm\": \"{asm}\", \"state\": {state}}}\n")
        });
        let requests: String = requests.collect();
        let outcome = isa(&["exec", "--jsonl"], requests.as_bytes());
        for (line, answer) in lines.iter().zip(outcome.fine().lines()) {
            let expected = format!("{{\"state\": {}}}", object(&line[2]));
            assert_eq!(answer, expected, "{line:?}");
        }
        assert_eq!(outcome.text().lines().count(), lines.len());
    }
}
