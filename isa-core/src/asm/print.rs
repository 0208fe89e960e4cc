//! From a word to assembly text.

use super::Line;
use crate::table::{ABSENT, Affix, Field, Init, Item, Opcode, Slot};

/// The most fields that one text format may depend on.
pub const MAX_ARGS: usize = 8;

impl Opcode {
    /// Appends an instruction in its canonical form. The word is one that [`Opcode::check`]
    /// accepts; of another word the text shows what it can.
    #[inline]
    pub fn print(&self, word: u128, line: &mut Line) {
        self.print_items(self.syntax.before, word, line);
        line.push_str(self.syntax.mnemonic);
        for modifier in self.syntax.modifiers {
            if let Some((index, field)) = self.bound(modifier.symbol)
                && !(modifier.optional && at_default(field, word))
                && modifier.only.is_none_or(|only| only == field.get(word))
            {
                line.push(b'.');
                self.print_field(index, word, line);
            }
        }
        self.print_items(self.syntax.after, word, line);
    }

    /// The field that a symbol of the syntax stands for, with its index.
    #[inline]
    pub(crate) fn bound(&self, symbol: u8) -> Option<(usize, &'static Field)> {
        let index = *self.bind.get(usize::from(symbol))?;
        if index == ABSENT {
            return None;
        }
        let field = self.fields.get(usize::from(index))?;
        Some((index.into(), field))
    }

    fn print_items(&self, items: &'static [Item], word: u128, line: &mut Line) {
        for item in items {
            match item {
                Item::Text(text) => line.push_str(text),
                Item::Slot(slot) => self.print_slot(slot, word, line),
                Item::Optional(items) => {
                    if !self.all_default(items, word) {
                        self.print_items(items, word, line);
                    }
                }
                Item::Tags(symbols) => self.print_dotted(b' ', symbols, word, line),
            }
        }
    }

    /// Appends those of `symbols` that differ from their defaults, each behind `mark`.
    fn print_dotted(&self, mark: u8, symbols: &'static [u8], word: u128, line: &mut Line) {
        for &symbol in symbols {
            if let Some((index, field)) = self.bound(symbol)
                && !at_default(field, word)
            {
                line.push(mark);
                self.print_field(index, word, line);
            }
        }
    }

    fn print_slot(&self, slot: &'static Slot, word: u128, line: &mut Line) {
        let Some((index, _)) = self.bound(slot.symbol) else {
            return;
        };
        for affix in slot.affixes {
            if self.is_marked(affix, word) {
                line.push_str(affix.open);
            }
        }
        self.print_field(index, word, line);
        self.print_dotted(b'.', slot.suffixes, word, line);
        for affix in slot.affixes.iter().rev() {
            if !affix.close.is_empty() && self.is_marked(affix, word) {
                line.push_str(affix.close);
            }
        }
    }

    #[inline]
    fn is_marked(&self, affix: &Affix, word: u128) -> bool {
        let field = self.bound(affix.symbol);
        field.is_some_and(|(_, field)| field.get(word) == affix.present)
    }

    /// Appends the value of a field: by its format, by its kind, or by its name.
    pub(crate) fn print_field(&self, index: usize, word: u128, line: &mut Line) {
        let Some(field) = self.fields.get(index) else {
            return;
        };
        let raw = field.get(word);
        let mut formats = self.formats.iter();
        if let Some(format) = formats.find(|format| usize::from(format.field) == index) {
            let mut args = [0; MAX_ARGS];
            for (arg, &field) in args.iter_mut().zip(format.args) {
                *arg = self.fields.get(usize::from(field)).map_or(0, |field| field.get(word));
            }
            (format.text.write)(raw, &args[..format.args.len().min(MAX_ARGS)], line);
        } else if let Some(text) = field.kind.text {
            (text.write)(raw, &[], line);
        } else if let Some(value) = field.kind.value(raw) {
            line.push_str(value.name);
        } else {
            line.push_str("0x");
            line.push_hex(raw.into(), 1);
        }
    }

    /// Whether every field in a part of the template has its default, so that it is left out.
    fn all_default(&self, items: &'static [Item], word: u128) -> bool {
        items.iter().all(|item| match item {
            Item::Text(_) => true,
            Item::Optional(items) => self.all_default(items, word),
            Item::Tags(symbols) => self.symbols_default(symbols, word),
            Item::Slot(slot) => {
                let mut affixes = slot.affixes.iter();
                self.symbols_default(&[slot.symbol], word)
                    && affixes.all(|affix| self.symbols_default(&[affix.symbol], word))
                    && self.symbols_default(slot.suffixes, word)
            }
        })
    }

    fn symbols_default(&self, symbols: &[u8], word: u128) -> bool {
        let mut fields = symbols.iter().filter_map(|&symbol| self.bound(symbol));
        fields.all(|(_, field)| at_default(field, word))
    }
}

/// Whether assembly text may leave the field's value out.
#[inline]
fn at_default(field: &Field, word: u128) -> bool {
    matches!(field.init, Init::Default(value) if value == field.get(word))
}

/// Appends a word that is no instruction, as the directive that assembles to just these bits.
///
/// ```
/// use isa_core::asm::{Line, print_word};
///
/// let mut line = Line::new();
/// print_word(0xabc, 16, &mut line);
/// assert_eq!(line.as_str(), ".word 0x0abc;");
/// ```
pub fn print_word(word: u128, bits: u8, line: &mut Line) {
    line.push_str(".word 0x");
    line.push_hex(word, u32::from(bits).div_ceil(4));
    line.push(b';');
}
