//! Damaged texts: texts that are almost valid assembly of an opcode.

use crate::random::Random;

/// Splits a text into words and punctuation.
fn tokens(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tokens: Vec<String> = Vec::new();
    let mut joined = false;
    for c in text.chars() {
        match tokens.last_mut() {
            Some(last) if joined && is_word(c) => last.push(c),
            // A sign and its number stay together.
            Some(last) if c.is_ascii_digit() && (last == "-" || last == "+") => last.push(c),
            _ if c == ' ' => {}
            _ => tokens.push(c.to_string()),
        }
        joined = is_word(c);
    }
    tokens
}

/// Joins the tokens with a space between words and occasional optional white space.
fn join(tokens: &[String], random: &mut Random) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text = String::new();
    for token in tokens {
        let between_words = text.ends_with(is_word) && token.starts_with(is_word);
        // White space between a sign and a number could turn the sign into a prefix operator.
        let free = !text.ends_with(['-', '+', '/']) && random.chance(6);
        text += match (between_words, free) {
            (_, true) => random.pick::<&str>(&[" ", "  ", " /* . */ "]),
            (true, false) => " ",
            (false, false) => "",
        };
        text += token;
    }
    text
}

/// Returns the text with added blanks and comments, and with one or two tokens deleted, repeated,
/// swapped or replaced.
pub(super) fn damaged(text: &str, words: &[String], random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..1 + random.below(2) {
        if tokens.is_empty() {
            break;
        }
        let at = random.below(tokens.len());
        match random.below(6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => {
                let other = random.below(tokens.len());
                tokens.swap(at, other);
            }
            3 if !words.is_empty() => tokens[at] = random.pick(words).clone(),
            4 if !words.is_empty() => tokens.insert(at, random.pick(words).clone()),
            _ => {}
        }
    }
    join(&tokens, random)
}

/// Returns all distinct words and punctuation of some texts.
pub(super) fn vocabulary(texts: &[String]) -> Vec<String> {
    let mut words: Vec<String> = texts.iter().flat_map(|text| tokens(text)).collect();
    words.sort_unstable();
    words.dedup();
    words
}
