//! Completions at a position.

use isa_core::asm::{Completion, Meaning};
use isa_core::explain::{opcode_markdown, syntax};
use isa_core::table::{InstructionSet, Mnemonic, Opcode};
use isa_core::text::InstructionContext;
use serde_json::{Value, json};

use super::document::Document;
use super::lexer::TokenKind;
use super::position::Encoding;

/// The maximum number of items in an answer.
const MOST: usize = 1000;

/// The completion item kinds of the protocol.
mod kind {
    pub(super) const VARIABLE: u8 = 6;
    pub(super) const KEYWORD: u8 = 14;
    pub(super) const REFERENCE: u8 = 18;
    pub(super) const ENUM_MEMBER: u8 = 20;
    pub(super) const CONSTANT: u8 = 21;
    pub(super) const FUNCTION: u8 = 3;
}

/// Returns the completions at a position.
pub(super) fn at(document: &Document, at: usize, encoding: Encoding) -> Value {
    let set = document.draft.set();
    let Some(found) = find(document, at) else {
        return json!({ "isIncomplete": false, "items": [] });
    };
    let is_incomplete = found.len() > MOST;
    let items = found.iter().take(MOST).map(|(start, completion)| {
        let range = document.lines.range(document.text(), &(*start..at), encoding);
        item(set, completion, &range)
    });
    json!({ "isIncomplete": is_incomplete, "items": items.collect::<Vec<_>>() })
}

/// Returns the completions, each with the start of the text that it replaces. Returns `None` in
/// comments.
fn find(document: &Document, at: usize) -> Option<Vec<(usize, Completion)>> {
    let set = document.draft.set();
    let is_program = document.draft.is_program();
    let statement = document.draft.statement_at(at);
    let Some(statement) = statement.filter(|it| !it.is_terminated() || at < it.span().end) else {
        let labels = document.draft.labels();
        let site = InstructionContext::new(0, labels);
        let found = set.completions("", Some(&site).filter(|_| is_program), []);
        return Some(found.into_iter().map(|found| (at, found)).collect());
    };
    let in_comment = document.tokens(&statement).any(|token| {
        let is_open = match document.text().get(token.span.clone()).unwrap_or_default() {
            text if text.starts_with("/*") => !text.ends_with("*/") && at >= token.span.end,
            _ => at == token.span.end,
        };
        token.kind == TokenKind::Comment
            && token.span.start < at
            && (at < token.span.end || is_open)
    });
    if in_comment {
        return None;
    }
    let start = statement.code().map_or(at, |code| code.start).min(at);
    let offset = statement.span().start;
    let text = statement.read_as().get(start - offset..at - offset)?;
    let site = statement.context();
    let labels = statement.all_labels();
    let constants = labels.constants().map(|(name, _)| name);
    let names = labels.iter().map(|(name, _)| name).chain(constants);
    let found = set.completions(text, Some(&site).filter(|_| is_program), names);
    Some(found.into_iter().map(|found| (start + found.start, found)).collect())
}

fn item(set: &InstructionSet, completion: &Completion, range: &Value) -> Value {
    let text = &completion.text;
    let (kind, detail, documentation) = match completion.meaning {
        Meaning::Mnemonic(mnemonic) => {
            let opcode = first(set, mnemonic);
            let documentation = opcode
                .map(|opcode| json!({ "kind": "markdown", "value": opcode_markdown(opcode) }));
            (kind::FUNCTION, opcode.map(syntax).unwrap_or_default(), documentation)
        }
        Meaning::Modifier(field, value) => {
            (kind::ENUM_MEMBER, field.kind.name.to_owned(), doc(value.doc))
        }
        Meaning::Operand(field) => {
            (kind::VARIABLE, field.kind.name.to_owned(), doc(field.kind.doc))
        }
        Meaning::Label(address) => (kind::REFERENCE, format!("{address:#x}"), None),
        Meaning::Constant(number) => (kind::CONSTANT, number.to_string(), None),
        _ => (kind::KEYWORD, "directive".to_owned(), None),
    };
    let mut item = json!({
        "label": text,
        "kind": kind,
        "detail": detail,
        "textEdit": { "range": range, "newText": text },
    });
    if let Some(documentation) = documentation {
        item["documentation"] = documentation;
    }
    item
}

/// Returns the first opcode of a mnemonic.
pub(super) fn first(set: &InstructionSet, mnemonic: &Mnemonic) -> Option<&'static Opcode> {
    let number = mnemonic.opcodes.first()?;
    set.spellings.get(usize::from(*number)).copied()
}

fn doc(doc: &str) -> Option<Value> {
    let doc = doc.trim();
    (!doc.is_empty()).then(|| json!({ "kind": "markdown", "value": doc }))
}
