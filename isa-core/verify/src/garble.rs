//! Damages texts in the way that people and broken tools do.

use crate::random::SplitMix64;

/// Characters and fragments that have a meaning in some position, or no meaning at all.
pub const SCRAPS: [&str; 44] = [
    "\0",
    "\u{e9}",
    "\u{1f600}",
    "\u{feff}",
    "\u{a0}",
    "\u{202e}",
    "\u{7f}",
    "/",
    "*",
    "/*",
    "*/",
    "//",
    "\n",
    "\r",
    "\t",
    "\x0b",
    " ",
    ".",
    ",",
    ";",
    "@",
    "!",
    "-",
    "+",
    "|",
    "[",
    "]",
    "{",
    "}",
    "?",
    "&",
    "=",
    "_",
    "0",
    "9",
    "0x",
    "e",
    "R",
    "P",
    "c",
    "\"",
    "\\",
    "word",
    "INF",
];

/// Returns a text with one to three errors. Some tokens are taken from `other`.
#[must_use]
pub fn garble(text: &str, other: &str, random: &mut SplitMix64) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        text = match random.below(3) {
            0 => slip(&tokens(&text), &tokens(other), random),
            _ => slip(&characters(&text), &SCRAPS, random),
        };
    }
    text
}

fn characters(text: &str) -> Vec<&str> {
    text.split("").filter(|char| !char.is_empty()).collect()
}

/// Splits a text into runs of word characters and single other characters.
#[must_use]
pub fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = match rest.find(|c| !is_word(c)) {
            Some(0) => first.len_utf8(),
            Some(len) => len,
            None => rest.len(),
        };
        let (token, tail) = rest.split_at(len);
        tokens.push(token);
        rest = tail;
    }
    tokens
}

/// Deletes, duplicates, swaps, replaces or inserts one part, truncates the text at a part, or
/// repeats a part many times.
fn slip(parts: &[&str], foreign: &[&str], random: &mut SplitMix64) -> String {
    let mut parts = parts.to_vec();
    if parts.is_empty() || foreign.is_empty() {
        return foreign.concat();
    }
    let at = random.below(parts.len() as u64) as usize;
    let scrap = foreign[random.below(foreign.len() as u64) as usize];
    match random.below(256) {
        0 => parts.truncate(at),
        1 => parts.splice(at..at, [scrap; 300]).for_each(drop),
        2..50 => drop(parts.remove(at)),
        50..100 => parts.insert(at, parts[at]),
        100..150 => {
            let next = (at + 1) % parts.len();
            parts.swap(at, next);
        }
        150..200 => parts[at] = scrap,
        _ => parts.insert(at, scrap),
    }
    parts.concat()
}
