//! Collects the encodings of this call and of included sets for the comparison of all encodings.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};

use crate::model::cube::{self, Cube};
use crate::model::features::{Features, Limit, limit_of, limits};
use crate::model::word_search::{SearchLimitExceeded, WordSearch};
use crate::model::{Init, Model, Opcode, ResolvedField, ValidWords, describe, needed};

/// The search for several opcodes that together cover another one stops if it needs more masked
/// patterns than this.
const MOST_CUBES: usize = 4096;

/// The encoding of an opcode of this call or of an included set.
#[derive(Clone)]
pub(super) struct EncodingCandidate<'m> {
    /// The index of the opcode among all candidates.
    pub(super) place: usize,
    /// The inheritance node of the opcode, if it belongs to this call.
    pub(super) node: Option<usize>,
    pub(super) name: &'m Ident,
    pub(super) bits: u8,
    /// The number of bits by which the words are shifted left in these masked patterns. The shift gives
    /// the bits that come first in memory the same position for all widths.
    pub(super) lift: u8,
    pub(super) identity: Cube,
    /// The bits that no field covers.
    pub(super) unused: u128,
    pub(super) illegal: Vec<Cube>,
    /// The words that are invalid only if functions in conditions return certain results.
    unsure: Vec<Cube>,
    /// The exceptions that contain functions.
    cases: Vec<usize>,
    /// The results of functions that every valid encoding requires.
    pub(super) needed: Vec<(usize, bool)>,
    pub(super) fixes: String,
    /// A field and a value, for example `op == ADD`, that would distinguish the opcode from others if
    /// the field were fixed to the value.
    pub(super) lacks: Option<String>,
    /// The general opcodes that this one is declared `inside`.
    pub(super) inside: Vec<&'m Ident>,
    pub(super) own: bool,
    /// The words that exist only with some features.
    limits: Vec<Limit>,
    /// The included set that the opcode belongs to.
    set: Option<&'m str>,
    search: &'m WordSearch,
    features: &'m Features,
}

/// A word that two opcodes decode.
pub(super) struct CommonWord {
    pub(super) word: u128,
    /// The features with which both decode it, as text, if they depend on features.
    pub(super) features: Option<String>,
}

impl<'m> EncodingCandidate<'m> {
    /// Reduces the candidate to the first `bits` bits, if some of its words are that short. The others
    /// begin with these bits, so two opcodes with a short word must already differ in them.
    fn cut_to(mut self, short: Option<u8>) -> Self {
        let Some(bits) = short else { return self };
        let first = u128::MAX >> (128 - u32::from(bits));
        let is_first = |cube: &Cube| cube.mask & !first == 0;
        self.illegal.retain(is_first);
        self.unsure.retain(is_first);
        self.identity =
            Cube { mask: self.identity.mask & first, value: self.identity.value & first };
        EncodingCandidate { bits, unused: self.unused & first, ..self }
    }

    pub(super) fn span(&self) -> Span {
        self.name.span()
    }

    /// Returns the candidate with all masked patterns shifted left by `lift` relative to the words.
    fn lifted_to(self, lift: u8) -> Self {
        let old = self.lift;
        let cube = |cube: Cube| cube.lowered(old).lifted(lift);
        let all = |cubes: Vec<Cube>| cubes.into_iter().map(cube).collect();
        let (identity, unused) = (cube(self.identity), self.unused >> old << lift);
        let limits = self.limits.into_iter();
        let limits = limits.map(|limit| Limit { words: all(limit.words), ..limit }).collect();
        let (illegal, unsure) = (all(self.illegal), all(self.unsure));
        EncodingCandidate { lift, identity, unused, illegal, unsure, limits, ..self }
    }

    /// Returns the candidate with its bits at their positions in the words and with 0 in all higher
    /// bits. The patterns then match a word that is zero-extended to 128 bits.
    pub(super) fn as_numbers(&self) -> Self {
        let numbers = self.clone().lifted_to(0);
        EncodingCandidate { identity: numbers.identity.as_numbers(self.bits), ..numbers }
    }

    /// Extracts the word of this opcode from a shifted word.
    pub(super) fn own(&self, word: u128) -> u128 {
        word >> self.lift & !u128::MAX.unbounded_shl(self.bits.into())
    }

    /// Returns whether both candidates have the same fixed and unused bits.
    pub(super) fn is_alike(&self, other: &EncodingCandidate<'_>) -> bool {
        self.bits == other.bits && self.identity == other.identity
    }

    /// Returns whether this opcode can be inside `general`: it fixes all bits that `general` fixes, and
    /// more.
    pub(super) fn may_be_inside(&self, general: &EncodingCandidate<'_>) -> bool {
        self.bits == general.bits
            && general.identity.covers(self.identity)
            && general.identity != self.identity
    }

    /// Returns whether both opcodes belong to the same included set. The call that defines this set has
    /// already compared them.
    pub(super) fn is_of_set_of(&self, other: &EncodingCandidate<'_>) -> bool {
        self.set.is_some() && self.set == other.set
    }

    /// Returns whether one of the two is declared `inside` the other. Another rule reports such a
    /// declaration if it is wrong.
    pub(super) fn is_said_of(&self, other: &EncodingCandidate<'_>) -> bool {
        self.inside.contains(&other.name) || other.inside.contains(&self.name)
    }

    /// Returns a key. Two opcodes have equal keys if their masked patterns are identical.
    pub(super) fn key(&self) -> (u8, Cube, &[Cube], &[usize], &[Limit]) {
        (self.bits, self.identity, &self.illegal, &self.cases, &self.limits)
    }

    /// Returns whether results of functions determine which encodings are valid.
    pub(super) fn has_cases(&self) -> bool {
        !self.cases.is_empty()
    }

    /// Searches for a word that is valid for both with the same features. A short word may be the start
    /// of a longer one.
    pub(super) fn common_word(&self, other: &EncodingCandidate<'_>) -> Option<CommonWord> {
        let common = self.identity.and(other.identity)?;
        let without = [&self.illegal[..], &other.illegal].concat();
        let (names, limits) = ([self.name, other.name], self.limits.iter().chain(&other.limits));
        let limits: Vec<&Limit> = limits.collect();
        if limits.is_empty() {
            let word = self.search.witness(&names, common, &without).ok()??;
            return Some(CommonWord { word, features: None });
        }
        let found = self.features.word(self.search, &names, common, &without, &limits);
        let (word, features) = found.ok()??;
        Some(CommonWord { word, features: Some(self.features.described(features)) })
    }

    /// Returns whether each valid encoding of `other` is also one of this opcode. Returns false if the
    /// search exceeds its limit.
    pub(super) fn has_all(&self, other: &EncodingCandidate<'_>) -> bool {
        let all_illegal = [&self.illegal[..], &self.unsure].concat();
        let own = ValidWords { identity: self.identity, illegal: &all_illegal };
        let its = ValidWords { identity: other.identity, illegal: &other.illegal };
        let names = [self.name, other.name];
        let lacks = || own.lacks(&its, |words, out| self.search.witness(&names, words, out));
        self.bits == other.bits && self.limits == other.limits && lacks() == Ok(None)
    }

    /// Returns the words of the masked patterns `words` that are not valid encodings of this opcode.
    fn leave(&self, words: &[Cube]) -> Result<Vec<Cube>, SearchLimitExceeded> {
        let mut outside = self.identity.complement();
        outside.extend(self.illegal.iter().chain(&self.unsure));
        self.search.spend(words.len() * outside.len())?;
        Ok(cube::intersect(words, &outside))
    }

    /// Returns whether every valid encoding is also a valid encoding of at least one opcode in
    /// `others`. Returns false if a limit is exceeded.
    pub(super) fn is_covered_by(&self, others: &[&EncodingCandidate<'_>]) -> bool {
        // The others may not exist with all features.
        if others.iter().any(|other| !other.limits.is_empty()) {
            return false;
        }
        let mut rest = vec![self.identity];
        for other in others {
            match other.leave(&rest) {
                Ok(left) if left.len() <= MOST_CUBES => rest = left,
                _ => return false,
            }
        }
        let none = |cube| self.search.witness(&[self.name], cube, &self.illegal) == Ok(None);
        rest.into_iter().all(none)
    }
}

/// Returns all opcodes, those of included sets first.
pub(super) fn parties(model: &Model) -> Vec<EncodingCandidate<'_>> {
    let widths = model.header.widths.iter().map(|width| width.value as u8);
    let widths = widths.chain(model.included.iter().map(|opcode| opcode.bits));
    let widest = widths.max().unwrap_or(128);
    let included = model.included.iter().map(|opcode| EncodingCandidate {
        place: 0,
        node: None,
        name: &opcode.name,
        bits: opcode.bits,
        lift: 0,
        identity: Cube { mask: opcode.mask, value: opcode.value },
        unused: opcode.unused,
        illegal: opcode.illegal.iter().map(|&(mask, value)| Cube { mask, value }).collect(),
        unsure: Vec::new(),
        cases: Vec::new(),
        needed: Vec::new(),
        fixes: opcode.fixes.clone(),
        lacks: None,
        inside: Vec::new(),
        own: false,
        limits: opcode.limits.iter().map(limit_of).collect(),
        set: Some(&opcode.set.module_text),
        search: &model.search,
        features: &model.features,
    });
    let included = included.zip(&model.included);
    let included = included
        .map(|(candidate, opcode)| candidate.cut_to(opcode.short.as_ref().map(|short| short.0)));
    let own = model.opcodes_with_valid_fields().map(|opcode| EncodingCandidate {
        place: 0,
        node: Some(opcode.node),
        name: &opcode.name,
        bits: opcode.bits,
        lift: 0,
        identity: opcode.identity(),
        unused: opcode.unused,
        illegal: opcode.illegal.clone(),
        unsure: opcode.unsure.clone(),
        cases: with_cases(model, opcode),
        needed: needed(model, opcode),
        fixes: fixed_fields(model, opcode),
        lacks: lacking(model, opcode),
        inside: opcode.inside.iter().map(|said| &model.opcodes[said.opcode].name).collect(),
        own: true,
        limits: limits(model, opcode),
        set: None,
        search: &model.search,
        features: &model.features,
    });
    let own = own
        .zip(model.opcodes_with_valid_fields())
        .map(|(candidate, opcode)| candidate.cut_to(opcode.short.as_ref().map(|short| short.bits)));
    let placed = included.chain(own).enumerate();
    let placed = placed.map(|(place, party)| {
        let lift = model.byte_order.above(widest, party.bits);
        EncodingCandidate { place, ..party }.lifted_to(lift)
    });
    placed.collect()
}

/// Returns the exceptions of an opcode that contain functions.
fn with_cases(model: &Model, opcode: &Opcode) -> Vec<usize> {
    // The exception for short words concerns only bits that are not compared.
    let of_short = opcode.short.as_ref().map(|short| short.exception);
    let ids = opcode.exceptions.iter().copied().filter(|&id| Some(id) != of_short);
    ids.filter(|&id| !model.exceptions[id].cases.is_empty()).collect()
}

/// Groups the opcodes into classes with identical encodings. An opcode declared inside a member of a
/// class gets a separate class.
pub(super) fn classes<'p, 'm>(
    parties: &'p [EncodingCandidate<'m>],
) -> Vec<Vec<&'p EncodingCandidate<'m>>> {
    let mut places = BTreeMap::new();
    let mut classes: Vec<Vec<&EncodingCandidate<'_>>> = Vec::new();
    for party in parties {
        let place = *places.entry(party.key()).or_insert(classes.len());
        match classes.get_mut(place) {
            Some(class) if !class.iter().any(|other| party.is_said_of(other)) => class.push(party),
            Some(_) => classes.push(vec![party]),
            None => classes.push(vec![party]),
        }
    }
    classes
}

/// Returns a field and a value that would most likely distinguish an opcode from others, if the opcode
/// fixed the field to the value.
fn lacking(model: &Model, opcode: &Opcode) -> Option<String> {
    let mut fields = opcode.fields_in(model);
    fields.find_map(|field| {
        let value = opcode.namesake(field, model)?;
        Some(format!("{} == {}", field.text, value.name))
    })
}

/// Describes the fixed bits of an opcode: `op == ADD (opcode ADD), rd == 0xff (group ...)`.
pub(crate) fn fixed_fields(model: &Model, opcode: &Opcode) -> String {
    let fields = opcode.fields_in(model);
    let fixed: Vec<String> = fields.filter_map(|field| show_fixed_field(model, field)).collect();
    let fixed = if fixed.is_empty() { "no field".to_owned() } else { fixed.join(", ") };
    match opcode.unused {
        0 => fixed,
        unused => format!("{fixed}; unused {} must be 0", show_bits(unused)),
    }
}

fn show_fixed_field(model: &Model, field: &ResolvedField) -> Option<String> {
    let Init::Fixed(raw) = field.init else {
        return None;
    };
    let node = describe(&model.nodes[field.node]);
    let named = model.type_of(field).value(raw);
    let value = named.map_or_else(|| format!("0x{raw:x}"), |value| value.text.clone());
    Some(format!("{} == {value} ({node})", field.text))
}

/// Formats a mask: `bits 3, 8..=11`.
pub(super) fn show_bits(mask: u128) -> String {
    let mut runs = Vec::new();
    let mut rest = mask;
    while rest != 0 {
        let low = rest.trailing_zeros();
        let run = (rest >> low).trailing_ones();
        runs.push(if run == 1 { low.to_string() } else { format!("{low}..={}", low + run - 1) });
        rest &= !((u128::MAX >> (128 - run)) << low);
    }
    let word = if mask.count_ones() == 1 { "bit" } else { "bits" };
    format!("{word} {}", runs.join(", "))
}
