//! The control flow between the instructions of a section.

use core::ops::Range;
use std::collections::{BTreeMap, BTreeSet};

use isa_core::table::{Flow, FlowKind, FlowTarget, Opcode};

use super::effect::{Effect, Guard};

/// The number of bytes of an instruction.
pub(super) const BYTES: u64 = 16;

/// A possible continuation after a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// The index of the first instruction of the next block.
    pub(super) target: usize,
    /// The guard that is true on this path.
    pub(super) guard: Option<Guard>,
    /// Whether execution continues here after a call. The called function has finished all accesses.
    pub(super) is_return: bool,
}

/// The blocks of a section: instructions without a branch between them.
#[derive(Debug)]
pub(super) struct ControlFlow {
    /// The ends of the blocks, by the index of their first instruction.
    blocks: BTreeMap<usize, usize>,
    edges: BTreeMap<usize, Vec<Edge>>,
}

impl ControlFlow {
    /// Finds the blocks of the code at the address `start`.
    pub(super) fn of(opcodes: &[Option<&'static Opcode>], words: &[u128], start: u64) -> Self {
        let index_of = |address: u64| {
            let distance = address.wrapping_sub(start);
            let index = usize::try_from(distance / BYTES).ok()?;
            (distance.is_multiple_of(BYTES) && index < words.len()).then_some(index)
        };
        let meetings = meetings(opcodes, words, start);
        let mut edges: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
        let mut firsts = BTreeSet::from([0]);
        for (index, (opcode, &word)) in opcodes.iter().zip(words).enumerate() {
            let address = start.wrapping_add(index as u64 * BYTES);
            let Some(opcode) = opcode else { continue };
            let flow = opcode.flow(word, address);
            let meeting = barrier_of(opcode, word, "BSYNC").and_then(|it| meetings.get(&it));
            if flow == Flow::NEXT && meeting.is_none() {
                continue;
            }
            let guard = Effect::of(Some(opcode), word).guard;
            let mut found = Vec::new();
            let mut add = |target: Option<usize>, guard, is_return| {
                found.extend(target.map(|target| Edge { target, guard, is_return }));
            };
            let next = Some(index + 1).filter(|&next| next < words.len());
            let jumps = flow.kind == FlowKind::Branch || flow.kind == FlowKind::Call;
            if let (true, FlowTarget::Address(target)) = (jumps, flow.target) {
                add(index_of(target), guard, false);
            }
            if flow.kind == FlowKind::Call {
                add(next, None, true);
            }
            if let Some(meeting) = meeting {
                // The threads meet at the address that BSSY declares, which is usually the next one.
                let mut targets = meeting.iter().filter_map(|&target| index_of(target));
                if targets.any(|target| Some(target) == next) {
                    add(next, None, false);
                }
            } else if flow.falls_through {
                // If a condition other than the guard decides, the guard is not known to be false.
                let is_only = opcode.flow_row(word).is_some_and(|row| !row.or_next);
                let guard =
                    guard.filter(|_| is_only).map(|(register, negated)| (register, !negated));
                add(next, guard, false);
            }
            firsts.insert(index + 1);
            firsts.extend(found.iter().map(|edge| edge.target));
            edges.insert(index, found);
        }
        firsts.retain(|&first| first < words.len());
        let ends = firsts.iter().skip(1).copied().chain([words.len()]);
        let blocks: BTreeMap<_, _> = firsts.iter().copied().zip(ends).collect();
        let next = |target| vec![Edge { target, guard: None, is_return: false }];
        let edges = blocks.iter().map(|(&first, &end)| {
            let own = end.checked_sub(1).and_then(|last| edges.get(&last).cloned());
            let falls = || if end < words.len() { next(end) } else { vec![] };
            (first, own.unwrap_or_else(falls))
        });
        ControlFlow { edges: edges.collect(), blocks }
    }

    /// Returns the index of the first instruction of each block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = usize> {
        self.blocks.keys().copied()
    }

    /// Returns the indexes of the instructions of the block that begins with `first`.
    pub(super) fn instructions(&self, first: usize) -> Range<usize> {
        first..self.blocks.get(&first).copied().unwrap_or(first)
    }

    /// Returns the continuations after a block.
    pub(super) fn edges(&self, first: usize) -> impl Iterator<Item = Edge> {
        self.edges.get(&first).into_iter().flatten().copied()
    }

    /// Returns whether a path from the instruction after `index` reaches an instruction that `is_found`
    /// accepts.
    pub(super) fn reaches(&self, index: usize, is_found: &dyn Fn(usize) -> bool) -> bool {
        let Some((&block, &end)) = self.blocks.range(..=index).next_back() else { return false };
        if (index + 1..end).any(is_found) {
            return true;
        }
        let mut seen = BTreeSet::new();
        let mut work: Vec<_> = self.edges(block).map(|edge| edge.target).collect();
        while let Some(block) = work.pop() {
            if seen.insert(block) {
                if self.instructions(block).any(is_found) {
                    return true;
                }
                work.extend(self.edges(block).map(|edge| edge.target));
            }
        }
        false
    }
}

/// Returns the number of the barrier of divergent threads if the opcode has a mnemonic.
fn barrier_of(opcode: &Opcode, word: u128, mnemonic: &str) -> Option<u64> {
    let field = opcode.fields.iter().find(|field| field.kind.name == "Barrier")?;
    (opcode.syntax.mnemonic == mnemonic).then(|| field.get(word))
}

/// Returns the addresses at which threads meet, by the number of the barrier.
fn meetings(
    opcodes: &[Option<&'static Opcode>],
    words: &[u128],
    start: u64,
) -> BTreeMap<u64, BTreeSet<u64>> {
    let mut found: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for (index, (opcode, &word)) in opcodes.iter().zip(words).enumerate() {
        let Some(opcode) = opcode else { continue };
        if let Some(barrier) = barrier_of(opcode, word, "BSSY") {
            let address = start.wrapping_add(index as u64 * BYTES);
            found.entry(barrier).or_default().extend(opcode.targets(word, address));
        }
    }
    found
}
