//! Recognition of the lines that begin a definition or a section.

use isa_compiler::similar;

use crate::code::narrow;
use crate::plain::short;

/// A line that begins a definition or a section.
pub(super) enum Heading<'s> {
    /// `group`, `optype` or `opcode`, and the rest of the line.
    Definition(&'static str, &'s str),
    /// A section of the format.
    Section(&'s str),
    /// Any other section, which contains prose.
    Prose(&'s str),
}

const DEFINITIONS: [(&str, &str); 3] =
    [("DefGroup", "group"), ("DefOptype", "optype"), ("DefOpcode", "opcode")];

const SECTIONS: [&str; 9] = [
    "Encoding",
    "Syntax",
    "OperandInfo",
    "Exception",
    "Examples",
    "Description",
    "ModifierInfo",
    "Semantics",
    "Simulation",
];

/// Returns whether a section belongs to the format.
pub(super) fn is_known(section: &str) -> bool {
    SECTIONS.contains(&section)
}

/// Returns the heading in a line, or `None` for any other line. The line must not contain its
/// indentation. If it is similar to a heading, returns an error that suggests the heading.
pub(super) fn heading(text: &str) -> Option<Result<Heading<'_>, String>> {
    let is_line = |c: char| matches!(c, '_' | '\u{ff3f}');
    let after = text.trim_start_matches(|c: char| is_line(c) || c.is_whitespace());
    let is_end = |c: char| c.is_whitespace() || matches!(c, ':' | '\u{ff1a}' | '[');
    let end = after.find(is_end).unwrap_or(after.len());
    let (word, rest) = after.split_at(end);
    let definition = || DEFINITIONS.iter().find(|(name, _)| *name == word);
    // Prose can contain words such as `Encoding`, but not words such as `DefGroup`.
    if !text.starts_with(is_line) && !is_near(word, DEFINITIONS.map(|(name, _)| name)) {
        return None;
    }
    let names = || DEFINITIONS.iter().map(|(name, _)| *name).chain(SECTIONS);
    if text.len() == after.len() + 2 && text.starts_with("__") {
        if let Some((_, kind)) = definition() {
            return Some(Ok(Heading::Definition(kind, rest)));
        }
        if is_known(word) {
            return Some(match rest.trim() {
                "" => Ok(Heading::Section(word)),
                rest => Err(format!(
                    "expected the end of the line after `__{word}`, found `{}`: write it in the next line",
                    short(rest)
                )),
            });
        }
    }
    let narrow: String = word.chars().map(narrow).collect();
    match similar(&narrow, names()) {
        Some(near) => Some(Err(format!(
            "expected a heading, found `{}`: write `__{near}`, or choose a name that is less similar",
            short(&text[..text.len() - rest.len()])
        ))),
        None if !text.starts_with("__") || word.is_empty() => None,
        None if word.to_ascii_lowercase().starts_with("def") => Some(Err(format!(
            "expected `__DefGroup`, `__DefOptype` or `__DefOpcode`, found `__{}`",
            short(word)
        ))),
        None => Some(Ok(Heading::Prose(text.trim_start_matches("__")))),
    }
}

/// Returns whether `word` is one of `names` in another letter case, or with a small difference.
fn is_near(word: &str, names: [&'static str; 3]) -> bool {
    let start = word.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("def"));
    start && similar(word, names).is_some()
}
