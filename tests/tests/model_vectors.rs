//! Compares both families with the independent model in `tests/oracle`: encodings, spellings,
//! errors, results.

use isa_core::text::Line;
use isa_defs::gpu::Gpu;
use isa_tests::machine::{Recorder, parse_state};
use isa_tests::vectors::{read, report, unescape, word};

/// Defines each test for each family.
macro_rules! families {
    ($($family:ident)*) => {$(
        mod $family {
            const FAMILY: &str = stringify!($family);

            #[test]
            fn words_and_texts_agree() {
                super::words_and_texts_agree(FAMILY);
            }

            #[test]
            fn other_spellings_mean_the_same() {
                super::other_spellings_mean_the_same(FAMILY);
            }

            #[test]
            fn illegal_words_are_refused() {
                super::illegal_words_are_refused(FAMILY);
            }

            #[test]
            fn illegal_texts_are_refused() {
                super::illegal_texts_are_refused(FAMILY);
            }

            #[test]
            fn instructions_write_what_the_model_says() {
                super::instructions_write_what_the_model_says(FAMILY);
            }
        }
    )*};
}

families!(halu video);

fn text_of(word: u128) -> String {
    match Gpu::decode(word) {
        Ok(instruction) => instruction.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

fn word_of(text: &str) -> Result<u128, String> {
    let parsed: Gpu = text.parse().map_err(|error| format!("{error}"))?;
    parsed.encode().map_err(|error| format!("{error}"))
}

fn words_and_texts_agree(family: &str) {
    let file = format!("{family}/encode.txt");
    let cases = read(&file);
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
    report(&file, cases.len(), &failures);
}

fn other_spellings_mean_the_same(family: &str) {
    let file = format!("{family}/spelling.txt");
    let cases = read(&file);
    let mut failures = Vec::new();
    for case in &cases {
        let [text, canonical] = &case.fields[..] else { panic!("{}", case.place) };
        let printed = unescape(text).parse::<Gpu>().map(|i| i.to_string());
        if printed.as_ref().ok() != Some(canonical) {
            failures.push(format!("{}: {text} gives {printed:?}", case.place));
        }
    }
    report(&file, cases.len(), &failures);
}

fn illegal_words_are_refused(family: &str) {
    let file = format!("{family}/illegal_words.txt");
    let cases = read(&file);
    let mut failures = Vec::new();
    for case in &cases {
        if let Ok(instruction) = Gpu::decode(word(&case.fields[0])) {
            failures.push(format!("{}: decodes to {instruction}", case.place));
        }
    }
    report(&file, cases.len(), &failures);
}

fn illegal_texts_are_refused(family: &str) {
    let file = format!("{family}/illegal_text.txt");
    let cases = read(&file);
    let mut failures = Vec::new();
    for case in &cases {
        let text = unescape(&case.fields[0]);
        if let Ok(instruction) = text.parse::<Gpu>() {
            failures.push(format!("{}: {text} gives {instruction}", case.place));
        }
    }
    report(&file, cases.len(), &failures);
}

fn instructions_write_what_the_model_says(family: &str) {
    let file = format!("{family}/exec.txt");
    let cases = read(&file);
    let mut failures = Vec::new();
    for case in &cases {
        let [text, before, after] = &case.fields[..] else { panic!("{}", case.place) };
        failures.extend(run(&case.place, text, before, after));
    }
    report(&file, cases.len(), &failures);
}

fn run(place: &str, text: &str, before: &str, after: &str) -> Option<String> {
    let instruction: Gpu = match text.parse() {
        Ok(instruction) => instruction,
        Err(error) => return Some(format!("{place}: {text}: {error}")),
    };
    let mut machine = Recorder::parse(before);
    instruction.execute(&mut machine);
    let written = machine.written();
    (*written != parse_state(after))
        .then(|| format!("{place}: {text} with {before}: {written:x?}, not {after}"))
}

/// Checks every example line of the HALU specification: its text, its word, and the statements in
/// its comment.
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
    Gpu::SET.decode(bits).unwrap().print(bits, &mut line);
    assert_eq!(line.as_str(), text);
}
