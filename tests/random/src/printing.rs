//! The texts of an opcode: the one that is printed, and others that are read.

use crate::operands;
use crate::own::{Item, Place};
use crate::random::Random;
use crate::spec::{GLUE, Kind, KindText, Row};

/// Labels, some of which are names of values, of registers, and words of templates.
const LABELS: &[&str] = &["loop", "A", "by", "R1", "_1", ".L", ".A"];

/// How a text is written.
enum Style<'r> {
    /// As the printer does it, but for the names of values: which of each there stands.
    Canonical(usize),
    /// With what may be given or left out, given or left out, and what may stand in any order in
    /// any order.
    Free(&'r mut Random),
}

struct Printer<'p, 'r> {
    kinds: &'p [Kind],
    row: &'p Row,
    values: &'p [u64],
    style: Style<'r>,
    text: String,
    /// Whether no blank stands before what follows.
    is_glued: bool,
    /// Whether an operand stands last. A blank stands between two.
    behind_operand: bool,
}

/// The text that is printed for these values.
#[must_use]
pub fn print(kinds: &[Kind], row: &Row, own: &[Item], values: &[u64]) -> String {
    print_as(kinds, row, own, values, 0)
}

/// As [`print()`], with another name of each value that has so many.
#[must_use]
pub fn print_as(kinds: &[Kind], row: &Row, own: &[Item], values: &[u64], name: usize) -> String {
    let style = Style::Canonical(name);
    Printer::new(kinds, row, values, style).printed(own)
}

/// Another text for these values.
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
        Printer { kinds, row, values, style, text, is_glued: false, behind_operand: false }
    }

    /// The text of a template.
    fn printed(mut self, own: &[Item]) -> String {
        self.items(own);
        self.text
    }

    /// Appends text, behind a space where two words would become one.
    fn push(&mut self, text: &str) {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_glued = std::mem::take(&mut self.is_glued);
        if !is_glued && self.text.ends_with(is_word) && text.starts_with(is_word) {
            self.text.push(' ');
        }
        self.text += text;
    }

    /// Yes in so many of a hundred cases, if the style is free.
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
                Item::Text(text) if text == GLUE => self.is_glued = true,
                Item::Word(text) | Item::Text(text) => {
                    self.push(text);
                    self.behind_operand = false;
                }
                Item::Dots(places) => {
                    for text in self.places(places) {
                        self.text.push('.');
                        self.text += &text;
                    }
                }
                Item::Tags(places) => {
                    for text in self.places(places) {
                        self.push(" ");
                        self.push(&text);
                    }
                }
                Item::Operand { field, marks, dots } => {
                    if std::mem::replace(&mut self.behind_operand, true) && !self.is_glued {
                        self.push(" ");
                    }
                    let open: Vec<_> =
                        marks.iter().filter(|m| self.values[m.field] == m.value).collect();
                    open.iter().for_each(|mark| self.push(&mark.open));
                    let shown = self.show(*field);
                    self.push(&shown);
                    self.items(&[Item::Dots(dots.clone())]);
                    open.iter().rev().for_each(|mark| self.push(&mark.close));
                }
                Item::Part(inner) => {
                    let mut fields = Vec::new();
                    crate::own::fields_of(inner, &mut fields);
                    let shown = !fields.iter().all(|&field| self.is_default(field));
                    if shown || self.chance(30) {
                        self.items(inner);
                    }
                }
            }
        }
    }

    /// The values that stand in places which may be in any order.
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
