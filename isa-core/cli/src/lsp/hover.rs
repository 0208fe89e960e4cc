//! Shows the documentation of a statement's instruction, and the bits of its word.

use core::ops::Range;

use isa_core::asm::Statement;
use isa_core::explain::opcode_markdown;
use isa_core::text::Labels as _;
use serde_json::{Value, json};

use super::document::Document;
use super::labels;
use super::position::Encoding;

/// The maximum number of opcodes that are shown for a mnemonic if its opcode is ambiguous.
const MOST: usize = 6;

/// Returns the information about a position, or null if there is none.
pub(super) fn at(document: &Document, at: usize, encoding: Encoding) -> Value {
    let found = label(document, at).or_else(|| instruction(document, at));
    found.map_or(Value::Null, |(range, text)| {
        json!({
            "contents": { "kind": "markdown", "value": text },
            "range": document.lines.range(document.text(), &range, encoding),
        })
    })
}

/// Returns a label with its address and line, or a constant with its value.
fn label(document: &Document, at: usize) -> Option<(Range<usize>, String)> {
    let (name, range) = labels::at(document, at)?;
    let labels = document.draft.labels();
    let value = match labels.constant(&name) {
        Some(number) => number.to_string(),
        None => format!("{:#x}", labels.address(&name)?),
    };
    let mut text = format!("`{name}` = `{value}`");
    if let Some(definition) = labels::definitions(document, &name).next() {
        let line = document.lines.number(definition.start) + 1;
        text.push_str(&format!(", defined on line {line}"));
    }
    Some((range, text))
}

fn instruction(document: &Document, at: usize) -> Option<(Range<usize>, String)> {
    let statement = document.draft.statement_at(at)?;
    let code = statement.code().filter(|code| code.contains(&at))?;
    let code = code.start..document.code_end(&statement)?;
    if !(code.start..code.end + 1).contains(&at) {
        return None;
    }
    let set = document.draft.set();
    if let Some((opcode, word)) = statement.instruction() {
        let mut explanation = set.explain(word);
        explanation.opcode = Some(opcode);
        return Some((code, explanation.markdown()));
    }
    let text = document.text().get(code.clone())?;
    let (mnemonic, _) = set.mnemonic_in(text)?;
    let numbers = mnemonic.opcodes.iter().map(|&number| usize::from(number));
    let opcodes = numbers.filter_map(|number| set.spellings.get(number).copied());
    let pages: Vec<_> = opcodes.take(MOST).map(opcode_markdown).collect();
    let more = mnemonic.opcodes.len().saturating_sub(MOST);
    let mut text = pages.join("\n---\n\n");
    if more > 0 {
        text.push_str(&format!("\n---\n\nand {more} more\n"));
    }
    Some((code, text))
}

impl Document {
    /// Returns the end of the last token of a statement before its terminator, or `None` if it has
    /// no token.
    pub(super) fn code_end(&self, statement: &Statement<'_>) -> Option<usize> {
        let code = statement.code()?;
        let tokens = self.tokens(statement).filter(|token| {
            use super::lexer::TokenKind::{Comment, Sign};
            code.contains(&token.span.start) && !matches!(token.kind, Comment | Sign(';'))
        });
        tokens.last().map(|token| token.span.end)
    }
}
