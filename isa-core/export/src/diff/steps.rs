//! Converts the output of a row to steps, so that the outputs of two rows can be compared.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::description::{Bits, Description, Number, Part, Print, Row, Says, float};

use super::sets::{ALL, Bit, Sets, Words, bits_of};

/// The maximum width in bits of a number whose texts are listed.
const LISTED: usize = 12;

/// A step of a text.
#[derive(Clone)]
pub(super) enum Step {
    Text(String),
    /// A text that is selected by the value of some bits.
    Table(Rc<Table>),
    /// A decimal number with too many values for a list.
    Number(Rc<Numeral>),
    /// Continues at a later step for words that are not in the set.
    Unless(Words, usize),
}

/// The values of each text, sorted by text.
type Values = BTreeMap<String, Vec<u64>>;

pub(super) struct Table {
    pub(super) bits: Vec<Bit>,
    pub(super) values: Rc<Values>,
}

#[derive(PartialEq)]
pub(super) struct Numeral {
    pub(super) bits: Vec<Bit>,
    pub(super) number: Number,
}

/// The texts of floats, which are computed on first use.
#[derive(Default)]
pub(super) struct Floats([Option<Rc<Values>>; 2]);

impl Floats {
    fn of(&mut self, is_bfloat16: bool) -> Rc<Values> {
        let all = || (0..=u16::MAX).map(|bits| float(bits, is_bfloat16));
        Rc::clone(self.0[usize::from(is_bfloat16)].get_or_insert_with(|| values_of(all())))
    }
}

/// Returns the texts of all values, in the order of the values.
fn values_of(texts: impl Iterator<Item = String>) -> Rc<Values> {
    let mut values = Values::new();
    for (value, text) in (0..).zip(texts) {
        values.entry(text).or_default().push(value);
    }
    Rc::new(values)
}

/// Returns the steps of a row.
pub(super) fn steps(
    description: &Description,
    row: &Row,
    sets: &mut Sets,
    floats: &mut Floats,
) -> Vec<Step> {
    let mut all = Steps { description, row, sets, floats, steps: Vec::new() };
    all.prints(&row.prints);
    all.steps
}

struct Steps<'d> {
    description: &'d Description,
    row: &'d Row,
    sets: &'d mut Sets,
    floats: &'d mut Floats,
    steps: Vec<Step>,
}

impl Steps<'_> {
    fn prints(&mut self, prints: &[Print]) {
        for print in prints {
            match print {
                Print::Text(text) => self.steps.push(Step::Text(text.clone())),
                Print::Field(place) => self.field(*place),
                Print::Some { when, values, prints, .. } => {
                    let mut set = ALL;
                    for (place, raw) in values {
                        let bits = self.bits(*place);
                        let own = self.sets.values(&bits, &[*raw]);
                        set = self.sets.and(set, own);
                    }
                    let set = if *when { set } else { self.sets.not(set) };
                    self.only(set, |all| all.prints(prints));
                }
            }
        }
    }

    /// Adds steps that are executed only for the words of a set.
    fn only(&mut self, set: Words, steps: impl FnOnce(&mut Self)) {
        let place = self.steps.len();
        self.steps.push(Step::Unless(set, 0));
        steps(self);
        self.steps[place] = Step::Unless(set, self.steps.len());
    }

    /// Returns the bits of a field or composite operand.
    fn bits(&self, place: usize) -> Vec<Bit> {
        let pieces = self.row.pieces(place);
        let fixed = self.row.fields.get(place).and_then(|field| field.fixed);
        match fixed.filter(|_| pieces.is_empty()) {
            Some(raw) => (0..64).map(|bit| Bit::Const(raw >> bit & 1 == 1)).collect(),
            None => bits_of(pieces),
        }
    }

    fn table(&mut self, bits: Vec<Bit>, values: Rc<Values>) {
        self.steps.push(Step::Table(Rc::new(Table { bits, values })));
    }

    fn field(&mut self, place: usize) {
        let (row, description) = (self.row, self.description);
        let (text, args) = description.text_of(row, place);
        let Some(text) = text else { return self.names(place) };
        let places: Vec<usize> = std::iter::once(place).chain(args.iter().copied()).collect();
        match &text.says {
            Says::Parts(parts) => self.parts(parts, &places),
            Says::List(texts) => {
                let bits: Vec<Bit> =
                    places.iter().rev().flat_map(|place| self.bits(*place)).collect();
                self.table(bits, values_of(texts.iter().cloned()));
            }
            Says::Nothing => self.unsaid(place),
        }
    }

    /// Adds a placeholder that contains the number, for a text that the description does not
    /// define.
    fn unsaid(&mut self, place: usize) {
        self.steps.push(Step::Text("<0x".into()));
        let bits = self.bits(place);
        self.hex(bits, 1);
        self.steps.push(Step::Text(">".into()));
    }

    /// Adds the names of a value set. No word contains a value without a name.
    fn names(&mut self, place: usize) {
        let Some(field) = self.row.fields.get(place) else { return };
        let kind = &self.description.kinds[field.kind];
        let bits = self.bits(place);
        let mut values = Values::new();
        for value in &kind.values {
            values.entry(value.name.clone()).or_default().push(value.raw);
        }
        self.table(bits, Rc::new(values));
    }

    /// Returns the bits that a part prints.
    fn part_bits(&self, own: Bits, places: &[usize]) -> Vec<Bit> {
        let bits = self.bits(places[own.which]);
        let own = own.low as usize..(own.low + own.width) as usize;
        own.map(|place| bits.get(place).copied().unwrap_or(Bit::Const(false))).collect()
    }

    fn parts(&mut self, parts: &[Part], places: &[usize]) {
        for part in parts {
            match part {
                Part::Text(text) => self.steps.push(Step::Text(text.clone())),
                Part::Number(number) => {
                    let bits = self.part_bits(number.bits, places);
                    self.number(number, bits);
                }
                Part::Float { bits, is_bfloat16 } => {
                    let mut own = self.part_bits(*bits, places);
                    own.resize(16, Bit::Const(false));
                    let texts = self.floats.of(*is_bfloat16);
                    self.table(own, texts);
                }
                Part::Choice { bits, of } => {
                    let own = self.part_bits(*bits, places);
                    let numbers: Vec<u64> = (0..of.len() as u64 - 1).collect();
                    let lower = self.sets.values(&own, &numbers);
                    for (place, parts) in of.iter().enumerate() {
                        let set = match numbers.get(place) {
                            Some(number) => self.sets.values(&own, &[*number]),
                            None => self.sets.not(lower),
                        };
                        self.only(set, |all| all.parts(parts, places));
                    }
                }
            }
        }
    }

    fn number(&mut self, number: &Number, mut bits: Vec<Bit>) {
        // If the highest bits are always 0, they do not affect a number without a sign.
        while !number.signed && bits.last() == Some(&Bit::Const(false)) {
            bits.pop();
        }
        let is_plain = number.add == 0 && number.wrap == 0 && !number.signed;
        if bits.len() <= LISTED {
            let value = |value| match number.hex {
                0 => number.value(value).to_string(),
                digits => format!("{:0digits$x}", number.value(value)),
            };
            let texts = values_of((0..1 << bits.len()).map(value));
            self.table(bits, texts);
        } else if number.hex > 0 && is_plain && number.scale.count_ones() == 1 && number.scale > 0 {
            let zeros = number.scale.trailing_zeros() as usize;
            let bits = std::iter::repeat_n(Bit::Const(false), zeros).chain(bits).collect();
            self.hex(bits, number.hex);
        } else {
            self.steps.push(Step::Number(Rc::new(Numeral { bits, number: number.clone() })));
        }
    }

    /// Adds hexadecimal digits: at least `digits` of them, without further leading zeros.
    fn hex(&mut self, mut bits: Vec<Bit>, digits: usize) {
        bits.resize(bits.len().next_multiple_of(4).max(4 * digits), Bit::Const(false));
        let texts = values_of((0..16).map(|digit| format!("{digit:x}")));
        let mut above = super::sets::NONE;
        for place in (0..bits.len() / 4).rev() {
            let own = bits[4 * place..4 * place + 4].to_vec();
            for bit in &own {
                let set = self.sets.bit(*bit);
                above = self.sets.or(above, set);
            }
            let set = if place < digits { ALL } else { above };
            self.only(set, |all| all.table(own, Rc::clone(&texts)));
        }
    }
}
