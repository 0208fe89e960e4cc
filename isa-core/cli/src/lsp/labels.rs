//! Finds the definitions and uses of labels and constants, and renames them.

use core::ops::Range;

use isa_core::asm::Statement;
use isa_core::text::{Cursor, Labels};
use serde_json::{Value, json};

use super::document::Document;
use super::position::Encoding;
use super::{Answer, Refusal};

/// Returns the label or constant whose definition or use contains a position or ends there.
pub(super) fn at(document: &Document, at: usize) -> Option<(String, Range<usize>)> {
    let holds = |range: &Range<usize>| range.start <= at && at <= range.end;
    let before = at.saturating_sub(1);
    let statements = document.draft.statements_in(before..at);
    let mut places = statements.flat_map(|statement| {
        let defined = names(statement).map(|(_, range)| range);
        defined.chain(statement.references()).collect::<Vec<_>>()
    });
    let range = places.find(holds)?;
    Some((document.text().get(range.clone())?.to_owned(), range))
}

/// Returns the names that a statement defines: its labels, and a constant.
fn names<'d>(statement: Statement<'d>) -> impl Iterator<Item = (&'d str, Range<usize>)> + use<'d> {
    statement.labels().chain(statement.constant())
}

/// Returns the definitions of a name. More than one is an error in the text.
pub(super) fn definitions<'d>(
    document: &'d Document,
    name: &'d str,
) -> impl Iterator<Item = Range<usize>> + 'd {
    let all = document.draft.statements().flat_map(names);
    all.filter(move |(defined, _)| *defined == name).map(|(_, range)| range)
}

/// Returns the statements that use a label, with the positions of the label.
fn named<'d>(
    document: &'d Document,
    name: &'d str,
) -> impl Iterator<Item = (Statement<'d>, Vec<Range<usize>>)> + 'd {
    let with_labels = document.draft.statements().filter(|it| it.has_labels());
    with_labels.filter_map(move |statement| {
        // Most statements use other labels and are skipped quickly.
        let text = document.text().get(statement.span())?;
        text.contains(name).then_some(())?;
        let mut places = statement.references();
        places.retain(|place| document.text().get(place.clone()) == Some(name));
        (!places.is_empty()).then_some((statement, places))
    })
}

/// Answers "go to definition".
pub(super) fn definition(
    document: &Document,
    place: usize,
    uri: &str,
    encoding: Encoding,
) -> Value {
    let first = at(document, place).and_then(|(name, _)| definitions(document, &name).next());
    first.map_or(Value::Null, |range| location(document, &range, uri, encoding))
}

/// Returns all uses of a label.
pub(super) fn references(
    document: &Document,
    place: usize,
    uri: &str,
    with_definition: bool,
    encoding: Encoding,
) -> Value {
    let Some((name, _)) = at(document, place) else { return Value::Null };
    let places = all(document, &name, with_definition);
    places.iter().map(|range| location(document, range, uri, encoding)).collect()
}

/// Answers "document highlight": returns all uses and definitions of a label in this text.
pub(super) fn highlights(document: &Document, place: usize, encoding: Encoding) -> Value {
    let Some((name, _)) = at(document, place) else { return Value::Null };
    let range = |range| document.lines.range(document.text(), range, encoding);
    all(document, &name, true).iter().map(|place| json!({ "range": range(place) })).collect()
}

/// Returns all positions of a label in the order of the text.
fn all(document: &Document, name: &str, with_definitions: bool) -> Vec<Range<usize>> {
    let named = named(document, name).flat_map(|(_, places)| places);
    let defined = definitions(document, name).filter(|_| with_definitions);
    let mut places: Vec<_> = named.chain(defined).collect();
    places.sort_by_key(|place| place.start);
    places
}

fn location(document: &Document, range: &Range<usize>, uri: &str, encoding: Encoding) -> Value {
    json!({ "uri": uri, "range": document.lines.range(document.text(), range, encoding) })
}

/// Returns the label that would be renamed, or an error if there is none.
pub(super) fn prepare_rename(document: &Document, place: usize, encoding: Encoding) -> Answer {
    let (name, range) = renamed(document, place)?;
    let range = document.lines.range(document.text(), &range, encoding);
    Ok(json!({ "range": range, "placeholder": name }))
}

fn renamed(document: &Document, place: usize) -> Result<(String, Range<usize>), Refusal> {
    let found = at(document, place);
    let found = found.ok_or_else(|| Refusal::failed("only labels and constants can be renamed"))?;
    match definitions(document, &found.0).count() {
        1 => Ok(found),
        0 => Err(Refusal::failed(format!("the label `{}` is not defined in this file", found.0))),
        _ => Err(Refusal::failed(format!("the label `{}` is defined more than once", found.0))),
    }
}

/// Renames a label at all positions, if all statements keep their words.
pub(super) fn rename(
    document: &Document,
    place: usize,
    name: &str,
    uri: &str,
    encoding: Encoding,
) -> Answer {
    let (old, _) = renamed(document, place)?;
    if Cursor::new(name).whole_name() != name || matches!(name, "" | ".") {
        let message =
            "a label contains letters, digits, `_` and `.`, and does not begin with a digit";
        return Err(Refusal::failed(format!("invalid label `{name}`: {message}")));
    }
    let labels = document.draft.labels();
    if name != old && labels.address(name).is_some() {
        return Err(Refusal::failed(format!("the label `{name}` already exists")));
    }
    let renamed = Renamed { labels, old: &old, new: name };
    for (statement, places) in named(document, &old) {
        let Some((_, word)) = statement.instruction() else { continue };
        if text_with(&statement, &places, name)
            .is_none_or(|text| statement.word_of(&text, &renamed) != Some(word))
        {
            let line = document.lines.number(statement.span().end.saturating_sub(1)) + 1;
            return Err(Refusal::failed(format!(
                "`{name}` would not be parsed as a label on line {line}"
            )));
        }
    }
    // In another statement, a name with dots may also be parsed as a name and a modifier.
    for statement in document.draft.statements().filter(|_| name.contains('.')) {
        let Some((_, word)) = statement.instruction() else { continue };
        let Some(text) = text_with(&statement, &[], name).filter(|text| text.contains(name)) else {
            continue;
        };
        let places = statement.references();
        let is_named = places.into_iter().any(|place| document.text().get(place) == Some(&old));
        if !is_named && statement.word_of(&text, &renamed) != Some(word) {
            let line = document.lines.number(statement.span().end.saturating_sub(1)) + 1;
            return Err(Refusal::failed(format!(
                "`{name}` is not parsed as a label on line {line}"
            )));
        }
    }
    let edits: Vec<_> = all(document, &old, true)
        .iter()
        .map(|range| {
            let range = document.lines.range(document.text(), range, encoding);
            json!({ "range": range, "newText": name })
        })
        .collect();
    Ok(json!({ "changes": { uri: edits } }))
}

/// Returns the text of `statement` without its labels, with `name` instead of the text at `places`.
fn text_with(statement: &Statement<'_>, places: &[Range<usize>], name: &str) -> Option<String> {
    let (start, text) = (statement.span().start, statement.read_as());
    let mut at = statement.code()?.start - start;
    let mut output = String::new();
    for place in places {
        output.push_str(text.get(at..place.start - start)?);
        output.push_str(name);
        at = place.end - start;
    }
    output.push_str(text.get(at..)?);
    Some(output)
}

/// The labels of a text, with a new name for one label.
struct Renamed<'l> {
    labels: &'l dyn Labels,
    old: &'l str,
    new: &'l str,
}

impl Labels for Renamed<'_> {
    fn address(&self, name: &str) -> Option<u64> {
        match name {
            name if name == self.new => self.labels.address(self.old),
            name if name == self.old => None,
            name => self.labels.address(name),
        }
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }

    fn constant(&self, name: &str) -> Option<i128> {
        match name {
            name if name == self.new => self.labels.constant(self.old),
            name if name == self.old => None,
            name => self.labels.constant(name),
        }
    }
}

/// Returns the labels and constants of a text for its outline.
pub(super) fn symbols(document: &Document, encoding: Encoding) -> Value {
    let symbol = |name: &str, range: &Range<usize>, kind: u8, detail: String| {
        let range = document.lines.range(document.text(), range, encoding);
        json!({
            "name": name,
            "detail": detail,
            "kind": kind,
            "range": range,
            "selectionRange": range,
        })
    };
    let all = document.draft.statements().flat_map(|statement| {
        let address = format!("{:#x}", statement.address());
        let labels = statement.labels();
        let labels =
            labels.map(move |(name, range)| symbol(name, &range, kind::FUNCTION, address.clone()));
        let constant = statement.constant().map(|(name, range)| {
            let number = document.draft.labels().constant(name);
            let number = number.map_or_else(String::new, |number| number.to_string());
            symbol(name, &range, kind::CONSTANT, number)
        });
        labels.chain(constant)
    });
    all.collect()
}

/// The symbol kinds of the protocol.
mod kind {
    pub(super) const FUNCTION: u8 = 12;
    pub(super) const CONSTANT: u8 = 14;
}
