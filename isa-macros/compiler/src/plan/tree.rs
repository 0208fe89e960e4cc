//! Builds the decode tree, which maps a word to a candidate opcode.
//!
//! The tree consists of nodes and of an array of entries. A node gathers some bits of the word into an
//! index, and the entry at that index is an opcode, another node, or empty. The root is a perfect hash:
//! it multiplies the bits that all opcodes fix by a constant, and the top bits of the product are the
//! index. The constant is found by trying pseudo-random multipliers until every key has an index of its
//! own, beginning with the smallest table. So one multiplication gathers bits that are scattered over
//! the word.
//!
//! If the root cannot separate the opcodes, the decoder follows two nodes for each word instead, each
//! over a few runs of bits, because a processor predicts a constant number of steps well. Further nodes
//! split the remaining groups by runs of bits that all opcodes of a group fix, and then by bits that
//! only special cases fix. Opcodes that are still together are tried one after another. The tree only
//! proposes an opcode, and the validity check of its row confirms it. A poor choice therefore costs
//! time but never decodes incorrectly.

use std::collections::{BTreeMap, BTreeSet};

use isa_bdd::HashMap;

use super::bit_gather::{Gather, runs};
use super::limits::INNER;
use super::validity_check::find_hash;
use crate::model::cube::Cube;

/// The maximum width of a node's index in bits.
const MAX_WIDTH: u32 = 12;

/// The maximum width of the index of a node in the second step.
const MAX_BELOW: u32 = 8;

/// Limits for nodes over bits that only special cases fix: the maximum width of the index, and the
/// maximum number of such nodes on a path. Opcodes that these nodes do not separate are tried one after
/// another.
const MAX_SPECIAL: (u32, u8) = (6, 2);

/// The maximum number of different keys of the root.
const MAX_KEYS: usize = 256;

/// The root, with the data of `isa_core::table::DecodeRoot`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Root {
    pub(crate) half: u8,
    pub(crate) mask: u64,
    pub(crate) magic: u64,
    pub(crate) bits: u32,
}

/// Returns the maximum number of entries of a tree. If most opcodes of a set fix some common bits, the
/// tree needs far fewer entries. Without such bits, each node repeats many opcodes, and groups that
/// exceed the limit are tried one after another.
fn room(opcodes: usize) -> usize {
    32 * opcodes + 8192
}

/// A decode tree in the form of its tables.
#[derive(Debug, Default)]
pub(crate) struct DecodeTree {
    pub(crate) root: Option<Root>,
    /// The bits that each node gathers, and the index of its first entry.
    pub(crate) nodes: Vec<(Gather, u32)>,
    pub(crate) entries: Vec<u16>,
    /// For each opcode, 1 plus the opcode to try next if its own check fails, or 0 if there is none.
    /// The list is empty if all its elements would be 0.
    pub(crate) general: Vec<u16>,
}

#[cfg(test)]
impl DecodeTree {
    /// Returns the entry for a word.
    pub(crate) fn lookup(&self, word: u128) -> u16 {
        let mut entry = match self.root {
            Some(root) => self.entries[root.place(word)],
            None => INNER,
        };
        while entry & INNER != 0 {
            let (gather, base) = self.nodes[(entry & !INNER) as usize];
            entry = self.entries[base as usize + gather.number(word)];
        }
        entry
    }
}

/// Builds the tree that separates `opcodes`.
pub(crate) fn build(opcodes: &[Cube]) -> DecodeTree {
    let all: Vec<usize> = (0..opcodes.len()).collect();
    let (mut tree, mut unsplit) = (DecodeTree::default(), Vec::new());
    if let Some(root) = find_root(opcodes) {
        plant(&mut tree, root, &all, opcodes, &mut unsplit);
        if tree.nodes.is_empty() {
            chain(&mut tree, &unsplit, opcodes);
            return tree;
        }
    }
    let (mut even, mut together) = (DecodeTree::default(), Vec::new());
    if plant_evenly(&mut even, &all, opcodes, &mut together).is_some() {
        (tree, unsplit) = (even, together);
    } else if tree.root.is_none() {
        let unseen = SubtreeLimits::all(opcodes.len());
        let entry = grow(&mut tree, &all, unseen, opcodes, &mut unsplit);
        if tree.nodes.is_empty() {
            tree.nodes.push((Gather::NONE, 0));
            tree.entries.push(entry);
        }
    }
    chain(&mut tree, &unsplit, opcodes);
    tree
}

/// Fills a tree in which the decoder follows two nodes for each word that may be an opcode. If several
/// opcodes remain after these nodes, further nodes follow. Returns `None` if no bits separate the
/// opcodes.
fn plant_evenly(
    tree: &mut DecodeTree,
    all: &[usize],
    opcodes: &[Cube],
    unsplit: &mut Vec<Vec<usize>>,
) -> Option<()> {
    let width = |count: usize| count.next_power_of_two().ilog2();
    let first = choose(all, opcodes, width(2 * all.len()).clamp(4, MAX_WIDTH))?;
    let below = spread(tree, first, all, opcodes);
    // If some opcodes do not fix all bits of the first step, several values of these bits select the
    // same opcodes.
    let mut known: HashMap<Vec<usize>, u16> = HashMap::default();
    for (place, subset) in below {
        let entry = match known.get(&subset) {
            Some(&entry) => entry,
            None => {
                let entry = step_below(tree, &subset, opcodes, unsplit);
                known.insert(subset, entry);
                entry
            }
        };
        tree.entries[place] = entry;
    }
    Some(())
}

/// Adds the second step for a subset of the opcodes. Even a single opcode gets a second step, so that
/// all paths have the same length.
fn step_below(
    tree: &mut DecodeTree,
    subset: &[usize],
    opcodes: &[Cube],
    unsplit: &mut Vec<Vec<usize>>,
) -> u16 {
    let most = (8 * subset.len()).next_power_of_two().ilog2().min(MAX_BELOW);
    let chosen = match subset {
        [_] => None,
        _ => choose(subset, opcodes, most),
    };
    let (bits, gather) = chosen.unwrap_or((0, Gather::NONE));
    let node = tree.nodes.len();
    if node >= usize::from(INNER - 1) {
        return grow(tree, subset, SubtreeLimits::all(subset.len()), opcodes, unsplit);
    }
    for (place, part) in spread(tree, (bits, gather), subset, opcodes) {
        let unseen = SubtreeLimits { bits: !bits, ..SubtreeLimits::all(part.len()) };
        tree.entries[place] = grow(tree, &part, unseen, opcodes, unsplit);
    }
    INNER | node as u16
}

/// Adds a node over `bits`, with empty entries. Returns each entry that opcodes of `subset` belong to,
/// with these opcodes.
fn spread(
    tree: &mut DecodeTree,
    (bits, gather): (u128, Gather),
    subset: &[usize],
    opcodes: &[Cube],
) -> BTreeMap<usize, Vec<usize>> {
    let base = tree.entries.len();
    tree.nodes.push((gather, base as u32));
    tree.entries.resize(base + gather.places(), 0);
    let mut below: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &op in subset {
        let Cube { mask, value } = opcodes[op];
        // The opcode belongs to several entries: one for each value of the bits that it does not fix.
        let open = bits & !mask;
        let mut free = open;
        loop {
            below.entry(base + gather.number(value | free)).or_default().push(op);
            if free == 0 {
                break;
            }
            free = (free - 1) & open;
        }
    }
    below
}

impl Root {
    fn key(&self, word: u128) -> u64 {
        (word >> (64 * u32::from(self.half))) as u64 & self.mask
    }

    /// Returns the index of the entry for a word.
    fn place(&self, word: u128) -> usize {
        (self.key(word).wrapping_mul(self.magic) >> (64 - self.bits)) as usize
    }
}

/// Searches for a root over bits that all opcodes fix, but not to the same value. Returns `None` if
/// there are fewer than two keys or more than [`MAX_KEYS`], or if no multiplier gives each key its own
/// index.
fn find_root(opcodes: &[Cube]) -> Option<Root> {
    let first = opcodes.first()?;
    let fixed = opcodes.iter().fold(u128::MAX, |mask, op| mask & op.mask);
    let differ = opcodes.iter().fold(0, |bits, op| bits | op.value ^ first.value) & fixed;
    let keys = |half: u8| {
        let mask = (differ >> (64 * u32::from(half))) as u64;
        let root = Root { half, mask, magic: 0, bits: 0 };
        let keys: BTreeSet<u64> = opcodes.iter().map(|op| root.key(op.value)).collect();
        (keys.len(), root, keys)
    };
    let (low, high) = (keys(0), keys(1));
    let (count, root, keys) = if low.0 >= high.0 { low } else { high };
    if !(2..=MAX_KEYS).contains(&count) {
        return None;
    }
    let keys: Vec<u64> = keys.into_iter().collect();
    let (bits, magic) = find_hash(&keys, root.mask)?;
    Some(Root { magic, bits, ..root })
}

/// Fills the entries of the root, and adds a subtree for opcodes that share a key.
fn plant(
    tree: &mut DecodeTree,
    root: Root,
    all: &[usize],
    opcodes: &[Cube],
    unsplit: &mut Vec<Vec<usize>>,
) {
    let mut subsets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &op in all {
        subsets.entry(root.place(opcodes[op].value)).or_default().push(op);
    }
    let seen = u128::from(root.mask) << (64 * u32::from(root.half));
    tree.root = Some(root);
    tree.entries.resize(1 << root.bits, 0);
    for (place, subset) in subsets {
        let unseen = SubtreeLimits { bits: !seen, ..SubtreeLimits::all(subset.len()) };
        tree.entries[place] = grow(tree, &subset, unseen, opcodes, unsplit);
    }
}

/// The limits for the nodes below a node.
#[derive(Clone, Copy)]
struct SubtreeLimits {
    /// The bits that no node on the path has used.
    bits: u128,
    /// The number of further nodes that may use bits that only special cases fix.
    special: u8,
    /// The maximum number of entries of all nodes below.
    room: usize,
}

impl SubtreeLimits {
    /// Returns the limits before the first node of a tree. `opcodes` is the number of opcodes.
    fn all(opcodes: usize) -> Self {
        SubtreeLimits { bits: u128::MAX, special: MAX_SPECIAL.1, room: room(opcodes) }
    }
}

/// Returns the entry for a subset of the opcodes, and adds the nodes that it needs.
fn grow(
    tree: &mut DecodeTree,
    subset: &[usize],
    mut unseen: SubtreeLimits,
    opcodes: &[Cube],
    unsplit: &mut Vec<Vec<usize>>,
) -> u16 {
    match subset {
        [] => return 0,
        [one] => return *one as u16 + 1,
        _ => {}
    }
    let window = best_window(subset, unseen.bits, opcodes).or_else(|| {
        unseen.special = unseen.special.checked_sub(1)?;
        special_window(subset, unseen.bits, opcodes)
    });
    let fits = |&(_, width): &(u32, u32)| {
        1 << width <= unseen.room && tree.nodes.len() < usize::from(INNER - 1)
    };
    let gathered = |(position, width): (u32, u32)| {
        let bits = (u128::MAX >> (128 - width)) << position;
        Some((bits, Gather::new(&runs(bits))?))
    };
    let Some((bits, gather)) = window.filter(fits).and_then(gathered) else {
        unsplit.push(subset.to_vec());
        let first = subset.iter().min_by_key(|&&op| trial(op, opcodes));
        return *first.unwrap_or(&0) as u16 + 1;
    };
    let node = tree.nodes.len();
    let below = spread(tree, (bits, gather), subset, opcodes);
    // Each part gets a share of the room that is proportional to its size.
    let all: usize = below.values().map(Vec::len).sum();
    let left = unseen.room - gather.places();
    for (place, part) in below {
        let room = left * part.len() / all.max(1);
        let rest = SubtreeLimits { bits: unseen.bits & !bits, room, ..unseen };
        let entry = grow(tree, &part, rest, opcodes, unsplit);
        tree.entries[place] = entry;
    }
    INNER | node as u16
}

/// Returns the run of bits that separates most of the subset. The size of the table is limited.
fn best_window(subset: &[usize], unseen: u128, opcodes: &[Cube]) -> Option<(u32, u32)> {
    let fixed_by_all = subset.iter().fold(unseen, |mask, &op| mask & opcodes[op].mask);
    let largest = (4 * subset.len()).next_power_of_two().ilog2().clamp(4, MAX_WIDTH);
    let mut best: Option<(usize, u32, u32)> = None;
    for position in (0..128).filter(|p| fixed_by_all >> p & 1 == 1) {
        let run = run_at(fixed_by_all, position).min(largest);
        for width in 1..=run {
            let keys = distinct_keys(subset, position, width, opcodes);
            if keys > 1 && best.is_none_or(|(most, _, narrow)| (most, !narrow) < (keys, !width)) {
                best = Some((keys, position, width));
            }
        }
    }
    match best {
        Some((_, position, width)) => Some((position, width)),
        None => best_single_bit(subset, unseen, opcodes).map(|position| (position, 1)),
    }
}

/// Returns the number of consecutive bits of a mask from a position on, within its half of the word.
fn run_at(mask: u128, position: u32) -> u32 {
    (mask >> position).trailing_ones().min(64 - position % 64)
}

fn distinct_keys(subset: &[usize], position: u32, width: u32, opcodes: &[Cube]) -> usize {
    let (mut seen, mut count) = ([0u64; 1 << MAX_WIDTH >> 6], 0);
    for &op in subset {
        let key = (opcodes[op].value >> position) as usize & ((1 << width) - 1);
        let (part, bit) = (&mut seen[key / 64], 1 << (key % 64));
        count += usize::from(*part & bit == 0);
        *part |= bit;
    }
    count
}

/// Returns the bit that best splits the subset: some opcodes fix it to 0, others to 1, and few leave it
/// open.
fn best_single_bit(subset: &[usize], unseen: u128, opcodes: &[Cube]) -> Option<u32> {
    let counts = |position: u32| {
        let deciding = subset.iter().filter(|&&op| opcodes[op].mask >> position & 1 == 1);
        let ones = deciding.clone().filter(|&&op| opcodes[op].value >> position & 1 == 1).count();
        (deciding.count() - ones, ones)
    };
    (0..128)
        .filter(|position| unseen >> position & 1 == 1)
        .map(|position| (counts(position), position))
        .filter(|((zeros, ones), _)| *zeros > 0 && *ones > 0)
        .max_by_key(|((zeros, ones), position)| {
            (zeros.min(ones).to_owned(), zeros + ones, !position)
        })
        .map(|(_, position)| position)
}

/// Returns the run of bits with the most bits that the subset fixes, if special cases fix bits that
/// their general forms do not. A general form then belongs to the entry of every value of these bits.
fn special_window(subset: &[usize], unseen: u128, opcodes: &[Cube]) -> Option<(u32, u32)> {
    let fixed = subset.iter().fold(0, |mask, &op| mask | opcodes[op].mask) & unseen;
    let by_all = subset.iter().fold(u128::MAX, |mask, &op| mask & opcodes[op].mask);
    let count = |position: u32, width: u32| -> u32 {
        let window = ((1u128 << width) - 1) << position;
        subset.iter().map(|&op| (opcodes[op].mask & window).count_ones()).sum()
    };
    (0..128)
        .filter(|position| (fixed & !by_all) >> position & 1 == 1)
        .map(|position| (position, run_at(fixed, position).min(MAX_SPECIAL.0)))
        .max_by_key(|&(position, width)| (count(position, width), std::cmp::Reverse(position)))
}

/// Returns the order in which opcodes that share an entry are tried: those with more fixed bits first.
fn trial(op: usize, opcodes: &[Cube]) -> (std::cmp::Reverse<u32>, usize) {
    (std::cmp::Reverse(opcodes[op].mask.count_ones()), op)
}

/// Links opcodes that no node separates, so that they are tried one after another. An entry leads to the
/// first of them.
fn chain(tree: &mut DecodeTree, unsplit: &[Vec<usize>], opcodes: &[Cube]) {
    if unsplit.is_empty() {
        return;
    }
    // A union-find structure: for each opcode, an opcode of the same group with a lower index, or the
    // opcode itself.
    let mut lower: Vec<usize> = (0..opcodes.len()).collect();
    let first = |lower: &mut [usize], mut op: usize| {
        while lower[op] != op {
            lower[op] = lower[lower[op]];
            op = lower[op];
        }
        op
    };
    for set in unsplit {
        for pair in set.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|op| first(&mut lower, op));
            lower[a.max(b)] = a.min(b);
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for op in 0..opcodes.len() {
        groups.entry(first(&mut lower, op)).or_default().push(op);
    }
    tree.general = vec![0; opcodes.len()];
    for mut members in groups.into_values() {
        members.sort_by_key(|&op| trial(op, opcodes));
        for pair in members.windows(2) {
            tree.general[pair[0]] = pair[1] as u16 + 1;
        }
    }
}

/// The maximum number of runs of bits that a node uses.
const RUNS: usize = 3;

/// The weight of an opcode. If the opcode does not fix a bit, its weight is divided evenly between the
/// values of the bit.
const WEIGHT: u64 = 1 << 24;

/// Opcodes that the chosen bits do not separate, each with its weight.
type OpcodeGroup = Vec<(usize, u64)>;

/// Returns at most `most_bits` bits that separate the opcodes in `subset` best, and the multiplier for
/// the index. Returns `None` if no bit separates them.
pub(super) fn choose(subset: &[usize], opcodes: &[Cube], most_bits: u32) -> Option<(u128, Gather)> {
    (1..=RUNS).rev().find_map(|most_runs| {
        let choice = |half: u8| BitChoice::of(half, subset, opcodes, (most_bits, most_runs));
        let best = [0, 1].into_iter().filter_map(choice).min_by_key(|choice| choice.cost)?;
        let mask = u128::from(best.mask) << (64 * u32::from(best.half));
        Some((mask, Gather::new(&runs(mask))?))
    })
}

/// The state of the choice.
struct BitChoice {
    half: u8,
    mask: u64,
    groups: Vec<OpcodeGroup>,
    cost: u64,
}

impl BitChoice {
    /// Chooses at most the given number of bits in at most the given number of runs.
    fn of(
        half: u8,
        subset: &[usize],
        opcodes: &[Cube],
        (most_bits, most_runs): (u32, usize),
    ) -> Option<Self> {
        let all: OpcodeGroup = subset.iter().map(|&op| (op, WEIGHT)).collect();
        let cost = cost(&all);
        let mut choice = BitChoice { half, mask: 0, groups: vec![all], cost };
        while choice.cost > 0 && choice.mask.count_ones() < most_bits {
            let room = 8 * subset.len();
            let Some((bit, cost)) = choice.next_bit(opcodes, room, most_runs) else { break };
            // A bit that separates almost nothing would make the table larger but no path shorter.
            if cost + choice.cost / 64 >= choice.cost {
                break;
            }
            choice.split(bit, opcodes);
        }
        (choice.mask != 0).then_some(choice)
    }

    /// Returns the bit with the lowest remaining cost, and that cost.
    fn next_bit(&self, opcodes: &[Cube], room: usize, most_runs: usize) -> Option<(u32, u64)> {
        let (mut costs, mut sizes) = ([0u64; 64], [0usize; 64]);
        for group in &self.groups {
            // For each bit and value, the number and the weight of the opcodes that fix the bit to the
            // value.
            let mut fixed = [[(0usize, 0u64); 2]; 64];
            let weight: u64 = group.iter().map(|(_, weight)| weight).sum();
            for &(op, weight) in group {
                let (mut mask, value) = self.own(&opcodes[op]);
                while mask != 0 {
                    let bit = mask.trailing_zeros();
                    let (count, sum) = &mut fixed[bit as usize][(value >> bit & 1) as usize];
                    (*count, *sum) = (*count + 1, *sum + weight);
                    mask &= mask - 1;
                }
            }
            for (bit, [zeros, ones]) in fixed.iter().enumerate() {
                let open = (group.len() - zeros.0 - ones.0, (weight - zeros.1 - ones.1) / 2);
                for side in [zeros, ones] {
                    let count = side.0 + open.0;
                    costs[bit] += (side.1 + open.1) * count.saturating_sub(1) as u64;
                    sizes[bit] += count;
                }
            }
        }
        let fits = |bit: &u32| {
            self.mask >> bit & 1 == 0
                && count_runs(self.mask | 1 << bit) <= most_runs
                && sizes[*bit as usize] <= room
        };
        (0..64).filter(fits).map(|bit| (bit, costs[bit as usize])).min_by_key(|&(_, cost)| cost)
    }

    fn own(&self, cube: &Cube) -> (u64, u64) {
        let part = |word: u128| (word >> (64 * u32::from(self.half))) as u64;
        (part(cube.mask), part(cube.value))
    }

    fn split(&mut self, bit: u32, opcodes: &[Cube]) {
        let mut groups = Vec::new();
        for group in &self.groups {
            let mut sides = [OpcodeGroup::new(), OpcodeGroup::new()];
            for &(op, weight) in group {
                let (mask, value) = self.own(&opcodes[op]);
                if mask >> bit & 1 == 1 {
                    sides[(value >> bit & 1) as usize].push((op, weight));
                } else {
                    sides.iter_mut().for_each(|side| side.push((op, weight / 2)));
                }
            }
            // A group of one opcode needs no further split.
            groups.extend(sides.into_iter().filter(|side| side.len() > 1));
        }
        self.mask |= 1 << bit;
        self.cost = groups.iter().map(cost).sum();
        self.groups = groups;
    }
}

/// Returns the cost of the opcodes that are not yet separated.
fn cost(group: &OpcodeGroup) -> u64 {
    group.iter().map(|(_, weight)| weight * (group.len() as u64 - 1)).sum()
}

/// Returns the number of runs of bits in a mask.
fn count_runs(mask: u64) -> usize {
    (mask & !(mask << 1)).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(pattern: &str) -> Cube {
        pattern.chars().fold(Cube::ALL, |cube, c| Cube {
            mask: cube.mask << 1 | u128::from(c != 'x'),
            value: cube.value << 1 | u128::from(c == '1'),
        })
    }

    fn check(patterns: &[&str], bits: u32) {
        let cubes: Vec<Cube> = patterns.iter().map(|pattern| cube(pattern)).collect();
        let tree = build(&cubes);
        for word in 0..1u128 << bits {
            let expected = cubes.iter().position(|c| word & c.mask == c.value);
            let mut entry = tree.lookup(word);
            while entry != 0 {
                let op = entry as usize - 1;
                if word & cubes[op].mask == cubes[op].value {
                    break;
                }
                entry = tree.general.get(op).copied().unwrap_or(0);
            }
            assert_eq!((entry as usize).checked_sub(1), expected, "{patterns:?}: {word:b}");
        }
    }

    #[test]
    fn the_tree_finds_what_a_linear_scan_finds() {
        check(&["00", "01", "10", "11"], 2);
        check(&["0x1x", "1xx0", "1xx1"], 4);
        check(&["10x", "x10", "0x1"], 3);
        check(&["010x", "0x10", "00x1", "x111"], 4);
        check(&["1"], 1);
        check(&["1010", "10xx", "1xxx", "0xxx"], 4);
        check(&["110000xx", "11xxx0xx", "11xx0xxx", "1xxxxxxx"], 8);
        check(&["00000000", "0000000x", "000000xx", "00000xxx", "0xxxxxxx"], 8);
        check(&[], 2);
    }

    #[test]
    fn an_opcode_inside_another_comes_first() {
        let cubes = [cube("1xxx"), cube("10xx"), cube("1010"), cube("0xxx")];
        let tree = build(&cubes);
        let mut entry = tree.lookup(0b1011);
        let mut tried = Vec::new();
        while entry != 0 {
            tried.push(entry - 1);
            entry = tree.general.get(entry as usize - 1).copied().unwrap_or(0);
        }
        let place = |op| tried.iter().position(|&t| t == op);
        assert!(place(1) < place(0), "{tried:?}");
        assert!(place(1).is_some());
    }
}
