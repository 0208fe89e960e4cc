//! Sets of words as decision diagrams: exact, counted, and with a word of each.
//!
//! A node asks for one bit of the word and leads on by its value; equal nodes are one node. Which bit is
//! asked first is chosen for what is compared: bits that are to be equal stand side by side, since a
//! diagram of two fields that are equal grows with every bit between theirs.

use std::collections::HashMap;
use std::fmt;

use isa_core::table::{Cube, Piece};

/// A set of words: the number of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Words(u32);

pub(super) const NONE: Words = Words(0);
pub(super) const ALL: Words = Words(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    /// Where its bit stands in the order, the first one asked the highest; 0 for the two leaves.
    level: u8,
    next: [Words; 2],
}

/// A bit of a value: of the word, or one that is always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Bit {
    Word(u8),
    Const(bool),
}

/// The bits of pieces, the least significant first.
pub(super) fn bits_of(pieces: &[Piece]) -> Vec<Bit> {
    let pieces = pieces.iter().rev();
    pieces.flat_map(|piece| piece.position..piece.position + piece.width).map(Bit::Word).collect()
}

/// How many words there are: at most 2^128, one more than a `u128` holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    over: bool,
    rest: u128,
}

impl Count {
    pub(super) const ZERO: Count = Count { over: false, rest: 0 };

    fn power(bits: u32) -> Count {
        match bits {
            128.. => Count { over: true, rest: 0 },
            _ => Count { over: false, rest: 1 << bits },
        }
    }

    pub(super) fn plus(self, other: Count) -> Count {
        let (rest, carry) = self.rest.overflowing_add(other.rest);
        Count { over: self.over || other.over || carry, rest }
    }
}

impl From<u128> for Count {
    fn from(rest: u128) -> Self {
        Count { over: false, rest }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.over {
            true => f.write_str("340282366920938463463374607431768211456"),
            false => self.rest.fmt(f),
        }
    }
}

/// The nodes of some sets.
pub(super) struct Sets {
    /// For each bit its level, and for each level but 0 its bit.
    levels: Vec<u8>,
    bits: Vec<u8>,
    nodes: Vec<Node>,
    known: HashMap<Node, Words>,
    both: HashMap<(Words, Words), Words>,
    inverse: HashMap<Words, Words>,
}

impl Sets {
    /// Sets of words in which the bits of each pair stand side by side.
    pub(super) fn new(pairs: &[(u8, u8)]) -> Sets {
        let mut group: Vec<u8> = (0..128).collect();
        for &(a, b) in pairs {
            let (a, b) = (group[usize::from(a)], group[usize::from(b)]);
            for own in group.iter_mut().filter(|own| **own == a) {
                *own = b;
            }
        }
        let mut bits: Vec<u8> = (0..128).collect();
        bits.sort_by_key(|bit| (group[usize::from(*bit)], *bit));
        let mut levels = vec![0; 128];
        for (place, bit) in bits.iter().enumerate() {
            levels[usize::from(*bit)] = place as u8 + 1;
        }
        let leaf = |set| Node { level: 0, next: [set, set] };
        Sets {
            levels,
            bits,
            nodes: vec![leaf(NONE), leaf(ALL)],
            known: HashMap::new(),
            both: HashMap::new(),
            inverse: HashMap::from([(NONE, ALL), (ALL, NONE)]),
        }
    }

    fn node(&self, set: Words) -> Node {
        self.nodes[set.0 as usize]
    }

    fn make(&mut self, level: u8, next: [Words; 2]) -> Words {
        if next[0] == next[1] {
            return next[0];
        }
        let node = Node { level, next };
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Words(self.nodes.len() as u32 - 1)
        })
    }

    /// The words in which a bit is 1.
    pub(super) fn bit(&mut self, bit: Bit) -> Words {
        match bit {
            Bit::Word(bit) => self.make(self.levels[usize::from(bit)], [NONE, ALL]),
            Bit::Const(false) => NONE,
            Bit::Const(true) => ALL,
        }
    }

    pub(super) fn cube(&mut self, Cube { mask, value }: Cube) -> Words {
        let bits = self.bits.clone();
        let own = bits.into_iter().filter(|bit| mask >> bit & 1 == 1);
        own.fold(ALL, |below, bit| {
            let next = if value >> bit & 1 == 1 { [NONE, below] } else { [below, NONE] };
            self.make(self.levels[usize::from(bit)], next)
        })
    }

    /// The words of any of some cubes.
    pub(super) fn cubes(&mut self, cubes: &[Cube]) -> Words {
        let all = cubes.iter().map(|cube| self.cube(*cube)).collect();
        self.any(all)
    }

    /// The words of any of some sets.
    pub(super) fn any(&mut self, mut sets: Vec<Words>) -> Words {
        // By halves, so that few of them are large.
        while sets.len() > 1 {
            let pairs = sets.chunks(2);
            sets = pairs.map(|pair| pair.iter().fold(NONE, |a, b| self.or(a, *b))).collect();
        }
        sets.first().copied().unwrap_or(NONE)
    }

    pub(super) fn and(&mut self, a: Words, b: Words) -> Words {
        match (a, b) {
            (NONE, _) | (_, NONE) => return NONE,
            (ALL, other) | (other, ALL) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.both.get(&key) {
            return known;
        }
        let (one, other) = (self.node(a), self.node(b));
        let level = one.level.max(other.level);
        let side = |node: Node, set: Words, value: usize| {
            if node.level == level { node.next[value] } else { set }
        };
        let next = [0, 1].map(|value| self.and(side(one, a, value), side(other, b, value)));
        let made = self.make(level, next);
        self.both.insert(key, made);
        made
    }

    pub(super) fn not(&mut self, set: Words) -> Words {
        if let Some(&known) = self.inverse.get(&set) {
            return known;
        }
        let Node { level, next } = self.node(set);
        let next = next.map(|next| self.not(next));
        let made = self.make(level, next);
        self.inverse.insert(set, made);
        made
    }

    pub(super) fn or(&mut self, a: Words, b: Words) -> Words {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub(super) fn without(&mut self, a: Words, b: Words) -> Words {
        let others = self.not(b);
        self.and(a, others)
    }

    /// The words in which two sets say the same.
    pub(super) fn same(&mut self, a: Words, b: Words) -> Words {
        let (one, other) = (self.without(a, b), self.without(b, a));
        let differ = self.or(one, other);
        self.not(differ)
    }

    /// The words in which bits have one of some values, the least significant first.
    pub(super) fn values(&mut self, bits: &[Bit], values: &[u64]) -> Words {
        let mut order: Vec<u8> = bits.iter().filter_map(|bit| word_bit(*bit)).collect();
        order.sort_unstable_by_key(|bit| self.levels[usize::from(*bit)]);
        order.dedup();
        let fits = |value: &u64| {
            let mut all = bits.iter().enumerate();
            all.all(|(place, bit)| match bit {
                Bit::Word(_) => true,
                Bit::Const(own) => (value >> place & 1 == 1) == *own,
            })
        };
        let values: Vec<u64> = values.iter().copied().filter(fits).collect();
        self.split(bits, &order, &values)
    }

    fn split(&mut self, bits: &[Bit], order: &[u8], values: &[u64]) -> Words {
        let (Some((&bit, lower)), false) = (order.split_last(), values.is_empty()) else {
            return if values.is_empty() { NONE } else { ALL };
        };
        let places: Vec<usize> =
            (0..bits.len()).filter(|place| bits[*place] == Bit::Word(bit)).collect();
        let next = [false, true].map(|wanted| {
            let fits = |value: &u64| places.iter().all(|place| (value >> place & 1 == 1) == wanted);
            let own: Vec<u64> = values.iter().copied().filter(fits).collect();
            self.split(bits, lower, &own)
        });
        self.make(self.levels[usize::from(bit)], next)
    }

    /// How many words of so many bits are in a set.
    pub(super) fn count(&self, set: Words, bits: u8) -> Count {
        let mut order: Vec<u8> = (0..bits).map(|bit| self.levels[usize::from(bit)]).collect();
        order.sort_unstable();
        self.below(set, &order, &mut HashMap::new())
    }

    /// How many there are by the bits at these levels, the lowest first.
    fn below(&self, set: Words, order: &[u8], known: &mut HashMap<Words, Count>) -> Count {
        let Node { level, next } = self.node(set);
        let own = match set {
            NONE => return Count::ZERO,
            ALL => return Count::power(order.len() as u32),
            _ => order.partition_point(|known| *known < level),
        };
        let count = known.get(&set).copied().unwrap_or_else(|| {
            let [zero, one] = next.map(|next| self.below(next, &order[..own], known));
            let count = zero.plus(one);
            known.insert(set, count);
            count
        });
        Count { over: count.over, rest: count.rest << (order.len() - own - 1) }
    }

    /// A word of a set that is like `word` where it can be; `None` for the empty set.
    pub(super) fn nearest(&self, mut set: Words, mut word: u128) -> Option<u128> {
        while set != ALL {
            if set == NONE {
                return None;
            }
            let Node { level, next } = self.node(set);
            let bit = self.bits[usize::from(level) - 1];
            let wish = (word >> bit & 1) as usize;
            let value = if next[wish] == NONE { 1 - wish } else { wish };
            word = word & !(1 << bit) | (value as u128) << bit;
            set = next[value];
        }
        Some(word)
    }
}

fn word_bit(bit: Bit) -> Option<u8> {
    match bit {
        Bit::Word(bit) => Some(bit),
        Bit::Const(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted_in_any_order_of_bits() {
        for pairs in [&[][..], &[(0, 5), (1, 4), (7, 2)][..]] {
            let mut sets = Sets::new(pairs);
            let bits = bits_of(&[Piece { position: 5, width: 2 }, Piece { position: 0, width: 3 }]);
            let wanted = [3, 9, 17, 30];
            let some = sets.values(&bits, &wanted);
            let odd = sets.bit(Bit::Word(7));
            let both = sets.and(some, odd);
            let expected = |word: u64| {
                wanted.contains(&((word >> 5 & 3) << 3 | word & 7)) && word >> 7 & 1 == 1
            };
            let count = (0..256).filter(|word| expected(*word)).count();
            assert_eq!(sets.count(both, 8), Count::from(count as u128));
            assert_eq!(sets.count(both, 10), Count::from(4 * count as u128));
            let word = sets.nearest(both, 0).unwrap();
            assert!(expected(word as u64), "{word:#x}");
            let neither = sets.not(both);
            assert_eq!(sets.and(both, neither), NONE);
            assert_eq!(sets.same(both, neither), NONE);
        }
    }

    #[test]
    fn all_words_of_128_bits_are_counted() {
        let mut sets = Sets::new(&[]);
        assert_eq!(sets.count(ALL, 128).to_string(), "340282366920938463463374607431768211456");
        let half = sets.bit(Bit::Word(127));
        assert_eq!(sets.count(half, 128), Count::from(1 << 127));
    }
}
