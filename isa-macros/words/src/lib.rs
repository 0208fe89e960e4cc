#![doc = include_str!("../README.md")]

mod count;
mod cover;
mod hash;
pub mod picture;

pub use count::{Count, Powers};
pub use hash::{HashMap, HashSet, Quick};

/// A set of words: the number of a node. It means something with the [`Diagrams`] that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Words(u32);

impl Words {
    /// No word.
    pub const NONE: Words = Words(0);
    /// Every word.
    pub const ALL: Words = Words(1);
}

use Words as W;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// The place of the bit in the order.
    level: u8,
    /// The words in which the bit is 0, and those in which it is 1.
    next: [Words; 2],
}

/// The place of a bit that has none yet, and of the two sets that ask for nothing: behind all others.
const NO_LEVEL: u8 = u8::MAX;

/// The nodes of some sets, which ask for bits in one order.
#[derive(Debug, Clone)]
pub struct Diagrams {
    /// The bits in their order, and for each bit its place.
    order: Vec<u8>,
    levels: [u8; 128],
    nodes: Vec<Node>,
    known: HashMap<Node, Words>,
    joined: HashMap<(Words, Words), Words>,
    negated: HashMap<Words, Words>,
    most: usize,
    is_full: bool,
}

impl Default for Diagrams {
    fn default() -> Self {
        Diagrams::new()
    }
}

impl Diagrams {
    /// Sets that ask for the highest bit first.
    #[must_use]
    pub fn new() -> Self {
        Diagrams::asking((0..128).rev())
    }

    /// Sets that ask for these bits first, in this order, and then for others in the order in which they
    /// come. Bits that are to be equal belong side by side, since a diagram grows with every bit that
    /// stands between such two. Of a bit that is said twice the first place counts; bits from 128 on
    /// do not count.
    #[must_use]
    pub fn asking(order: impl IntoIterator<Item = u8>) -> Self {
        let leaf = |set| Node { level: NO_LEVEL, next: [set, set] };
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

    /// With room for so many nodes, those included that are made on the way; see
    /// [`is_full`](Diagrams::is_full).
    #[must_use]
    pub fn at_most(self, nodes: usize) -> Self {
        Diagrams { most: nodes.min(self.most), ..self }
    }

    /// Whether there was no room for a node. Every set that was made since is meaningless, and making it
    /// took no time.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.is_full
    }

    /// The place of a bit in the order, the next one where it is new.
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

    fn node(&self, set: Words) -> Node {
        self.nodes[set.0 as usize]
    }

    /// The set of a node.
    fn make(&mut self, level: u8, next: [Words; 2]) -> Words {
        if next[0] == next[1] {
            return next[0];
        }
        let node = Node { level, next };
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        if self.is_full || self.nodes.len() >= self.most {
            self.is_full = true;
            return W::NONE;
        }
        let set = Words(self.nodes.len() as u32);
        self.nodes.push(node);
        self.known.insert(node, set);
        set
    }

    /// Whether the first of two bits is asked for before the second.
    pub fn asks_first(&mut self, first: u8, second: u8) -> bool {
        self.level(first) < self.level(second)
    }

    /// The words in `zero` or `one` by a bit, which is asked for before all bits of the two.
    pub fn choice(&mut self, bit: u8, zero: Words, one: Words) -> Words {
        let level = self.level(bit);
        self.make(level, [zero, one])
    }

    /// The words in which a bit is 1.
    pub fn bit(&mut self, bit: u8) -> Words {
        self.choice(bit, W::NONE, W::ALL)
    }

    /// The words that have `value` under the bits of a mask.
    pub fn cube(&mut self, mask: u128, value: u128) -> Words {
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

    /// The words of any of some masked comparisons.
    pub fn cubes(&mut self, cubes: impl IntoIterator<Item = (u128, u128)>) -> Words {
        let sets = cubes.into_iter().map(|(mask, value)| self.cube(mask, value)).collect();
        self.any(sets)
    }

    /// The words of any of some sets.
    pub fn any(&mut self, sets: Vec<Words>) -> Words {
        self.fold(sets, W::NONE, Diagrams::or)
    }

    /// The words of all of some sets.
    pub fn all(&mut self, sets: Vec<Words>) -> Words {
        self.fold(sets, W::ALL, Diagrams::and)
    }

    /// Joins sets in pairs, and what comes of them in pairs again, so that few of them are large.
    fn fold(
        &mut self,
        mut sets: Vec<Words>,
        of_none: Words,
        join: fn(&mut Diagrams, Words, Words) -> Words,
    ) -> Words {
        while sets.len() > 1 {
            let pairs = sets.chunks(2).map(|pair| match *pair {
                [a, b] => join(self, a, b),
                _ => pair[0],
            });
            sets = pairs.collect();
        }
        sets.first().copied().unwrap_or(of_none)
    }

    /// The words in both.
    pub fn and(&mut self, a: Words, b: Words) -> Words {
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

    /// A set where the bit of a level is 0, and where it is 1.
    fn ways(&self, set: Words, level: u8) -> [Words; 2] {
        let node = self.node(set);
        if node.level == level { node.next } else { [set, set] }
    }

    /// The words outside.
    pub fn not(&mut self, set: Words) -> Words {
        if self.is_full {
            return W::NONE;
        }
        if let Some(&known) = self.negated.get(&set) {
            return known;
        }
        let Node { level, next } = self.node(set);
        let next = next.map(|next| self.not(next));
        let outside = self.make(level, next);
        self.negated.insert(set, outside);
        self.negated.insert(outside, set);
        outside
    }

    /// The words in one of the two, or in both.
    pub fn or(&mut self, a: Words, b: Words) -> Words {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// The words of the first that are not in the second.
    pub fn without(&mut self, a: Words, b: Words) -> Words {
        let outside = self.not(b);
        self.and(a, outside)
    }

    /// The words that are in both or in none.
    pub fn same(&mut self, a: Words, b: Words) -> Words {
        let (one, other) = (self.without(a, b), self.without(b, a));
        let differ = self.or(one, other);
        self.not(differ)
    }

    /// The words of which a function of some bits says so: it is given a word that has these bits, 0
    /// elsewhere. It is called once for each of their values.
    pub fn told(&mut self, bits: &[u8], says: &mut dyn FnMut(u128) -> bool) -> Words {
        let mut levels: Vec<u8> = bits.iter().map(|bit| self.level(*bit)).collect();
        levels.sort_unstable();
        levels.dedup();
        self.split(&levels, 0, says)
    }

    fn split(&mut self, levels: &[u8], word: u128, says: &mut dyn FnMut(u128) -> bool) -> Words {
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

    /// How many words of so many bits are in a set that asks for no higher bit.
    #[must_use]
    pub fn count(&self, set: Words, bits: u8) -> Count {
        let mut levels: Vec<u8> = self.levels.iter().copied().take(bits.into()).collect();
        levels.sort_unstable();
        self.below(set, &levels, &mut HashMap::default())
    }

    /// How many there are by the bits at these levels.
    fn below(&self, set: Words, levels: &[u8], known: &mut HashMap<Words, Count>) -> Count {
        let Node { level, next } = self.node(set);
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

    /// A word of a set that differs from `word` in a bit only where it must, as the bits are asked for;
    /// `None` for the empty set.
    #[must_use]
    pub fn nearest(&self, mut set: Words, mut word: u128) -> Option<u128> {
        while set != W::ALL {
            if set == W::NONE {
                return None;
            }
            let Node { level, next } = self.node(set);
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
