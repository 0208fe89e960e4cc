//! The changes. Each mutant contains one of them.

use std::ops::Range;

use super::SPEC;
use crate::verdict::verdict;

/// A changed specification that the compiler accepts.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// A readable description of the change: `line 30: 24 becomes 25`.
    pub change: String,
    /// The complete text of the specification.
    pub spec: String,
}

/// A word, a number or a punctuation mark of the specification, with its location.
struct Token {
    text: &'static str,
    span: Range<usize>,
}

/// Returns the mutants of the specification in the order of their locations. The macro accepts all
/// of them, because a mutant that it rejects does not have to be detected by vectors.
#[must_use]
pub fn mutants() -> Vec<Mutant> {
    let tokens = tokens();
    let mut edits: Vec<Vec<(Range<usize>, String)>> = Vec::new();
    fields(&tokens, &mut edits);
    values(&tokens, &mut edits);
    statements(&mut edits);
    for (at, token) in tokens.iter().enumerate() {
        let text = |at: usize| tokens.get(at).map_or("", |token| token.text);
        let before = at.checked_sub(1).map_or("", text);
        for other in others(before, token.text, text(at + 1)) {
            edits.push(vec![(token.span.clone(), other)]);
        }
    }
    edits.sort_by_key(|edit| edit[0].0.start);
    let mutants = edits.into_iter().map(|edit| mutant(&edit));
    mutants.filter(|mutant| mutant.spec != SPEC && is_taken(&mutant.spec)).collect()
}

/// Returns whether the macro accepts a specification without leaving a decision to the Rust
/// compiler.
fn is_taken(spec: &str) -> bool {
    let verdict = verdict(spec);
    verdict.faults.is_empty() && !verdict.claims
}

fn mutant(edits: &[(Range<usize>, String)]) -> Mutant {
    let (mut spec, mut change) = (SPEC.to_owned(), String::new());
    let mut edits = edits.to_vec();
    edits.sort_by_key(|(span, _)| span.start);
    for (span, text) in edits.iter().rev() {
        let line = SPEC[..span.start].lines().count();
        let old = SPEC[span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        change = format!("line {line}: `{old}` becomes `{text}` {change}");
        spec.replace_range(span.clone(), text);
    }
    Mutant { change: change.trim_end().to_owned(), spec }
}

/// Returns the tokens outside of comments and string literals.
fn tokens() -> Vec<Token> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = SPEC[at..].chars().next() {
        let rest = &SPEC[at..];
        let length = match first {
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            '/' => rest.find('\n').unwrap_or(rest.len()),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => ["==", "!=", ">="].iter().find(|mark| rest.starts_with(**mark)).map_or(1, |_| 2),
        };
        if !first.is_whitespace() && first != '/' {
            tokens.push(Token { text: &rest[..length], span: at..at + length });
        }
        at += length;
    }
    tokens
}

/// Returns the possible replacements of a token: opposite or similar conditions, signs, and other
/// operand types for numbers.
fn others(before: &str, token: &str, behind: &str) -> Vec<String> {
    let others: &[&str] = match token {
        "and" => &["or"],
        "or" => &["and"],
        // Only in conditions. For a fixed field, the value is changed elsewhere.
        ">" if behind == "high" => &[">=", "<", "==", "!="],
        ">=" => &[">", "<", "=="],
        "Signed" => &["Unsigned"],
        "Unsigned" => &["Signed"],
        "SHORT" | "LONG" if behind != "=" => &["NONE"],
        _ => &[],
    };
    let mut others: Vec<String> = others.iter().map(|&other| other.to_owned()).collect();
    // Numbers in conditions and defaults, and the shift of an operand type. Other functions move
    // fields and swap values.
    if let (Ok(number), true) = (token.parse::<u32>(), ["==", "=", ">=", ","].contains(&before)) {
        let near = [number.wrapping_add(1), number.wrapping_sub(1), number ^ 2];
        others.extend(near.iter().filter(|near| **near < 64).map(ToString::to_string));
    }
    others
}

/// Moves fields by one or more bits, and swaps pairs of fields of the same width.
fn fields(tokens: &[Token], edits: &mut Vec<Vec<(Range<usize>, String)>>) {
    let starts: Vec<usize> = (0..tokens.len().saturating_sub(5))
        .filter(|at| tokens[*at].text == "field" && tokens[at + 1].text == "<")
        .collect();
    for (place, &one) in starts.iter().enumerate() {
        let (position, width) = (&tokens[one + 2], tokens[one + 4].text);
        if let Ok(number) = position.text.parse::<u32>() {
            for by in [1, 2, 4] {
                for moved in [number + by, number.wrapping_sub(by)] {
                    if moved < 32 {
                        edits.push(vec![(position.span.clone(), moved.to_string())]);
                    }
                }
            }
        }
        for &other in starts[..place].iter().rev().take(6) {
            let (known, known_width) = (&tokens[other + 2], tokens[other + 4].text);
            let in_one = !SPEC[known.span.start..position.span.start].contains('}');
            if in_one && width == known_width {
                edits.push(vec![
                    (position.span.clone(), known.text.to_owned()),
                    (known.span.clone(), position.text.to_owned()),
                ]);
            }
        }
    }
}

/// Changes values: swaps the numbers of an enum, changes numbers and names, and replaces a value
/// that is a default, is fixed or is part of a condition.
fn values(tokens: &[Token], edits: &mut Vec<Vec<(Range<usize>, String)>>) {
    let mut sets: Vec<Vec<&str>> = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at].text == "enum") {
        let end = (at..tokens.len()).find(|end| tokens[*end].text == "}").unwrap_or(at);
        let named = (at + 5..end).filter(|place| tokens[place + 1].text == "=");
        let named: Vec<usize> = named.collect();
        for (place, &one) in named.iter().enumerate() {
            let number = &tokens[one + 2];
            // The name of a value is not printed if the enum is shown as a prefix operator.
            if !["Minus", "Not"].contains(&tokens[at + 1].text) {
                edits.push(vec![(tokens[one].span.clone(), format!("{}X", tokens[one].text))]);
            }
            for &other in &named[..place] {
                let known = &tokens[other + 2];
                edits.push(vec![
                    (number.span.clone(), known.text.to_owned()),
                    (known.span.clone(), number.text.to_owned()),
                ]);
            }
        }
        sets.push(named.iter().map(|&place| tokens[place].text).collect());
    }
    for (at, token) in tokens.iter().enumerate().skip(1) {
        if !["=", "=="].contains(&tokens[at - 1].text) {
            continue;
        }
        for set in sets.iter().filter(|set| set.contains(&token.text)) {
            for other in set.iter().filter(|other| **other != token.text) {
                edits.push(vec![(token.span.clone(), (*other).to_owned())]);
            }
        }
    }
}

/// Removes parts or changes their order.
fn statements(edits: &mut Vec<Vec<(Range<usize>, String)>>) {
    let mut replace = |part: &str, by: &str| {
        let found = SPEC.match_indices(part);
        let found: Vec<usize> = found.map(|(at, _)| at).collect();
        assert!(!found.is_empty(), "`{part}` is not in the specification");
        for at in found {
            edits.push(vec![(at..at + part.len(), by.to_owned())]);
        }
    };
    for (part, by) in [
        ("{.rnd}", ""),
        ("{.rnd}", ".rnd"),
        ("{.rnd}{.limit}", "{.limit}{.rnd}"),
        ("{.limit}", ".limit"),
        ("{-}", ""),
        ("{@{!}pg}", "{@pg}"),
        ("{!}", ""),
        ("{, offset}", ", offset"),
        ("{, number}", ", number"),
        ("\"[\"", "\"(\""),
        ("\"]\"", "\")\""),
        ("$wait", "{, wait}"),
        ("{.size}", ".size"),
        (" inside SYSTEM", ""),
        ("ADD }", "ADDS }"),
        ("SUB }", "SUBS }"),
        ("LOAD }", "LD }"),
        ("JUMP.when", "JMP.when"),
        ("DEC Rd, Ra", "DEC Ra, Rd"),
        ("ALL.way Rd", "ALL Rd.way"),
        ("STOP; }", "HALT; }"),
        ("Rd, low, high", "Rd, high, low"),
        ("Order<rd, ra, rb>", "Order<rd, rb, ra>"),
        ("Order<rd, ra, rb>", "Order<ra, rd, rb>"),
        ("Order<rd, ra, imm>", "Order<ra, rd, imm>"),
        ("Order<rd, ra, offset>", "Order<ra, rd, offset>"),
        ("Order<rd, low, high>", "Order<rd, high, low>"),
        ("field<8, 6 : 20, 6>", "field<20, 6 : 8, 6>"),
        ("field<8, 6 : 20, 6>", "field<8, 5 : 20, 7>"),
        ("field<8, 6 : 20, 6>", "field<8, 12>"),
        ("affix \"-\"", "affix \"~\""),
        ("affix \"!\"", "affix \"~\""),
    ] {
        replace(part, by);
    }
    // Exceptions and aliases.
    for (at, _) in SPEC.match_indices("EncodingError<") {
        let end = SPEC[at..].find(';').map_or(SPEC.len(), |end| at + end + 1);
        edits.push(vec![(at..end, String::new())]);
    }
    for name in ["DEC", "ALL"] {
        let at = SPEC.find(&format!("alias {name}")).unwrap_or_default();
        let end = SPEC[at..].find("\n}\n").or_else(|| SPEC[at..].find("} }\n"));
        edits.push(vec![(at..end.map_or(SPEC.len(), |end| at + end + 3), String::new())]);
    }
}
