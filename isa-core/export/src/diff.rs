//! Compares two versions of a set exactly.
//!
//! Words are compared as sets, so the result contains all changes and no false changes. A word is
//! valid or invalid. A valid word has an opcode, field values and a text. If one of these differs
//! between the versions, the word is counted, and one of the counted words is shown. Named values
//! are compared by name. If the words of an opcode belong to an opcode with another name in the new
//! version, the opcode was renamed. If the bits of a field belong to a field with another name, the
//! field was renamed.

mod equal_texts;
mod opcodes;
mod output;
mod print_steps;
mod properties;
mod row_words;
mod word_sets;

use std::collections::{BTreeMap, BTreeSet};

use crate::description::{Description, OpcodeDescription};

pub use word_sets::Count;
use word_sets::{NONE, WordSets, Words};

/// The type of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ChangeKind {
    /// An opcode was added.
    Added,
    /// An opcode was removed.
    Removed,
    /// The name of an item changed.
    Renamed,
    /// Words belong to another opcode.
    Becomes,
    /// Words became valid.
    Legal,
    /// Words became invalid.
    Illegal,
    /// A field was added or removed, or has other bits, another type or another value.
    Field,
    /// The text of words changed.
    Text,
    /// Another spelling, printed or only accepted, changed.
    Alias,
    /// A named value of a value set changed.
    Value,
    /// Another property of a value set or an operand type changed.
    Kind,
    /// The operands that are read and written changed.
    Operand,
    /// The description of an invalid combination changed.
    Rule,
    /// The accepted syntax changed.
    Syntax,
    /// The value of a property changed, for example a latency.
    Property,
    /// The source text of the semantics changed.
    Semantics,
    /// A property of the whole set changed, for example the names of groups or the widths of words.
    Set,
    /// Documentation or examples changed.
    Doc,
}

/// Words whose meaning changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlteredWords {
    /// The number of words.
    pub count: Count,
    /// The width of the words in bits.
    pub bits: u8,
    /// One of the words.
    pub witness: u128,
    /// The text of this word in the old version, or the reason why it was invalid.
    pub before: String,
    /// The text of this word in the new version, or the reason why it is invalid.
    pub after: String,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The type of the change.
    pub what: ChangeKind,
    /// The opcodes, types or groups that changed, by their new names.
    pub places: Vec<String>,
    /// The description of the change.
    pub message: String,
    /// The words whose meaning changed, if there are any.
    pub words: Option<AlteredWords>,
}

/// All changes from one version of a set to another.
///
/// ```
/// use isa_export::description::Description;
/// use isa_export::diff::{ChangeKind, Count, Difference};
///
/// mod old {
///     isa_core::define_isa! {
///         /// The first version.
///         pub isa Tiny: u16;
///         operand Reg: 8 = isa_core::operand::Reg;
///         enum Op: 8 { NEG = 1 }
///         opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
///     }
/// }
/// mod new {
///     isa_core::define_isa! {
///         /// The second version.
///         pub isa Tiny: u16;
///         operand Reg: 8 = isa_core::operand::Reg;
///         enum Op: 8 { NEG = 1 }
///         opcode NEG {
///             encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; }
///             syntax { NEG Rd; }
///             exception { EncodingError<IllegalOperand, "RZ is never negated"> = rd == 255; }
///         }
///     }
/// }
///
/// let read = |set| isa_core::describe::json(set).to_string().parse::<Description>();
/// let (old, new) = (read(old::Tiny::SET)?, read(new::Tiny::SET)?);
/// assert!(Difference::between(&old, &old).is_empty());
/// let all = Difference::between(&old, &new);
/// let change = all.changes.iter().find(|change| change.what == ChangeKind::Illegal).unwrap();
/// let words = change.words.as_ref().unwrap();
/// assert_eq!((words.count, words.witness), (Count::from(1), 0x01ff));
/// assert_eq!(words.before, "NEG RZ;");
/// assert_eq!(words.after, "IllegalOperand: RZ is never negated");
/// # Ok::<(), isa_export::description::DescriptionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// The changes, grouped by type.
    pub changes: Vec<Change>,
    /// The number of words whose meaning changed.
    pub altered: Count,
    /// The old names of renamed opcodes, by the new name.
    pub renamed: BTreeMap<String, String>,
}

impl Difference {
    /// Returns the changes from `old` to `new`.
    #[must_use]
    pub fn between(old: &Description, new: &Description) -> Difference {
        if old == new {
            return Difference::default();
        }
        let mut all =
            Compare { old, new, sets: WordSets::new(&[]), difference: Difference::default() };
        let words = [old, new].map(|set| all.words(set));
        let pairs = all.pairs(&words);
        all.moved_words(&words, &pairs);
        for (&from, &to) in &pairs {
            all.opcode(&old.opcodes[from], &new.opcodes[to]);
        }
        properties::kinds(old, new, &mut all.difference.changes);
        properties::set(old, new, &mut all.difference.changes);
        all.difference.gathered()
    }

    /// Returns only the changes that alter the meaning of words: their opcode, the values of their fields
    /// or their text.
    #[must_use]
    pub fn of_words(self) -> Difference {
        let changes = self.changes.into_iter().filter(|change| change.words.is_some()).collect();
        Difference { changes, ..self }
    }

    /// Returns whether there are no changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Sorts the changes, and combines equal changes of several items.
    fn gathered(self) -> Difference {
        let mut changes: Vec<Change> = Vec::new();
        let mut known = BTreeMap::new();
        for change in self.changes {
            let key = (change.what, change.message.clone());
            match known.get(&key) {
                Some(&place) if change.words.is_none() && changes_nothing(&changes, place) => {
                    changes[place].places.extend(change.places);
                }
                _ => {
                    known.insert(key, changes.len());
                    changes.push(change);
                }
            }
        }
        changes.sort_by_key(|change| change.what);
        Difference { changes, ..self }
    }
}

fn changes_nothing(changes: &[Change], place: usize) -> bool {
    changes.get(place).is_some_and(|change: &Change| change.words.is_none())
}

impl Change {
    fn new(what: ChangeKind, place: &str, message: impl Into<String>) -> Change {
        let places = if place.is_empty() { Vec::new() } else { vec![place.to_owned()] };
        Change { what, places, message: message.into(), words: None }
    }
}

struct Compare<'d> {
    old: &'d Description,
    new: &'d Description,
    sets: WordSets,
    difference: Difference,
}

impl Compare<'_> {
    /// Returns the words of each opcode.
    fn words(&mut self, set: &Description) -> Vec<Words> {
        let rows = set.opcodes.iter();
        rows.map(|row| row_words::valid_words(set, row, &mut self.sets)).collect()
    }

    /// Returns the opcodes that exist in both versions, matched by name or otherwise by their
    /// words.
    fn pairs(&mut self, words: &[Vec<Words>; 2]) -> BTreeMap<usize, usize> {
        let (old, new) = (self.old, self.new);
        let place =
            |set: &Description, name: &str| set.opcodes.iter().position(|row| row.name == name);
        let mut pairs = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for (from, row) in old.opcodes.iter().enumerate() {
            let by_name = place(new, &row.name);
            let by_words = || {
                (0..new.opcodes.len()).find(|&to| {
                    let other = &new.opcodes[to];
                    other.widths() == row.widths()
                        && words[1][to] == words[0][from]
                        && words[0][from] != NONE
                        && place(old, &other.name).is_none()
                        && !taken.contains(&to)
                })
            };
            match by_name.filter(|to| new.opcodes[*to].widths() == row.widths()).or_else(by_words) {
                Some(to) => {
                    taken.insert(to);
                    pairs.insert(from, to);
                    if row.name != new.opcodes[to].name {
                        let message = format!("renamed from `{}`", row.name);
                        self.add(Change::new(ChangeKind::Renamed, &new.opcodes[to].name, message));
                        let names = (new.opcodes[to].name.clone(), row.name.clone());
                        self.difference.renamed.extend([names]);
                    }
                }
                None => {
                    let message =
                        "the opcode was removed; its words are listed at their new opcodes";
                    self.add(Change::new(ChangeKind::Removed, &row.name, message));
                }
            }
        }
        for (to, row) in new.opcodes.iter().enumerate() {
            if !taken.contains(&to) {
                let syntax = format!("new opcode: `{}`", row.syntax);
                self.add(Change::new(ChangeKind::Added, &row.name, syntax));
            }
        }
        pairs
    }

    fn add(&mut self, change: Change) {
        self.difference.changes.push(change);
    }

    /// Reports words that belong to another opcode, that became valid, and that became invalid.
    fn moved_words(&mut self, words: &[Vec<Words>; 2], pairs: &BTreeMap<usize, usize>) {
        let (old, new) = (self.old, self.new);
        let mut come = words[1].clone();
        for (from, row) in old.opcodes.iter().enumerate() {
            let mut rest = words[0][from];
            for (to, other) in new.opcodes.iter().enumerate() {
                let common = row.fixed.mask & other.fixed.mask;
                if row.widths() != other.widths()
                    || (row.fixed.value ^ other.fixed.value) & common != 0
                {
                    continue;
                }
                let both = self.sets.and(words[0][from], words[1][to]);
                rest = self.sets.without(rest, both);
                come[to] = self.sets.without(come[to], both);
                if pairs.get(&from) != Some(&to) {
                    let message = format!("was `{}`", row.name);
                    self.words_change(ChangeKind::Becomes, other, message, both, row);
                }
            }
            let name = pairs.get(&from).map_or(&row.name, |to| &new.opcodes[*to].name);
            let own = OpcodeDescription { name: name.clone(), ..row.clone() };
            self.words_change(ChangeKind::Illegal, &own, "no longer valid".to_owned(), rest, row);
        }
        for (row, words) in new.opcodes.iter().zip(come) {
            self.words_change(ChangeKind::Legal, row, "now valid".to_owned(), words, row);
        }
    }

    /// Adds a change of words, if there are any. The example word is similar to the initial word of
    /// `near`.
    fn words_change(
        &mut self,
        what: ChangeKind,
        row: &OpcodeDescription,
        message: String,
        words: Words,
        near: &OpcodeDescription,
    ) {
        if let Some(some) = opcodes::WordSample::of(&self.sets, words, near) {
            self.difference.altered = self.difference.altered.plus(some.count);
            let words = Some(self.altered(some, row.width_of(some.witness)));
            self.add(Change { words, ..Change::new(what, &row.name, message) });
        }
    }

    fn altered(
        &self,
        opcodes::WordSample { count, witness }: opcodes::WordSample,
        bits: u8,
    ) -> AlteredWords {
        let [before, after] = [self.old, self.new].map(|set| said_of(set, witness, bits));
        AlteredWords { count, bits, witness, before, after }
    }

    /// Compares the two versions of an opcode.
    fn opcode(&mut self, old: &OpcodeDescription, new: &OpcodeDescription) {
        let old_row = properties::resolved(self.old, old);
        if old_row == properties::resolved(self.new, new) {
            return;
        }
        let compared = opcodes::compare((self.old, old), (self.new, new));
        if let Some(some) = compared.altered {
            self.difference.altered = self.difference.altered.plus(some.count);
        }
        let with_words = |some: Option<opcodes::WordSample>, change: Change| Change {
            words: some.map(|some| self.altered(some, new.width_of(some.witness))),
            ..change
        };
        let mut changes = Vec::new();
        for (change, field) in properties::fields((self.old, old), (self.new, new), &compared) {
            let some = compared.fields.get(&field).copied();
            changes.push(with_words(some, change));
        }
        if let Some(text) = compared.text {
            let message = "the text changed";
            changes.push(with_words(Some(text), Change::new(ChangeKind::Text, &new.name, message)));
        }
        properties::row((self.old, old), (self.new, new), &mut changes);
        if compared.is_open {
            let message = "the description does not specify which words an alias prints, so the texts are \
                           compared as if the alias printed all of its words";
            changes.push(Change::new(ChangeKind::Alias, &new.name, message));
        }
        self.difference.changes.extend(changes);
    }
}

/// Returns the text of a word, or the reason why it is invalid.
fn said_of(set: &Description, word: u128, bits: u8) -> String {
    if let Some(row) = set.decode(word, bits) {
        return set.text(row, word);
    }
    // The reason comes from an opcode that has the same fixed bits as the word.
    let near = |row: &&OpcodeDescription| row.width_of(word) == bits && row.fixed.contains(word);
    let mut near = set.opcodes.iter().filter(near);
    let reason = near.find_map(|row| row.refuses(&set.kinds, word));
    reason.unwrap_or_else(|| "invalid instruction".to_owned())
}
