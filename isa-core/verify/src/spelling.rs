//! Generates other spellings of an instruction that have the same meaning.
//!
//! It uses only the syntax templates and shares no code with the printer: modifiers in any order,
//! defaults written or left out, half-selects inside or after the bars, and white space and
//! comments wherever the language allows them.

use isa_core::table::{Init, Item, Kind, Modifier, Opcode, Slot, Text};
use isa_core::text::{Cursor, Line};

use crate::field_values::field_value;
use crate::random::SplitMix64;

/// Returns a random spelling of a valid word of an opcode or of an alias.
#[must_use]
pub fn spell(opcode: &'static Opcode, word: u128, random: &mut SplitMix64) -> String {
    let mut speller = Speller { opcode, word, random, text: String::new(), head: None };
    speller.items(opcode.syntax.before);
    speller.token(opcode.syntax.mnemonic);
    speller.modifiers();
    speller.head = (!opcode.syntax.mnemonic.is_empty()).then_some(speller.text.len());
    speller.items(opcode.syntax.after);
    speller.gap();
    speller.text
}

struct Speller<'r> {
    opcode: &'static Opcode,
    word: u128,
    random: &'r mut SplitMix64,
    text: String,
    /// The end of the mnemonic and its modifiers, after they were written.
    head: Option<usize>,
}

/// The number of orders of modifiers that are tried.
const ORDERS: usize = 20;

/// Texts that are allowed between two tokens.
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

    /// Adds white space or a comment, in a quarter of the cases.
    fn gap(&mut self) {
        if self.random.below(4) == 0 {
            let gap: &&str = self.random.pick(&GAPS);
            self.text.push_str(gap);
        }
    }

    /// Adds a token, with a gap before it if it would otherwise join the previous token.
    fn token(&mut self, token: &str) {
        self.gap();
        let last = self.text.bytes().last().is_some_and(is_word);
        let joins = last && token.bytes().next().is_some_and(is_word);
        // A dot directly after a mnemonic begins a modifier.
        if joins || self.head == Some(self.text.len()) && token.starts_with('.') {
            let gap: &&str = self.random.pick(&GAPS);
            self.text.push_str(gap);
        }
        self.text.push_str(token);
    }

    /// Adds a text with gaps around its brackets, braces and commas.
    fn marked(&mut self, text: &str) {
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
                    tokens(text).filter(|token| !token.trim().is_empty()).for_each(|token| {
                        self.token(token);
                    });
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
                            self.operand(index);
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
        marked.iter().for_each(|affix| self.marked(affix.open));
        self.operand(index);
        // The modifiers can be before or after each closing operator, for example inside or after the
        // bars.
        let mut suffixes = Some(slot);
        for affix in marked.iter().rev().filter(|affix| !affix.close.is_empty()) {
            if self.coin() {
                suffixes.take().into_iter().for_each(|slot| self.suffixes(slot));
            }
            self.marked(affix.close);
        }
        suffixes.into_iter().for_each(|slot| self.suffixes(slot));
    }

    fn suffixes(&mut self, slot: &'static Slot) {
        let suffixes = slot.suffixes.iter();
        let parts = suffixes.filter_map(|&symbol| {
            Some(DottedModifier { index: self.bound(symbol)?, optional: true, only: None })
        });
        let parts = parts.collect();
        self.dotted(parts);
    }

    fn modifiers(&mut self) {
        let modifiers = self.opcode.syntax.modifiers.iter();
        let parts = modifiers.filter_map(|&Modifier { symbol, optional, only }| {
            Some(DottedModifier { index: self.bound(symbol)?, optional, only })
        });
        let parts = parts.collect();
        self.dotted(parts);
    }

    /// Writes the mandatory parts and some of the optional parts, in a random order in which the
    /// parser does not confuse parts with each other.
    fn dotted(&mut self, parts: Vec<DottedModifier>) {
        let mut written = Vec::new();
        let mut keep = vec![false; parts.len()];
        for (place, part) in parts.iter().enumerate().rev() {
            let can = part.only.is_none_or(|only| only == self.raw(part.index));
            let must = !(part.optional && self.has_default(part.index));
            // If this part is missing, a later part with the same name would be parsed as this one.
            let mut later = parts.iter().zip(&keep).skip(place + 1);
            let needed = later.any(|(other, keep)| *keep && self.confusable(part, other));
            keep[place] = must || can && (needed || self.coin());
        }
        for (part, keep) in parts.into_iter().zip(keep) {
            written.extend(keep.then_some(part));
        }
        for place in self.order(&written) {
            self.token(".");
            let text = self.value(written[place].index);
            self.token(&text);
        }
    }

    /// Returns a random order in which parts that could be confused keep their relative order.
    fn order(&mut self, parts: &[DottedModifier]) -> Vec<usize> {
        let own: Vec<usize> = (0..parts.len()).collect();
        let mut kept = Vec::new();
        for (place, part) in parts.iter().enumerate() {
            let before = parts[..place].iter().enumerate();
            let alike = before.filter(|(_, other)| self.confusable(part, other));
            kept.extend(alike.map(|(other, _)| (other, place)));
        }
        for _ in 0..ORDERS {
            let order = self.shuffled(own.clone());
            let at = |part: usize| order.iter().position(|place| *place == part);
            if kept.iter().all(|&(one, other)| at(one) < at(other)) {
                return order;
            }
        }
        own
    }

    /// Returns whether the text of one part could be parsed as the other part.
    fn confusable(&self, one: &DottedModifier, other: &DottedModifier) -> bool {
        let takes = |part: &DottedModifier, text: &str| {
            let named = self.kind(part.index).and_then(|kind| kind.value_named(text));
            named.is_some_and(|value| part.only.is_none_or(|only| only == value.raw))
        };
        let kinds = [one, other].map(|part| self.kind(part.index).map(core::ptr::from_ref));
        kinds[0] == kinds[1]
            || takes(one, &self.value(other.index))
            || takes(other, &self.value(one.index))
    }

    fn shuffled(&mut self, mut items: Vec<usize>) -> Vec<usize> {
        for end in (1..items.len()).rev() {
            items.swap(end, self.random.below(end as u64 + 1) as usize);
        }
        items
    }

    /// Returns the index of the field or composite operand that is bound to the placeholder
    /// `symbol`.
    fn bound(&self, symbol: u8) -> Option<usize> {
        let place = usize::from(*self.opcode.bind.get(usize::from(symbol))?);
        self.opcode.at(place).map(|_| place)
    }

    fn init(&self, place: usize) -> Init {
        self.opcode.at(place).map_or(Init::Required, |field| field.init)
    }

    fn kind(&self, place: usize) -> Option<&'static Kind> {
        self.opcode.at(place).map(|field| field.kind)
    }

    fn raw(&self, place: usize) -> u64 {
        match (self.opcode.at(place), self.init(place)) {
            (Some(field), Init::Fixed(raw)) if field.pieces.is_empty() => raw,
            (Some(field), _) => field_value(field, self.word),
            (None, _) => 0,
        }
    }

    fn has_default(&self, place: usize) -> bool {
        matches!(self.init(place), Init::Default(raw) if raw == self.raw(place))
    }

    /// Returns whether all fields in a part of the template have their defaults.
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

    /// Returns the functions that print and parse the values of a field, and their arguments,
    /// unless the values are written by name.
    fn text(&self, place: usize) -> Option<(&'static Text, Vec<u64>)> {
        let format = self.opcode.formats.iter().find(|one| usize::from(one.field) == place);
        let args = format.map(|format| format.args.iter().map(|&arg| self.raw(arg.into())));
        let args = args.into_iter().flatten().collect();
        let own = || self.kind(place).and_then(|kind| kind.text);
        format.map(|format| format.text).or_else(own).map(|text| (text, args))
    }

    /// Returns the text of a field's value.
    fn value(&self, place: usize) -> String {
        let mut line = Line::new();
        match self.text(place) {
            Some((text, args)) => (text.write)(self.raw(place), &args, &mut line),
            None => line.push_str(self.name(place)),
        }
        line.as_str().to_owned()
    }

    /// Returns the name of a field's value, if its values have names.
    fn name(&self, place: usize) -> &'static str {
        let named = self.kind(place).and_then(|kind| kind.value(self.raw(place)));
        named.map_or("", |value| value.name)
    }

    /// Adds the text of an operand's value, with gaps if its type accepts them.
    fn operand(&mut self, place: usize) {
        let plain = self.value(place);
        let before = self.text.len();
        self.marked(&plain);
        let Some((text, args)) = self.text(place) else { return };
        let mut cursor = Cursor::new(&self.text[before..]);
        let read = (text.read)(&mut cursor, &args);
        if read.ok() != Some(self.raw(place)) || cursor.position() + before < self.text.len() {
            self.text.truncate(before);
            self.token(&plain);
        }
    }
}

/// Splits a text into words and single characters.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let word = rest.bytes().take_while(|byte| is_word(*byte)).count();
        let (token, behind) = rest.split_at(word.max(first.len_utf8()));
        rest = behind;
        Some(token)
    })
}

/// A modifier after a dot.
struct DottedModifier {
    index: usize,
    optional: bool,
    only: Option<u64>,
}
