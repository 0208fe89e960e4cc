//! Parses a text by the template of one opcode, from left to right and without backtracking.

use crate::operands::{self, Value};
use crate::own::{Item, Mark, Place};
use crate::spec::{GLUE, Kind, KindText, Row};
use crate::text::Text;

/// The rules for parsing a text.
#[derive(Debug, Clone, Copy)]
pub struct How {
    /// Whether a field that is given twice must have the same value both times. Otherwise the last
    /// value applies.
    pub agree: bool,
    /// The distance to all labels, in the bits of a target.
    pub label: u64,
    /// Whether there are labels whose names begin with a dot. A name with a dot after a blank may
    /// then be a label or a modifier, depending on the labels of the program.
    pub dotted: bool,
    /// Whether a number after a label belongs to the label.
    pub sums: bool,
}

/// A parser with the values found so far.
struct Reader<'r, 't> {
    kinds: &'r [Kind],
    row: &'r Row,
    text: Text<'t>,
    given: Vec<Option<u64>>,
    how: How,
}

/// Returns the values that the text gives to the fields of an opcode, valid or not. Returns `None`
/// if the text is not a text of the opcode.
#[must_use]
pub fn read_as(kinds: &[Kind], row: &Row, own: &[Item], text: &str, how: How) -> Option<Vec<u64>> {
    let given = vec![None; row.fields.len()];
    let mut reader = Reader { kinds, row, text: Text::new(text), given, how };
    reader.items(own)?;
    if !reader.text.is_done() {
        return None;
    }
    let given = reader.given;
    let fields = row.fields.iter().zip(given);
    fields.map(|(field, given)| field.fixed.or(given).or(field.default)).collect()
}

impl Reader<'_, '_> {
    fn items(&mut self, items: &[Item]) -> Option<()> {
        for item in items {
            match item {
                Item::Word(word) if word.is_empty() => {}
                Item::Word(word) => (self.text.word() == word).then_some(())?,
                Item::Text(text) if text == GLUE => {}
                Item::Text(text) => self.text.eat(text).then_some(())?,
                Item::Dots(places) => {
                    let mut filled = vec![false; places.len()];
                    self.dots(places, &mut filled)?;
                    is_complete(places, &filled).then_some(())?;
                }
                Item::Operand { field, marks, dots } => {
                    let open = self.marks(*field, marks)?;
                    let kind = &self.kinds[self.row.fields[*field].kind];
                    let value = operands::read(kind, &mut self.text, self.how)?;
                    self.give_value(*field, value)?;
                    let mut filled = vec![false; dots.len()];
                    self.dots(dots, &mut filled)?;
                    for mark in open.iter().rev().filter(|mark| !mark.close.is_empty()) {
                        self.text.eat(&mark.close).then_some(())?;
                        self.dots(dots, &mut filled)?;
                    }
                    is_complete(dots, &filled).then_some(())?;
                }
                Item::Part(inner) => {
                    if self.begins(inner) {
                        self.items(inner)?;
                    }
                }
                Item::Tags(places) => self.tags(places)?,
            }
        }
        Some(())
    }

    /// Gives a field the value of an operand's text, like [`Reader::give`].
    fn give_value(&mut self, field: usize, value: Value) -> Option<()> {
        let raw = self.raw(field, value)?;
        self.give(field, raw)
    }

    /// Returns the bits of a value, if it is in range.
    fn raw(&self, field: usize, value: Value) -> Option<u64> {
        let further = match value {
            Value::Raw(raw) => return Some(raw),
            Value::Label(further) => further,
        };
        let top = 1i128 << (self.kinds[self.row.fields[field].kind].width - 1);
        let distance = (i128::from(self.how.label) ^ top) - top + further;
        (-top..top).contains(&distance).then_some((distance & (2 * top - 1)) as u64)
    }

    /// Gives a field a value, which must equal its fixed value and the value that it already has.
    fn give(&mut self, field: usize, raw: u64) -> Option<()> {
        let fits = self.row.fields[field].fixed.is_none_or(|fixed| fixed == raw)
            && self.given[field].is_none_or(|known| known == raw || !self.how.agree);
        self.given[field] = Some(raw);
        fits.then_some(())
    }

    /// Parses values after dots. Each fills the first unfilled position that accepts it.
    fn dots(&mut self, places: &[Place], filled: &mut [bool]) -> Option<()> {
        while self.text.eat(".") {
            self.next(places, filled)?.then_some(())?;
        }
        Some(())
    }

    fn tags(&mut self, places: &[Place]) -> Option<()> {
        let mut filled = vec![false; places.len()];
        while self.next(places, &mut filled)? {}
        Some(())
    }

    /// Fills the first unfilled position that accepts the next token. A position with named values
    /// accepts the names of its possible values. A position with another operand type accepts
    /// everything that begins like that type, valid or not. Returns whether there is such a
    /// position.
    fn next(&mut self, places: &[Place], filled: &mut [bool]) -> Option<bool> {
        for at in 0..places.len() {
            let place = &places[at];
            // If several positions show the same field, only one of them is filled.
            let is_given = |other: usize| filled[other] && places[other].field == place.field;
            if (0..places.len()).any(is_given) {
                continue;
            }
            let mut ahead = self.text.clone();
            let field = &self.row.fields[place.field];
            let kind = &self.kinds[field.kind];
            let value = operands::read(kind, &mut ahead, self.how);
            let fits = |value: &Value| {
                let Value::Raw(raw) = *value else { return false };
                place.only.is_none_or(|only| only == raw) && field.fixed.is_none_or(|f| f == raw)
            };
            let value = match &kind.text {
                KindText::Set(_) => value.filter(fits),
                _ if operands::begins(kind, &self.text) => Some(value?),
                _ => None,
            };
            if let Some(value) = value {
                self.text = ahead;
                filled[at] = true;
                self.give_value(place.field, value)?;
                return Some(true);
            }
        }
        Some(false)
    }

    /// Parses the prefix operators before an operand. Returns those that are present and must be
    /// closed after the operand.
    fn marks<'m>(&mut self, operand: usize, marks: &'m [Mark]) -> Option<Vec<&'m Mark>> {
        let mut open = Vec::new();
        let kind = &self.kinds[self.row.fields[operand].kind];
        for mark in marks {
            let field = &self.row.fields[mark.field];
            let there = match field.fixed {
                // The operator is a literal that must be present or must be absent.
                Some(fixed) if fixed != mark.value => false,
                Some(_) => self.text.eat(&mark.open).then_some(true)?,
                None => !operands::begins(kind, &self.text) && self.text.eat(&mark.open),
            };
            if there {
                self.give(mark.field, mark.value)?;
                open.push(mark);
            } else if field.default.is_none() {
                // Without a default, the absence of the operator means the other value.
                self.give(mark.field, 1 - mark.value)?;
            }
        }
        Some(open)
    }

    /// Returns whether the text begins like the first token of an optional group.
    fn begins(&self, items: &[Item]) -> bool {
        let Some(first) = items.first() else { return false };
        match first {
            Item::Text(text) => self.text.clone().eat(text),
            Item::Operand { field, marks, .. } => {
                let field = &self.row.fields[*field];
                let kind = &self.kinds[field.kind];
                for mark in marks {
                    let fixed = self.row.fields[mark.field].fixed;
                    let may = fixed.is_none_or(|fixed| fixed == mark.value);
                    if may && self.text.clone().eat(&mark.open) {
                        return true;
                    }
                    if fixed == Some(mark.value) {
                        return false;
                    }
                }
                match field.fixed {
                    Some(fixed) => {
                        let word = self.text.peek_word();
                        operands::show(kind, fixed) == word
                            || kind.values().iter().any(|v| v.raw == fixed && v.is_read_as(word))
                            || kind.values().is_empty() && operands::begins(kind, &self.text)
                    }
                    None => operands::begins(kind, &self.text),
                }
            }
            Item::Part(inner) => self.begins(inner) || self.begins(&items[1..]),
            Item::Word(_) | Item::Dots(_) | Item::Tags(_) => false,
        }
    }
}

/// Returns whether all required positions are filled.
fn is_complete(places: &[Place], filled: &[bool]) -> bool {
    places.iter().zip(filled).all(|(place, filled)| *filled || !place.required)
}
