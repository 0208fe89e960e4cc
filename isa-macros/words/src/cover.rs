//! Sets as masked comparisons.

use std::rc::Rc;

use crate::{Diagrams, HashMap, Node, W, Words};

/// A masked comparison: the mask, and the value under it.
type Cube = (u128, u128);

/// The most cubes of all parts of a cover together.
const MOST_LISTED: usize = 1 << 18;

impl Diagrams {
    /// The words as few masked comparisons, none of which can be left out, by the algorithm of Minato
    /// and Morreale: `None` where they are more than `most`, or too many on the way.
    pub fn cover(&mut self, set: Words, most: usize) -> Option<Vec<Cube>> {
        let mut covers = Covers { sets: self, known: HashMap::default(), most, room: MOST_LISTED };
        let (cubes, _) = covers.between(set, set)?;
        (!self.is_full()).then(|| cubes.to_vec())
    }

    /// The words as masked comparisons, of which no two have a word in common: `None` where they are
    /// more than `most`.
    #[must_use]
    pub fn apart(&self, set: Words, most: usize) -> Option<Vec<Cube>> {
        (self.leading(set, &mut HashMap::default()) <= most).then_some(())?;
        let mut cubes = Vec::new();
        self.list(set, (0, 0), &mut cubes);
        Some(cubes)
    }

    /// How many ways lead to the words.
    fn leading(&self, set: Words, counts: &mut HashMap<Words, usize>) -> usize {
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

    fn list(&self, set: Words, (mask, value): Cube, cubes: &mut Vec<Cube>) {
        match set {
            W::NONE => {}
            W::ALL => cubes.push((mask, value)),
            _ => {
                let Node { level, next: [zero, one] } = self.node(set);
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

/// Some cubes, and their words.
type Cover = (Rc<[Cube]>, Words);

/// The search for few cubes.
struct Covers<'d> {
    sets: &'d mut Diagrams,
    known: HashMap<(Words, Words), Cover>,
    /// The most cubes of a cover, and how many more may be listed in all.
    most: usize,
    room: usize,
}

impl Covers<'_> {
    /// Cubes that have all words of `least`, and none outside of `largest`.
    fn between(&mut self, least: Words, largest: Words) -> Option<Cover> {
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
        // What one value of the bit has, and the other may not have.
        let only_low = self.sets.without(low, high_largest);
        let only_high = self.sets.without(high, low_largest);
        let (zeros, has_low) = self.between(only_low, low_largest)?;
        let (ones, has_high) = self.between(only_high, high_largest)?;
        // The rest, whatever the bit is.
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
        let cubes: Rc<[Cube]> = zeros.chain(ones).chain(both.iter().copied()).collect();
        let next = [has_low, has_high].map(|has| self.sets.or(has, has_both));
        let has = self.sets.make(level, next);
        self.known.insert((least, largest), (Rc::clone(&cubes), has));
        Some((cubes, has))
    }
}
