//! The directive `.type`: the type of a label for a linker.

use super::globals::LABEL_EXPECTED;
use crate::error::ParseError;
use crate::text::{Cursor, begins_name};

/// The type of a label for a linker: `.type main, %function;`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolType {
    /// An address without a type: `%notype`, and labels without a `.type` line.
    None,
    /// Code that is called: `%function`.
    Function,
    /// Data: `%object`.
    Object,
}

/// The word for each type, which follows `@` or `%`.
const WORDS: [(&str, SymbolType); 3] = [
    ("function", SymbolType::Function),
    ("object", SymbolType::Object),
    ("notype", SymbolType::None),
];

/// Parses the rest of the directive. A label that the program does not define is not an error,
/// because another object may define it.
pub(super) fn read<'t>(cursor: &mut Cursor<'t>) -> Result<(&'t str, SymbolType), ParseError> {
    cursor.skip_trivia();
    let start = cursor.position();
    let is_name = begins_name(cursor.rest());
    let name = cursor.name();
    let wrong = |cursor: &mut Cursor<'t>, at, message| {
        cursor.seek(at);
        let fault = cursor.fault(at, message);
        Err(ParseError::fault(cursor, fault))
    };
    if !is_name || name == "." {
        return wrong(cursor, start, LABEL_EXPECTED);
    }
    if let Some(site) = cursor.context() {
        // This lookup records for editors that the label is used here.
        let _ = site.labels.address(name);
    }
    let behind = cursor.position();
    if !cursor.eat(b',') {
        return wrong(cursor, behind, "expected `,` after the label");
    }
    cursor.skip_trivia();
    let start = cursor.position();
    let has_sign = cursor.eat(b'%') || cursor.eat(b'@');
    let word = cursor.word();
    let found = WORDS.iter().find(|(known, _)| has_sign && *known == word);
    let Some(&(_, found)) = found else {
        return wrong(cursor, start, "expected `%function`, `%object` or `%notype`");
    };
    let behind = cursor.position();
    match cursor.eat(b';') {
        true => Ok((name, found)),
        false => wrong(cursor, behind, "expected `;` after the type"),
    }
}
