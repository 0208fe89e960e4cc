//! Formats statements as the printer prints them.

use core::ops::Range;

use isa_core::asm::{LabelMap, Statement};
use isa_core::text::{InstructionContext, Labels, Line};
use serde_json::{Value, json};

use super::document::Document;
use super::lexer::TokenKind;
use super::position::Encoding;

/// Returns the edits that change the statements of a range to the printer's spelling.
///
/// Invalid statements, data, and statements that contain constants, parts of addresses or comments
/// stay unchanged. The white space, comments and labels around a statement also stay unchanged.
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

/// Returns the printed form of a statement, if it differs from the text.
fn edit(document: &Document, statement: &Statement<'_>) -> Option<(Range<usize>, String)> {
    let (opcode, word) = statement.instruction()?;
    let mut place = statement.code()?.start..document.code_end(statement)?;
    let has_comment = document
        .tokens(statement)
        .any(|token| token.kind == TokenKind::Comment && place.contains(&token.span.start));
    if has_comment {
        return None;
    }
    // A target is printed as a label only if the text uses a label, and with the same name.
    let text = document.text();
    // White space before the `;` is removed too.
    let behind = text.get(place.end..).unwrap_or_default();
    let blanks = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    if behind.get(blanks..).is_some_and(|rest| rest.starts_with(';')) {
        place.end += blanks;
    }
    let labels = statement.all_labels();
    let places = statement.references();
    let written = || places.iter().filter_map(|place| text.get(place.clone()));
    // The printer would replace a constant by its number.
    if written().any(|name| labels.constant(name).is_some()) {
        return None;
    }
    let names: LabelMap =
        written().filter_map(|name| Some((name, labels.address(name)?))).collect();
    let mut line = Line::new();
    opcode.print_at(word, InstructionContext::new(statement.address(), &names), &mut line);
    let printed = line.as_str();
    // The printer would also replace a part of an address.
    let is_printed = |name: &str| printed.split(|c| !is_name(c)).any(|word| word == name);
    if written().any(|name| names.address(name).is_some() && !is_printed(name)) {
        return None;
    }
    // The printed text must assemble to the same word, or the edit would change the program.
    let is_same = match statement.has_labels() {
        true => statement.word_of(printed, statement.all_labels()) == Some(word),
        false => statement.word_of(printed, &()) == Some(word),
    };
    let printed = printed.strip_suffix(';').unwrap_or(printed);
    (is_same && text.get(place.clone()) != Some(printed)).then(|| (place, printed.to_owned()))
}

/// Returns whether a character can be part of a label.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}
