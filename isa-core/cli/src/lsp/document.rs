//! An open text.

use core::ops::Range;

use isa_core::asm::{Draft, Statement};
use serde_json::Value;

use super::super::program::{Whole, assembler};
use super::super::tool::Profile;
use super::lexer::{self, Token};
use super::position::{Encoding, Lines};

/// An open text with all that is known about it.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) draft: Draft,
    pub(super) lines: Lines,
    pub(super) version: Option<i64>,
    /// What begins a comment besides `//`, where there is such a sign.
    pub(super) sign: &'static str,
}

impl Document {
    pub(super) fn new(profile: &Profile, text: String, version: Option<i64>) -> Self {
        let lines = Lines::of(&text);
        // As `asm` reads it.
        let draft = match Whole::is_needed(profile) {
            true => Draft::new(assembler(profile, None), text),
            false => Draft::of_statements(profile.set.0, text),
        };
        Document { draft, lines, version, sign: profile.comment.unwrap_or_default() }
    }

    pub(super) fn text(&self) -> &str {
        self.draft.text()
    }

    pub(super) fn edit(&mut self, range: Range<usize>, new: &str) {
        self.draft.edit(range.clone(), new);
        self.lines.edit(self.draft.text(), &range, new.len());
    }

    /// A range of the protocol in bytes.
    pub(super) fn range(&self, range: &Value, encoding: Encoding) -> Option<Range<usize>> {
        let start = self.lines.byte(self.text(), &range["start"], encoding)?;
        let end = self.lines.byte(self.text(), &range["end"], encoding)?;
        Some(start..end.max(start))
    }

    /// The tokens of a statement, comments included.
    pub(super) fn tokens(&self, statement: &Statement<'_>) -> impl Iterator<Item = Token> {
        lexer::tokens(self.text(), statement.span(), self.sign)
    }
}
