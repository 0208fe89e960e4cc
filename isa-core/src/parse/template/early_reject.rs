//! A fast check that an opcode rejects a statement.

use crate::table::{Item, Opcode, Slot, Syntax};
use crate::text::Cursor;

impl Opcode {
    /// Returns true if no row that takes precedence over this row accepts the statement. The statement
    /// has the mnemonic of this row, and the cursor is after the mnemonic. If the result is false, it
    /// is not known whether a row accepts the statement.
    // The template interpreter would give the same answer with twice as many processor instructions,
    // because it narrows down many opcodes and reports errors.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_refused_before(&self, cursor: &Cursor<'_>) -> bool {
        self.after.iter().all(|row| !self.has_mnemonic_of(row) || row.refuses(cursor.clone()))
    }

    /// Returns whether a literal or an operand of the template is missing. The cursor is after the
    /// mnemonic. Returns false for templates that have prefix or suffix operators, modifiers or
    /// optional groups, and for operands whose text depends on other fields.
    #[inline(always)]
    fn refuses(&self, mut cursor: Cursor<'_>) -> bool {
        let Syntax { before: [], modifiers: [], after, .. } = self.syntax else {
            return false;
        };
        for item in *after {
            let is_there = match item {
                Item::Text(text) => cursor.eat_text(text),
                Item::Slot(Slot { symbol, affixes: [], suffixes: [] }) => {
                    let Some((index, field)) = self.bound(*symbol) else { return false };
                    let mut formats = self.formats.iter();
                    let text = match formats.find(|format| usize::from(format.field) == index) {
                        Some(format) if format.args.is_empty() => format.text,
                        Some(_) => return false,
                        None => match field.kind.text {
                            Some(text) => text,
                            None => return false,
                        },
                    };
                    cursor.skip_trivia();
                    text.looks_like(&cursor) && (text.read)(&mut cursor, &[]).is_ok()
                }
                _ => return false,
            };
            if !is_there {
                return true;
            }
        }
        false
    }
}
