//! Determines the width of a word by the bits that come first in memory.
//!
//! For example, all long words of RISC-V begin with the bits 11. If a narrower opcode may begin with
//! the same bits, the smallest number of further bits that distinguishes the two is used.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::cube::{Cube, simplify};
use crate::model::word_search::SearchLimitExceeded;
use crate::syntax::ast::ByteOrder;

/// One of the widths of words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct WordWidth {
    pub(crate) bits: u8,
    /// The bits that all opcodes of the width fix to the same value, among the bits that come first.
    pub(crate) common: Cube,
    /// The patterns by which a word of this width is recognized. `None` if the only pattern is
    /// `common`, and for the narrowest width.
    pub(crate) starts: Option<Vec<Cube>>,
}

/// The start of some words of an opcode: the bits that it fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WordStart<'l> {
    pub(super) bits: u8,
    pub(super) fixed: Cube,
    /// For the long words of an opcode with words of two widths: a pattern of such words, which `fixed`
    /// includes.
    pub(super) pattern: Option<Cube>,
    /// For the short words of such an opcode: the width and the patterns of its long words.
    pub(super) long: Option<(u8, &'l [Cube])>,
}

impl WordStart<'_> {
    /// Creates the start of an opcode whose words all have `bits` bits.
    pub(super) fn new(bits: u8, fixed: Cube) -> Self {
        WordStart { bits, fixed, pattern: None, long: None }
    }

    /// Returns whether words that begin like the short words of this opcode, and match the pattern of
    /// the long words `other`, are long too. The two then need not differ in other bits.
    fn is_lengthened_like(&self, other: &Self) -> bool {
        let long = self.long.zip(other.pattern);
        long.is_some_and(|((bits, long), pattern)| bits == other.bits && long.contains(&pattern))
    }
}

/// The maximum number of steps in the search for the fewest bits. If it needs more, all bits are used.
const STEPS: usize = 20_000;

/// Returns the widths of `opcodes`, the widest first.
pub(super) fn widths<'l>(
    opcodes: impl Iterator<Item = WordStart<'l>>,
    order: ByteOrder,
) -> Vec<WordWidth> {
    let mut widths: BTreeMap<u8, BTreeSet<WordStart<'_>>> = BTreeMap::new();
    for opcode in opcodes {
        widths.entry(opcode.bits).or_default().insert(opcode);
    }
    let narrowest = widths.keys().next().copied().unwrap_or(128);
    let first = u128::MAX >> (128 - narrowest);
    for (bits, opcodes) in &mut widths {
        let start = |opcode: &WordStart<'l>| {
            // Bits that decide whether a word is long may come after the first bits.
            let first = opcode.pattern.map_or(first, |pattern| first | pattern.mask);
            let fixed = masked(opcode.fixed.lowered(order.above(*bits, narrowest)), first);
            WordStart { fixed, ..*opcode }
        };
        *opcodes = opcodes.iter().map(start).collect();
    }
    let mut found = Vec::new();
    while let Some((bits, own)) = widths.pop_last() {
        let fixed = own.iter().map(|own| own.fixed).collect();
        let common = common(&fixed);
        let prefix = prefix(&fixed, common, order);
        let narrower = widths.values().flatten().copied();
        let rivals: Vec<WordStart<'_>> =
            narrower.filter(|rival| rival.fixed.and(prefix).is_some()).collect();
        let by = order.above(bits, narrowest);
        // If a narrower word can begin with the same bits, an unknown word is treated as the narrower
        // one. The decoder then finds the next word as soon as possible.
        let is_shared = |own: &WordStart<'_>| {
            let mut others = rivals.iter().filter(|rival| !rival.is_lengthened_like(own));
            others.any(|rival| contains(rival.fixed, own.fixed))
        };
        let own: BTreeSet<WordStart<'_>> = own.into_iter().filter(|own| !is_shared(own)).collect();
        let telling = telling(&own, &rivals, order).unwrap_or(first) | prefix.mask;
        let start = |own: &WordStart<'_>| {
            masked(own.fixed, own.pattern.map_or(telling, |pattern| telling | pattern.mask))
        };
        let starts = merged(own.iter().map(start).collect());
        // A word that matches no other width is treated as a word of the narrowest width.
        let is_said = starts == [common] || widths.is_empty();
        let starts = starts.into_iter().map(|start| start.lifted(by)).collect();
        let starts = if is_said { None } else { Some(starts) };
        found.push(WordWidth { bits, common: common.lifted(by), starts });
    }
    found
}

fn masked(Cube { mask, value }: Cube, bits: u128) -> Cube {
    Cube { mask: mask & bits, value: value & bits }
}

/// Returns whether one masked pattern matches all words of another.
fn contains(outer: Cube, inner: Cube) -> bool {
    outer.mask & !inner.mask == 0 && masked(inner, outer.mask) == outer
}

/// Returns the fixed bits that all patterns have in common.
fn common(cubes: &BTreeSet<Cube>) -> Cube {
    let alike = |a: Cube, b: Cube| masked(a, b.mask & !(a.value ^ b.value));
    cubes.iter().copied().reduce(alike).unwrap_or(Cube::ALL)
}

/// Returns the fixed bits that all patterns have in common before the first bit in memory in which they
/// differ, because later bits rarely determine the length. Bits that no pattern fixes are skipped.
fn prefix(cubes: &BTreeSet<Cube>, common: Cube, order: ByteOrder) -> Cube {
    let fixed = cubes.iter().fold(0, |all, cube| all | cube.mask);
    let (mut rest, mut bits) = (fixed, 0);
    while rest != 0 {
        let bit = first(rest, order);
        if common.mask & bit == 0 {
            break;
        }
        (rest, bits) = (rest ^ bit, bits | bit);
    }
    masked(common, bits)
}

/// Returns the bit of a mask that comes first in memory.
fn first(bits: u128, order: ByteOrder) -> u128 {
    match order {
        ByteOrder::LittleEndian => bits & bits.wrapping_neg(),
        _ => 1 << bits.ilog2(),
    }
}

/// Returns the smallest set of bits in which each pattern differs from each of its rivals. Pairs that
/// match a common word are ignored, because no bit distinguishes them. If there are several smallest
/// sets, returns the set whose bits come first in memory. Returns `None` if the search takes too long.
fn telling(
    own: &BTreeSet<WordStart<'_>>,
    rivals: &[WordStart<'_>],
    order: ByteOrder,
) -> Option<u128> {
    let pairs = own.iter().flat_map(|a| rivals.iter().map(move |b| (a, b)));
    let pairs = pairs.filter(|(a, b)| !b.is_lengthened_like(a)).map(|(a, b)| (a.fixed, b.fixed));
    let mut differences: Vec<u128> =
        pairs.map(|(a, b)| (a.value ^ b.value) & a.mask & b.mask).filter(|&it| it != 0).collect();
    differences.sort_unstable_by_key(|&bits| (bits.count_ones(), bits));
    differences.dedup();
    // If one difference contains another, a bit of the smaller one is enough for both, so only the
    // smaller one is kept.
    let mut least: Vec<u128> = Vec::new();
    for bits in differences {
        if least.iter().all(|less| less & !bits != 0) {
            least.push(bits);
        }
    }
    let mut search = BitSearch { differences: least, order, steps: STEPS };
    (0..=128).find_map(|count| search.bits(0, count).transpose())?.ok()
}

/// The search for a set of bits that contains at least one bit of each difference.
struct BitSearch {
    differences: Vec<u128>,
    order: ByteOrder,
    /// The number of remaining steps.
    steps: usize,
}

impl BitSearch {
    /// Returns the bits in `chosen` with up to `more` additional bits, if these are sufficient.
    fn bits(&mut self, chosen: u128, more: u32) -> Result<Option<u128>, SearchLimitExceeded> {
        self.steps = self.steps.checked_sub(1).ok_or(SearchLimitExceeded)?;
        let open = self.differences.iter().copied().find(|bits| bits & chosen == 0);
        let Some(mut bits) = open else { return Ok(Some(chosen)) };
        while bits != 0 && more > 0 {
            let bit = first(bits, self.order);
            if let Some(found) = self.bits(chosen | bit, more - 1)? {
                return Ok(Some(found));
            }
            bits ^= bit;
        }
        Ok(None)
    }
}

/// Simplifies a list of patterns without changing the words that they match: two patterns that differ
/// in only one bit become one.
fn merged(mut cubes: Vec<Cube>) -> Vec<Cube> {
    loop {
        simplify(&mut cubes);
        let pairs = cubes.iter().enumerate();
        let pair = pairs.clone().find_map(|(at, a)| {
            let is_pair = |b: &Cube| a.mask == b.mask && (a.value ^ b.value).is_power_of_two();
            let behind = pairs.clone().skip(at + 1).find(|(_, b)| is_pair(b));
            behind.map(|(other, b)| (other, masked(*a, !(a.value ^ b.value))))
        });
        let Some((other, both)) = pair else { return cubes };
        cubes.remove(other);
        cubes.push(both);
    }
}

#[cfg(test)]
mod tests {
    use super::{WordStart, WordWidth};
    use crate::model::cube::Cube;
    use crate::syntax::ast::ByteOrder;

    /// Returns the widths of opcodes whose words have one width each.
    fn widths(opcodes: impl Iterator<Item = (u8, Cube)>, order: ByteOrder) -> Vec<WordWidth> {
        super::widths(opcodes.map(|(bits, fixed)| WordStart::new(bits, fixed)), order)
    }

    /// Creates the pattern of all words of `bits` bits that begin with `start`, the highest bit
    /// first.
    fn cube(bits: u8, start: &str) -> (u8, Cube) {
        let digit = |cube: Cube, digit| Cube {
            mask: cube.mask << 1 | u128::from(digit != 'x'),
            value: cube.value << 1 | u128::from(digit == '1'),
        };
        let start = format!("{start:x<width$}", width = bits.into());
        (bits, start.chars().fold(Cube::ALL, digit))
    }

    /// Returns the width that is recognized for a word that begins with the bits in `first`.
    fn taken(widths: &[WordWidth], order: ByteOrder, first: u128) -> u8 {
        let narrowest = widths.last().unwrap().bits;
        let is_in = |width: &WordWidth, cube: &Cube| {
            first << order.above(width.bits, narrowest) & cube.mask == cube.value
        };
        let begins = |width: &&WordWidth| {
            let starts = width.starts.as_deref().unwrap_or(std::slice::from_ref(&width.common));
            starts.iter().any(|start| is_in(width, start))
        };
        widths.iter().find(begins).map_or(narrowest, |width| width.bits)
    }

    #[test]
    fn a_width_may_have_two_prefixes() {
        let opcodes = [cube(16, "00011000"), cube(32, "01011000"), cube(32, "10100111xxxx1010")];
        let long = ["11100011", "11010010", "11101101"].map(|start| cube(48, start));
        let opcodes = opcodes.into_iter().chain(long);
        let found = widths(opcodes, ByteOrder::BigEndian);
        for first in 0..1 << 16 {
            let length = [16, 32, 32, 48][first as usize >> 14];
            assert_eq!(taken(&found, ByteOrder::BigEndian, first), length, "{first:#x}");
        }
    }

    #[test]
    fn a_narrow_word_may_begin_as_the_wide_ones_do_but_for_a_bit() {
        let order = ByteOrder::LittleEndianHalfwords;
        let short = ["11100", "000", "0100011100", "1101", "10111110"].map(|it| cube(16, it));
        let long = ["11101", "11110", "1111100"].map(|it| cube(32, it));
        let found = widths(short.into_iter().chain(long), order);
        for first in 0..1 << 16 {
            let length = if first >> 11 > 0b11100 { 32 } else { 16 };
            assert_eq!(taken(&found, order, first), length, "{first:#x}");
        }
    }

    #[test]
    fn bits_that_all_begin_with_say_all() {
        let long = [Cube { mask: 0x7f, value: 0x17 }, Cube { mask: 0x707f, value: 0x1033 }];
        let short = [Cube { mask: 0xe003, value: 0x4001 }, Cube { mask: 0xe003, value: 0 }];
        let opcodes = long.map(|it| (32, it)).into_iter().chain(short.map(|it| (16, it)));
        let found = widths(opcodes.clone(), ByteOrder::LittleEndian);
        assert_eq!(found[0].common, Cube { mask: 0x5b, value: 0x13 });
        assert_eq!(found[0].starts, Some(vec![Cube { mask: 3, value: 3 }]));
        // If the words have only these bits in common, the bits are not repeated in `starts`.
        let more = [Cube { mask: 0x7f, value: 0x6f }];
        let found = widths(opcodes.chain(more.map(|it| (32, it))), ByteOrder::LittleEndian);
        assert_eq!(found[0].common, Cube { mask: 3, value: 3 });
        assert_eq!(found[0].starts, None);
    }

    /// Uses the first bytes of Z80 instructions: a prefix byte begins words of two, three and four
    /// bytes.
    #[test]
    fn what_begins_as_words_of_several_widths_is_narrow() {
        let order = ByteOrder::LittleEndian;
        let byte = |bits, value| (bits, Cube { mask: 0xff, value });
        let opcodes =
            [(8, 0x00), (16, 0x3e), (16, 0xcb), (16, 0xdd), (16, 0xed), (24, 0xc3), (24, 0xdd)];
        let long = [(32, 0xdd), (32, 0xed)];
        let found = widths(opcodes.into_iter().chain(long).map(|(bits, it)| byte(bits, it)), order);
        for (bits, first) in opcodes {
            let bits = if first == 0xdd { 16 } else { bits };
            assert_eq!(taken(&found, order, first), bits, "{first:#x}");
        }
        assert_eq!(
            found[0].starts,
            Some(Vec::new()),
            "no word is one of 32 bits by its first byte"
        );
    }

    /// Uses an opcode of 8 bits with 8 more if its high bits are 15, and an opcode of 16 bits with 8 more
    /// if its second byte is 255.
    #[test]
    fn a_pattern_makes_words_longer() {
        let order = ByteOrder::LittleEndian;
        let [short, middle] = [1, 2].map(|value| Cube { mask: 0xf, value });
        let patterns = [Cube { mask: 0xf0, value: 0xf0 }, Cube { mask: 0xff00, value: 0xff00 }];
        let both = |fixed: Cube, bits: u8, pattern: &'static Cube| {
            let long = WordStart {
                pattern: Some(*pattern),
                ..WordStart::new(bits + 8, fixed.and(*pattern).unwrap())
            };
            let long_words = Some((bits + 8, std::slice::from_ref(pattern)));
            [long, WordStart { long: long_words, ..WordStart::new(bits, fixed) }]
        };
        let patterns: &'static [Cube; 2] = Box::leak(Box::new(patterns));
        let starts = [both(short, 8, &patterns[0]), both(middle, 16, &patterns[1])];
        let found = super::widths(starts.into_iter().flatten(), order);
        let lengths = [(0x01, 8), (0xe1, 8), (0xf1, 16), (0x02, 16), (0xfe02, 16), (0xff02, 24)];
        for (word, length) in lengths {
            assert_eq!(taken(&found, order, word), length, "{word:#x} {found:x?}");
        }
    }

    /// Returns random patterns of the first eight bits, and their widths.
    fn random(seed: u64, order: ByteOrder) -> Vec<(u8, Cube)> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            u128::from(state >> 40)
        };
        let count = 2 + next() % 12;
        let mut opcodes: Vec<(u8, Cube)> = Vec::new();
        for _ in 0..count {
            let bits = [8, 16, 24][(next() % 3) as usize];
            let mask = (next() | next()) & 0xff;
            let start = Cube { mask, value: next() & mask };
            let start = |other: u8| start.lifted(order.above(other, 8));
            let meets =
                |(other, known): &(u8, Cube)| *other != bits && known.and(start(*other)).is_some();
            if !opcodes.iter().any(meets) {
                opcodes.push((bits, start(bits)));
            }
        }
        opcodes
    }

    #[test]
    fn what_begins_like_an_opcode_has_its_width() {
        let orders = [ByteOrder::LittleEndian, ByteOrder::BigEndian];
        for (seed, order) in (0..2000).flat_map(|seed| orders.map(|order| (seed, order))) {
            let opcodes = random(seed, order);
            let Some(narrowest) = opcodes.iter().map(|(bits, _)| *bits).min() else { continue };
            let found = widths(opcodes.iter().copied(), order);
            for first in 0..1_u128 << narrowest.min(8) {
                let first = first << order.above(narrowest, 8);
                let begins = |(bits, fixed): &&(u8, Cube)| {
                    first << order.above(*bits, narrowest) & fixed.mask == fixed.value
                };
                if let Some((bits, _)) = opcodes.iter().find(begins) {
                    assert_eq!(taken(&found, order, first), *bits, "{opcodes:x?} {first:#x}");
                }
            }
        }
    }
}
