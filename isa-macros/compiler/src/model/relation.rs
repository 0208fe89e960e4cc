//! Relations between two fields, as sets of words: `left + by == right`, `left + by < right`.
//!
//! Fields are numbers without a sign, and sums are those of whole numbers: nothing wraps around.
//! Bits are asked for from the highest down, those of equal weight side by side. What the bits below
//! then have to differ by is one of few numbers, so that the diagram grows with the bits and not with
//! the values.

use std::collections::HashMap;

use super::Field;
use super::cube::Cube;
use crate::syntax::condition::Sign;
use isa_bdd::{Diagrams, Words};

/// The words in which `left + by` compares so with `right`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relation {
    /// The bits of the word that have the number, the lowest first.
    pub(crate) left: Vec<u8>,
    pub(crate) by: i128,
    pub(crate) sign: Sign,
    pub(crate) right: Vec<u8>,
}

impl Relation {
    /// The relation that holds where this one does not.
    pub(crate) fn negated(&self) -> Relation {
        Relation { sign: self.sign.negated(), ..self.clone() }
    }

    /// The words. The bits of both fields of one weight stand side by side in the order of the
    /// diagrams, below those of more weight.
    pub(super) fn diagram(&self, diagrams: &mut Diagrams) -> Words {
        let weights = self.left.len().max(self.right.len());
        self.below(weights, self.by, &mut HashMap::new(), diagrams)
    }

    /// The words in which the lowest `weights` bits have `by` in this relation to what the right
    /// number has more than the left one.
    fn below(
        &self,
        weights: usize,
        by: i128,
        known: &mut HashMap<(usize, i128), Words>,
        diagrams: &mut Diagrams,
    ) -> Words {
        if let Some(&known) = known.get(&(weights, by)) {
            return known;
        }
        let most = |bits: &[u8]| (1i128 << bits.len().min(weights)) - 1;
        let found = match decided(self.sign, by, -most(&self.left), most(&self.right)) {
            Some(true) => Words::ALL,
            Some(false) => Words::NONE,
            None => {
                // Without bits it is decided.
                let weight = weights.saturating_sub(1);
                let one = 1i128 << weight;
                let mut then = |by: i128| self.below(weight, by, known, diagrams);
                // By the bits on the left and on the right.
                match (self.left.get(weight), self.right.get(weight)) {
                    (Some(&left), Some(&right)) => {
                        let [both, only_left, only_right] =
                            [then(by), then(by + one), then(by - one)];
                        let (first, second, only_first, only_second) =
                            match diagrams.asks_first(left, right) {
                                true => (left, right, only_left, only_right),
                                false => (right, left, only_right, only_left),
                            };
                        let zero = diagrams.choice(second, both, only_second);
                        let set = diagrams.choice(second, only_first, both);
                        diagrams.choice(first, zero, set)
                    }
                    (Some(&left), None) => {
                        let [zero, set] = [then(by), then(by + one)];
                        diagrams.choice(left, zero, set)
                    }
                    (None, Some(&right)) => {
                        let [zero, set] = [then(by), then(by - one)];
                        diagrams.choice(right, zero, set)
                    }
                    (None, None) => then(by),
                }
            }
        };
        known.insert((weights, by), found);
        found
    }
}

/// Whether `by` compares so with all numbers from `low` to `high`, or with none of them.
fn decided(sign: Sign, by: i128, low: i128, high: i128) -> Option<bool> {
    match sign {
        Sign::Equal if by < low || by > high => Some(false),
        Sign::Equal => (low == high).then_some(true),
        Sign::Less if by < low => Some(true),
        Sign::Less => (by >= high).then_some(false),
        Sign::LessOrEqual if by <= low => Some(true),
        Sign::LessOrEqual => (by > high).then_some(false),
        Sign::Unequal | Sign::Greater | Sign::GreaterOrEqual => {
            decided(sign.negated(), by, low, high).map(|holds| !holds)
        }
    }
}

/// The numbers of some bits from `first` to `last`, as cubes of the number's bits: as many as the two
/// ends need.
pub(crate) fn numbers_between(first: u64, last: u64) -> Vec<Cube> {
    let mut cubes = Vec::new();
    let (mut at, last) = (u128::from(first), u128::from(last));
    while at <= last {
        // The widest block that starts here and ends in time.
        let fits = |free: &u32| at & ((1 << free) - 1) == 0 && at + (1 << free) - 1 <= last;
        let free = (0..=64).rev().find(fits).unwrap_or(0);
        cubes.push(Cube { mask: u128::from(u64::MAX) & !((1 << free) - 1), value: at });
        at += 1 << free;
    }
    cubes
}

/// The bits of a field in the word, the lowest first.
pub(crate) fn bits_of(field: &Field) -> Vec<u8> {
    let pieces = field.pieces.iter().rev();
    pieces.flat_map(|&(position, width)| (0..width).map(move |bit| position + bit)).collect()
}
