//! HALU against the independent model in `tests/oracle`: encodings, spellings, refusals, results.

use isa_core::asm::Line;
use isa_defs::halu::Halu;
use isa_tests::machine::{Recorder, parse_state};
use isa_tests::vectors::{read, report, unescape, word};

fn text_of(word: u128) -> String {
    match Halu::decode(word) {
        Ok(instruction) => instruction.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

fn word_of(text: &str) -> Result<u128, String> {
    let parsed: Halu = text.parse().map_err(|error| format!("{error}"))?;
    parsed.encode().map_err(|error| format!("{error}"))
}

#[test]
fn words_and_texts_agree() {
    let cases = read("halu/encode.txt");
    let mut failures = Vec::new();
    for case in &cases {
        let [bits, text] = &case.fields[..] else { panic!("{}", case.place) };
        let bits = word(bits);
        if text_of(bits) != *text {
            failures.push(format!("{}: prints {}, not {text}", case.place, text_of(bits)));
        }
        if word_of(text) != Ok(bits) {
            failures.push(format!("{}: {text} gives {:x?}", case.place, word_of(text)));
        }
    }
    report("halu/encode.txt", cases.len(), &failures);
}

#[test]
fn other_spellings_mean_the_same() {
    let cases = read("halu/spelling.txt");
    let mut failures = Vec::new();
    for case in &cases {
        let [text, canonical] = &case.fields[..] else { panic!("{}", case.place) };
        let printed = unescape(text).parse::<Halu>().map(|i| i.to_string());
        if printed.as_ref().ok() != Some(canonical) {
            failures.push(format!("{}: {text} gives {printed:?}", case.place));
        }
    }
    report("halu/spelling.txt", cases.len(), &failures);
}

#[test]
fn illegal_words_are_refused() {
    let cases = read("halu/illegal_words.txt");
    let mut failures = Vec::new();
    for case in &cases {
        if let Ok(instruction) = Halu::decode(word(&case.fields[0])) {
            failures.push(format!("{}: decodes to {instruction}", case.place));
        }
    }
    report("halu/illegal_words.txt", cases.len(), &failures);
}

#[test]
fn illegal_texts_are_refused() {
    let cases = read("halu/illegal_text.txt");
    let mut failures = Vec::new();
    for case in &cases {
        let text = unescape(&case.fields[0]);
        if let Ok(instruction) = text.parse::<Halu>() {
            failures.push(format!("{}: {text} gives {instruction}", case.place));
        }
    }
    report("halu/illegal_text.txt", cases.len(), &failures);
}

#[test]
fn instructions_write_what_the_model_says() {
    let cases = read("halu/exec.txt");
    let mut failures = Vec::new();
    for case in &cases {
        let [text, before, after] = &case.fields[..] else { panic!("{}", case.place) };
        failures.extend(run(&case.place, text, before, after));
    }
    report("halu/exec.txt", cases.len(), &failures);
}

fn run(place: &str, text: &str, before: &str, after: &str) -> Option<String> {
    let instruction: Halu = match text.parse() {
        Ok(instruction) => instruction,
        Err(error) => return Some(format!("{place}: {text}: {error}")),
    };
    let mut machine = Recorder::parse(before);
    instruction.execute(&mut machine);
    let written = machine.written();
    (*written != parse_state(after))
        .then(|| format!("{place}: {text} with {before}: {written:x?}, not {after}"))
}

/// Every example line of the HALU specification: its text, its word, and what its comment says.
#[test]
fn examples_of_the_specification() {
    let mut failures = Vec::new();
    let mut text = String::new();
    let cases = read("halu/spec_examples.txt");
    for case in &cases {
        match &case.fields[..] {
            [kind, example, canonical, bits] if kind == "example" => {
                text.clone_from(example);
                let bits = word(bits);
                if word_of(example) != Ok(bits) || text_of(bits) != *canonical {
                    failures.push(format!("{}: {example}: {:x?}", case.place, word_of(example)));
                }
            }
            [kind, before, after] if kind == "case" => {
                failures.extend(run(&case.place, &text, before, after));
            }
            other => panic!("{}: {other:?}", case.place),
        }
    }
    report("halu/spec_examples.txt", cases.len(), &failures);
}

#[test]
fn a_line_holds_the_longest_text() {
    let mut line = Line::new();
    let text = "@!P0 HFMA2.FTZ.RELU.RM R100, -|R200.H1_H1|, -|c[0x1f][0x1fffc].H1_H1|, \
                -|R254.H1_H1| ?WAIT15 &req={0,1,2,3,4,5};";
    let bits = word_of(text).unwrap();
    Halu::SET.decode(bits).unwrap().print(bits, &mut line);
    assert_eq!(line.as_str(), text);
}
