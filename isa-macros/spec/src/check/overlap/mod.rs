//! Rules over the encodings of all opcodes together: each has words of its own.

mod party;
mod report;

use std::collections::{BTreeMap, BTreeSet};

use party::{Party, classes, parties};
use report::{report_covered, report_many, report_same};

use crate::diag::Diagnostics;
use crate::model::Model;

pub(crate) use party::fixed_fields;

/// Two opcodes that both decode a word.
struct Overlap<'p, 'm> {
    a: &'p Party<'m>,
    b: &'p Party<'m>,
    word: u128,
}

/// No two opcodes decode the same word. Exact: `(va ^ vb) & ma & mb == 0` first, then a search
/// for a word that neither excludes. A short word must not be the start of a longer one: no
/// stream could tell where it ends.
pub(crate) fn check_overlap(model: &Model, diag: &mut Diagnostics) {
    let parties = parties(model);
    let classes = classes(&parties);
    for class in &classes {
        check_class(class, diag);
    }
    let firsts: Vec<&Party<'_>> = classes.iter().map(|class| class[0]).collect();
    let mut overlaps = Overlaps::new(find_overlaps(&firsts), parties.len());
    for party in firsts.iter().filter(|party| party.own) {
        let mut others = overlaps.others(party);
        others.retain(|other| other.bits == party.bits);
        let alone = |other: &&Party<'_>| other.has_all(party);
        if (2..=MOST_TOGETHER).contains(&others.len())
            && overlaps.crowd(party, &others).is_empty()
            && !others.iter().any(alone)
            && party.is_covered_by(&others)
        {
            report_covered(party, &others, diag);
            overlaps.drop_all(party);
        }
    }
    while let Some((party, others)) = overlaps.most(&parties) {
        let crowd = overlaps.crowd(party, &others);
        report_many(party, &others, !crowd.is_empty(), diag);
        overlaps.drop_all(party);
        crowd.iter().for_each(|other| overlaps.drop_within(other, party, &others));
    }
    for overlap in overlaps.left() {
        overlap.report(diag);
    }
}

/// Of opcodes that look the same, all but one are one too many.
fn check_class(class: &[&Party<'_>], diag: &mut Diagnostics) {
    let Some(party) = class.iter().rev().find(|party| party.own).or(class.last()) else { return };
    let is_other = |other: &&&Party<'_>| other.place != party.place && !other.is_of_set_of(party);
    let others: Vec<&Party<'_>> = class.iter().filter(is_other).copied().collect();
    if others.is_empty() {
        return;
    }
    let Ok(Some(word)) = party.common_word(party) else { return };
    match &others[..] {
        [other] => report_same(&Overlap { a: party, b: other, word }, diag),
        _ => report_many(party, &others, false, diag),
    }
}

/// The most opcodes that are looked for as covering one together.
const MOST_TOGETHER: usize = 32;

/// Of two opcodes that each overlap with this many others, it is not asked whether they overlap.
const CROWDED: usize = 64;

fn find_overlaps<'p, 'm>(parties: &[&'p Party<'m>]) -> Vec<Overlap<'p, 'm>> {
    // Only those that agree in the bits that all fix can have a common word.
    let fixed = parties.iter().fold(u128::MAX, |mask, party| mask & party.identity.mask);
    let mut near: BTreeMap<u128, Vec<&Party<'_>>> = BTreeMap::new();
    for party in parties {
        near.entry(party.identity.value & fixed).or_default().push(party);
    }
    let mut overlaps = Vec::new();
    for near in near.values() {
        let mut counts = vec![0; near.len()];
        for (i, a) in near.iter().enumerate() {
            for (j, b) in near[..i].iter().enumerate() {
                let crowded = counts[i] >= CROWDED && counts[j] >= CROWDED;
                if crowded || a.identity.and(b.identity).is_none() {
                    continue;
                }
                if a.is_said_of(b) || a.is_of_set_of(b) {
                    continue;
                }
                if let Ok(Some(word)) = a.common_word(b) {
                    overlaps.push(Overlap { a, b, word });
                    counts[i] += 1;
                    counts[j] += 1;
                }
            }
        }
    }
    overlaps.sort_by_key(|overlap| (overlap.a.place, overlap.b.place));
    overlaps
}

/// From this many overlaps of one opcode on, all are one fault, which is most likely the opcode's.
const MANY: usize = 3;

/// All overlaps, of which some are reported together.
struct Overlaps<'p, 'm> {
    all: Vec<Overlap<'p, 'm>>,
    /// For each overlap, whether it is still to be reported.
    open: Vec<bool>,
    /// For each party its overlaps, as places in `all`; and how many of those are open.
    of: Vec<Vec<usize>>,
    degree: Vec<usize>,
}

impl<'p, 'm> Overlaps<'p, 'm> {
    fn new(all: Vec<Overlap<'p, 'm>>, parties: usize) -> Self {
        let mut of = vec![Vec::new(); parties];
        for (place, overlap) in all.iter().enumerate() {
            of[overlap.a.place].push(place);
            of[overlap.b.place].push(place);
        }
        let degree = of.iter().map(Vec::len).collect();
        Overlaps { open: vec![true; all.len()], all, of, degree }
    }

    /// The overlaps of a party that no message has covered yet.
    fn of(&self, party: &Party<'_>) -> impl Iterator<Item = &Overlap<'p, 'm>> {
        self.of[party.place].iter().filter(|&&at| self.open[at]).map(|&at| &self.all[at])
    }

    fn others(&self, party: &Party<'_>) -> Vec<&'p Party<'m>> {
        self.of(party).map(|overlap| overlap.other(party)).collect()
    }

    fn close(&mut self, at: usize) {
        if std::mem::replace(&mut self.open[at], false) {
            self.degree[self.all[at].a.place] -= 1;
            self.degree[self.all[at].b.place] -= 1;
        }
    }

    fn drop_all(&mut self, party: &Party<'_>) {
        for at in self.of[party.place].clone() {
            self.close(at);
        }
    }

    /// Drops the overlaps of a party with some others.
    fn drop_within(&mut self, party: &Party<'_>, hub: &Party<'_>, others: &[&Party<'_>]) {
        let places: BTreeSet<usize> = others.iter().map(|other| other.place).collect();
        for at in self.of[party.place].clone() {
            let other = self.all[at].other(party).place;
            if other == hub.place || places.contains(&other) {
                self.close(at);
            }
        }
    }

    /// The party with the most overlaps, if those are many, with what it overlaps with.
    fn most(&self, parties: &'p [Party<'m>]) -> Option<(&'p Party<'m>, Vec<&'p Party<'m>>)> {
        let most = self.degree.iter().copied().max().filter(|&most| most >= MANY)?;
        let party = &parties[self.degree.iter().position(|&degree| degree == most)?];
        Some((party, self.others(party)))
    }

    /// The parties among `others` that most likely have the same fault as `party`: each overlaps
    /// with half of the rest, or with as many as are looked for.
    fn crowd(&self, party: &Party<'_>, others: &[&'p Party<'m>]) -> Vec<&'p Party<'m>> {
        let places: BTreeSet<usize> = others.iter().map(|other| other.place).collect();
        let enough = (others.len() / 2).clamp(MANY - 1, CROWDED / 2);
        let is_in = |other: &&&Party<'_>| {
            let within = self.of(other).filter(|overlap| {
                let place = overlap.other(other).place;
                place == party.place || places.contains(&place)
            });
            within.count() > enough
        };
        others.iter().filter(is_in).copied().collect()
    }

    fn left(&self) -> impl Iterator<Item = &Overlap<'p, 'm>> {
        self.all.iter().zip(&self.open).filter(|(_, open)| **open).map(|(overlap, _)| overlap)
    }
}

impl<'p, 'm> Overlap<'p, 'm> {
    fn other(&self, party: &Party<'_>) -> &'p Party<'m> {
        if std::ptr::eq(self.a, party) { self.b } else { self.a }
    }
}
