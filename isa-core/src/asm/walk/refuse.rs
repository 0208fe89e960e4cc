//! Whether a row does not take a statement, found out without a walk.

use crate::asm::Cursor;
use crate::table::{Item, Opcode, Slot, Syntax};

impl Opcode {
    /// Whether none of the rows that are read before this one takes a statement with its mnemonic,
    /// behind which the cursor is, as far as that is seen without a walk. `false` says nothing.
    // A walk narrows down many opcodes and says what is wrong, which takes twice the instructions.
    #[cold]
    #[inline(never)]
    pub(in crate::asm) fn is_refused_before(&self, cursor: &Cursor<'_>) -> bool {
        self.after.iter().all(|row| !self.has_mnemonic_of(row) || row.refuses(cursor.clone()))
    }

    /// Whether one of the fixed texts or operands behind the mnemonic, where the cursor is, is not
    /// there. Only templates without marks, modifiers and optional parts are looked at, and only
    /// operands whose text depends on no other field.
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
