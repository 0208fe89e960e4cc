//! Converts sets to lists of masked patterns.

use std::rc::Rc;

use crate::{BddNode, Diagrams, HashMap, W, WordSet};

/// A masked pattern: a mask, and the value of the bits under it.
type MaskedPattern = (u128, u128);

/// The maximum total number of patterns in the intermediate results of one search for a cover.
const MOST_LISTED: usize = 1 << 18;

impl Diagrams {
    /// Returns a short list of masked patterns that together match exactly the words of the set. No
    /// pattern of the list is redundant. The algorithm is by Minato and Morreale. Returns `None` if
    /// more than `most` patterns are needed, or if an intermediate result is too large.
    pub fn cover(&mut self, set: WordSet, most: usize) -> Option<Vec<MaskedPattern>> {
        let mut covers = Covers { sets: self, known: HashMap::default(), most, room: MOST_LISTED };
        let (cubes, _) = covers.between(set, set)?;
        (!self.is_full()).then(|| cubes.to_vec())
    }

    /// Returns masked patterns that together match exactly the words of the set. No two patterns
    /// match the same word. Returns `None` if more than `most` patterns are needed.
    #[must_use]
    pub fn apart(&self, set: WordSet, most: usize) -> Option<Vec<MaskedPattern>> {
        (self.leading(set, &mut HashMap::default()) <= most).then_some(())?;
        let mut cubes = Vec::new();
        self.list(set, (0, 0), &mut cubes);
        Some(cubes)
    }

    /// Returns the number of paths from the node to [`WordSet::ALL`].
    fn leading(&self, set: WordSet, counts: &mut HashMap<WordSet, usize>) -> usize {
        match set {
            W::NONE => return 0,
            W::ALL => return 1,
            _ => {}
        }
        if let Some(&known) = counts.get(&set) {
            return known;
        }
        let [zero, one] = self.node(set).next.map(|next| self.leading(next, counts));
        let count = zero.saturating_add(one);
        counts.insert(set, count);
        count
    }

    fn list(&self, set: WordSet, (mask, value): MaskedPattern, cubes: &mut Vec<MaskedPattern>) {
        match set {
            W::NONE => {}
            W::ALL => cubes.push((mask, value)),
            _ => {
                let BddNode { level, next: [zero, one] } = self.node(set);
                let bit = self.mask_of(level);
                self.list(zero, (mask | bit, value), cubes);
                self.list(one, (mask | bit, value | bit), cubes);
            }
        }
    }

    fn mask_of(&self, level: u8) -> u128 {
        1 << self.order[usize::from(level)]
    }
}

/// Patterns, and the set of words that they match.
type Cover = (Rc<[MaskedPattern]>, WordSet);

/// The state of a search for a small cover.
struct Covers<'d> {
    sets: &'d mut Diagrams,
    known: HashMap<(WordSet, WordSet), Cover>,
    /// The maximum number of patterns of one cover. `room` is the total number of patterns that the
    /// intermediate results may still contain.
    most: usize,
    room: usize,
}

impl Covers<'_> {
    /// Returns patterns that match all words of `least` and no word outside of `largest`.
    fn between(&mut self, least: WordSet, largest: WordSet) -> Option<Cover> {
        if least == W::NONE {
            return Some((Rc::new([]), W::NONE));
        }
        if largest == W::ALL {
            return Some((Rc::new([(0, 0)]), W::ALL));
        }
        if let Some(known) = self.known.get(&(least, largest)) {
            return Some(known.clone());
        }
        let level = self.sets.node(least).level.min(self.sets.node(largest).level);
        let [low, high] = self.sets.ways(least, level);
        let [low_largest, high_largest] = self.sets.ways(largest, level);
        // These words need a pattern that fixes this bit, because the same word with the other
        // value of the bit must not match.
        let only_low = self.sets.without(low, high_largest);
        let only_high = self.sets.without(high, low_largest);
        let (zeros, has_low) = self.between(only_low, low_largest)?;
        let (ones, has_high) = self.between(only_high, high_largest)?;
        // The remaining words get patterns that do not fix this bit.
        let left_low = self.sets.without(low, has_low);
        let left_high = self.sets.without(high, has_high);
        let left = self.sets.or(left_low, left_high);
        let may = self.sets.and(low_largest, high_largest);
        (!self.sets.is_full()).then_some(())?;
        let (both, has_both) = self.between(left, may)?;
        let count = zeros.len() + ones.len() + both.len();
        self.room = self.room.checked_sub(count)?;
        (count <= self.most).then_some(())?;
        let bit = self.sets.mask_of(level);
        let zeros = zeros.iter().map(|(mask, value)| (mask | bit, *value));
        let ones = ones.iter().map(|(mask, value)| (mask | bit, value | bit));
        let cubes: Rc<[MaskedPattern]> = zeros.chain(ones).chain(both.iter().copied()).collect();
        let next = [has_low, has_high].map(|has| self.sets.or(has, has_both));
        let has = self.sets.make(level, next);
        self.known.insert((least, largest), (Rc::clone(&cubes), has));
        Some((cubes, has))
    }
}
