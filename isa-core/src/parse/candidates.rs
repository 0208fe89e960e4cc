//! Parses a statement with several opcodes, and keeps the error that is furthest in the text.

use crate::table::{AT_ONCE, Candidates, Opcode};
use core::cmp::Ordering;

use super::template::{Statement, TemplateParser};
use crate::IS_SMALL;
use crate::error::ParseError;
use crate::text::Cursor;

impl Candidates {
    /// Parses a statement with the candidates, one syntax after another. Returns the index of the first
    /// candidate that accepts the statement, and the word. If no candidate accepts it, adds all errors
    /// to `furthest`.
    pub(crate) fn read(
        self,
        cursor: &mut Cursor<'_>,
        statement: &Statement,
        furthest: &mut Furthest,
    ) -> Option<(usize, u128)> {
        let mut rest = self;
        while let Some(first) = rest.first() {
            let all = rest.with_syntax(first.syntax);
            rest = rest.without(all);
            let mut live = all;
            while !live.is_empty() {
                let mut walk = TemplateParser::new(cursor, statement, first.syntax, all, live);
                match walk.run() {
                    Ok(read) => return Some(read),
                    Err(error) => {
                        live = walk.deferred();
                        furthest.add(error, walk.live());
                    }
                }
            }
        }
        None
    }
}

impl Opcode {
    /// Finds a row that takes precedence over this row and accepts the same statement. Returns the row
    /// that it finds and its word, and moves the cursor to the end of the statement. The precedence is
    /// transitive: other rows may take precedence over the row that was found. Rows with a different
    /// mnemonic are skipped, because they cannot accept the statement.
    #[cold]
    pub(crate) fn read_first(
        &self,
        cursor: &mut Cursor<'_>,
        statement: &Statement,
    ) -> Option<(&'static Opcode, u128)> {
        let (mut after, mut first, mut end) = (self.after, None, cursor.position());
        while let Some((row, word)) = after.chunks(AT_ONCE).find_map(|rows| {
            let rows_of_it = Candidates::of(rows).filtered(|row| self.has_mnemonic_of(row));
            let (place, word) = rows_of_it.read(cursor, statement, &mut Furthest::default())?;
            Some((*rows.get(place)?, word))
        }) {
            (first, end, after) = (Some((row, word)), cursor.position(), row.after);
        }
        cursor.seek(end);
        first
    }

    /// Returns whether two rows have the same mnemonic. The comparison ignores letter case, because
    /// some sets accept any letter case.
    pub(crate) fn has_mnemonic_of(&self, other: &Opcode) -> bool {
        self.syntax.mnemonic.eq_ignore_ascii_case(other.syntax.mnemonic)
    }
}

/// The furthest error of several parses, and the opcodes that match the text up to its position.
#[derive(Default)]
pub(crate) struct Furthest {
    error: Option<ParseError>,
    opcodes: Option<Candidates>,
    /// Whether the opcodes have different errors at this position.
    differs: bool,
}

impl Furthest {
    #[cold]
    fn add(&mut self, error: ParseError, opcodes: Candidates) {
        let order = match &self.error {
            Some(known) => known.reach.cmp(&error.reach).then_with(|| known.compared(&error)),
            None => Ordering::Less,
        };
        match (order, self.opcodes) {
            (Ordering::Greater, _) => {}
            (Ordering::Equal, Some(others)) => {
                self.differs |=
                    !IS_SMALL && self.error.as_ref().is_some_and(|known| !known.is_like(&error));
                if others.is_comparable(opcodes) {
                    self.opcodes = Some(others.with(opcodes));
                }
            }
            _ => *self = Furthest { error: Some(error), opcodes: Some(opcodes), differs: false },
        }
    }

    /// Returns the error. If the opcodes have different errors, returns an error that lists the forms
    /// of the opcodes.
    pub(crate) fn into_error(self) -> Option<ParseError> {
        let error = self.error?;
        // Small builds do not contain the message that lists all forms.
        match self.opcodes.filter(|_| !IS_SMALL && self.differs) {
            Some(opcodes) => Some(error.of_forms(opcodes)),
            None => Some(error),
        }
    }
}
