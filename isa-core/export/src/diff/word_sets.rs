//! Represents sets of words by conditions on the bits of values.
//!
//! The bit order of the BDDs depends on the comparison: bits that are compared for equality are
//! adjacent, because otherwise the BDD for two equal fields grows with every bit between them.

use std::cmp::Ordering;
use std::ops::{Deref, DerefMut};

pub use isa_bdd::Count;
use isa_bdd::Diagrams;
pub(super) use isa_bdd::WordSet as Words;
use isa_core::table::{Cube, Piece};

pub(super) const NONE: Words = Words::NONE;
pub(super) const ALL: Words = Words::ALL;

/// A bit of a value: a bit of the word, or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Bit {
    Word(u8),
    Const(bool),
}

/// Returns the bits of pieces, the least significant first.
pub(super) fn bits_of(pieces: &[Piece]) -> Vec<Bit> {
    let pieces = pieces.iter().rev();
    pieces.flat_map(|piece| piece.position..piece.position + piece.width).map(Bit::Word).collect()
}

/// Sets of words, with operations on the bits of values.
pub(super) struct WordSets(Diagrams);

impl Deref for WordSets {
    type Target = Diagrams;

    fn deref(&self) -> &Diagrams {
        &self.0
    }
}

impl DerefMut for WordSets {
    fn deref_mut(&mut self) -> &mut Diagrams {
        &mut self.0
    }
}

impl WordSets {
    /// Creates a collection in which the bits of each pair are adjacent in the bit order.
    pub(super) fn new(pairs: &[(u8, u8)]) -> WordSets {
        let mut group: Vec<u8> = (0..128).collect();
        for &(a, b) in pairs {
            let (a, b) = (group[usize::from(a)], group[usize::from(b)]);
            for own in group.iter_mut().filter(|own| **own == a) {
                *own = b;
            }
        }
        let mut bits: Vec<u8> = (0..128).collect();
        bits.sort_by_key(|bit| (group[usize::from(*bit)], *bit));
        WordSets(Diagrams::asking(bits.into_iter().rev()))
    }

    /// Returns the words in which a bit is 1.
    pub(super) fn bit(&mut self, bit: Bit) -> Words {
        match bit {
            Bit::Word(bit) => self.0.bit(bit),
            Bit::Const(false) => NONE,
            Bit::Const(true) => ALL,
        }
    }

    pub(super) fn cube(&mut self, Cube { mask, value }: Cube) -> Words {
        self.0.cube(mask, value)
    }

    /// Returns the words that match at least one pattern in `cubes`.
    pub(super) fn cubes(&mut self, cubes: &[Cube]) -> Words {
        self.0.cubes(cubes.iter().map(|cube| (cube.mask, cube.value)))
    }

    /// Returns the words in which `bits`, the least significant first, form one of `values`.
    pub(super) fn values(&mut self, bits: &[Bit], values: &[u64]) -> Words {
        let mut order: Vec<u8> = bits.iter().filter_map(|bit| word_bit(*bit)).collect();
        order.sort_unstable();
        order.dedup();
        order.sort_by(|a, b| match self.asks_first(*a, *b) {
            true => Ordering::Less,
            false => Ordering::Greater,
        });
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
        let (Some((&bit, lower)), false) = (order.split_first(), values.is_empty()) else {
            return if values.is_empty() { NONE } else { ALL };
        };
        let places: Vec<usize> =
            (0..bits.len()).filter(|place| bits[*place] == Bit::Word(bit)).collect();
        let [zero, one] = [false, true].map(|wanted| {
            let fits = |value: &u64| places.iter().all(|place| (value >> place & 1 == 1) == wanted);
            let own: Vec<u64> = values.iter().copied().filter(fits).collect();
            self.split(bits, lower, &own)
        });
        self.choice(bit, zero, one)
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
            let mut sets = WordSets::new(pairs);
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
}
