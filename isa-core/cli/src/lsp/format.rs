//! Statements in the spelling that the printer has for them.

use core::ops::Range;

use isa_core::asm::{LabelMap, Labels, Line, Site, Statement};
use serde_json::{Value, json};

use super::document::Document;
use super::lexer::TokenKind;
use super::position::Encoding;

/// The edits that give the statements of a range the printer's spelling. What cannot be read, data, and
/// statements with constants, parts of addresses or comments inside stay as they are, and so do blanks,
/// comments and labels around them.
pub(super) fn edits(document: &Document, range: Range<usize>, encoding: Encoding) -> Value {
    let statements = document.draft.statements_in(range.clone());
    let edits = statements.filter_map(|statement| edit(document, &statement));
    let within = edits.filter(|(place, _)| place.start < range.end && place.end > range.start);
    within
        .map(|(place, text)| {
            let range = document.lines.range(document.text(), &place, encoding);
            json!({ "range": range, "newText": text })
        })
        .collect()
}

/// What a statement becomes, where it is not that already.
fn edit(document: &Document, statement: &Statement<'_>) -> Option<(Range<usize>, String)> {
    let (opcode, word) = statement.instruction()?;
    let mut place = statement.code()?.start..document.code_end(statement)?;
    let has_comment = document
        .tokens(statement)
        .any(|token| token.kind == TokenKind::Comment && place.contains(&token.span.start));
    if has_comment {
        return None;
    }
    // Only what was written as a label is printed as one, and by the name that was written.
    let text = document.text();
    // Blanks before the `;` go too.
    let behind = text.get(place.end..).unwrap_or_default();
    let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    if behind.get(blanks..).is_some_and(|rest| rest.starts_with(';')) {
        place.end += blanks;
    }
    let labels = statement.all_labels();
    let places = statement.references();
    let written = || places.iter().filter_map(|place| text.get(place.clone()));
    // A constant would be printed as its number.
    if written().any(|name| labels.constant(name).is_some()) {
        return None;
    }
    let names: LabelMap =
        written().filter_map(|name| Some((name, labels.address(name)?))).collect();
    let mut line = Line::new();
    opcode.print_at(word, Site::new(statement.address(), &names), &mut line);
    let printed = line.as_str();
    // So would a part of an address.
    let is_printed = |name: &str| printed.split(|c| !is_name(c)).any(|word| word == name);
    if written().any(|name| names.address(name).is_some() && !is_printed(name)) {
        return None;
    }
    // The text that is read must be the same word, or something is lost.
    let is_same = match statement.has_labels() {
        true => statement.word_of(printed, statement.all_labels()) == Some(word),
        false => statement.word_of(printed, &()) == Some(word),
    };
    let printed = printed.strip_suffix(';').unwrap_or(printed);
    (is_same && text.get(place.clone()) != Some(printed)).then(|| (place, printed.to_owned()))
}

/// Whether the name of a label may have a character.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}
