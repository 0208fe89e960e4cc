#![doc = include_str!("../README.md")]

mod count;
mod cover;
mod hash;
pub mod picture;

pub use count::{Count, Powers};
pub use hash::{FastHasher, HashMap, HashSet};

/// A set of words, stored as the index of a BDD node. It is valid only with the [`Diagrams`] that
/// created it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordSet(u32);

impl WordSet {
    /// The empty set.
    pub const NONE: WordSet = WordSet(0);
    /// The set of all words.
    pub const ALL: WordSet = WordSet(1);
}

use WordSet as W;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct BddNode {
    /// The position of the bit in the order.
    level: u8,
    /// The words in which the bit is 0, and the words in which it is 1.
    next: [WordSet; 2],
}

/// The level of a bit without a position yet, and of the two leaf nodes. This level comes after
/// every other level.
const NO_LEVEL: u8 = u8::MAX;

/// The nodes of BDDs that share one bit order.
#[derive(Debug, Clone)]
pub struct Diagrams {
    /// The bits in the order in which they are tested. `levels` contains the position of each bit
    /// in this order.
    order: Vec<u8>,
    levels: [u8; 128],
    nodes: Vec<BddNode>,
    known: HashMap<BddNode, WordSet>,
    joined: HashMap<(WordSet, WordSet), WordSet>,
    negated: HashMap<WordSet, WordSet>,
    most: usize,
    is_full: bool,
}

impl Default for Diagrams {
    fn default() -> Self {
        Diagrams::new()
    }
}

impl Diagrams {
    /// Creates an empty collection whose bit order begins with the highest bit.
    #[must_use]
    pub fn new() -> Self {
        Diagrams::asking((0..128).rev())
    }

    /// Creates an empty collection whose bit order begins with `order`. Other bits are appended
    /// when they are first used. Place bits next to each other if they are compared for equality,
    /// because a BDD grows with every bit between them. If a bit is repeated, its first position is
    /// used. Bits from 128 on are ignored.
    #[must_use]
    pub fn asking(order: impl IntoIterator<Item = u8>) -> Self {
        let leaf = |set| BddNode { level: NO_LEVEL, next: [set, set] };
        let mut diagrams = Diagrams {
            order: Vec::new(),
            levels: [NO_LEVEL; 128],
            nodes: vec![leaf(W::NONE), leaf(W::ALL)],
            known: HashMap::default(),
            joined: HashMap::default(),
            negated: HashMap::from_iter([(W::NONE, W::ALL), (W::ALL, W::NONE)]),
            most: u32::MAX as usize,
            is_full: false,
        };
        for bit in order {
            diagrams.level(bit);
        }
        diagrams
    }

    /// Limits the number of nodes, including nodes of intermediate results; see
    /// [`is_full`](Diagrams::is_full).
    #[must_use]
    pub fn at_most(self, nodes: usize) -> Self {
        Diagrams { most: nodes.min(self.most), ..self }
    }

    /// Returns whether the node limit was reached. All sets that were computed since then are
    /// meaningless, but computing them took no time.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the position of a bit in the order. A new bit is appended to the order.
    fn level(&mut self, bit: u8) -> u8 {
        let next = self.order.len() as u8;
        match self.levels.get_mut(usize::from(bit)) {
            Some(level) if *level == NO_LEVEL => {
                *level = next;
                self.order.push(bit);
                next
            }
            Some(level) => *level,
            None => NO_LEVEL,
        }
    }

    fn node(&self, set: WordSet) -> BddNode {
        self.nodes[set.0 as usize]
    }

    /// Returns the set for a node. Equal nodes are stored once.
    fn make(&mut self, level: u8, next: [WordSet; 2]) -> WordSet {
        if next[0] == next[1] {
            return next[0];
        }
        let node = BddNode { level, next };
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        if self.is_full || self.nodes.len() >= self.most {
            self.is_full = true;
            return W::NONE;
        }
        let set = WordSet(self.nodes.len() as u32);
        self.nodes.push(node);
        self.known.insert(node, set);
        set
    }

    /// Returns whether bit `first` precedes bit `second` in the order.
    pub fn asks_first(&mut self, first: u8, second: u8) -> bool {
        self.level(first) < self.level(second)
    }

    /// Returns the words of `zero` in which the bit is 0 and the words of `one` in which it is 1.
    /// The bit must precede all bits of both sets in the order.
    pub fn choice(&mut self, bit: u8, zero: WordSet, one: WordSet) -> WordSet {
        let level = self.level(bit);
        self.make(level, [zero, one])
    }

    /// Returns the words in which a bit is 1.
    pub fn bit(&mut self, bit: u8) -> WordSet {
        self.choice(bit, W::NONE, W::ALL)
    }

    /// Returns the words that match a masked pattern.
    pub fn cube(&mut self, mask: u128, value: u128) -> WordSet {
        let own = (0..128).rev().filter(|bit| mask >> bit & 1 == 1);
        let mut levels: Vec<u8> = own.map(|bit| self.level(bit)).collect();
        levels.sort_unstable();
        levels.into_iter().rev().fold(W::ALL, |rest, level| {
            match value >> self.order[usize::from(level)] & 1 {
                0 => self.make(level, [rest, W::NONE]),
                _ => self.make(level, [W::NONE, rest]),
            }
        })
    }

    /// Returns the words that match at least one of the masked patterns.
    pub fn cubes(&mut self, cubes: impl IntoIterator<Item = (u128, u128)>) -> WordSet {
        let sets = cubes.into_iter().map(|(mask, value)| self.cube(mask, value)).collect();
        self.any(sets)
    }

    /// Returns the union of the sets.
    pub fn any(&mut self, sets: Vec<WordSet>) -> WordSet {
        self.fold(sets, W::NONE, Diagrams::or)
    }

    /// Returns the intersection of the sets.
    pub fn all(&mut self, sets: Vec<WordSet>) -> WordSet {
        self.fold(sets, W::ALL, Diagrams::and)
    }

    /// Combines the sets in pairs, then the results in pairs, and so on. In this way, few operands
    /// are large.
    fn fold(
        &mut self,
        mut sets: Vec<WordSet>,
        of_none: WordSet,
        join: fn(&mut Diagrams, WordSet, WordSet) -> WordSet,
    ) -> WordSet {
        while sets.len() > 1 {
            let pairs = sets.chunks(2).map(|pair| match *pair {
                [a, b] => join(self, a, b),
                _ => pair[0],
            });
            sets = pairs.collect();
        }
        sets.first().copied().unwrap_or(of_none)
    }

    /// Returns the intersection of two sets.
    pub fn and(&mut self, a: WordSet, b: WordSet) -> WordSet {
        match (a, b) {
            _ if self.is_full => return W::NONE,
            (W::NONE, _) | (_, W::NONE) => return W::NONE,
            (W::ALL, other) | (other, W::ALL) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&known) = self.joined.get(&pair) {
            return known;
        }
        let level = self.node(a).level.min(self.node(b).level);
        let [a, b] = [a, b].map(|set| self.ways(set, level));
        let next = [0, 1].map(|value| self.and(a[value], b[value]));
        let both = self.make(level, next);
        self.joined.insert(pair, both);
        both
    }

    /// Splits a set by the bit at `level`: returns the words in which the bit is 0 and the words in
    /// which it is 1. Neither result depends on the bit any more.
    fn ways(&self, set: WordSet, level: u8) -> [WordSet; 2] {
        let node = self.node(set);
        if node.level == level { node.next } else { [set, set] }
    }

    /// Returns the complement of a set.
    pub fn not(&mut self, set: WordSet) -> WordSet {
        if self.is_full {
            return W::NONE;
        }
        if let Some(&known) = self.negated.get(&set) {
            return known;
        }
        let BddNode { level, next } = self.node(set);
        let next = next.map(|next| self.not(next));
        let outside = self.make(level, next);
        self.negated.insert(set, outside);
        self.negated.insert(outside, set);
        outside
    }

    /// Returns the union of two sets.
    pub fn or(&mut self, a: WordSet, b: WordSet) -> WordSet {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Returns the words of `a` that are not in `b`.
    pub fn without(&mut self, a: WordSet, b: WordSet) -> WordSet {
        let outside = self.not(b);
        self.and(a, outside)
    }

    /// Returns the words that are in both sets or in neither.
    pub fn same(&mut self, a: WordSet, b: WordSet) -> WordSet {
        let (one, other) = (self.without(a, b), self.without(b, a));
        let differ = self.or(one, other);
        self.not(differ)
    }

    /// Returns the words for which `says` is true. `says` depends only on the bits in `bits`. It is
    /// called once for each value of these bits, with a word in which all other bits are 0.
    pub fn told(&mut self, bits: &[u8], says: &mut dyn FnMut(u128) -> bool) -> WordSet {
        let mut levels: Vec<u8> = bits.iter().map(|bit| self.level(*bit)).collect();
        levels.sort_unstable();
        levels.dedup();
        self.split(&levels, 0, says)
    }

    fn split(&mut self, levels: &[u8], word: u128, says: &mut dyn FnMut(u128) -> bool) -> WordSet {
        match levels.split_first() {
            None if says(word) => W::ALL,
            None => W::NONE,
            Some((&level, rest)) => {
                let bit = 1 << self.order[usize::from(level)];
                let next = [word, word | bit].map(|word| self.split(rest, word, says));
                self.make(level, next)
            }
        }
    }

    /// Returns the number of words in a set of words of `bits` bits. The set must not depend on a
    /// higher bit.
    #[must_use]
    pub fn count(&self, set: WordSet, bits: u8) -> Count {
        let mut levels: Vec<u8> = self.levels.iter().copied().take(bits.into()).collect();
        levels.sort_unstable();
        self.below(set, &levels, &mut HashMap::default())
    }

    /// Returns the number of combinations of the bits at `levels` that are in `set`.
    fn below(&self, set: WordSet, levels: &[u8], known: &mut HashMap<WordSet, Count>) -> Count {
        let BddNode { level, next } = self.node(set);
        let skipped = match set {
            W::NONE => return Count::ZERO,
            W::ALL => return Count::power(levels.len() as u32),
            _ => levels.partition_point(|known| *known < level),
        };
        let count = known.get(&set).copied().unwrap_or_else(|| {
            let rest = levels.get(skipped + 1..).unwrap_or_default();
            let [zero, one] = next.map(|next| self.below(next, rest, known));
            let count = zero.plus(one);
            known.insert(set, count);
            count
        });
        count.times_power(skipped as u32)
    }

    /// Returns a word of the set that is similar to `word`. It chooses the bits in the order of the
    /// BDD. A bit is copied from `word` if possible. It is inverted only if no word of the set
    /// begins with the bits chosen so far, followed by the bit of `word`. Returns `None` for the
    /// empty set.
    #[must_use]
    pub fn nearest(&self, mut set: WordSet, mut word: u128) -> Option<u128> {
        while set != W::ALL {
            if set == W::NONE {
                return None;
            }
            let BddNode { level, next } = self.node(set);
            let bit = self.order[usize::from(level)];
            let wish = (word >> bit & 1) as usize;
            let value = if next[wish] == W::NONE { 1 - wish } else { wish };
            word = word & !(1 << bit) | (value as u128) << bit;
            set = next[value];
        }
        Some(word)
    }
}

#[cfg(test)]
mod tests;
