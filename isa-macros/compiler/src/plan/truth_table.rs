//! Builds tables of the invalid values of many bits, for `isa_core::table::TruthTable`. For example, if
//! an exception compares two fields, one table replaces many masked patterns.

use super::window::runs;
use crate::model::cube::Cube;

/// The maximum number of bits of a table. A table of this size has one kilobyte.
const MOST_BITS: u32 = 13;

/// A table must replace at least this many masked patterns, because fewer patterns are compared faster.
const FEW: usize = 4;

/// The invalid values of some bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TruthTable {
    /// The position and width of each run of bits, the most significant first.
    pub(crate) runs: Vec<(u8, u8)>,
    /// A bit for each value, starting at the lowest bit of the first byte: 1 if the value is invalid.
    pub(crate) illegal: Vec<u8>,
}

/// Moves masked patterns of invalid words into tables. `left` contains the patterns that would
/// otherwise be compared one by one. A table is created only if it replaces enough of them. It then
/// contains all patterns over its bits.
pub(super) fn take_maps(left: &[Cube], cubes: &mut Vec<Cube>) -> Vec<TruthTable> {
    let mut groups: Vec<(u128, usize)> = Vec::new();
    let by_width = |mask: &u128| (std::cmp::Reverse(mask.count_ones()), *mask);
    let mut widest: Vec<u128> = left.iter().map(|cube| cube.mask).collect();
    widest.sort_by_key(by_width);
    let fits = |all: u128, mask: u128| (all | mask).count_ones() <= MOST_BITS;
    for mask in widest.into_iter().filter(|&mask| fits(0, mask)) {
        match groups.iter_mut().find(|(all, _)| fits(*all, mask)) {
            Some((all, count)) => (*all, *count) = (*all | mask, *count + 1),
            None => groups.push((mask, 1)),
        }
    }
    let worth = groups.into_iter().filter(|&(_, count)| count >= FEW);
    worth.map(|(mask, _)| take_map(mask, cubes)).collect()
}

/// Creates the truth table over the bits in `mask` from the patterns that depend on no other bits,
/// and removes these patterns from `cubes`.
fn take_map(mask: u128, cubes: &mut Vec<Cube>) -> TruthTable {
    let (own, rest) = cubes.iter().partition::<Vec<Cube>, _>(|cube| cube.mask & !mask == 0);
    *cubes = rest;
    let mut illegal = vec![0u8; (1usize << mask.count_ones()).div_ceil(8)];
    for Cube { mask: fixed, value } in own {
        // All values of the bits that the pattern does not fix.
        let open = mask & !fixed;
        let mut free = open;
        loop {
            let number = gathered(value | free, mask);
            illegal[number / 8] |= 1 << (number % 8);
            if free == 0 {
                break;
            }
            free = (free - 1) & open;
        }
    }
    let mut runs = runs(mask);
    runs.reverse();
    TruthTable { runs, illegal }
}

/// Returns the number that the bits under a mask form.
fn gathered(word: u128, mask: u128) -> usize {
    let bits = (0..128).filter(|bit| mask >> bit & 1 == 1).enumerate();
    bits.fold(0, |number, (weight, bit)| number | ((word >> bit & 1) as usize) << weight)
}

#[cfg(test)]
impl TruthTable {
    /// Returns whether the table contains a word.
    pub(crate) fn has(&self, word: u128) -> bool {
        let number = self.runs.iter().fold(0, |number, &(position, width)| {
            number << width | (word >> position) as usize & ((1 << width) - 1)
        });
        self.illegal[number / 8] >> (number % 8) & 1 == 1
    }
}
