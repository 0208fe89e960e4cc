//! Searches for a word that is in one cube and in none of several other cubes, with a limited
//! number of steps.
//!
//! It can be hard to decide whether there is such a word, because this is a satisfiability problem:
//! exceptions are clauses, and a valid word satisfies all of them. Therefore all searches of a call
//! together have a limited number of steps. If a search ends at the limit, the names of its opcodes
//! are recorded and reported once. No rule treats such a search as an answer.

use std::cell::{Cell, RefCell};

use proc_macro2::Ident;

use super::cube::{Cube, bits};

/// The maximum number of steps of one question. A step examines one cube.
const OF_A_QUESTION: u64 = 1 << 21;

/// The maximum number of steps of all questions of a call.
const OF_A_CALL: u64 = 1 << 23;

/// The maximum number of steps of the plain search, which is faster for easy questions.
const PLAIN: u64 = 1 << 13;

/// The error of a question without an answer within its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchLimitExceeded;

/// A word, or `None` if there is none.
pub(crate) type SearchResult = Result<Option<u128>, SearchLimitExceeded>;

/// The number of steps that a call has left, and the opcodes of its unanswered questions.
#[derive(Debug)]
pub(crate) struct WordSearch {
    left: Cell<u64>,
    open: RefCell<Vec<Ident>>,
}

impl Default for WordSearch {
    fn default() -> Self {
        WordSearch { left: Cell::new(OF_A_CALL), open: RefCell::default() }
    }
}

impl WordSearch {
    /// Returns a word of `within` that is in none of `without`, or `None` if there is none. The
    /// answer is exact. `names` are the opcodes for which the caller searches.
    pub(crate) fn witness(&self, names: &[&Ident], within: Cube, without: &[Cube]) -> SearchResult {
        let is_open = names.iter().any(|name| self.open.borrow().contains(name));
        let found = self.look(within, without, is_open);
        if found.is_err() {
            let mut open = self.open.borrow_mut();
            for &name in names {
                if !open.contains(name) {
                    open.push(name.clone());
                }
            }
        }
        found
    }

    /// Uses steps for other work. Fails if there are not enough steps left.
    pub(crate) fn spend(&self, steps: usize) -> Result<(), SearchLimitExceeded> {
        let left = self.left.get().checked_sub(steps as u64);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(SearchLimitExceeded)
    }

    /// Returns the names of the opcodes with an unanswered question.
    pub(crate) fn open(&self) -> Vec<Ident> {
        self.open.borrow().clone()
    }

    /// Searches for a word. If a question about the same opcode was too hard before, only the plain
    /// search is tried.
    fn look(&self, within: Cube, without: &[Cube], is_open: bool) -> SearchResult {
        let bound = self.left.get().min(OF_A_QUESTION);
        let plain = bound.min(PLAIN + 2 * without.len() as u64);
        let mut steps = StepBudget(plain);
        let mut found = steps.split(within, without);
        let mut spent = plain - steps.0;
        if found.is_err() && bound > plain && !is_open {
            let mut steps = StepBudget(bound - plain);
            found = steps.narrow(within, without);
            spent += bound - plain - steps.0;
        }
        self.left.set(self.left.get() - spent);
        found
    }
}

/// The remaining steps of one search.
struct StepBudget(u64);

impl StepBudget {
    /// Returns the cubes that have a word in common with `within`.
    fn related(
        &mut self,
        within: Cube,
        without: &[Cube],
    ) -> Result<Vec<Cube>, SearchLimitExceeded> {
        self.0 = self.0.checked_sub(without.len() as u64 + 1).ok_or(SearchLimitExceeded)?;
        Ok(without.iter().copied().filter(|cube| cube.and(within).is_some()).collect())
    }

    /// Searches by excluding the cubes one after another.
    fn split(&mut self, within: Cube, without: &[Cube]) -> SearchResult {
        let without = self.related(within, without)?;
        let Some((obstacle, rest)) = without.split_first() else {
            return Ok(Some(within.value));
        };
        let mut inside = within;
        for bit in bits(obstacle.mask & !within.mask) {
            let value = obstacle.value & bit;
            if let Some(word) = self.split(inside.with(bit, value ^ bit), rest)? {
                return Ok(Some(word));
            }
            inside = inside.with(bit, value);
        }
        Ok(None)
    }

    /// Searches by setting bits with only one possible value first, and by splitting the cubes into
    /// independent parts.
    fn narrow(&mut self, mut within: Cube, without: &[Cube]) -> SearchResult {
        let mut without = self.related(within, without)?;
        // Each cube is examined three more times: for its open bits, for its part, and for the
        // choice of a bit.
        self.0 = self.0.checked_sub(3 * without.len() as u64).ok_or(SearchLimitExceeded)?;
        // A cube with one open bit determines that bit.
        loop {
            let before = within;
            for cube in &without {
                let bit = open(*cube, within);
                match bit.count_ones() {
                    _ if cube.and(within).is_none() => {}
                    0 => return Ok(None),
                    1 => within = within.with(bit, cube.value & bit ^ bit),
                    _ => {}
                }
            }
            if before == within {
                break;
            }
            without = self.related(within, &without)?;
        }
        if without.is_empty() {
            return Ok(Some(within.value));
        }
        let parts = parts(within, &without);
        if parts.len() > 1 {
            for (mask, cubes) in parts {
                let Some(word) = self.narrow(within, &cubes)? else {
                    return Ok(None);
                };
                within = within.with(mask & !within.mask, word & mask & !within.mask);
            }
            return Ok(Some(within.value));
        }
        let (bit, value) = busiest(within, &without);
        for value in [value ^ bit, value] {
            if let Some(word) = self.narrow(within.with(bit, value), &without)? {
                return Ok(Some(word));
            }
        }
        Ok(None)
    }
}

/// Returns the bits of a cube that `within` leaves open.
fn open(cube: Cube, within: Cube) -> u128 {
    cube.mask & !within.mask
}

/// Divides the cubes into parts that depend on different open bits.
fn parts(within: Cube, without: &[Cube]) -> Vec<(u128, Vec<Cube>)> {
    let mut parts: Vec<(u128, Vec<Cube>)> = Vec::new();
    for &cube in without {
        let bits = open(cube, within);
        let mut joined = (bits, vec![cube]);
        let mut apart = Vec::new();
        for mut part in std::mem::take(&mut parts) {
            if part.0 & bits == 0 {
                apart.push(part);
            } else {
                // The shorter list is appended to the longer one.
                if part.1.len() > joined.1.len() {
                    std::mem::swap(&mut part, &mut joined);
                }
                joined.0 |= part.0;
                joined.1.append(&mut part.1);
            }
        }
        apart.push(joined);
        parts = apart;
    }
    parts
}

/// Considers only the cubes with the fewest open bits. Returns the bit that occurs most often in
/// them, with its most frequent value.
fn busiest(within: Cube, without: &[Cube]) -> (u128, u128) {
    let fewest = without.iter().map(|cube| open(*cube, within).count_ones()).min();
    let near = without.iter().filter(|cube| Some(open(**cube, within).count_ones()) == fewest);
    let mut counts = [[0u32; 2]; 128];
    for cube in near {
        for bit in bits(open(*cube, within)) {
            let place = bit.trailing_zeros() as usize;
            counts[place][usize::from(cube.value & bit != 0)] += 1;
        }
    }
    let place = (0..128).max_by_key(|&place| counts[place][0] + counts[place][1]).unwrap_or(0);
    let bit = 1 << place;
    (bit, if counts[place][1] > counts[place][0] { bit } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::super::cube::tests::cube;
    use super::*;

    fn witness(within: Cube, without: &[Cube]) -> Option<u128> {
        let both = [
            StepBudget(1 << 20).split(within, without),
            StepBudget(1 << 20).narrow(within, without),
        ];
        let [plain, narrow] = both.map(|found| found.unwrap());
        assert_eq!(plain.is_some(), narrow.is_some());
        for word in [plain, narrow].into_iter().flatten() {
            assert_eq!(word & within.mask, within.value);
            assert!(without.iter().all(|c| word & c.mask != c.value), "{word:b}");
        }
        plain
    }

    #[test]
    fn a_witness_is_found_whenever_there_is_one() {
        let without = [cube("1x0"), cube("01x"), cube("x01")];
        let word = witness(Cube::ALL, &without).unwrap();
        assert!(without.iter().all(|c| word & c.mask != c.value));
        assert_eq!(witness(cube("xx1"), &[cube("1xx"), cube("01x"), cube("0x1")]), None);
        assert_eq!(witness(cube("1xx"), &[cube("11x"), cube("101")]), Some(0b100));
    }

    #[test]
    fn both_ways_agree_with_a_walk_over_all_words() {
        let mut numbers = crate::tests::numbers();
        let mut next = || u128::from(numbers());
        let (mut some, mut none) = (0, 0);
        for round in 0..3_000u128 {
            // Some cubes depend only on the low bits and others only on the high bits, so that
            // there are several parts.
            let mut cube = |most: u128| {
                let half = [0xff, 0xf, 0xf0][(next() % 3) as usize];
                let mask = next() & next() & half & most;
                Cube { mask, value: next() & mask }
            };
            let within = cube(0x81);
            let without: Vec<Cube> = (0..3 + round % 12).map(|_| cube(0xff)).collect();
            let fits = |word: &u128| {
                word & within.mask == within.value
                    && without.iter().all(|c| word & c.mask != c.value)
            };
            let expected = (0..256).find(fits);
            assert_eq!(witness(within, &without).is_some(), expected.is_some(), "{without:?}");
            *if expected.is_some() { &mut some } else { &mut none } += 1;
        }
        assert!(some > 300 && none > 300, "{some} {none}");
    }

    /// Returns the words in which the bits at `places` do not have the parity `odd`, as cubes.
    fn parity(places: &[u32], odd: bool) -> Vec<Cube> {
        let mask = places.iter().fold(0, |mask, place| mask | 1 << place);
        let spread = |number: u32| {
            places
                .iter()
                .enumerate()
                .fold(0, |value, (i, place)| value | u128::from(number >> i & 1) << place)
        };
        let wrong = (0..1u32 << places.len()).filter(|n| (n.count_ones() % 2 == 1) != odd);
        wrong.map(|number| Cube { mask, value: spread(number) }).collect()
    }

    #[test]
    fn a_puzzle_is_given_up_and_remembered() {
        let mut places: Vec<u32> = (0..128).collect();
        let mut state = 7u64;
        let mut without = Vec::new();
        for round in 0..132 {
            for i in 0..128 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                places.swap(i, (state >> 33) as usize % 128);
            }
            without.extend(parity(&places[..6], round % 3 == 0));
        }
        let search = WordSearch::default();
        let name = Ident::new("HARD", proc_macro2::Span::call_site());
        assert_eq!(search.witness(&[&name], Cube::ALL, &without), Err(SearchLimitExceeded));
        assert_eq!(search.open(), [name]);
        assert_eq!(
            search.witness(&[], Cube::ALL, &without[..40]).map(|word| word.is_some()),
            Ok(true)
        );
    }
}
