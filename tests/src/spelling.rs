//! Other ways to write an instruction that mean the same.
//!
//! Written from the syntax templates alone, apart from the printer: modifiers in any order,
//! defaults spelled out or not, half-selects inside or behind the bars, and white space and
//! comments wherever the language allows them.

use isa_core::asm::Line;
use isa_core::table::{Field, Init, Item, Modifier, Opcode, Slot};

use crate::model::value;
use crate::random::Random;

/// One random spelling of a legal word.
#[must_use]
pub fn spell(opcode: &'static Opcode, word: u128, random: &mut Random) -> String {
    let mut speller = Speller { opcode, word, random, text: String::new() };
    speller.items(opcode.syntax.before);
    speller.token(opcode.syntax.mnemonic);
    speller.modifiers();
    speller.items(opcode.syntax.after);
    speller.gap();
    speller.text
}

struct Speller<'r> {
    opcode: &'static Opcode,
    word: u128,
    random: &'r mut Random,
    text: String,
}

/// What may stand between two tokens.
const GAPS: [&str; 10] = [
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "/**/",
    "/* ; HADD2 \u{e9}\n*/",
    "// .word 1; /* \u{1f600}\n",
    " /*/ . */ ",
    "\x0b\x0c",
];

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Speller<'_> {
    fn coin(&mut self) -> bool {
        self.random.below(2) == 0
    }

    /// Free space, mostly none.
    fn gap(&mut self) {
        if self.random.below(4) == 0 {
            let gap: &&str = self.random.pick(&GAPS);
            self.text.push_str(gap);
        }
    }

    /// A token, with a gap before it where the text would run together without.
    fn token(&mut self, token: &str) {
        self.gap();
        let last = self.text.bytes().last().is_some_and(is_word);
        if last && token.bytes().next().is_some_and(is_word) {
            let gap: &&str = self.random.pick(&GAPS);
            self.text.push_str(gap);
        }
        self.text.push_str(token);
    }

    /// An operand, with gaps around its brackets, braces and commas.
    fn operand(&mut self, text: &str) {
        const MARKS: &[u8] = b"[]{},&=";
        let mut token = String::new();
        for char in text.chars() {
            if char == ' ' || char.is_ascii() && MARKS.contains(&(char as u8)) {
                if !token.is_empty() {
                    self.token(&core::mem::take(&mut token));
                }
                if char != ' ' {
                    self.token(&char.to_string());
                }
            } else {
                token.push(char);
            }
        }
        if !token.is_empty() {
            self.token(&token);
        }
    }

    fn items(&mut self, items: &'static [Item]) {
        for item in items {
            match item {
                Item::Text(text) => {
                    for char in text.chars().filter(|char| *char != ' ') {
                        self.token(&char.to_string());
                    }
                }
                Item::Slot(slot) => self.slot(slot),
                Item::Optional(items) => {
                    if !self.is_default(items) || self.coin() {
                        self.items(items);
                    }
                }
                Item::Tags(symbols) => {
                    let fields: Vec<usize> =
                        symbols.iter().filter_map(|&symbol| self.bound(symbol)).collect();
                    for index in self.shuffled(fields) {
                        if !self.has_default(index) || self.coin() {
                            let text = self.value(index);
                            self.operand(&text);
                        }
                    }
                }
            }
        }
    }

    fn slot(&mut self, slot: &'static Slot) {
        let Some(index) = self.bound(slot.symbol) else {
            return;
        };
        let marked: Vec<_> = slot
            .affixes
            .iter()
            .filter(|affix| {
                let field = self.bound(affix.symbol);
                field.is_some_and(|index| self.raw(index) == affix.present)
            })
            .collect();
        marked.iter().for_each(|affix| self.operand(affix.open));
        let text = self.value(index);
        self.operand(&text);
        let closes = marked.iter().rev().filter(|affix| !affix.close.is_empty());
        let inside = self.coin() || closes.clone().next().is_none();
        if inside {
            self.suffixes(slot);
        }
        closes.for_each(|affix| self.operand(affix.close));
        if !inside {
            self.suffixes(slot);
        }
    }

    fn suffixes(&mut self, slot: &'static Slot) {
        let suffixes = slot.suffixes.iter();
        let parts = suffixes.filter_map(|&symbol| {
            Some(Part { index: self.bound(symbol)?, optional: true, only: None })
        });
        let parts = parts.collect();
        self.dotted(parts);
    }

    fn modifiers(&mut self) {
        let modifiers = self.opcode.syntax.modifiers.iter();
        let parts = modifiers.filter_map(|&Modifier { symbol, optional, only }| {
            Some(Part { index: self.bound(symbol)?, optional, only })
        });
        let parts = parts.collect();
        self.dotted(parts);
    }

    /// Writes those parts that must be written, and some of the others, in any order that keeps
    /// apart what could be taken for each other.
    fn dotted(&mut self, parts: Vec<Part>) {
        let mut written = Vec::new();
        let mut keep = vec![false; parts.len()];
        for (place, part) in parts.iter().enumerate().rev() {
            let can = part.only.is_none_or(|only| only == self.raw(part.index));
            let must = !(part.optional && self.has_default(part.index));
            // A later part of the same name would be read as this one.
            let mut later = parts.iter().zip(&keep).skip(place + 1);
            let needed = later.any(|(other, keep)| *keep && self.confusable(part, other));
            keep[place] = must || can && (needed || self.coin());
        }
        for (part, keep) in parts.into_iter().zip(keep) {
            written.extend(keep.then_some(part));
        }
        let order = loop {
            let order = self.shuffled((0..written.len()).collect());
            if self.is_unambiguous(&written, &order) {
                break order;
            }
        };
        for place in order {
            self.token(".");
            let text = self.value(written[place].index);
            self.token(&text);
        }
    }

    fn is_unambiguous(&self, parts: &[Part], order: &[usize]) -> bool {
        order.iter().enumerate().all(|(at, &one)| {
            let mut before = order[..at].iter();
            before.all(|&other| other < one || !self.confusable(&parts[one], &parts[other]))
        })
    }

    /// Whether the text of one part could be the text of the other.
    fn confusable(&self, one: &Part, other: &Part) -> bool {
        let takes = |part: &Part, text: &str| {
            let kind = self.opcode.fields[part.index].kind;
            let named = kind.values.iter().find(|value| value.name == text);
            named.is_some_and(|value| part.only.is_none_or(|only| only == value.raw))
        };
        let same_kind = |a: usize, b: usize| core::ptr::eq(self.field(a).kind, self.field(b).kind);
        same_kind(one.index, other.index)
            || takes(one, &self.value(other.index))
            || takes(other, &self.value(one.index))
    }

    fn shuffled(&mut self, mut items: Vec<usize>) -> Vec<usize> {
        for end in (1..items.len()).rev() {
            items.swap(end, self.random.below(end as u64 + 1) as usize);
        }
        items
    }

    fn bound(&self, symbol: u8) -> Option<usize> {
        let index = usize::from(self.opcode.bind[usize::from(symbol)]);
        (index < self.opcode.fields.len()).then_some(index)
    }

    fn field(&self, index: usize) -> &'static Field {
        self.opcode.fields[index]
    }

    fn raw(&self, index: usize) -> u64 {
        value(self.field(index), self.word)
    }

    fn has_default(&self, index: usize) -> bool {
        matches!(self.field(index).init, Init::Default(raw) if raw == self.raw(index))
    }

    /// Whether all fields of a part of the template have their defaults.
    fn is_default(&self, items: &[Item]) -> bool {
        let default = |symbol: u8| self.bound(symbol).is_none_or(|index| self.has_default(index));
        items.iter().all(|item| match item {
            Item::Text(_) => true,
            Item::Slot(slot) => {
                let symbols = slot.affixes.iter().map(|affix| affix.symbol);
                let mut symbols = symbols.chain(slot.suffixes.iter().copied());
                default(slot.symbol) && symbols.all(default)
            }
            Item::Optional(items) => self.is_default(items),
            Item::Tags(symbols) => symbols.iter().copied().all(default),
        })
    }

    /// The text of a field's value.
    fn value(&self, index: usize) -> String {
        let (field, raw) = (self.field(index), self.raw(index));
        let format = self.opcode.formats.iter().find(|one| usize::from(one.field) == index);
        let mut line = Line::new();
        match (format, field.kind.text) {
            (Some(format), _) => {
                let args = format.args.iter().map(|&arg| self.raw(arg.into()));
                (format.text.write)(raw, &args.collect::<Vec<_>>(), &mut line);
            }
            (None, Some(text)) => (text.write)(raw, &[], &mut line),
            (None, None) => {
                let named = field.kind.values.iter().find(|value| value.raw == raw);
                line.push_str(named.map_or("", |value| value.name));
            }
        }
        line.as_str().to_owned()
    }
}

/// A modifier behind a dot.
struct Part {
    index: usize,
    optional: bool,
    only: Option<u64>,
}
