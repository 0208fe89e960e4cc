//! Converts the output of a row to steps, so that the outputs of two rows can be compared.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::description::{
    ArgumentBits, DescribedPart, Description, NumberText, OpcodeDescription, PrintPart, TextRule,
    float,
};

use super::word_sets::{ALL, Bit, WordSets, Words, bits_of};

/// The maximum width in bits of a number whose texts are listed.
const LISTED: usize = 12;

/// A step of a text.
#[derive(Clone)]
pub(super) enum DescribedStep {
    Text(String),
    /// A text that is selected by the value of some bits.
    Table(Rc<ValueTable>),
    /// A decimal number with too many values for a list.
    Number(Rc<Numeral>),
    /// Continues at a later step for words that are not in the set.
    Unless(Words, usize),
}

/// The values of each text, sorted by text.
type ValuesByText = BTreeMap<String, Vec<u64>>;

pub(super) struct ValueTable {
    pub(super) bits: Vec<Bit>,
    pub(super) values: Rc<ValuesByText>,
}

#[derive(PartialEq)]
pub(super) struct Numeral {
    pub(super) bits: Vec<Bit>,
    pub(super) number: NumberText,
}

/// The texts of floats, which are computed on first use.
#[derive(Default)]
pub(super) struct FloatTexts([Option<Rc<ValuesByText>>; 2]);

impl FloatTexts {
    fn of(&mut self, is_bfloat16: bool) -> Rc<ValuesByText> {
        let all = || (0..=u16::MAX).map(|bits| float(bits, is_bfloat16));
        Rc::clone(self.0[usize::from(is_bfloat16)].get_or_insert_with(|| values_of(all())))
    }
}

/// Returns the texts of all values, in the order of the values.
fn values_of(texts: impl Iterator<Item = String>) -> Rc<ValuesByText> {
    let mut values = ValuesByText::new();
    for (value, text) in (0..).zip(texts) {
        values.entry(text).or_default().push(value);
    }
    Rc::new(values)
}

/// Returns the steps of a row.
pub(super) fn steps(
    description: &Description,
    row: &OpcodeDescription,
    sets: &mut WordSets,
    floats: &mut FloatTexts,
) -> Vec<DescribedStep> {
    let mut all = StepBuilder { description, row, sets, floats, steps: Vec::new() };
    all.prints(&row.prints);
    all.steps
}

struct StepBuilder<'d> {
    description: &'d Description,
    row: &'d OpcodeDescription,
    sets: &'d mut WordSets,
    floats: &'d mut FloatTexts,
    steps: Vec<DescribedStep>,
}

impl StepBuilder<'_> {
    fn prints(&mut self, prints: &[PrintPart]) {
        for print in prints {
            match print {
                PrintPart::Text(text) => self.steps.push(DescribedStep::Text(text.clone())),
                PrintPart::Field(place) => self.field(*place),
                PrintPart::Optional(part) => {
                    let mut set = ALL;
                    for (place, raw) in &part.values {
                        let bits = self.bits(*place);
                        let own = self.sets.values(&bits, &[*raw]);
                        set = self.sets.and(set, own);
                    }
                    let set = if part.when { set } else { self.sets.not(set) };
                    self.only(set, |all| all.prints(&part.prints));
                }
            }
        }
    }

    /// Adds steps that are executed only for the words of a set.
    fn only(&mut self, set: Words, steps: impl FnOnce(&mut Self)) {
        let place = self.steps.len();
        self.steps.push(DescribedStep::Unless(set, 0));
        steps(self);
        self.steps[place] = DescribedStep::Unless(set, self.steps.len());
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

    fn table(&mut self, bits: Vec<Bit>, values: Rc<ValuesByText>) {
        self.steps.push(DescribedStep::Table(Rc::new(ValueTable { bits, values })));
    }

    fn field(&mut self, place: usize) {
        let (row, description) = (self.row, self.description);
        let (text, args) = description.text_of(row, place);
        let Some(text) = text else { return self.names(place) };
        let places: Vec<usize> = std::iter::once(place).chain(args.iter().copied()).collect();
        match &text.rule {
            TextRule::Parts(parts) => self.parts(parts, &places),
            TextRule::List(texts) => {
                let bits: Vec<Bit> =
                    places.iter().rev().flat_map(|place| self.bits(*place)).collect();
                self.table(bits, values_of(texts.iter().cloned()));
            }
            TextRule::Unknown => self.unsaid(place),
        }
    }

    /// Adds a placeholder that contains the number, for a text that the description does not
    /// define.
    fn unsaid(&mut self, place: usize) {
        self.steps.push(DescribedStep::Text("<0x".into()));
        let bits = self.bits(place);
        self.hex(bits, 1);
        self.steps.push(DescribedStep::Text(">".into()));
    }

    /// Adds the names of a value set. No word contains a value without a name.
    fn names(&mut self, place: usize) {
        let Some(field) = self.row.fields.get(place) else { return };
        let kind = &self.description.kinds[field.kind];
        let bits = self.bits(place);
        let mut values = ValuesByText::new();
        for value in &kind.values {
            values.entry(value.name.clone()).or_default().push(value.raw);
        }
        self.table(bits, Rc::new(values));
    }

    /// Returns the bits that a part prints.
    fn part_bits(&self, own: ArgumentBits, places: &[usize]) -> Vec<Bit> {
        let bits = self.bits(places[own.which]);
        let own = own.low as usize..(own.low + own.width) as usize;
        own.map(|place| bits.get(place).copied().unwrap_or(Bit::Const(false))).collect()
    }

    fn parts(&mut self, parts: &[DescribedPart], places: &[usize]) {
        for part in parts {
            match part {
                DescribedPart::Text(text) => self.steps.push(DescribedStep::Text(text.clone())),
                DescribedPart::Number(number) => {
                    let bits = self.part_bits(number.bits, places);
                    self.number(number, bits);
                }
                DescribedPart::Float { bits, is_bfloat16 } => {
                    let mut own = self.part_bits(*bits, places);
                    own.resize(16, Bit::Const(false));
                    let texts = self.floats.of(*is_bfloat16);
                    self.table(own, texts);
                }
                DescribedPart::Choice { bits, of } => {
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

    fn number(&mut self, number: &NumberText, mut bits: Vec<Bit>) {
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
            self.steps
                .push(DescribedStep::Number(Rc::new(Numeral { bits, number: number.clone() })));
        }
    }

    /// Adds hexadecimal digits: at least `digits` of them, without further leading zeros.
    fn hex(&mut self, mut bits: Vec<Bit>, digits: usize) {
        bits.resize(bits.len().next_multiple_of(4).max(4 * digits), Bit::Const(false));
        let texts = values_of((0..16).map(|digit| format!("{digit:x}")));
        let mut above = super::word_sets::NONE;
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
