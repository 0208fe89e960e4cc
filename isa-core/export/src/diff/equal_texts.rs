//! Computes the words for which two rows print the same text.
//!
//! Both print programs are executed in parallel. If one of them has printed more than the other, the
//! other one must print the difference next. All words that reach a pair of steps with the same
//! difference form one set. Each pair is therefore visited once, regardless of the number of words.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::print_steps::{DescribedStep, Numeral, ValueTable};
use super::word_sets::{Bit, NONE, WordSets, Words};

/// The text that one side has printed in addition to the other side.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Ahead {
    side: usize,
    text: String,
}

/// The sum of the positions of both sides, the two positions, and the difference. A step never goes
/// back, so all predecessors of a pair are visited before the pair.
type PositionKey = (usize, [usize; 2], Ahead);

/// Returns the words of a set for which two lists of steps print the same text.
pub(super) fn same(sets: &mut WordSets, words: Words, steps: [&[DescribedStep]; 2]) -> Words {
    let mut walk = TextComparison { sets, steps, states: BTreeMap::new(), same: NONE };
    walk.add([0, 0], 0, String::new(), words);
    while let Some(((_, at, ahead), words)) = walk.states.pop_first() {
        walk.step(at, ahead, words);
    }
    walk.same
}

struct TextComparison<'s> {
    sets: &'s mut WordSets,
    steps: [&'s [DescribedStep]; 2],
    states: BTreeMap<PositionKey, Words>,
    same: Words,
}

impl TextComparison<'_> {
    fn add(&mut self, at: [usize; 2], side: usize, text: String, words: Words) {
        if words == NONE {
            return;
        }
        let side = if text.is_empty() { 0 } else { side };
        let key = (at[0] + at[1], at, Ahead { side, text });
        let known = self.states.get(&key).copied().unwrap_or(NONE);
        let all = self.sets.or(known, words);
        self.states.insert(key, all);
    }

    fn next(&self, side: usize, at: [usize; 2]) -> Option<DescribedStep> {
        self.steps[side].get(at[side]).cloned()
    }

    fn step(&mut self, at: [usize; 2], Ahead { side, text }: Ahead, words: Words) {
        for own in [0, 1] {
            if let Some(DescribedStep::Unless(set, to)) = self.next(own, at) {
                let (inside, outside) = (self.sets.and(words, set), self.sets.without(words, set));
                self.add(moved(at, own, at[own] + 1), side, text.clone(), inside);
                self.add(moved(at, own, to), side, text, outside);
                return;
            }
        }
        let [first, second] = [0, 1].map(|side| self.next(side, at));
        match (first, second) {
            (None, None) if text.is_empty() => self.same = self.sets.or(self.same, words),
            _ if !text.is_empty() => self.follow(at, side, &text, words),
            (Some(DescribedStep::Number(a)), Some(DescribedStep::Number(b))) => {
                let equal = if a == b { words } else { self.equal(&a, &b, words) };
                self.add([at[0] + 1, at[1] + 1], 0, String::new(), equal);
            }
            (Some(DescribedStep::Table(a)), Some(DescribedStep::Table(b))) if a.bits == b.bits => {
                self.both(at, &a, &b, words);
            }
            (Some(DescribedStep::Number(_)) | None, Some(_)) => self.lead(at, 1, "", words),
            (Some(_), _) => self.lead(at, 0, "", words),
            (None, None) => {}
        }
    }

    /// Makes the side that is not ahead print the text by which the other side is ahead.
    fn follow(&mut self, at: [usize; 2], side: usize, text: &str, words: Words) {
        let other = 1 - side;
        let on = moved(at, other, at[other] + 1);
        match self.next(other, at) {
            Some(DescribedStep::Text(own)) => self.meet(on, side, text, &own, words),
            Some(DescribedStep::Table(table)) => {
                let is_met = |own: &&String| text.starts_with(&***own) || own.starts_with(text);
                let own: Vec<&String> = table.values.keys().filter(is_met).collect();
                for own in own {
                    let set = self.sets.values(&table.bits, &table.values[own]);
                    let words = self.sets.and(words, set);
                    self.meet(on, side, text, own, words);
                }
            }
            Some(DescribedStep::Number(number)) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
                // More digits may follow.
                if rest.is_empty() && at[side] < self.steps[side].len() {
                    return self.lead(at, side, text, words);
                }
                let own = &text[..text.len() - rest.len()];
                if let Some(value) =
                    own.parse::<i128>().ok().filter(|value| value.to_string() == own)
                {
                    let set = self.is(&number, value);
                    let words = self.sets.and(words, set);
                    self.add(on, side, rest.to_owned(), words);
                }
            }
            Some(DescribedStep::Unless(..)) | None => {}
        }
    }

    /// Continues if `side` is ahead by `text` and the other side prints `own`.
    fn meet(&mut self, at: [usize; 2], side: usize, text: &str, own: &str, words: Words) {
        if let Some(rest) = text.strip_prefix(own) {
            self.add(at, side, rest.to_owned(), words);
        } else if let Some(rest) = own.strip_prefix(text) {
            self.add(at, 1 - side, rest.to_owned(), words);
        }
    }

    /// Lets `side` print its next step, although it is ahead: the other side has not printed `text`
    /// yet.
    fn lead(&mut self, at: [usize; 2], side: usize, text: &str, words: Words) {
        let on = moved(at, side, at[side] + 1);
        match self.next(side, at) {
            Some(DescribedStep::Text(own)) => self.add(on, side, format!("{text}{own}"), words),
            Some(DescribedStep::Table(table)) => {
                for (own, values) in &*table.values {
                    let set = self.sets.values(&table.bits, values);
                    let words = self.sets.and(words, set);
                    self.add(on, side, format!("{text}{own}"), words);
                }
            }
            // Numbers with many values are not listed. If such a number directly follows another one, or
            // if the other side has no number, the texts are treated as different.
            Some(DescribedStep::Number(_) | DescribedStep::Unless(..)) | None => {}
        }
    }

    /// Continues with two tables for the same bits.
    fn both(&mut self, at: [usize; 2], a: &ValueTable, b: &ValueTable, words: Words) {
        let on = [at[0] + 1, at[1] + 1];
        if Rc::ptr_eq(&a.values, &b.values) || a.values == b.values {
            return self.add(on, 0, String::new(), words);
        }
        let mut met: BTreeMap<(usize, String), Vec<u64>> = BTreeMap::new();
        let others: BTreeMap<u64, &String> =
            b.values.iter().flat_map(|(text, all)| all.iter().map(move |v| (*v, text))).collect();
        for (text, values) in &*a.values {
            for value in values {
                let Some(other) = others.get(value) else { continue };
                let ahead = match (text.strip_prefix(&***other), other.strip_prefix(&**text)) {
                    (Some(rest), _) => (0, rest),
                    (None, Some(rest)) => (1, rest),
                    (None, None) => continue,
                };
                met.entry((ahead.0, ahead.1.to_owned())).or_default().push(*value);
            }
        }
        for ((side, text), values) in met {
            let set = self.sets.values(&a.bits, &values);
            let words = self.sets.and(words, set);
            self.add(on, side, text, words);
        }
    }

    /// Returns the words of a set in which two numbers are equal.
    fn equal(&mut self, a: &Numeral, b: &Numeral, words: Words) -> Words {
        if (a.number.hex == 0) != (b.number.hex == 0) {
            return NONE;
        }
        if let Some(value) = meeting(a, b) {
            let place = 64 - a.bits.len();
            let set =
                value.map_or(NONE, |value| self.sets.values(&a.bits, &[value << place >> place]));
            return self.sets.and(words, set);
        }
        let (a, b) = (self.vector(a), self.vector(b));
        a.into_iter().zip(b).fold(words, |words, (a, b)| {
            let same = self.sets.same(a, b);
            self.sets.and(words, same)
        })
    }

    /// Returns the words in which a number has a value.
    fn is(&mut self, number: &Numeral, value: i128) -> Words {
        if number.number.hex > 0 {
            return NONE;
        }
        let bits = self.vector(number);
        bits.into_iter().enumerate().fold(super::word_sets::ALL, |words, (place, bit)| {
            let bit = if value >> place & 1 == 1 { bit } else { self.sets.not(bit) };
            self.sets.and(words, bit)
        })
    }

    /// Returns the 128 bits of a number in two's complement, the lowest first.
    fn vector(&mut self, Numeral { bits, number }: &Numeral) -> Vec<Words> {
        let mut own: Vec<Words> = bits.iter().map(|bit| self.sets.bit(*bit)).collect();
        let sign = match number.signed {
            true => own.last().copied().unwrap_or(NONE),
            false => NONE,
        };
        own.resize(128, sign);
        let mut sum = constant(number.add);
        let (size, minus) = (number.scale.unsigned_abs(), number.scale < 0);
        for place in (0..128usize).filter(|place| size >> place & 1 == 1) {
            let mut part = vec![NONE; place];
            part.extend_from_slice(&own[..128 - place]);
            if minus {
                part = part.into_iter().map(|bit| self.sets.not(bit)).collect();
            }
            sum = self.plus(&sum, &part, minus);
        }
        if number.wrap > 0 {
            let sign = sum[number.wrap as usize - 1];
            sum.truncate(number.wrap as usize);
            sum.resize(128, sign);
        }
        sum
    }

    fn plus(&mut self, a: &[Words], b: &[Words], carry: bool) -> Vec<Words> {
        let mut carry = self.sets.bit(Bit::Const(carry));
        let sum = a.iter().zip(b).map(|(&a, &b)| {
            let same = self.sets.same(a, b);
            let unlike = self.sets.not(same);
            let even = self.sets.same(unlike, carry);
            let (both, one) = (self.sets.and(a, b), self.sets.and(unlike, carry));
            carry = self.sets.or(both, one);
            self.sets.not(even)
        });
        sum.collect()
    }
}

/// Compares two numbers with the same bits and different scales. Returns the only value of the bits for
/// which the numbers are equal, or `Some(None)` if there is no such value. Returns `None` for other
/// numbers. This case is separate because sets of words cannot multiply by any number in reasonable
/// time.
fn meeting(a: &Numeral, b: &Numeral) -> Option<Option<u64>> {
    let (own, other) = (&a.number, &b.number);
    let by = own.scale.checked_sub(other.scale).filter(|by| *by != 0)?;
    let is_plain = own.wrap == 0 && other.wrap == 0 && own.signed == other.signed;
    if a.bits != b.bits || !is_plain || !(1..=64).contains(&a.bits.len()) {
        return None;
    }
    let apart = other.add - own.add;
    let value = apart / by;
    let (bits, sign) = (a.bits.len() as u32, u32::from(own.signed));
    let least = if own.signed { -1i128 << (bits - 1) } else { 0 };
    let fits = apart % by == 0 && (least..1i128 << (bits - sign)).contains(&value);
    Some(fits.then_some(value as u64))
}

fn constant(number: i128) -> Vec<Words> {
    let bit = |place: u32| if number >> place & 1 == 1 { super::word_sets::ALL } else { NONE };
    (0..128).map(bit).collect()
}

/// Returns the positions with the position of one side replaced.
fn moved(at: [usize; 2], side: usize, to: usize) -> [usize; 2] {
    let mut moved = at;
    moved[side] = to;
    moved
}
