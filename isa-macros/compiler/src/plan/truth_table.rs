//! Tables of illegal values of many bits, `isa_core::table::TruthTable`: what two fields that are compared
//! with each other have together would be many cubes to look at one by one.

use super::window::runs;
use crate::model::cube::Cube;

/// The most bits of a table: it has a kilobyte then.
const MOST_BITS: u32 = 13;

/// As many cubes are looked at as quickly as a table.
const FEW: usize = 4;

/// The illegal values of some bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TruthTable {
    /// Position and width of each run of bits, the most significant first.
    pub(crate) runs: Vec<(u8, u8)>,
    /// A bit for each value, the lowest bit of the first byte for 0: whether it is illegal.
    pub(crate) illegal: Vec<u8>,
}

/// Takes cubes of illegal words into tables. `left` are those that are looked at one by one so far,
/// and decide whether a table is worth it; a table takes all cubes over its bits.
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

/// The table over some bits, of all cubes that look at no others.
fn take_map(mask: u128, cubes: &mut Vec<Cube>) -> TruthTable {
    let (own, rest) = cubes.iter().partition::<Vec<Cube>, _>(|cube| cube.mask & !mask == 0);
    *cubes = rest;
    let mut illegal = vec![0u8; (1usize << mask.count_ones()).div_ceil(8)];
    for Cube { mask: fixed, value } in own {
        // All values of the bits that the cube leaves open.
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

/// The number that the bits under a mask are, side by side.
fn gathered(word: u128, mask: u128) -> usize {
    let bits = (0..128).filter(|bit| mask >> bit & 1 == 1).enumerate();
    bits.fold(0, |number, (weight, bit)| number | ((word >> bit & 1) as usize) << weight)
}

#[cfg(test)]
impl TruthTable {
    /// Whether a word is in the table.
    pub(crate) fn has(&self, word: u128) -> bool {
        let number = self.runs.iter().fold(0, |number, &(position, width)| {
            number << width | (word >> position) as usize & ((1 << width) - 1)
        });
        self.illegal[number / 8] >> (number % 8) & 1 == 1
    }
}
