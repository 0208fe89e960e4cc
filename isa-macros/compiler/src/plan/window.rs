//! Chooses the bits that a node of the decode tree uses.
//!
//! A node uses up to three runs of bits in one half of the word, which a multiplication gathers. The
//! choice is greedy: in each iteration, it adds the bit that leaves the fewest opcodes together.

use super::bit_gather::Gather;
use super::layout::Run;
use crate::model::cube::Cube;

/// The maximum number of runs of bits that a node uses.
const RUNS: usize = 3;

/// The weight of an opcode. If the opcode does not fix a bit, its weight is divided evenly between the
/// values of the bit.
const WEIGHT: u64 = 1 << 24;

/// Opcodes that the chosen bits do not separate, each with its weight.
type Group = Vec<(usize, u64)>;

/// Returns at most `most_bits` bits that separate the opcodes in `subset` best, and the multiplier for
/// the index. Returns `None` if no bit separates them.
pub(super) fn choose(subset: &[usize], opcodes: &[Cube], most_bits: u32) -> Option<(u128, Gather)> {
    (1..=RUNS).rev().find_map(|most_runs| {
        let choice = |half: u8| Choice::of(half, subset, opcodes, (most_bits, most_runs));
        let best = [0, 1].into_iter().filter_map(choice).min_by_key(|choice| choice.cost)?;
        let mask = u128::from(best.mask) << (64 * u32::from(best.half));
        Some((mask, Gather::new(&runs(mask))?))
    })
}

/// Returns the runs of bits of a mask, the lowest first.
pub(super) fn runs(mut mask: u128) -> Vec<Run> {
    let mut runs = Vec::new();
    while mask != 0 {
        let position = mask.trailing_zeros();
        let width = (mask >> position).trailing_ones();
        runs.push((position as u8, width as u8));
        mask &= !((u128::MAX >> (128 - width)) << position);
    }
    runs
}

/// The state of the choice.
struct Choice {
    half: u8,
    mask: u64,
    groups: Vec<Group>,
    cost: u64,
}

impl Choice {
    /// Chooses at most the given number of bits in at most the given number of runs.
    fn of(
        half: u8,
        subset: &[usize],
        opcodes: &[Cube],
        (most_bits, most_runs): (u32, usize),
    ) -> Option<Self> {
        let all: Group = subset.iter().map(|&op| (op, WEIGHT)).collect();
        let cost = cost(&all);
        let mut choice = Choice { half, mask: 0, groups: vec![all], cost };
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
            let mut sides = [Group::new(), Group::new()];
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
fn cost(group: &Group) -> u64 {
    group.iter().map(|(_, weight)| weight * (group.len() as u64 - 1)).sum()
}

/// Returns the number of runs of bits in a mask.
fn count_runs(mask: u64) -> usize {
    (mask & !(mask << 1)).count_ones() as usize
}
