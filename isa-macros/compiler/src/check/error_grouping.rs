//! Faults between two, of which many may be one fault of one that they all share.

use std::collections::BTreeSet;

/// So many faults of one are one fault, which is most likely its own.
const MANY: usize = 3;

/// Of two that each have so many faults, it is not asked whether they have one together.
pub(super) const CROWDED: usize = 64;

/// All faults between two of some numbered things, of which some are reported together.
pub(super) struct ConflictGroups {
    pairs: Vec<(usize, usize)>,
    /// Whether each is still to be reported.
    open: Vec<bool>,
    /// For each thing, its faults, and how many of them are open.
    of: Vec<Vec<usize>>,
    degree: Vec<usize>,
}

impl ConflictGroups {
    /// Of so many things, the faults between these.
    pub(super) fn new(pairs: Vec<(usize, usize)>, things: usize) -> Self {
        let mut of = vec![Vec::new(); things];
        for (place, &(a, b)) in pairs.iter().enumerate() {
            of[a].push(place);
            of[b].push(place);
        }
        let degree = of.iter().map(Vec::len).collect();
        ConflictGroups { open: vec![true; pairs.len()], pairs, of, degree }
    }

    fn other(&self, at: usize, one: usize) -> usize {
        let (a, b) = self.pairs[at];
        if a == one { b } else { a }
    }

    /// What one has a fault with that no message has covered yet.
    pub(super) fn others(&self, one: usize) -> impl Iterator<Item = usize> {
        self.of[one].iter().filter(|&&at| self.open[at]).map(move |&at| self.other(at, one))
    }

    fn close(&mut self, at: usize) {
        if std::mem::replace(&mut self.open[at], false) {
            let (a, b) = self.pairs[at];
            self.degree[a] -= 1;
            self.degree[b] -= 1;
        }
    }

    /// Takes all faults of one as reported.
    pub(super) fn drop_all(&mut self, one: usize) {
        for at in self.of[one].clone() {
            self.close(at);
        }
    }

    /// Takes the faults of one with some others as reported.
    pub(super) fn drop_within(&mut self, one: usize, hub: usize, others: &[usize]) {
        let within: BTreeSet<usize> = others.iter().copied().chain([hub]).collect();
        for at in self.of[one].clone() {
            if within.contains(&self.other(at, one)) {
                self.close(at);
            }
        }
    }

    /// The one with the most faults, if those are many, with what it has them with.
    pub(super) fn most(&self) -> Option<(usize, Vec<usize>)> {
        let most = self.degree.iter().copied().max().filter(|&most| most >= MANY)?;
        let hub = self.degree.iter().position(|&degree| degree == most)?;
        Some((hub, self.others(hub).collect()))
    }

    /// The things among `others` that most likely have the same fault as `hub`: each has a fault
    /// with half of the rest, or with as many as are looked for.
    pub(super) fn crowd(&self, hub: usize, others: &[usize]) -> Vec<usize> {
        let within: BTreeSet<usize> = others.iter().copied().chain([hub]).collect();
        let enough = (others.len() / 2).clamp(MANY - 1, CROWDED / 2);
        let is_in =
            |other: &&usize| self.others(**other).filter(|at| within.contains(at)).count() > enough;
        others.iter().filter(is_in).copied().collect()
    }

    /// The places of the faults that no message has covered.
    pub(super) fn left(&self) -> impl Iterator<Item = usize> {
        (0..self.pairs.len()).filter(|&at| self.open[at])
    }
}
