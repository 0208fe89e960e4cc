//! Classifies tokens for syntax highlighting.

use core::ops::Range;

use isa_core::asm::{DIRECTIVES, Statement};
use serde_json::{Value, json};

use super::document::Document;
use super::lexer::{Token, TokenKind};
use super::position::Encoding;
use isa_export::vocabulary::Vocabulary;

/// The token types, by their names in the protocol.
pub(super) const TYPES: [&str; 9] = [
    "comment",
    "label",
    "keyword",
    "modifier",
    "variable",
    "enumMember",
    "number",
    "macro",
    "string",
];

/// The token modifiers.
pub(super) const MODIFIERS: [&str; 1] = ["definition"];

/// Indexes into [`TYPES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Comment = 0,
    Label = 1,
    Mnemonic = 2,
    Modifier = 3,
    Register = 4,
    Value = 5,
    Number = 6,
    Directive = 7,
    Text = 8,
}

/// Returns the type of a word that is not part of another token.
fn of_word(vocabulary: &Vocabulary, word: &str, any_case: bool) -> Option<Type> {
    let has = |word: &str| {
        let register = vocabulary.operands.contains(word).then_some(Type::Register);
        register.or_else(|| vocabulary.values.contains(word).then_some(Type::Value))
    };
    let folded = || any_case.then(|| has(&word.to_ascii_lowercase())).flatten();
    has(word).or_else(folded).or_else(|| has(&word.to_ascii_uppercase()).filter(|_| any_case))
}

/// Returns the tokens of a range in the numeric encoding of the protocol.
pub(super) fn of(
    document: &Document,
    range: Range<usize>,
    vocabulary: &Vocabulary,
    encoding: Encoding,
) -> Value {
    let mut output = TokenEncoder { document, encoding, last: (0, 0), data: Vec::new() };
    for statement in document.draft.statements_in(range.clone()) {
        of_statement(&statement, vocabulary, &mut output, &range);
    }
    json!({ "data": output.data })
}

fn of_statement(
    statement: &Statement<'_>,
    vocabulary: &Vocabulary,
    output: &mut TokenEncoder<'_>,
    range: &Range<usize>,
) {
    let document = output.document;
    let text = document.text();
    let code = statement.code();
    let mnemonic = code.clone().and_then(|code| {
        let (_, place) = document.draft.set().mnemonic_in(text.get(code.clone())?)?;
        Some(place.start + code.start..place.end + code.start)
    });
    let (references, labels) = (statement.references(), statement.labels());
    let mut named: Vec<_> = references.into_iter().map(|place| (place, Type::Label, 0)).collect();
    named.extend(labels.chain(statement.constant()).map(|(_, place)| (place, Type::Label, 1)));
    named.extend(statement.section().map(|place| (place, Type::Label, 0)));
    named.extend(mnemonic.map(|place| (place, Type::Mnemonic, 0)));
    let mut behind = None;
    for token in document.tokens(statement) {
        if token.span.end <= range.start || token.span.start >= range.end {
            behind = Some(token);
            continue;
        }
        let found = named.iter().find(|(place, ..)| place.contains(&token.span.start));
        match found {
            // A name can consist of several tokens. Its whole range is added at the first of them.
            Some((place, kind, modifier)) if place.start == token.span.start => {
                output.push(place.clone(), *kind, *modifier);
            }
            Some(_) => {}
            None => {
                if let Some((place, kind)) = of_token(&token, behind.as_ref(), document, vocabulary)
                {
                    output.push(place, kind, 0);
                }
            }
        }
        behind = Some(token);
    }
}

/// Returns the type of a token that is neither a label nor a mnemonic.
fn of_token(
    token: &Token,
    behind: Option<&Token>,
    document: &Document,
    vocabulary: &Vocabulary,
) -> Option<(Range<usize>, Type)> {
    let dot =
        behind.filter(|it| it.kind == TokenKind::Sign('.') && it.span.end == token.span.start);
    let any_case = document.draft.set().any_case;
    let word = document.text().get(token.span.clone())?;
    match (token.kind, dot) {
        (TokenKind::Comment, _) => Some((token.span.clone(), Type::Comment)),
        (TokenKind::Text, _) => Some((token.span.clone(), Type::Text)),
        (TokenKind::Word | TokenKind::Number, Some(dot)) => {
            let dotted = dot.span.start..token.span.end;
            let name = document.text().get(dotted.clone())?;
            Some(match DIRECTIVES.contains(&name) {
                true => (dotted, Type::Directive),
                false => (token.span.clone(), Type::Modifier),
            })
        }
        (TokenKind::Number, None) => Some((token.span.clone(), Type::Number)),
        (TokenKind::Word, None) => Some((token.span.clone(), of_word(vocabulary, word, any_case)?)),
        (TokenKind::Sign(_), _) => None,
    }
}

/// Encoded tokens. Each position is relative to the token before it.
struct TokenEncoder<'d> {
    document: &'d Document,
    encoding: Encoding,
    last: (usize, usize),
    data: Vec<usize>,
}

impl TokenEncoder<'_> {
    /// Appends a token. A token that extends over several lines is split.
    fn push(&mut self, range: Range<usize>, kind: Type, modifier: usize) {
        let text = self.document.text();
        let mut start = range.start;
        while start < range.end {
            let number = self.document.lines.number(start);
            let end = self.document.lines.span(number, text).end.min(range.end);
            let piece = text.get(start..end).unwrap_or_default().trim_end_matches(['\r', '\n']);
            let length = self.encoding.len(piece);
            if length > 0 {
                let (line, column) = self.document.lines.position(text, start, self.encoding);
                let (last_line, last_column) = self.last;
                let from = if line == last_line { last_column } else { 0 };
                let kind = kind as usize;
                self.data.extend([line - last_line, column - from, length, kind, modifier]);
                self.last = (line, column);
            }
            start = end.max(start + 1);
        }
    }
}
