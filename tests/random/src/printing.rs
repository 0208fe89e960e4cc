//! The texts of an opcode: the printed text, and other texts that are accepted.

use crate::operands;
use crate::own::{Item, Mark, Place};
use crate::random::Random;
use crate::spec::{GLUE, Kind, KindText, Row};

/// Labels. Some of them are also names of values, names of registers, or words of templates.
const LABELS: &[&str] = &["loop", "A", "by", "R1", "_1", ".L", ".A"];

/// The style of a text.
enum Style<'r> {
    /// As the printer prints it, except that the number selects one of the names of each value.
    Canonical(usize),
    /// With random choices: optional items are present or absent, and items that may be in any
    /// order are in a random order.
    Free(&'r mut Random),
}

struct Printer<'p, 'r> {
    kinds: &'p [Kind],
    row: &'p Row,
    values: &'p [u64],
    style: Style<'r>,
    text: String,
    left: Left,
}

/// The kind of text that was printed last.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    /// Nothing, or `_`: no blank follows.
    Nothing,
    /// The mnemonic, a comma, or the position of trailing attributes: a blank follows.
    Due,
    /// An operand or an optional group: a blank follows before another word.
    Word,
    /// A literal: no blank follows.
    Text,
}

/// Returns the text that is printed for these values.
#[must_use]
pub fn print(kinds: &[Kind], row: &Row, own: &[Item], values: &[u64]) -> String {
    print_as(kinds, row, own, values, 0)
}

/// Returns the text of [`print()`] with another name of each value that has enough names.
#[must_use]
pub fn print_as(kinds: &[Kind], row: &Row, own: &[Item], values: &[u64], name: usize) -> String {
    let style = Style::Canonical(name);
    Printer::new(kinds, row, values, style).printed(own)
}

/// Returns another text for these values.
#[must_use]
pub fn spell(
    kinds: &[Kind],
    row: &Row,
    own: &[Item],
    values: &[u64],
    random: &mut Random,
) -> String {
    let style = Style::Free(random);
    Printer::new(kinds, row, values, style).printed(own)
}

impl<'p, 'r> Printer<'p, 'r> {
    fn new(kinds: &'p [Kind], row: &'p Row, values: &'p [u64], style: Style<'r>) -> Self {
        let text = String::new();
        Printer { kinds, row, values, style, text, left: Left::Nothing }
    }

    /// Returns the text of a template.
    fn printed(mut self, own: &[Item]) -> String {
        self.items(own);
        self.text
    }

    /// Appends the blank before a word or other text.
    fn blank(&mut self, is_word: bool) {
        if self.left == Left::Due || self.left == Left::Word && is_word {
            self.text.push(' ');
        }
    }

    /// Appends the mnemonic. A blank follows each item before the mnemonic, and the mnemonic itself
    /// if it is not empty.
    fn mnemonic(&mut self, text: &str) {
        if self.left != Left::Nothing {
            self.left = Left::Due;
        }
        if !text.is_empty() {
            self.blank(true);
            self.text += text;
            self.left = Left::Due;
        }
    }

    fn fixed(&mut self, text: &str) {
        if text != ";" {
            self.blank(text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        }
        self.text += text;
        self.left = if text == "," { Left::Due } else { Left::Text };
    }

    /// Returns true with this probability in percent if the style is free.
    fn chance(&mut self, percent: usize) -> bool {
        match &mut self.style {
            Style::Canonical(_) => false,
            Style::Free(random) => random.chance(percent),
        }
    }

    fn is_default(&self, field: usize) -> bool {
        self.row.fields[field].default == Some(self.values[field])
    }

    fn show(&mut self, field: usize) -> String {
        let kind = &self.kinds[self.row.fields[field].kind];
        if let Style::Free(random) = &mut self.style
            && kind.text == KindText::Target
            && random.chance(30)
        {
            return (*random.pick(LABELS)).to_owned();
        }
        let name = match &mut self.style {
            Style::Canonical(name) => *name,
            Style::Free(random) => random.below(3),
        };
        operands::show_as(kind, self.values[field], name)
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Text(text) if text == GLUE => self.left = Left::Nothing,
                Item::Word(text) => self.mnemonic(text),
                Item::Text(text) => self.fixed(text),
                Item::Dots(places) => {
                    for text in self.places(places) {
                        self.text.push('.');
                        self.text += &text;
                    }
                }
                Item::Tags(places) => {
                    for text in self.places(places) {
                        self.text.push(' ');
                        self.text += &text;
                        self.left = Left::Due;
                    }
                    if self.left != Left::Nothing {
                        self.left = Left::Due;
                    }
                }
                Item::Operand { field, marks, dots } => self.operand(*field, marks, dots),
                Item::Part(inner) => {
                    let mut fields = Vec::new();
                    crate::own::fields_of(inner, &mut fields);
                    let shown = !fields.iter().all(|&field| self.is_default(field));
                    if shown || self.chance(30) {
                        self.items(inner);
                        if self.left == Left::Text {
                            self.left = Left::Word;
                        }
                    }
                }
            }
        }
    }

    /// Appends an operand with its prefix and suffix operators and its modifiers.
    fn operand(&mut self, field: usize, marks: &[Mark], dots: &[Place]) {
        self.blank(true);
        let open: Vec<_> = marks.iter().filter(|m| self.values[m.field] == m.value).collect();
        open.iter().for_each(|mark| self.text += &mark.open);
        let shown = self.show(field);
        self.text += &shown;
        let mut dots = Some(Item::Dots(dots.to_vec()));
        for mark in open.iter().rev().filter(|mark| !mark.close.is_empty()) {
            // In free style, the modifiers may be before or after each closing operator.
            let is_here = match &mut self.style {
                Style::Canonical(_) => !mark.closes_first,
                Style::Free(random) => random.chance(50),
            };
            if is_here {
                self.items(dots.take().as_slice());
            }
            self.text += &mark.close;
        }
        self.items(dots.as_slice());
        self.left = Left::Word;
    }

    /// Returns the values at positions that may be in any order.
    fn places(&mut self, places: &[Place]) -> Vec<String> {
        let mut shown = Vec::new();
        for place in places {
            let own = &self.row.fields[place.field];
            let takes = place.only.is_none_or(|only| only == self.values[place.field]);
            let optional = !place.required;
            let fixed = own.fixed.is_some();
            let left_out = optional && self.is_default(place.field);
            let given =
                if left_out { self.chance(40) } else { !(optional && fixed && self.chance(30)) };
            if takes && given {
                shown.push(self.show(place.field));
            }
        }
        if let Style::Free(random) = &mut self.style
            && random.chance(60)
        {
            random.shuffle(&mut shown);
        }
        shown
    }
}
