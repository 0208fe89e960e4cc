//! The words that meet a condition, as cubes: those of its terms joined by `and`, `or` and `not`.
//!
//! Most conditions are few cubes at each step, and the cubes of the steps are what is wanted. Where
//! a step has many, the words become a [diagram](super::diagram), which stays small, and what the
//! whole condition has left is listed. That may be too many, or none.

use std::collections::BTreeSet;

use super::cube::{self, Cube};
use super::diagram::{Diagram, Diagrams};

/// The most cubes of one exception. The check of a word may have to look at each.
pub(crate) const MOST_CUBES: usize = 4096;

/// A condition without names.
#[derive(Debug)]
pub(crate) enum Words {
    And(Vec<Words>),
    Or(Vec<Words>),
    Not(Box<Words>),
    /// The words in one of the cubes.
    Any(Vec<Cube>),
}

impl Words {
    /// The words as cubes, `None` where they cannot be listed.
    pub(crate) fn cubes(&self) -> Option<Vec<Cube>> {
        self.joined().or_else(|| self.pushed(false).joined()).or_else(|| {
            let mut diagrams = Diagrams::default();
            let all = self.diagram(&mut diagrams)?;
            diagrams.cubes(all, MOST_CUBES)
        })
    }

    /// An equal set of words, or with `outside` its complement, in which `not` stands before sets of
    /// cubes alone. A complement of many cubes may itself be few.
    fn pushed(&self, outside: bool) -> Words {
        let all = |terms: &[Words]| terms.iter().map(|term| term.pushed(outside)).collect();
        match self {
            Words::Not(inner) => inner.pushed(!outside),
            Words::And(terms) if outside => Words::Or(all(terms)),
            Words::Or(terms) if outside => Words::And(all(terms)),
            Words::And(terms) => Words::And(all(terms)),
            Words::Or(terms) => Words::Or(all(terms)),
            Words::Any(cubes) if outside => Words::Not(Box::new(Words::Any(cubes.clone()))),
            Words::Any(cubes) => Words::Any(cubes.clone()),
        }
    }

    /// The cubes of the terms joined step by step, `None` where a step looks at too many.
    fn joined(&self) -> Option<Vec<Cube>> {
        match self {
            Words::Any(cubes) => few(cubes.clone()),
            Words::Not(inner) => complement(&inner.joined()?),
            Words::And(terms) => {
                let mut terms = terms.iter();
                let first = terms.next()?.joined()?;
                terms.try_fold(first, |all, term| intersect(&all, &term.joined()?))
            }
            Words::Or(terms) => {
                let mut either = Vec::new();
                // Repeated terms count once, in the place of the first.
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

    fn diagram(&self, diagrams: &mut Diagrams) -> Option<Diagram> {
        match self {
            Words::Any(cubes) => {
                let each = cubes.iter().map(|&cube| Words::Any(vec![cube])).collect();
                match &cubes[..] {
                    [one] => diagrams.cube(*one),
                    _ => Words::Or(each).diagram(diagrams),
                }
            }
            Words::Not(inner) => {
                let inner = inner.diagram(diagrams)?;
                diagrams.not(inner)
            }
            Words::And(terms) => join(terms, diagrams, Diagrams::and, true),
            Words::Or(terms) => join(terms, diagrams, Diagrams::or, false),
        }
    }
}

type Join = fn(&mut Diagrams, Diagram, Diagram) -> Option<Diagram>;

/// Joins the terms in pairs, and what comes of them in pairs again, so that a long chain is not
/// walked once for each term. Of no term it is every word or none.
fn join(terms: &[Words], diagrams: &mut Diagrams, join: Join, all: bool) -> Option<Diagram> {
    let mut parts = Vec::new();
    for term in terms {
        parts.push(term.diagram(diagrams)?);
    }
    while parts.len() > 1 {
        let mut next = Vec::new();
        for pair in parts.chunks(2) {
            next.push(match *pair {
                [a, b] => join(diagrams, a, b)?,
                _ => pair[0],
            });
        }
        parts = next;
    }
    match parts.first() {
        Some(&whole) => Some(whole),
        None => {
            let every = diagrams.cube(Cube::ALL)?;
            if all { Some(every) } else { diagrams.not(every) }
        }
    }
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

    /// Whether a word meets a condition, by its terms one after another.
    fn holds(condition: &Words, word: u128) -> bool {
        match condition {
            Words::And(terms) => terms.iter().all(|term| holds(term, word)),
            Words::Or(terms) => terms.iter().any(|term| holds(term, word)),
            Words::Not(inner) => !holds(inner, word),
            Words::Any(cubes) => cubes.iter().any(|cube| word & cube.mask == cube.value),
        }
    }

    /// Numbers without a pattern.
    struct Random(u64);

    impl Random {
        fn below(&mut self, most: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 20) % most
        }

        /// A condition over words of `bits` bits.
        fn condition(&mut self, bits: u64, depth: u64) -> Words {
            let terms = |random: &mut Self| {
                let count = random.below(4);
                (0..=count).map(|_| random.condition(bits, depth - 1)).collect()
            };
            match self.below(if depth == 0 { 1 } else { 4 }) {
                1 => Words::And(terms(self)),
                2 => Words::Or(terms(self)),
                3 => Words::Not(Box::new(self.condition(bits, depth - 1))),
                _ => Words::Any((0..self.below(4)).map(|_| self.field(bits)).collect()),
            }
        }

        /// The words in which some bits, not all side by side, have a value.
        fn field(&mut self, bits: u64) -> Cube {
            let word = (1 << bits) - 1;
            let mask = u128::from(self.below(1 << bits) | self.below(1 << bits)) & word;
            Cube { mask, value: u128::from(self.below(1 << bits)) & mask }
        }
    }

    #[test]
    fn the_words_of_random_conditions_are_those_that_meet_them() {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let (mut listed, mut ways) = (0, 0);
        for round in 0..120 {
            let bits = 12 + round % 5;
            let condition = random.condition(bits, 4);
            let mut diagrams = Diagrams::default();
            let diagram = condition.diagram(&mut diagrams);
            let exact = diagram.and_then(|diagram| diagrams.cubes(diagram, usize::MAX)).unwrap();
            let found = [condition.joined(), condition.pushed(false).joined(), condition.cubes()];
            listed += found.iter().flatten().count();
            ways += exact.len();
            // Of the widest words a part is looked at.
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

    #[test]
    fn too_many_cubes_are_refused() {
        let unequal = |field: u32| {
            let cube = Cube { mask: 0xff << (8 * field), value: 1 << (8 * field) };
            Words::Not(Box::new(Words::Any(vec![cube])))
        };
        let all = |count: u32| Words::And((0..count).map(unequal).collect());
        assert_eq!(all(1).cubes().map(|cubes| cubes.len()), Some(8));
        assert_eq!(all(4).cubes().map(|cubes| cubes.len()), Some(4096));
        assert!(all(5).cubes().is_none());
        assert_eq!(Words::Not(Box::new(all(16))).cubes().map(|cubes| cubes.len()), Some(16));
        // Of these each bit of one half belongs to one of the other.
        let pair = |bit: u32| Words::Any(vec![Cube { mask: 1 << bit | 1 << (bit + 64), value: 0 }]);
        let matched = Words::And((0..64).map(|bit| Words::Not(Box::new(pair(bit)))).collect());
        assert!(matched.cubes().is_none());
        let none = Words::And(vec![matched, Words::Or((0..64).map(pair).collect())]);
        assert_eq!(none.cubes(), Some(Vec::new()));
    }
}
