//! Relations between two fields, as sets of words: `left + by == right`, `left + by < right`.
//!
//! Fields are unsigned numbers, and sums are exact: they do not wrap around. The BDD tests the bits
//! from the highest to the lowest, with bits of equal weight next to each other. The difference
//! that the remaining bits must have is then one of a few numbers, so the size of the BDD depends
//! on the number of bits and not on the number of values.

use std::collections::HashMap;

use super::ResolvedField;
use super::cube::Cube;
use crate::syntax::ast::ComparisonOperator;
use isa_bdd::{Diagrams, WordSet};

/// The words in which the comparison of `left + by` with `right` holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Relation {
    /// The bit positions of the number in the word, the lowest first.
    pub(crate) left: Vec<u8>,
    pub(crate) by: i128,
    pub(crate) sign: ComparisonOperator,
    pub(crate) right: Vec<u8>,
}

impl Relation {
    /// Returns the relation that holds if and only if this one does not.
    pub(crate) fn negated(&self) -> Relation {
        Relation { sign: self.sign.negated(), ..self.clone() }
    }

    /// Returns the words as a BDD. In the order of the BDD, bits of equal weight in both fields
    /// must be next to each other, and bits of more weight must come first.
    pub(super) fn diagram(&self, diagrams: &mut Diagrams) -> WordSet {
        let weights = self.left.len().max(self.right.len());
        self.below(weights, self.by, &mut HashMap::new(), diagrams)
    }

    /// Returns the words in which the relation holds between `by` and `right - left`. Only the
    /// lowest `weights` bits of both numbers are considered.
    fn below(
        &self,
        weights: usize,
        by: i128,
        known: &mut HashMap<(usize, i128), WordSet>,
        diagrams: &mut Diagrams,
    ) -> WordSet {
        if let Some(&known) = known.get(&(weights, by)) {
            return known;
        }
        let most = |bits: &[u8]| (1i128 << bits.len().min(weights)) - 1;
        let found = match decided(self.sign, by, -most(&self.left), most(&self.right)) {
            Some(true) => WordSet::ALL,
            Some(false) => WordSet::NONE,
            None => {
                // There is at least one bit here: without bits, the result is always decided.
                let weight = weights.saturating_sub(1);
                let one = 1i128 << weight;
                let mut then = |by: i128| self.below(weight, by, known, diagrams);
                // The result depends on the two bits at this position: one of each side.
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

/// Compares `by` with all numbers from `low` to `high`. Returns true if the comparison holds for
/// all of them, false if it holds for none, and `None` otherwise.
fn decided(sign: ComparisonOperator, by: i128, low: i128, high: i128) -> Option<bool> {
    match sign {
        ComparisonOperator::Equal if by < low || by > high => Some(false),
        ComparisonOperator::Equal => (low == high).then_some(true),
        ComparisonOperator::Less if by < low => Some(true),
        ComparisonOperator::Less => (by >= high).then_some(false),
        ComparisonOperator::LessOrEqual if by <= low => Some(true),
        ComparisonOperator::LessOrEqual => (by > high).then_some(false),
        ComparisonOperator::Unequal
        | ComparisonOperator::Greater
        | ComparisonOperator::GreaterOrEqual => {
            decided(sign.negated(), by, low, high).map(|holds| !holds)
        }
    }
}

/// Returns the 64-bit numbers from `first` to `last` as cubes. Each cube is an aligned block, as
/// wide as the two ends allow.
pub(crate) fn numbers_between(first: u64, last: u64) -> Vec<Cube> {
    let mut cubes = Vec::new();
    let (mut at, last) = (u128::from(first), u128::from(last));
    while at <= last {
        // The widest block that starts here and does not exceed `last`.
        let fits = |free: &u32| at & ((1 << free) - 1) == 0 && at + (1 << free) - 1 <= last;
        let free = (0..=64).rev().find(fits).unwrap_or(0);
        cubes.push(Cube { mask: u128::from(u64::MAX) & !((1 << free) - 1), value: at });
        at += 1 << free;
    }
    cubes
}

/// Returns the bit positions of a field in the word, the lowest first.
pub(crate) fn bits_of(field: &ResolvedField) -> Vec<u8> {
    let pieces = field.pieces.iter().rev();
    pieces.flat_map(|&(position, width)| (0..width).map(move |bit| position + bit)).collect()
}
