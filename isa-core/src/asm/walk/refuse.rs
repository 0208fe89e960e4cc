//! A fast check that an opcode rejects a statement.

use crate::asm::Cursor;
use crate::table::{Item, Opcode, Slot, Syntax};

impl Opcode {
    /// Returns true if none of the rows that take precedence over this one accepts a statement with
    /// its mnemonic; the cursor is after the mnemonic. If the result is false, a row may accept the
    /// statement or not.
    // The template interpreter narrows down many opcodes and reports errors, which takes twice the
    // instructions.
    #[cold]
    #[inline(never)]
    pub(in crate::asm) fn is_refused_before(&self, cursor: &Cursor<'_>) -> bool {
        self.after.iter().all(|row| !self.has_mnemonic_of(row) || row.refuses(cursor.clone()))
    }

    /// Returns whether a literal or operand after the mnemonic, where the cursor is, is missing.
    /// Checks only templates without affixes, modifiers and optional groups, and only operands
    /// whose text depends on no other field.
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
