//! Groups pairwise conflicts, so that one mistake in a specification gives one error.
//!
//! The conflicts form an undirected graph: an item is a vertex, and two items that conflict are joined
//! by an edge. The graph is stored as a list of edges. For each vertex, it also contains the indexes of
//! its edges and the number of its unreported edges (its degree). While the highest degree is at least
//! `MANY`, the caller reports one error at the vertex with this degree (the hub), and marks its edges
//! as reported. Some neighbours of the hub conflict with most of its other neighbours (the crowd). The
//! caller also marks the edges between them as reported, because such a cluster most likely has one
//! cause. Each remaining edge becomes a separate error. Conflicts are grouped because an opcode that
//! lacks a fixed field conflicts with hundreds of others, and an error for each pair would hide the
//! cause.

use std::collections::BTreeSet;

/// If an item has at least this many conflicts, they are reported as one error at this item, because it
/// is most likely the cause.
const MANY: usize = 3;

/// If both items of a pair already have this many conflicts, the pair is not compared.
pub(super) const CROWDED: usize = 64;

/// All conflicts between numbered items.
pub(super) struct ConflictGroups {
    pairs: Vec<(usize, usize)>,
    /// Whether each pair still has to be reported.
    open: Vec<bool>,
    /// For each item, the indexes of its pairs, and the number of its pairs that still have to be
    /// reported.
    of: Vec<Vec<usize>>,
    degree: Vec<usize>,
}

impl ConflictGroups {
    /// Creates the graph of the conflicts `pairs` between `things` items.
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

    /// Returns the items that have an unreported conflict with an item.
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

    /// Marks all conflicts of an item as reported.
    pub(super) fn drop_all(&mut self, one: usize) {
        for at in self.of[one].clone() {
            self.close(at);
        }
    }

    /// Marks some conflicts of the item `one` as reported: the conflict with `hub`, and the
    /// conflicts with the items in `others`.
    pub(super) fn drop_within(&mut self, one: usize, hub: usize, others: &[usize]) {
        let within: BTreeSet<usize> = others.iter().copied().chain([hub]).collect();
        for at in self.of[one].clone() {
            if within.contains(&self.other(at, one)) {
                self.close(at);
            }
        }
    }

    /// Returns the item with the most open conflicts, and the items that it conflicts with, if there are
    /// at least [`MANY`].
    pub(super) fn most(&self) -> Option<(usize, Vec<usize>)> {
        let most = self.degree.iter().copied().max().filter(|&most| most >= MANY)?;
        let hub = self.degree.iter().position(|&degree| degree == most)?;
        Some((hub, self.others(hub).collect()))
    }

    /// Returns the items among `others` that most likely share the cause of the hub's conflicts. Each
    /// of these items conflicts with more than half of `others`. In a large group, more than
    /// [`CROWDED`] / 2 conflicts are sufficient, because not all of its pairs are compared.
    pub(super) fn crowd(&self, hub: usize, others: &[usize]) -> Vec<usize> {
        let within: BTreeSet<usize> = others.iter().copied().chain([hub]).collect();
        let enough = (others.len() / 2).clamp(MANY - 1, CROWDED / 2);
        let is_in =
            |other: &&usize| self.others(**other).filter(|at| within.contains(at)).count() > enough;
        others.iter().filter(is_in).copied().collect()
    }

    /// Returns the indexes of the conflicts that are not reported yet.
    pub(super) fn left(&self) -> impl Iterator<Item = usize> {
        (0..self.pairs.len()).filter(|&at| self.open[at])
    }
}
