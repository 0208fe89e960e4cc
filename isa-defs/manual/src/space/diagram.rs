//! Sets of words as decision diagrams, in which words are counted exactly.
//!
//! A node asks for one bit of the word, the highest first, and leads on by its value; equal nodes are one
//! node, so that sets that are equal have one number.

use std::collections::HashMap;

use isa_core::table::{Case, Cube, Map, Piece, extract};

use super::size::Size;

/// A set of words: the number of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Words(u32);

/// No word.
pub(crate) const NONE: Words = Words(0);
/// Every word.
pub(crate) const ALL: Words = Words(1);

/// The bit that the two sets without a question ask for: below all others.
const LEAF: u8 = u8::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    bit: u8,
    /// The words in which the bit is 0, and those in which it is 1.
    next: [Words; 2],
}

/// The nodes of some sets.
pub(crate) struct Diagram {
    nodes: Vec<Node>,
    known: HashMap<Node, Words>,
    both: HashMap<(Words, Words), Words>,
    inverse: HashMap<Words, Words>,
}

impl Default for Diagram {
    fn default() -> Self {
        let leaf = |set| Node { bit: LEAF, next: [set, set] };
        Diagram {
            nodes: vec![leaf(NONE), leaf(ALL)],
            known: HashMap::new(),
            both: HashMap::new(),
            inverse: HashMap::from([(NONE, ALL), (ALL, NONE)]),
        }
    }
}

impl Diagram {
    fn node(&self, set: Words) -> Node {
        self.nodes[set.0 as usize]
    }

    fn make(&mut self, bit: u8, next: [Words; 2]) -> Words {
        if next[0] == next[1] {
            return next[0];
        }
        let node = Node { bit, next };
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Words(self.nodes.len() as u32 - 1)
        })
    }

    /// The words of a cube.
    pub(crate) fn cube(&mut self, Cube { mask, value }: Cube) -> Words {
        (0..128u8).filter(|bit| mask >> bit & 1 == 1).fold(ALL, |below, bit| {
            match value >> bit & 1 {
                0 => self.make(bit, [below, NONE]),
                _ => self.make(bit, [NONE, below]),
            }
        })
    }

    /// The words of any of some cubes.
    pub(crate) fn cubes(&mut self, cubes: &[Cube]) -> Words {
        let mut sets: Vec<Words> = cubes.iter().map(|cube| self.cube(*cube)).collect();
        // By halves, so that few sets are large.
        while sets.len() > 1 {
            sets =
                sets.chunks(2).map(|pair| pair.iter().fold(NONE, |a, b| self.or(a, *b))).collect();
        }
        sets.first().copied().unwrap_or(NONE)
    }

    /// The words that are in both.
    pub(crate) fn and(&mut self, a: Words, b: Words) -> Words {
        match (a, b) {
            (NONE, _) | (_, NONE) => return NONE,
            (ALL, other) | (other, ALL) => return other,
            _ if a == b => return a,
            _ => {}
        }
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(&known) = self.both.get(&key) {
            return known;
        }
        let (one, other) = (self.node(a), self.node(b));
        let bit = one.bit.max(other.bit);
        let side = |node: Node, set: Words, value: usize| {
            if node.bit == bit { node.next[value] } else { set }
        };
        let next = [0, 1].map(|value| self.and(side(one, a, value), side(other, b, value)));
        let made = self.make(bit, next);
        self.both.insert(key, made);
        made
    }

    /// The words that are not in a set.
    pub(crate) fn not(&mut self, set: Words) -> Words {
        if let Some(&known) = self.inverse.get(&set) {
            return known;
        }
        let Node { bit, next } = self.node(set);
        let next = next.map(|next| self.not(next));
        let made = self.make(bit, next);
        self.inverse.insert(set, made);
        made
    }

    /// The words that are in one of two.
    pub(crate) fn or(&mut self, a: Words, b: Words) -> Words {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// The words of `a` without those of `b`.
    pub(crate) fn without(&mut self, a: Words, b: Words) -> Words {
        let others = self.not(b);
        self.and(a, others)
    }

    /// The words of which a table over some bits says so.
    pub(crate) fn map(&mut self, map: &Map) -> Words {
        let mut bits: Vec<u8> = Vec::new();
        for &Piece { position, width } in map.pieces() {
            bits.extend(position..position + width);
        }
        bits.sort_unstable();
        bits.dedup();
        self.decide(map, &bits, 0)
    }

    fn decide(&mut self, map: &Map, bits: &[u8], word: u128) -> Words {
        match bits.split_last() {
            None if map.contains(word) => ALL,
            None => NONE,
            Some((&bit, lower)) => {
                let next = [word, word | 1 << bit].map(|word| self.decide(map, lower, word));
                self.make(bit, next)
            }
        }
    }

    /// The words of a case.
    pub(crate) fn case(&mut self, case: &Case) -> Words {
        let cubes = self.cubes(case.cubes);
        case.when.iter().fold(cubes, |words, when| {
            let table = self.map(&when.map);
            match when.said {
                true => self.and(words, table),
                false => self.without(words, table),
            }
        })
    }

    /// How many words of so many bits are in a set.
    pub(crate) fn count(&self, set: Words, bits: u8) -> Size {
        self.below(set, bits.into(), &mut HashMap::new())
    }

    /// How many there are by the lowest `bits` bits.
    fn below(&self, set: Words, bits: u32, known: &mut HashMap<Words, Size>) -> Size {
        let Node { bit, next } = self.node(set);
        match set {
            NONE => return Size::ZERO,
            ALL => return Size::power(bits),
            _ => {}
        }
        let own = u32::from(bit) + 1;
        let count = known.get(&set).copied().unwrap_or_else(|| {
            let [zero, one] = next.map(|next| self.below(next, own - 1, known));
            let count = zero.plus(one);
            known.insert(set, count);
            count
        });
        count.times_power(bits.saturating_sub(own))
    }

    /// A word of a set that differs from `word` in as high bits as possible only where it must; `None` for
    /// the empty set.
    pub(crate) fn nearest(&self, mut set: Words, mut word: u128) -> Option<u128> {
        while set != ALL {
            if set == NONE {
                return None;
            }
            let Node { bit, next } = self.node(set);
            let wish = (word >> bit & 1) as usize;
            let value = if next[wish] == NONE { 1 - wish } else { wish };
            word = word & !(1 << bit) | (value as u128) << bit;
            set = next[value];
        }
        Some(word)
    }
}

/// The words in which a field has one of some values, as masked comparisons of the value.
pub(crate) fn of_field(pieces: &[Piece], values: Cube) -> Cube {
    let spread = |bits: u128| isa_core::table::insert(pieces, 0, bits as u64);
    let (mask, value) = (spread(values.mask), spread(values.value));
    debug_assert_eq!(u128::from(extract(pieces, value)), values.value);
    Cube { mask, value }
}
