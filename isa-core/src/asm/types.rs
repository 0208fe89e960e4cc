//! The directive `.type`: what a label is for a linker.

use super::cursor::{Cursor, begins_name};
use crate::error::ParseError;

/// What a label is for a linker: `.type main, %function;`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolType {
    /// A place, of which nothing is said: `%notype`, and labels without a line.
    None,
    /// Code that is called: `%function`.
    Function,
    /// Data: `%object`.
    Object,
}

/// The words for each, which stand behind `@` or `%`.
const WORDS: [(&str, SymbolType); 3] = [
    ("function", SymbolType::Function),
    ("object", SymbolType::Object),
    ("notype", SymbolType::None),
];

/// Reads what stands behind the directive. A label that the program does not have is no mistake: another
/// object may have it.
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
        return wrong(cursor, start, "expected the name of a label");
    }
    if let Some(site) = cursor.site() {
        // Editors learn by this that the label is named here.
        let _ = site.labels.address(name);
    }
    let behind = cursor.position();
    if !cursor.eat(b',') {
        return wrong(cursor, behind, "expected `,` behind the label");
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
        false => wrong(cursor, behind, "expected `;` behind the type"),
    }
}
