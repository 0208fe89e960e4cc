//! Lays out the validity check of a word: an `isa_core::table::ValidityCheck` for each opcode.
//!
//! To check a few scattered bits, one multiplication by a suitable number is sufficient: it moves all
//! these bits to the top of the product. A deterministic search finds such multipliers. The root of the
//! decode tree (`isa_core::table::DecodeRoot`) uses the same search. One comparison checks the fixed and
//! unused bits. Reserved values and exceptions over up to six bits become a table of 64 bits, and the
//! gathered bits select one of its bits. Wider conditions remain a list of masked patterns. If such a
//! list is long, for example because an exception compares two fields, a truth table
//! (`isa_core::table::TruthTable`) replaces many of its patterns.

use isa_bdd::HashMap;

use super::bit_gather::runs;
use super::limits::INDEX_BITS;
use crate::model::cube::Cube;

/// The number of multipliers that are tried.
const TRIES: usize = 4000;

/// The valid values of a few bits in one half of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ValidityTable {
    pub(crate) half: u8,
    pub(crate) mask: u64,
    pub(crate) magic: u64,
    pub(crate) legal: u64,
}

/// The check whether a word is a valid encoding of an opcode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Screen {
    pub(crate) plain: Cube,
    /// The validity tables: at most two.
    pub(crate) validity_tables: Vec<ValidityTable>,
    pub(crate) maps: Vec<TruthTable>,
    pub(crate) rest: Vec<Cube>,
}

type NumberPair = (u64, u64);

/// Creates validity checks, and remembers tables that many opcodes share.
#[derive(Debug, Default)]
pub(crate) struct Screens {
    /// For each set of bits and its invalid values (pairs of a mask and a value): the multiplier and
    /// the valid values, or `None` if there is no multiplier.
    known: HashMap<(u64, Vec<NumberPair>), Option<NumberPair>>,
}

impl Screens {
    /// Returns the check for the words that match `plain` and none of `illegal`.
    pub(crate) fn screen(&mut self, plain: Cube, illegal: &[Cube]) -> Screen {
        let (plain, mut cubes) = settle(plain, illegal);
        let (validity_tables, rest) = self.validity_tables(&cubes);
        let maps = take_truth_tables(&rest, &mut cubes);
        if maps.is_empty() {
            return Screen { plain, validity_tables, maps, rest };
        }
        // The truth tables contain some of the patterns, so the validity tables are computed again for
        // the other patterns.
        let (validity_tables, rest) = self.validity_tables(&cubes);
        Screen { plain, validity_tables, maps, rest }
    }

    /// Returns the validity tables for the invalid patterns `illegal`, and the patterns that fit into
    /// no table.
    fn validity_tables(&mut self, illegal: &[Cube]) -> (Vec<ValidityTable>, Vec<Cube>) {
        let mut groups: Vec<(u8, u64, Vec<Cube>)> = Vec::new();
        let mut rest = illegal.to_vec();
        rest.retain(|&cube| !join(&mut groups, cube));
        let mut validity_tables = Vec::new();
        for (half, mask, cubes) in groups {
            let illegal: Vec<NumberPair> =
                cubes.iter().map(|cube| (part(cube.mask, half), part(cube.value, half))).collect();
            let found = self.known.entry((mask, illegal.clone()));
            match found.or_insert_with(|| find_validity_table(mask, &illegal)) {
                Some((magic, legal)) => {
                    validity_tables.push(ValidityTable {
                        half,
                        mask,
                        magic: *magic,
                        legal: *legal,
                    });
                }
                None => rest.extend(cubes),
            }
        }
        (validity_tables, rest)
    }
}

/// Removes from the invalid patterns the bits and patterns that `plain` already decides. If a pattern
/// consists of a single bit, `plain` then requires the opposite value of this bit.
fn settle(mut plain: Cube, illegal: &[Cube]) -> (Cube, Vec<Cube>) {
    let mut cubes: Vec<Cube> = illegal.to_vec();
    loop {
        let before = plain;
        cubes.retain_mut(|cube| {
            if (cube.value ^ plain.value) & cube.mask & plain.mask != 0 {
                return false;
            }
            let open = cube.mask & !plain.mask;
            *cube = Cube { mask: open, value: cube.value & open };
            if open.count_ones() == 1 {
                plain = Cube { mask: plain.mask | open, value: plain.value | open & !cube.value };
            }
            open.count_ones() != 1
        });
        if before == plain {
            return (plain, cubes);
        }
    }
}

/// Adds a pattern to the first group that it fits into. Returns false if it fits into none of the
/// groups.
fn join(groups: &mut Vec<(u8, u64, Vec<Cube>)>, cube: Cube) -> bool {
    let half = u8::from(cube.mask as u64 == 0);
    let mask = part(cube.mask, half);
    let fits = |all: u64| all.count_ones() <= INDEX_BITS;
    // A pattern without a bit matches every word. It is not part of a table.
    if cube.mask == 0 || part(cube.mask, 1 - half) != 0 || !fits(mask) {
        return false;
    }
    let known = groups.iter().position(|(other, all, _)| *other == half && fits(*all | mask));
    match known {
        Some(place) => {
            let (_, all, cubes) = &mut groups[place];
            *all |= mask;
            cubes.push(cube);
        }
        None if groups.len() < 2 => groups.push((half, mask, vec![cube])),
        None => return false,
    }
    true
}

/// Returns one half of a word.
fn part(word: u128, half: u8) -> u64 {
    (word >> (64 * u32::from(half))) as u64
}

/// Returns a multiplier that gathers the bits, and the set of gathered values that are valid.
fn find_validity_table(mask: u64, illegal: &[NumberPair]) -> Option<NumberPair> {
    let values = subsets(mask);
    let is_legal = |bits: u64| !illegal.iter().any(|&(mask, value)| bits & mask == value);
    candidates(mask, INDEX_BITS).find_map(|magic| {
        let (mut legal, mut forbidden) = (0u64, 0u64);
        for &bits in &values {
            let number = 1 << (bits.wrapping_mul(magic) >> (64 - INDEX_BITS));
            *if is_legal(bits) { &mut legal } else { &mut forbidden } |= number;
        }
        (legal & forbidden == 0).then_some((magic, legal))
    })
}

/// Searches for a perfect hash of `values`, which are distinct and have only bits in `mask`: a
/// multiplier whose products with the values differ in their top bits. Returns the number of top bits,
/// as small as possible, and the multiplier.
pub(super) fn find_hash(values: &[u64], mask: u64) -> Option<(u32, u64)> {
    let fewest = values.len().next_power_of_two().ilog2().max(1);
    // For 250 values in 4096 entries, about one try in a thousand has no collision.
    (fewest..fewest + 5).find_map(|bits| Some((bits, find_magic(values, mask, bits)?)))
}

/// Returns a multiplier whose products with the values differ in the top `bits` bits.
fn find_magic(values: &[u64], mask: u64, bits: u32) -> Option<u64> {
    let mut taken = vec![usize::MAX; 1 << bits];
    candidates(mask, bits).enumerate().find_map(|(attempt, magic)| {
        let fits = values.iter().all(|value| {
            let place = &mut taken[(value.wrapping_mul(magic) >> (64 - bits)) as usize];
            core::mem::replace(place, attempt) != attempt
        });
        fits.then_some(magic)
    })
}

/// Returns the multipliers to try: first one that only shifts, then pseudo-random numbers with few bits
/// set.
fn candidates(mask: u64, bits: u32) -> impl Iterator<Item = u64> {
    let shift = (64 - bits).saturating_sub(mask.trailing_zeros());
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    std::iter::once(1 << shift)
        .chain(std::iter::repeat_with(move || random() & random() & random()))
        .take(TRIES)
}

/// Returns all values of the bits in `mask`.
fn subsets(mask: u64) -> Vec<u64> {
    let mut all = vec![0];
    for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
        all.extend(all.clone().iter().map(|value| value | 1 << bit));
    }
    all
}

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
pub(super) fn take_truth_tables(left: &[Cube], cubes: &mut Vec<Cube>) -> Vec<TruthTable> {
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
    worth.map(|(mask, _)| take_truth_table(mask, cubes)).collect()
}

/// Creates the truth table over the bits in `mask` from the patterns that depend on no other bits,
/// and removes these patterns from `cubes`.
fn take_truth_table(mask: u128, cubes: &mut Vec<Cube>) -> TruthTable {
    let (own, rest) = cubes.iter().partition::<Vec<Cube>, _>(|cube| cube.mask & !mask == 0);
    *cubes = rest;
    let mut illegal = vec![0u8; (1usize << mask.count_ones()).div_ceil(8)];
    for Cube { mask: fixed, value } in own {
        // All values of the bits that the pattern does not fix.
        let (value, open) = (gathered(value, mask), gathered(!fixed, mask));
        let mut free = open;
        loop {
            let number = value | free;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(screen: &Screen, word: u128) -> bool {
        let passes_table = |validity_table: &ValidityTable| {
            let bits = part(word, validity_table.half) & validity_table.mask;
            validity_table.legal >> (bits.wrapping_mul(validity_table.magic) >> 58) & 1 == 1
        };
        word & screen.plain.mask == screen.plain.value
            && screen.validity_tables.iter().all(passes_table)
            && !screen.maps.iter().any(|map| map.has(word))
            && !screen.rest.iter().any(|cube| word & cube.mask == cube.value)
    }

    /// Returns all words over the bits `bits`, and some of these words with one other bit changed.
    fn words(bits: &[u32]) -> Vec<u128> {
        let mut all = vec![0u128];
        for bit in bits {
            all.extend(all.clone().iter().map(|word| word | 1 << bit));
        }
        let stray = (0..128).flat_map(|bit| [0, 5].map(|i| all[i % all.len()] ^ 1 << bit));
        all.iter().copied().chain(stray).collect()
    }

    fn check(plain: Cube, illegal: &[Cube], bits: &[u32], rest: usize) {
        let screen = Screens::default().screen(plain, illegal);
        assert_eq!(screen.rest.len(), rest, "{screen:?}");
        for word in words(bits) {
            let expected = word & plain.mask == plain.value
                && !illegal.iter().any(|cube| word & cube.mask == cube.value);
            assert_eq!(passes(&screen, word), expected, "{word:#x}: {screen:?}");
        }
    }

    fn cube(bits: &[(u32, u128)]) -> Cube {
        bits.iter().fold(Cube::ALL, |cube, &(bit, value)| Cube {
            mask: cube.mask | 1 << bit,
            value: cube.value | value << bit,
        })
    }

    #[test]
    fn many_cubes_are_a_table() {
        let plain = cube(&[(0, 1)]);
        let (left, right) = ([3, 4, 5, 6, 7, 8], [60, 61, 66, 67, 68, 70]);
        let bits = [&left[..], &right].concat();
        // All pairs of equal values: each masked pattern must fix all bits.
        let equal = |number: u128| {
            let bit = |(weight, &place): (usize, &u32)| (place, number >> (weight % 6) & 1);
            cube(&bits.iter().enumerate().map(bit).collect::<Vec<_>>())
        };
        let equal: Vec<Cube> = (0..64).map(equal).collect();
        check(plain, &equal, &bits, 0);
        let screen = Screens::default().screen(plain, &equal);
        let runs = [(70, 1), (66, 3), (60, 2), (3, 6)];
        assert_eq!(screen.maps.iter().map(|map| &map.runs[..]).collect::<Vec<_>>(), [runs]);
        // A pattern of one other bit, and a few patterns over other bits, are still checked separately.
        let more = [cube(&[(20, 1)]), cube(&[(9, 1), (99, 0)])];
        check(plain, &[&equal[..], &more].concat(), &[&bits[..], &[9, 20, 99]].concat(), 1);
        // Unequal values are patterns of two bits, some of which are in validity tables.
        let pairs = left.iter().zip(&right);
        let unequal = pairs.flat_map(|(&a, &b)| [[(a, 0), (b, 1)], [(a, 1), (b, 0)]]);
        let unequal: Vec<Cube> = unequal.map(|bits| cube(&bits)).collect();
        check(plain, &unequal, &bits, 0);
        assert_eq!(Screens::default().screen(plain, &unequal).maps.len(), 1);
    }

    #[test]
    fn a_screen_says_what_the_cubes_say() {
        let plain = cube(&[(0, 1), (1, 0)]);
        let apart =
            [cube(&[(94, 1), (76, 1)]), cube(&[(94, 1), (77, 1)]), cube(&[(80, 1), (81, 0)])];
        check(plain, &apart, &[0, 1, 76, 77, 80, 81, 94], 0);
        let single = [cube(&[(32, 1)]), cube(&[(33, 0)]), cube(&[(32, 0), (40, 1), (1, 0)])];
        check(plain, &single, &[0, 1, 32, 33, 40], 0);
        let across = [cube(&[(60, 1), (70, 1)]), cube(&[(62, 1), (63, 0)])];
        check(plain, &across, &[0, 1, 60, 62, 63, 70], 1);
        let wide: Vec<(u32, u128)> = (10..18).map(|bit| (bit, 1)).collect();
        check(plain, &[cube(&wide)], &[0, 10, 11, 12, 13, 14, 15, 16, 17], 1);
        check(plain, &[cube(&[(0, 0), (5, 1)])], &[0, 1, 5], 0);
        check(plain, &[cube(&[(0, 1)])], &[0, 1, 5], 1);
    }
}
