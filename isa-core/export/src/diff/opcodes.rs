//! Compares two versions of one opcode. Finds the words in which the value of a field changed, and the
//! words whose text changed.

use std::collections::BTreeMap;

use isa_core::table::Piece;

use crate::description::{Description, FieldDescription, FieldType, OpcodeDescription};

use super::equal_texts;
use super::print_steps::{FloatTexts, steps};
use super::row_words::{spellings, valid_words};
use super::word_sets::{ALL, Bit, Count, NONE, WordSets, Words, bits_of};

/// The number of words in a set, and one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordSample {
    pub(super) count: Count,
    pub(super) witness: u128,
}

impl WordSample {
    /// Returns the number of words in a set and one of the words, or `None` if the set is empty.
    pub(super) fn of(sets: &WordSets, words: Words, row: &OpcodeDescription) -> Option<WordSample> {
        let witness = sets.nearest(words, row.initial())?;
        Some(WordSample { count: sets.count(words, row.bits), witness })
    }
}

impl OpcodeDescription {
    /// Returns the word with all fixed and default values.
    fn initial(&self) -> u128 {
        self.fields.iter().fold(self.fixed.value, |word, field| {
            match field.fixed.or(field.default) {
                Some(raw) => isa_core::table::insert(&field.pieces, word, raw),
                None => word,
            }
        })
    }
}

/// The differences between two versions of an opcode.
#[derive(Debug, Default)]
pub(super) struct OpcodeComparison {
    /// Fields that differ only in their names: the old name and the new one.
    pub(super) renamed: Vec<(String, String)>,
    /// For each field, by its new name, the words in which its value changed. A field that exists
    /// in only one version differs in all words.
    pub(super) fields: BTreeMap<String, WordSample>,
    pub(super) text: Option<WordSample>,
    /// All words of both versions whose meaning changed.
    pub(super) altered: Option<WordSample>,
    /// Whether the texts of an alias are unknown for some words.
    pub(super) is_open: bool,
}

/// Compares the words that two versions of an opcode share.
pub(super) fn compare(
    old: (&Description, &OpcodeDescription),
    new: (&Description, &OpcodeDescription),
) -> OpcodeComparison {
    let renamed = renamed(old.1, new.1);
    let old_name = |name: &str| {
        let found = renamed.iter().find(|(_, to)| to == name);
        found.map_or_else(|| name.to_owned(), |(from, _)| from.clone())
    };
    let pair = |field: &FieldDescription| {
        old.1.fields.iter().find(|other| other.name == old_name(&field.name))
    };
    let mut sets = WordSets::new(&side_by_side(new.1, &pair));
    let all = [valid_words(old.0, old.1, &mut sets), valid_words(new.0, new.1, &mut sets)];
    let both = sets.and(all[0], all[1]);
    let mut compared = OpcodeComparison::default();
    if both != NONE {
        let mut altered = NONE;
        for field in &new.1.fields {
            let differ = match pair(field) {
                None => both,
                Some(other) => {
                    let same = same_value(&mut sets, (old.0, other), (new.0, field));
                    sets.without(both, same)
                }
            };
            altered = sets.or(altered, differ);
            let some = WordSample::of(&sets, differ, new.1);
            compared.fields.extend(some.map(|some| (field.name.clone(), some)));
        }
        for field in &old.1.fields {
            let mut kept = new.1.fields.iter();
            if !kept.any(|other| old_name(&other.name) == field.name) {
                altered = both;
                let some = WordSample::of(&sets, both, new.1);
                compared.fields.extend(some.map(|some| (field.name.clone(), some)));
            }
        }
        let text = other_texts(&mut sets, both, old, new);
        altered = sets.or(altered, text);
        compared.text = WordSample::of(&sets, text, new.1);
        compared.altered = WordSample::of(&sets, altered, new.1);
    }
    let open = |row: &OpcodeDescription| {
        row.aliases.iter().any(|alias| alias.printed && alias.unless.is_none())
    };
    compared.is_open = open(old.1) || open(new.1);
    compared.renamed = renamed;
    compared
}

/// Returns the words of a set whose text changed.
fn other_texts(
    sets: &mut WordSets,
    words: Words,
    old: (&Description, &OpcodeDescription),
    new: (&Description, &OpcodeDescription),
) -> Words {
    let mut floats = FloatTexts::default();
    let [from, to] = [old, new].map(|(set, row)| spellings(set, row, words, sets));
    let from: Vec<_> =
        from.into_iter().map(|(own, row)| (own, steps(old.0, row, sets, &mut floats))).collect();
    let to: Vec<_> =
        to.into_iter().map(|(own, row)| (own, steps(new.0, row, sets, &mut floats))).collect();
    let mut same = NONE;
    for (own, steps) in &from {
        for (other, others) in &to {
            let common = sets.and(*own, *other);
            let found = equal_texts::same(sets, common, [steps, others]);
            same = sets.or(same, found);
        }
    }
    sets.without(words, same)
}

/// Returns the words in which two fields have the same value, or the same name if values have
/// names.
fn same_value(
    sets: &mut WordSets,
    old: (&Description, &FieldDescription),
    new: (&Description, &FieldDescription),
) -> Words {
    let kinds = [&old.0.kinds[old.1.kind], &new.0.kinds[new.1.kind]];
    let bits = [value_bits(old.1), value_bits(new.1)];
    match kinds.map(names) {
        [Some(a), Some(b)] => {
            if a == b && bits[0] == bits[1] {
                return ALL;
            }
            let common = a.iter().filter_map(|(name, raw)| Some((*raw, *b.get(name)?)));
            let sames: Vec<Words> = common
                .map(|(from, to)| {
                    let (a, b) = (sets.values(&bits[0], &[from]), sets.values(&bits[1], &[to]));
                    sets.and(a, b)
                })
                .collect();
            sets.any(sames)
        }
        [None, None] => (0..64).fold(ALL, |words, place| {
            let own = [0, 1].map(|side: usize| {
                let bit = bits[side].get(place).copied().unwrap_or(Bit::Const(false));
                sets.bit(bit)
            });
            let same = sets.same(own[0], own[1]);
            sets.and(words, same)
        }),
        _ => NONE,
    }
}

fn value_bits(field: &FieldDescription) -> Vec<Bit> {
    match field.fixed.filter(|_| field.pieces.is_empty()) {
        Some(raw) => (0..64).map(|bit| Bit::Const(raw >> bit & 1 == 1)).collect(),
        None => bits_of(&field.pieces),
    }
}

/// Returns the values of a value set by name, or `None` for an operand type.
fn names(kind: &FieldType) -> Option<BTreeMap<&str, u64>> {
    let names = || kind.values.iter().map(|value| (&*value.name, value.raw)).collect();
    kind.text.is_none().then(names)
}

/// Returns the fields whose name changed, but not their bits, type or fixed value.
fn renamed(old: &OpcodeDescription, new: &OpcodeDescription) -> Vec<(String, String)> {
    let only = |row: &OpcodeDescription, other: &OpcodeDescription| -> Vec<FieldDescription> {
        let is_new =
            |field: &&FieldDescription| other.fields.iter().all(|known| known.name != field.name);
        row.fields.iter().filter(is_new).cloned().collect()
    };
    let (gone, mut come) = (only(old, new), only(new, old));
    let mut renamed = Vec::new();
    for field in gone {
        let same =
            |other: &FieldDescription| other.pieces == field.pieces && other.fixed == field.fixed;
        if !field.pieces.is_empty()
            && let Some(place) = come.iter().position(same)
        {
            renamed.push((field.name, come.remove(place).name));
        }
    }
    renamed
}

/// Returns the old and the new position of each bit of a field that exists in both versions.
fn side_by_side<'d>(
    new: &OpcodeDescription,
    old: &dyn Fn(&FieldDescription) -> Option<&'d FieldDescription>,
) -> Vec<(u8, u8)> {
    let mut pairs = Vec::new();
    for field in &new.fields {
        let bits = |pieces: &[Piece]| bits_of(pieces).into_iter();
        let Some(other) = old(field) else { continue };
        for pair in bits(&other.pieces).zip(bits(&field.pieces)) {
            if let (Bit::Word(a), Bit::Word(b)) = pair {
                pairs.push((a, b));
            }
        }
    }
    pairs
}
