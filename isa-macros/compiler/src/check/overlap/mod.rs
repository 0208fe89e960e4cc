//! Checks the encodings of all opcodes together: no word may decode as two opcodes.

mod encoding_candidate;
mod report;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;

use encoding_candidate::{CommonWord, EncodingCandidate, classes, parties};
use report::{report_covered, report_many, report_same};

use super::error_grouping::{CROWDED, ConflictGroups};
use crate::diag::{Code, Diagnostics};
use crate::model::Model;
use crate::model::cube::CubeIndex;

pub(crate) use encoding_candidate::fixed_fields;

/// Two opcodes that both decode a word.
struct Overlap<'p, 'm> {
    a: &'p EncodingCandidate<'m>,
    b: &'p EncodingCandidate<'m>,
    word: u128,
    /// The features with which both decode it, as text, if they depend on features.
    features: Option<String>,
    /// True if the opcodes have different widths and their words are equal only as numbers.
    is_number: bool,
}

/// Reports opcodes that decode the same word, and returns them. The test is exact: it compares the fixed
/// bits, `(va ^ vb) & ma & mb == 0`, and then searches for a word that is valid for both. A short word
/// must also not be the start of a longer one, because a stream of bytes does not show where a word
/// ends.
pub(crate) fn check_overlap(model: &Model, diag: &mut Diagnostics) -> Overlapping {
    let parties = parties(model);
    let classes = classes(&parties);
    for class in &classes {
        check_class(class, diag);
    }
    let firsts: Vec<&EncodingCandidate<'_>> = classes.iter().map(|class| class[0]).collect();
    let mut overlaps = find_overlaps(&firsts);
    let mut apart = Vec::new();
    overlaps.retain(|overlap| match told_apart(model, overlap) {
        Some(claim) => {
            apart.push(claim);
            false
        }
        None => true,
    });
    let mut overlapping = Overlapping::new(&classes, &overlaps);
    overlapping.apart = apart;
    if firsts.iter().any(|party| party.lift > 0) {
        let numbers = same_numbers(&firsts, &overlaps);
        overlaps.extend(numbers);
    }
    let pairs = overlaps.iter().map(|overlap| (overlap.a.place, overlap.b.place)).collect();
    let mut hubs = ConflictGroups::new(pairs, parties.len());
    let named = |places: &[usize]| -> Vec<&EncodingCandidate<'_>> {
        places.iter().map(|&place| &parties[place]).collect()
    };
    for party in firsts.iter().filter(|party| party.own) {
        let places: Vec<usize> =
            hubs.others(party.place).filter(|&other| parties[other].bits == party.bits).collect();
        let others = named(&places);
        let alone = |other: &&EncodingCandidate<'_>| other.has_all(party);
        if (2..=MOST_TOGETHER).contains(&others.len())
            && hubs.crowd(party.place, &places).is_empty()
            && !others.iter().any(alone)
            && party.is_covered_by(&others)
        {
            report_covered(party, &others, diag);
            hubs.drop_all(party.place);
        }
    }
    while let Some((hub, others)) = hubs.most() {
        let crowd = hubs.crowd(hub, &others);
        report_many(&parties[hub], &named(&others), !crowd.is_empty(), diag);
        hubs.drop_all(hub);
        crowd.iter().for_each(|&other| hubs.drop_within(other, hub, &others));
    }
    for place in hubs.left() {
        overlaps[place].report(diag);
    }
    overlapping
}

/// Finds opcodes of different widths that have words with the same number. Such words are ambiguous,
/// because a number can be decoded without its width. Pairs in `known` are left out. If the lowest bits
/// come first in memory, there are no such pairs, because no word is the start of another word.
fn same_numbers<'p, 'm>(
    parties: &[&'p EncodingCandidate<'m>],
    known: &[Overlap<'p, 'm>],
) -> Vec<Overlap<'p, 'm>> {
    let known: BTreeSet<(usize, usize)> = known.iter().map(|it| (it.a.place, it.b.place)).collect();
    let numbers: Vec<EncodingCandidate<'_>> =
        parties.iter().map(|party| party.as_numbers()).collect();
    let mut same = Vec::new();
    for (place, (&a, a_number)) in parties.iter().zip(&numbers).enumerate() {
        for (&b, b_number) in parties.iter().zip(&numbers).take(place) {
            if a.bits != b.bits
                && !a.is_of_set_of(b)
                && !known.contains(&(a.place, b.place))
                && let Some(CommonWord { word, features }) = a_number.common_word(b_number)
            {
                same.push(Overlap { a, b, word, features, is_number: true });
            }
        }
    }
    same
}

/// Records the opcodes of this call that overlap. An opcode is identified by its inheritance node.
pub(crate) struct Overlapping {
    /// For each node, the first node with an identical encoding.
    alike: BTreeMap<usize, usize>,
    /// The pairs of these first nodes that overlap, the lower index first.
    pairs: BTreeSet<(usize, usize)>,
    /// The assertions about opcodes that differ only by the results of functions.
    pub(crate) apart: Vec<Disjoint>,
}

/// An assertion about functions of the same bits: for no value of the bits do all functions return the
/// given results.
#[derive(Debug)]
pub(crate) struct Disjoint {
    /// The functions, as indexes into [`Model::predicates`], each with its result.
    pub(crate) said: Vec<(usize, bool)>,
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// Returns the assertion that two opcodes have no word in common, if functions of the same fields
/// determine which encodings of each are valid.
fn told_apart(model: &Model, overlap: &Overlap<'_, '_>) -> Option<Disjoint> {
    let (a, b) = (overlap.a, overlap.b);
    if a.lift != b.lift {
        return None;
    }
    let pieces = |(predicate, _): &(usize, bool)| &model.predicates[*predicate].pieces;
    // The first function of `a` whose arguments are also the arguments of a function of `b`.
    let first = a.needed.iter().find(|one| b.needed.iter().any(|it| pieces(it) == pieces(one)))?;
    let same = |it: &&(usize, bool)| pieces(it) == pieces(first);
    let said: Vec<(usize, bool)> = a.needed.iter().chain(&b.needed).filter(same).copied().collect();
    let calls = said.iter().map(|&(predicate, said)| {
        let text = &model.predicates[predicate].text;
        if said { text.clone() } else { format!("not {text}") }
    });
    let message = format!(
        "[ISA{:04}] `{}` and `{}` both decode a word: a value has `{}`",
        Code::OpcodeOverlap as u16,
        a.name,
        b.name,
        calls.collect::<Vec<_>>().join(" and ")
    );
    Some(Disjoint { said, span: b.span(), message })
}

impl Overlapping {
    fn new(classes: &[Vec<&EncodingCandidate<'_>>], overlaps: &[Overlap<'_, '_>]) -> Self {
        let mut alike = BTreeMap::new();
        for class in classes {
            let mut nodes = class.iter().filter_map(|party| party.node);
            let first = nodes.clone().next();
            alike.extend(nodes.by_ref().filter_map(|node| Some((node, first?))));
        }
        let pairs = overlaps.iter().filter_map(|overlap| {
            let (a, b) = (alike[&overlap.a.node?], alike[&overlap.b.node?]);
            Some((a.min(b), a.max(b)))
        });
        Overlapping { pairs: pairs.collect(), alike, apart: Vec::new() }
    }

    /// Returns whether an overlap of two opcodes was reported.
    pub(crate) fn has(&self, a: usize, b: usize) -> bool {
        let (Some(&a), Some(&b)) = (self.alike.get(&a), self.alike.get(&b)) else { return false };
        a == b || self.pairs.contains(&(a.min(b), a.max(b)))
    }
}

/// Reports opcodes with identical encodings. The error is at the last of these opcodes that this call
/// declares.
fn check_class(class: &[&EncodingCandidate<'_>], diag: &mut Diagnostics) {
    let Some(party) = class.iter().rev().find(|party| party.own).or(class.last()) else { return };
    let is_other =
        |other: &&&EncodingCandidate<'_>| other.place != party.place && !other.is_of_set_of(party);
    let others: Vec<&EncodingCandidate<'_>> = class.iter().filter(is_other).copied().collect();
    if others.is_empty() {
        return;
    }
    let Some(CommonWord { word, features }) = party.common_word(party) else { return };
    match &others[..] {
        [other] => {
            report_same(&Overlap { a: party, b: other, word, features, is_number: false }, diag);
        }
        _ => report_many(party, &others, false, diag),
    }
}

/// The maximum number of opcodes that are tested together when the check searches for opcodes that
/// cover another one.
const MOST_TOGETHER: usize = 32;

fn find_overlaps<'p, 'm>(parties: &[&'p EncodingCandidate<'m>]) -> Vec<Overlap<'p, 'm>> {
    // Two opcodes can share a word only if they agree in the bits that all opcodes fix.
    let fixed = parties.iter().fold(u128::MAX, |mask, party| mask & party.identity.mask);
    let mut near: BTreeMap<u128, Vec<&EncodingCandidate<'_>>> = BTreeMap::new();
    for party in parties {
        near.entry(party.identity.value & fixed).or_default().push(party);
    }
    let mut overlaps = Vec::new();
    for near in near.values() {
        let mut counts = vec![0; near.len()];
        let index = CubeIndex::new(&near.iter().map(|party| party.identity).collect::<Vec<_>>());
        for (i, a) in near.iter().enumerate() {
            for j in index.meeting(a.identity).into_iter().take_while(|&j| j < i) {
                let b = near[j];
                if counts[i] >= CROWDED && counts[j] >= CROWDED {
                    continue;
                }
                if a.is_said_of(b) || a.is_of_set_of(b) {
                    continue;
                }
                if let Some(CommonWord { word, features }) = a.common_word(b) {
                    overlaps.push(Overlap { a, b, word, features, is_number: false });
                    counts[i] += 1;
                    counts[j] += 1;
                }
            }
        }
    }
    overlaps.sort_by_key(|overlap| (overlap.a.place, overlap.b.place));
    overlaps
}
