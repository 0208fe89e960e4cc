//! A text that is open in the editor.

use core::ops::Range;

use isa_core::asm::{Draft, Statement};
use serde_json::Value;

use super::lexer::{self, Token};
use super::position::{Encoding, LineIndex};
use crate::profile::Profile;
use crate::program::{assembler, needs_all_text};

/// An open text with all information about it.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) draft: Draft,
    pub(super) lines: LineIndex,
    pub(super) version: Option<i64>,
    /// The sign that begins a comment in addition to `//`, or empty.
    pub(super) sign: &'static str,
}

impl Document {
    pub(super) fn new(profile: &Profile, text: String, version: Option<i64>) -> Self {
        let lines = LineIndex::of(&text);
        // The text is parsed in the same way as by `asm`.
        let draft = match needs_all_text(profile) {
            true => Draft::new(assembler(profile, None), text),
            false => Draft::of_statements(profile.set.tables, text),
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

    /// Converts a range of the protocol to bytes.
    pub(super) fn range(&self, range: &Value, encoding: Encoding) -> Option<Range<usize>> {
        let start = self.lines.byte(self.text(), &range["start"], encoding)?;
        let end = self.lines.byte(self.text(), &range["end"], encoding)?;
        Some(start..end.max(start))
    }

    /// Returns the tokens of a statement, including comments.
    pub(super) fn tokens(&self, statement: &Statement<'_>) -> impl Iterator<Item = Token> {
        lexer::tokens(self.text(), statement.span(), self.sign)
    }
}
