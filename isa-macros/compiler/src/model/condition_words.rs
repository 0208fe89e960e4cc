//! The words that satisfy a condition, as cubes. The terms are combined by `and`, `or` and `not`.
//!
//! Most conditions need only a few cubes at each step, and the cubes of the last step are the
//! result. If a step needs too many cubes, the words become a [BDD](isa_bdd), which remains small.
//! The words of the whole condition are then listed from the BDD. The list may be empty, or too
//! long.

use std::collections::BTreeSet;

use isa_bdd::{Diagrams, WordSet as Set};

use super::cube::{self, Cube};
use super::relation::Relation;

/// The maximum number of cubes of one exception. The check of a word may have to examine each of
/// them.
pub(crate) const MOST_CUBES: usize = 4096;

/// The maximum number of BDD nodes of a condition, including intermediate ones.
const MOST_NODES: usize = 1 << 17;

/// A condition with resolved names.
#[derive(Debug, Clone)]
pub(crate) enum ResolvedCondition {
    And(Vec<ResolvedCondition>),
    Or(Vec<ResolvedCondition>),
    Not(Box<ResolvedCondition>),
    /// The words in at least one of the cubes.
    Any(Vec<Cube>),
    /// The words in which the comparison of two fields holds.
    Relation(Relation),
    /// The words for which the function with this index returns true.
    Call(usize),
}

/// If a condition with a relation needs at least this many cubes, its cubes are also computed from
/// a BDD, and the shorter list is used.
const MANY: usize = 16;

impl ResolvedCondition {
    /// Returns the words as cubes, or `None` if they cannot be listed.
    pub(crate) fn cubes(&self) -> Option<Vec<Cube>> {
        let joined = self.joined().or_else(|| self.pushed(false).joined());
        match joined {
            Some(cubes) if cubes.len() < MANY || !self.has_relation() => Some(cubes),
            Some(cubes) => {
                let fewer = self.fewest().filter(|fewer| fewer.len() < cubes.len());
                Some(fewer.unwrap_or(cubes))
            }
            None => self.fewest(),
        }
    }

    /// Returns the words, given the result that each function returns for every word.
    pub(super) fn given(&self, said: &[bool]) -> ResolvedCondition {
        let all = |terms: &[ResolvedCondition]| terms.iter().map(|term| term.given(said)).collect();
        match self {
            ResolvedCondition::And(terms) => ResolvedCondition::And(all(terms)),
            ResolvedCondition::Or(terms) => ResolvedCondition::Or(all(terms)),
            ResolvedCondition::Not(inner) => ResolvedCondition::Not(Box::new(inner.given(said))),
            ResolvedCondition::Any(_) | ResolvedCondition::Relation(_) => self.clone(),
            ResolvedCondition::Call(place) => {
                ResolvedCondition::Any(if said[*place] { vec![Cube::ALL] } else { Vec::new() })
            }
        }
    }

    /// Returns the words as cubes from their BDD.
    fn fewest(&self) -> Option<Vec<Cube>> {
        let mut diagrams = self.diagrams();
        let all = self.diagram(&mut diagrams)?;
        (!diagrams.is_full()).then_some(())?;
        // A cover usually has fewer cubes than a list of disjoint cubes, but there are exceptions.
        let cubes = match diagrams.cover(all, MOST_CUBES) {
            Some(cover) => diagrams.apart(all, cover.len().saturating_sub(1)).or(Some(cover)),
            None => diagrams.apart(all, MOST_CUBES),
        };
        as_cubes(cubes)
    }

    fn has_relation(&self) -> bool {
        match self {
            ResolvedCondition::And(terms) | ResolvedCondition::Or(terms) => {
                terms.iter().any(ResolvedCondition::has_relation)
            }
            ResolvedCondition::Not(inner) => inner.has_relation(),
            ResolvedCondition::Any(_) | ResolvedCondition::Call(_) => false,
            ResolvedCondition::Relation(_) => true,
        }
    }

    /// Returns empty BDDs with a suitable variable order: if a relation connects fields, their bits
    /// are next to each other, and bits of higher weight come first.
    fn diagrams(&self) -> Diagrams {
        // The groups of fields that are compared with each other, directly or through other fields.
        let mut joined: Vec<Vec<&[u8]>> = Vec::new();
        let mut relations = Vec::new();
        self.relations(&mut relations);
        for Relation { left, right, .. } in relations {
            let mut own = vec![&left[..], &right[..]];
            let (near, apart) = joined.into_iter().partition::<Vec<_>, _>(|fields| {
                fields.contains(&own[0]) || fields.contains(&own[1])
            });
            joined = apart;
            own.extend(near.into_iter().flatten());
            let mut known = BTreeSet::new();
            own.retain(|field| known.insert(*field));
            joined.push(own);
        }
        let mut order = Vec::new();
        for fields in joined {
            let widest = fields.iter().map(|field| field.len()).max().unwrap_or_default();
            for weight in (0..widest).rev() {
                order.extend(fields.iter().filter_map(|field| field.get(weight)));
            }
        }
        Diagrams::asking(order).at_most(MOST_NODES)
    }

    fn relations<'w>(&'w self, found: &mut Vec<&'w Relation>) {
        match self {
            ResolvedCondition::And(terms) | ResolvedCondition::Or(terms) => {
                terms.iter().for_each(|term| term.relations(found));
            }
            ResolvedCondition::Not(inner) => inner.relations(found),
            ResolvedCondition::Any(_) | ResolvedCondition::Call(_) => {}
            ResolvedCondition::Relation(relation) => found.push(relation),
        }
    }

    /// Returns an equal condition in which `not` is applied only to cubes and functions. With
    /// `outside`, returns the complement in this form. The complement of many cubes may need only a
    /// few.
    fn pushed(&self, outside: bool) -> ResolvedCondition {
        let all =
            |terms: &[ResolvedCondition]| terms.iter().map(|term| term.pushed(outside)).collect();
        match self {
            ResolvedCondition::Not(inner) => inner.pushed(!outside),
            ResolvedCondition::And(terms) if outside => ResolvedCondition::Or(all(terms)),
            ResolvedCondition::Or(terms) if outside => ResolvedCondition::And(all(terms)),
            ResolvedCondition::And(terms) => ResolvedCondition::And(all(terms)),
            ResolvedCondition::Or(terms) => ResolvedCondition::Or(all(terms)),
            ResolvedCondition::Any(cubes) if outside => {
                ResolvedCondition::Not(Box::new(ResolvedCondition::Any(cubes.clone())))
            }
            ResolvedCondition::Any(cubes) => ResolvedCondition::Any(cubes.clone()),
            ResolvedCondition::Call(_) if outside => ResolvedCondition::Not(Box::new(self.clone())),
            ResolvedCondition::Call(_) => self.clone(),
            ResolvedCondition::Relation(relation) if outside => {
                ResolvedCondition::Relation(relation.negated())
            }
            ResolvedCondition::Relation(relation) => ResolvedCondition::Relation(relation.clone()),
        }
    }

    /// Returns the cubes of the terms, combined step by step, or `None` if a step needs too many.
    fn joined(&self) -> Option<Vec<Cube>> {
        match self {
            ResolvedCondition::Any(cubes) => few(cubes.clone()),
            ResolvedCondition::Not(inner) => match &**inner {
                ResolvedCondition::Relation(relation) => {
                    ResolvedCondition::Relation(relation.negated()).fewest()
                }
                inner => complement(&inner.joined()?),
            },
            ResolvedCondition::Relation(_) => self.fewest(),
            // The result of the function is unknown.
            ResolvedCondition::Call(_) => None,
            ResolvedCondition::And(terms) => {
                let mut terms = terms.iter();
                let first = terms.next()?.joined()?;
                terms.try_fold(first, |all, term| intersect(&all, &term.joined()?))
            }
            ResolvedCondition::Or(terms) => {
                let mut either = Vec::new();
                // A repeated cube is kept once, at its first position.
                let mut known = BTreeSet::new();
                for term in terms {
                    either.extend(term.joined()?.into_iter().filter(|cube| known.insert(*cube)));
                    if either.len() > MOST_CUBES {
                        return None;
                    }
                }
                Some(either)
            }
        }
    }

    /// Returns the words as a BDD, or `None` if the condition contains a function. The result is
    /// meaningless if the BDDs are full afterwards.
    fn diagram(&self, diagrams: &mut Diagrams) -> Option<Set> {
        let mut all = |terms: &[ResolvedCondition]| -> Option<Vec<Set>> {
            terms.iter().map(|term| term.diagram(diagrams)).collect()
        };
        Some(match self {
            ResolvedCondition::Any(cubes) => {
                diagrams.cubes(cubes.iter().map(|cube| (cube.mask, cube.value)))
            }
            ResolvedCondition::Not(inner) => {
                let inner = inner.diagram(diagrams)?;
                diagrams.not(inner)
            }
            ResolvedCondition::Relation(relation) => relation.diagram(diagrams),
            ResolvedCondition::Call(_) => return None,
            ResolvedCondition::And(terms) => {
                let terms = all(terms)?;
                diagrams.all(terms)
            }
            ResolvedCondition::Or(terms) => {
                let terms = all(terms)?;
                diagrams.any(terms)
            }
        })
    }
}

fn as_cubes(listed: Option<Vec<(u128, u128)>>) -> Option<Vec<Cube>> {
    Some(listed?.into_iter().map(|(mask, value)| Cube { mask, value }).collect())
}

fn few(cubes: Vec<Cube>) -> Option<Vec<Cube>> {
    (cubes.len() <= MOST_CUBES).then_some(cubes)
}

fn intersect(a: &[Cube], b: &[Cube]) -> Option<Vec<Cube>> {
    (a.len().saturating_mul(b.len()) <= MOST_CUBES).then(|| cube::intersect(a, b))
}

fn complement(union: &[Cube]) -> Option<Vec<Cube>> {
    union.iter().try_fold(vec![Cube::ALL], |rest, cube| intersect(&rest, &cube.complement()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::ast::ComparisonOperator;

    /// Returns whether a word satisfies a condition, by evaluating its terms.
    fn holds(condition: &ResolvedCondition, word: u128) -> bool {
        match condition {
            ResolvedCondition::And(terms) => terms.iter().all(|term| holds(term, word)),
            ResolvedCondition::Or(terms) => terms.iter().any(|term| holds(term, word)),
            ResolvedCondition::Not(inner) => !holds(inner, word),
            ResolvedCondition::Any(cubes) => {
                cubes.iter().any(|cube| word & cube.mask == cube.value)
            }
            ResolvedCondition::Call(_) => unreachable!("no condition here has a function"),
            ResolvedCondition::Relation(Relation { left, by, sign, right }) => {
                let number = |bits: &[u8]| {
                    let bits = bits.iter().enumerate();
                    bits.map(|(weight, bit)| ((word >> bit & 1) << weight) as i128).sum::<i128>()
                };
                let (left, right) = (number(left) + by, number(right));
                match sign {
                    ComparisonOperator::Equal => left == right,
                    ComparisonOperator::Unequal => left != right,
                    ComparisonOperator::Less => left < right,
                    ComparisonOperator::LessOrEqual => left <= right,
                    ComparisonOperator::Greater => left > right,
                    ComparisonOperator::GreaterOrEqual => left >= right,
                }
            }
        }
    }

    /// A generator of random numbers, and the fields that conditions compare.
    struct WordSampler(u64, Vec<Vec<u8>>);

    impl WordSampler {
        fn below(&mut self, most: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 20) % most
        }

        /// Returns a condition over words of `bits` bits.
        fn condition(&mut self, bits: u64, depth: u64) -> ResolvedCondition {
            let terms = |random: &mut Self| {
                let count = random.below(4);
                (0..=count).map(|_| random.condition(bits, depth - 1)).collect()
            };
            match self.below(if depth == 0 { 1 } else { 4 }) {
                1 => ResolvedCondition::And(terms(self)),
                2 => ResolvedCondition::Or(terms(self)),
                3 => ResolvedCondition::Not(Box::new(self.condition(bits, depth - 1))),
                _ if self.below(3) == 0 => ResolvedCondition::Relation(self.relation()),
                _ => ResolvedCondition::Any((0..self.below(4)).map(|_| self.field(bits)).collect()),
            }
        }

        /// Distributes the bits, in any order, among four fields. Some fields may be empty.
        fn set_fields(&mut self, bits: u8) {
            self.1 = vec![Vec::new(); 4];
            let mut places: Vec<u8> = (0..bits).collect();
            while !places.is_empty() {
                let bit = places.swap_remove(self.below(places.len() as u64) as usize);
                let field = self.below(4) as usize;
                self.1[field].push(bit);
            }
        }

        fn relation(&mut self) -> Relation {
            let left = self.below(4) as usize;
            let right = (left + 1 + self.below(3) as usize) % 4;
            let by = match self.below(3) {
                0 => 0,
                1 => self.below(5) as i128 - 2,
                _ => self.below(80) as i128 - 40,
            };
            let sign = ComparisonOperator::ALL[self.below(6) as usize];
            Relation { left: self.1[left].clone(), by, sign, right: self.1[right].clone() }
        }

        /// Returns the words in which some bits, not all adjacent, have a value.
        fn field(&mut self, bits: u64) -> Cube {
            let word = (1 << bits) - 1;
            let mask = u128::from(self.below(1 << bits) | self.below(1 << bits)) & word;
            Cube { mask, value: u128::from(self.below(1 << bits)) & mask }
        }
    }

    #[test]
    fn the_words_of_random_conditions_are_those_that_meet_them() {
        let mut random = WordSampler(0x2545_f491_4f6c_dd1d, Vec::new());
        let (mut listed, mut ways) = (0, 0);
        for round in 0..240 {
            let bits = 12 + round % 5;
            random.set_fields(bits as u8);
            let condition = random.condition(bits, 4);
            let mut diagrams = condition.diagrams();
            let set = condition.diagram(&mut diagrams).unwrap();
            let exact = as_cubes(diagrams.apart(set, usize::MAX)).unwrap();
            let fewest = as_cubes(diagrams.cover(set, usize::MAX)).unwrap();
            let found = [
                condition.joined(),
                condition.pushed(false).joined(),
                condition.cubes(),
                Some(fewest),
            ];
            listed += found.iter().flatten().count();
            ways += exact.len();
            // For the widest words, only some of the words are checked.
            for word in (0..1u128 << bits).step_by(if bits > 13 { 7 } else { 1 }) {
                let expected = holds(&condition, word);
                let has = |cube: &&Cube| word & cube.mask == cube.value;
                for cubes in found.iter().flatten() {
                    assert_eq!(cubes.iter().any(|cube| has(&cube)), expected, "{condition:?}");
                }
                let count = exact.iter().filter(has).count();
                assert_eq!(count, usize::from(expected), "{condition:?}: each word once");
            }
        }
        assert!(listed > 300 && ways > 1000, "{listed} lists, {ways} ways");
    }

    /// Returns the number of cubes for a comparison of two adjacent fields of this width.
    fn compared(bits: u8, by: i128, sign: ComparisonOperator) -> Option<usize> {
        let (left, right) = ((0..bits).collect(), (bits..2 * bits).collect());
        let relation = Relation { left, by, sign, right };
        ResolvedCondition::Relation(relation).cubes().map(|cubes| cubes.len())
    }

    #[test]
    fn a_relation_is_few_cubes() {
        assert_eq!(compared(5, 0, ComparisonOperator::Equal), Some(32));
        assert_eq!(compared(12, 0, ComparisonOperator::Equal), Some(4096));
        assert_eq!(compared(13, 0, ComparisonOperator::Equal), None);
        assert_eq!(compared(5, 0, ComparisonOperator::Unequal), Some(10));
        assert_eq!(compared(64, 0, ComparisonOperator::Unequal), Some(128));
        assert_eq!(compared(6, 0, ComparisonOperator::Less), Some(63));
        assert_eq!(compared(6, 1, ComparisonOperator::Equal), Some(63));
        assert_eq!(compared(6, 63, ComparisonOperator::Less), Some(0));
        assert_eq!(compared(6, -64, ComparisonOperator::Less), Some(1));
        // Sums do not wrap around.
        assert_eq!(compared(64, 1 << 64, ComparisonOperator::Equal), Some(0));
    }

    #[test]
    fn too_many_cubes_are_refused() {
        let unequal = |field: u8| {
            let cube = Cube { mask: 0xff << (8 * field), value: 1 << (8 * field) };
            ResolvedCondition::Not(Box::new(ResolvedCondition::Any(vec![cube])))
        };
        let all = |count: u8| ResolvedCondition::And((0..count).map(unequal).collect());
        assert_eq!(all(1).cubes().map(|cubes| cubes.len()), Some(8));
        assert_eq!(all(4).cubes().map(|cubes| cubes.len()), Some(4096));
        assert!(all(5).cubes().is_none());
        assert_eq!(
            ResolvedCondition::Not(Box::new(all(16))).cubes().map(|cubes| cubes.len()),
            Some(16)
        );
        // Each of these relates a bit of one half to a bit of the other half.
        let pair = |bit: u32| {
            ResolvedCondition::Any(vec![Cube { mask: 1 << bit | 1 << (bit + 64), value: 0 }])
        };
        let matched = ResolvedCondition::And(
            (0..64).map(|bit| ResolvedCondition::Not(Box::new(pair(bit)))).collect(),
        );
        assert!(matched.cubes().is_none());
        let none = ResolvedCondition::And(vec![
            matched,
            ResolvedCondition::Or((0..64).map(pair).collect()),
        ]);
        assert_eq!(none.cubes(), Some(Vec::new()));
    }
}
