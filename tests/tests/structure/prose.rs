//! Reports how often comments and pages use words that made earlier versions hard to read, and fails if a word
//! is more frequent than its limit.
//!
//! `cargo test -p isa-tests --test structure prose -- --nocapture` prints the table. The column `others` is the
//! rate in the comments and pages of 21 widely used Rust crates (523,496 words). A rate is per 10,000 words. If
//! a limit is exceeded, rewrite the sentences; do not replace the words one by one.

use std::fs;
use std::path::Path;

use super::root;

/// How a word is counted.
enum Count {
    /// Any of these words.
    Words(&'static [&'static str]),
    /// The first word, followed by any of the others.
    Pair(&'static str, &'static [&'static str]),
    /// The first word, followed by any of the others, followed by the last.
    Triple(&'static str, &'static [&'static str], &'static str),
}

use Count::{Pair, Triple, Words};

/// A word or a pattern of words.
struct Row {
    name: &'static str,
    count: Count,
    /// The rate in other crates.
    others: f64,
    /// The limits of the rate: the lowest and the highest.
    limits: (f64, f64),
}

const fn at_most(name: &'static str, count: Count, others: f64, limit: f64) -> Row {
    Row { name, count, others, limits: (0.0, limit) }
}

const fn at_least(name: &'static str, count: Count, others: f64, limit: f64) -> Row {
    Row { name, count, others, limits: (limit, f64::MAX) }
}

const ROWS: [Row; 27] = [
    at_most("stand(s), stood", Words(&["stand", "stands", "stood"]), 0.1, 1.0),
    at_most("behind", Words(&["behind"]), 0.1, 2.0),
    at_most("beside", Words(&["beside"]), 0.1, 1.5),
    at_most(
        "what is, what has, ...",
        Pair("what", &["is", "has", "the", "a", "no", "it", "they", "are", "was", "stands", "may"]),
        1.2,
        3.6,
    ),
    at_most("say(s), said", Words(&["say", "says", "said"]), 0.7, 2.1),
    // "two fields, of which one is optional" is the plainest form in some sentences.
    at_most("of which", Pair("of", &["which"]), 0.4, 2.2),
    at_most("of its own", Triple("of", &["its", "their", "your", "one's"], "own"), 0.2, 1.5),
    at_most("all that", Pair("all", &["that"]), 0.1, 0.3),
    at_most("alike", Words(&["alike"]), 0.1, 0.3),
    at_most("anew", Words(&["anew"]), 0.1, 0.3),
    // The noun is frequent here: counts of bits, lanes and registers.
    at_most("counts", Words(&["counts"]), 0.4, 3.5),
    at_most("is no, are no", Pair("is", &["no"]), 3.1, 4.0),
    at_most("meant", Words(&["meant"]), 0.5, 1.0),
    at_most("has", Words(&["has"]), 15.6, 45.0),
    at_most("one", Words(&["one"]), 21.7, 75.0),
    at_most("where", Words(&["where"]), 9.5, 9.5),
    at_least("if", Words(&["if"]), 82.9, 50.0),
    // Reference text states conditions, for which "if" is the usual word.
    at_least("when", Words(&["when"]), 24.5, 2.0),
    at_least("because", Words(&["because"]), 12.1, 8.0),
    at_least("can", Words(&["can"]), 33.0, 15.0),
    at_least("must", Words(&["must"]), 22.7, 12.0),
    at_least("return(s)", Words(&["return", "returns"]), 68.3, 68.0),
    at_least(
        "contain(s), include(s)",
        Words(&["contain", "contains", "include", "includes"]),
        15.9,
        15.0,
    ),
    at_least("after", Words(&["after"]), 10.5, 10.0),
    at_least("for example", Pair("for", &["example", "instance"]), 9.2, 4.0),
    at_least("valid, invalid", Words(&["valid", "invalid"]), 11.8, 11.0),
    at_least("you, your", Words(&["you", "your"]), 16.3, 5.0),
];

/// Folders without prose of our own: inputs of tests, and files that programs write.
const SKIPPED: [&str; 6] = [".git", "target", "ui", "vectors", "corpus", "node_modules"];

/// Adds the words of the comments and pages in a folder, in lower case. Code blocks are left out.
fn add(folder: &Path, words: &mut Vec<String>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for path in entries.into_iter().map(|entry| entry.path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let end = path.extension().and_then(|end| end.to_str());
        match end {
            _ if path.is_dir() && SKIPPED.contains(&name) => {}
            _ if path.is_dir() => add(&path, words),
            Some("rs" | "md") => {
                add_text(&fs::read_to_string(&path).unwrap(), end == Some("md"), words)
            }
            _ => {}
        }
    }
}

fn add_text(text: &str, is_page: bool, words: &mut Vec<String>) {
    let mut is_code = false;
    for line in text.lines() {
        let comment = line.trim_start().strip_prefix("//");
        let line = match comment.map(|line| line.trim_start_matches(['/', '!'])) {
            _ if is_page => line,
            Some(line) => line,
            None => {
                is_code = false;
                continue;
            }
        };
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let all = line.split(|c: char| !c.is_ascii_alphabetic() && c != '\'');
            words.extend(all.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase));
        }
    }
}

/// Returns how often a pattern occurs.
fn count(count: &Count, words: &[String]) -> usize {
    let is =
        |at: usize, some: &[&str]| words.get(at).is_some_and(|word| some.contains(&word.as_str()));
    let places = 0..words.len();
    match count {
        Words(some) => places.filter(|&at| is(at, some)).count(),
        Pair(first, some) => places.filter(|&at| is(at, &[first]) && is(at + 1, some)).count(),
        Triple(first, some, last) => {
            places.filter(|&at| is(at, &[first]) && is(at + 1, some) && is(at + 2, &[last])).count()
        }
    }
}

#[test]
fn prose_keeps_its_word_frequencies() {
    let mut words = Vec::new();
    add(&root(), &mut words);
    assert!(words.len() > 100_000, "{} words were found", words.len());
    println!("{:26}{:>8}{:>8}   limit", format!("{} words", words.len()), "here", "others");
    let mut wrong = Vec::new();
    for Row { name, count: pattern, others, limits: (least, most) } in ROWS {
        let here = 1e4 * count(&pattern, &words) as f64 / words.len() as f64;
        let limit =
            if least > 0.0 { format!("at least {least}") } else { format!("at most {most}") };
        println!("{name:26}{here:8.1}{others:8.1}   {limit}");
        if here < least || here > most {
            wrong.push(format!("`{name}`: {here:.1}, {limit}"));
        }
    }
    assert!(wrong.is_empty(), "uses in 10,000 words: {}", wrong.join("; "));
}

#[test]
fn patterns_of_prose_are_counted() {
    let text = "//! What is this? One of\n/// its own. `is`\n/// ```\n/// behind\n/// ```\nlet behind = 1;\n// Behind";
    let mut words = Vec::new();
    add_text(text, false, &mut words);
    let counted = |pattern| count(&pattern, &words);
    assert_eq!(counted(Words(&["behind"])), 1);
    assert_eq!(counted(Pair("what", &["is"])), 1);
    assert_eq!(counted(Triple("of", &["its"], "own")), 1);
    words.clear();
    add_text("Behind\n```\nbehind\n```\n", true, &mut words);
    assert_eq!(words, ["behind"]);
}
