//! Collects the names of a set for syntax highlighting without a language server.

use std::collections::{BTreeMap, BTreeSet};

use isa_core::table::{InstructionSet, Item, Opcode};

/// The names of a set other than mnemonics. A name consists of letters, digits and `_`, and does
/// not begin with a digit.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// Names of operands, such as registers.
    pub operands: BTreeSet<String>,
    /// Names of values.
    pub values: BTreeSet<&'static str>,
    /// Literal words of templates: for example `lsl` in `"lsl #" amount`.
    pub fixed: BTreeSet<&'static str>,
    /// The characters that begin a text before a mnemonic, for example `@`. A letter means any word.
    pub guards: BTreeSet<char>,
    /// The characters that begin a trailing attribute, for example `?` and `&`. Characters that can
    /// begin an operand are omitted.
    pub settings: BTreeSet<char>,
}

impl Vocabulary {
    /// Collects the names of a set.
    #[must_use]
    pub fn of(set: &'static InstructionSet) -> Self {
        let mut vocabulary = Vocabulary::default();
        let (mut known, mut inside) = (BTreeSet::new(), BTreeSet::new());
        for opcode in set.spellings {
            for (place, field) in opcode.fields.iter().chain(opcode.views).enumerate() {
                for value in field.kind.values {
                    let names = [value.name].into_iter().chain(value.also.iter().copied());
                    vocabulary.values.extend(names.filter(is_word));
                }
                let format = opcode.formats.iter().find(|it| usize::from(it.field) == place);
                let has_text = format.is_some() || field.kind.text.is_some();
                if has_text && known.insert((field.kind.name, format.map(|format| format.name))) {
                    let names = opcode.names(place);
                    let words = names.iter().map(|name| name.trim_start_matches(is_sign));
                    vocabulary.operands.extend(words.map(str::to_owned));
                }
            }
            let syntax = opcode.syntax;
            vocabulary.guards.extend(first_sign(syntax.before));
            vocabulary.items(opcode, syntax.before, &mut inside);
            vocabulary.items(opcode, syntax.after, &mut inside);
        }
        vocabulary.settings.retain(|sign| is_sign(*sign) && !inside.contains(sign));
        vocabulary
    }

    /// Adds the words and characters of template items. `inside` collects the characters inside of
    /// operands.
    fn items(&mut self, opcode: &Opcode, items: &'static [Item], inside: &mut BTreeSet<char>) {
        for item in items {
            match item {
                Item::Text(text) => {
                    inside.extend(text.chars());
                    let words = text.split(is_sign);
                    self.fixed.extend(words.filter(is_word));
                }
                Item::Slot(slot) => {
                    inside.extend(forms(opcode, slot.symbol));
                    inside.extend(slot.affixes.iter().flat_map(|affix| affix.open.chars()));
                }
                Item::Optional(items) => self.items(opcode, items, inside),
                Item::Tags(symbols) => {
                    self.settings.extend(symbols.iter().flat_map(|symbol| forms(opcode, *symbol)));
                }
            }
        }
    }
}

/// Returns the characters with which an operand can begin.
fn forms(opcode: &Opcode, symbol: u8) -> impl Iterator<Item = char> {
    let place = opcode.bind.get(usize::from(symbol)).map_or(usize::MAX, |place| (*place).into());
    let format = opcode.formats.iter().find(|it| usize::from(it.field) == place);
    let own = || opcode.at(place).and_then(|field| field.kind.text);
    let text = format.map(|format| format.text).or_else(own);
    let forms = text.map_or(&[] as &[_], |text| text.forms);
    let prefix = text.and_then(|text| text.numbered).map(|names| names.prefix);
    forms.iter().copied().chain(prefix).filter_map(|form| form.chars().next())
}

/// Returns the first character of a part of a template, or a letter if it can begin with a word.
fn first_sign(items: &[Item]) -> Option<char> {
    match items.first()? {
        Item::Text(text) => text.chars().find(|c| *c != ' '),
        Item::Optional(items) => first_sign(items),
        Item::Slot(_) | Item::Tags(_) => Some('a'),
    }
}

/// Returns whether a name is a word. Values may have numbers such as `12` as names.
fn is_word(name: &&str) -> bool {
    name.starts_with(|c: char| !c.is_ascii_digit()) && !name.contains(is_sign)
}

fn is_sign(c: char) -> bool {
    !(c.is_ascii_alphanumeric() || c == '_')
}

/// Returns a regular expression that matches any of the words, or `None` without words. The expression
/// combines common beginnings and characters with the same rest. Therefore thousands of numbered names
/// have a short expression, and a search never backtracks.
///
/// ```
/// use isa_export::vocabulary::pattern;
///
/// assert_eq!(pattern(["R0", "R1", "R2", "RZ"]).unwrap(), "R[0-2Z]");
/// assert_eq!(pattern(["add", "addi", "b.eq"]).unwrap(), "(?:addi?|b\\.eq)");
/// ```
#[must_use]
pub fn pattern<'w>(words: impl IntoIterator<Item = &'w str>) -> Option<String> {
    let words: BTreeSet<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| of_rests(&words))
}

/// Returns the expression for the remaining parts of words, one of which may be empty.
fn of_rests(rests: &BTreeSet<&str>) -> String {
    let mut by_first = BTreeMap::<char, BTreeSet<&str>>::new();
    for rest in rests {
        let mut chars = rest.chars();
        if let Some(first) = chars.next() {
            by_first.entry(first).or_default().insert(chars.as_str());
        }
    }
    let mut by_rest = BTreeMap::<BTreeSet<&str>, Vec<char>>::new();
    for (first, rest) in by_first {
        by_rest.entry(rest).or_default().push(first);
    }
    let mut ways: Vec<(Vec<char>, String)> =
        by_rest.iter().map(|(rest, first)| (first.clone(), of_rests(rest))).collect();
    ways.sort();
    let can_end = rests.contains("");
    let one = |(first, rest): &(Vec<char>, String)| match first.as_slice() {
        [only] => format!("{}{rest}", escaped(*only)),
        all => format!("[{}]{rest}", ranges(all)),
    };
    let all: Vec<String> = ways.iter().map(one).collect();
    let text = match all.as_slice() {
        [] => return String::new(),
        [only] if !can_end || ways[0].1.is_empty() => only.clone(),
        all => format!("(?:{})", all.join("|")),
    };
    if can_end { text + "?" } else { text }
}

/// Returns characters in order as a character class: `0-9Z`.
fn ranges(all: &[char]) -> String {
    let follows = |a: &char, b: &char| u32::from(*a) + 1 == u32::from(*b);
    let run = |run: &[char]| match run {
        [first, _, .., last] => format!("{}-{}", escaped(*first), escaped(*last)),
        few => few.iter().map(|c| escaped(*c)).collect(),
    };
    all.chunk_by(follows).map(run).collect()
}

/// Escapes a character in a regular expression, also inside of brackets.
fn escaped(c: char) -> String {
    if r"\.+*?()|[]{}^$-/".contains(c) { format!("\\{c}") } else { c.to_string() }
}

/// Returns a regular expression that matches only `text`.
#[must_use]
pub fn literal(text: &str) -> String {
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_names_are_short_and_words_that_end_early_are_taken() {
        let names: Vec<String> = (0..=12).map(|number| format!("R{number}")).collect();
        let names = names.iter().map(String::as_str).chain(["RZ", "b.c"]);
        assert_eq!(pattern(names).unwrap(), "(?:R(?:[02-9Z]|1[0-2]?)|b\\.c)");
        assert_eq!(pattern(["ab", "a"]).unwrap(), "ab?");
        assert_eq!(pattern(["abc", "a"]).unwrap(), "a(?:bc)?");
        assert_eq!(pattern([""]), None);
    }
}
