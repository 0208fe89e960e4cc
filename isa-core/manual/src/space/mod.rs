//! Computes the owner of each word: the valid words of each opcode, the invalid words with the
//! reason, and the words that belong to no opcode. All numbers are exact.

mod free_patterns;
mod width_map;
mod word_sets;

pub(crate) use isa_bdd::Count as Size;
use isa_bdd::{Diagrams, WordSet};
use isa_core::table::{Cube, InstructionSet, Opcode};

pub(crate) use free_patterns::{FreePattern, patterns};
pub(crate) use width_map::{Area, AreaContent, Owner, ranges};

/// The class of the exceptions that special cases add to the general opcode.
const SPECIAL: &str = "SpecialCase";

/// The words of a set.
pub(crate) struct EncodingSpace {
    /// The numbers of words for each opcode, in the order of the set.
    pub(crate) shares: Vec<Share>,
    /// A map for each word width, the widest first.
    pub(crate) maps: Vec<WidthMap>,
}

/// The division of the words that have the fixed bits of an opcode.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    /// The number of words that have its fixed bits.
    pub(crate) all: Size,
    /// The number of these words with a bit set that no field covers.
    pub(crate) unused: Size,
    /// The number of the remaining words with a reserved value.
    pub(crate) reserved: Size,
    /// The number of the remaining words that are an invalid combination.
    pub(crate) illegal: Size,
    /// The number of the remaining words that belong to special cases.
    pub(crate) special: Size,
    /// The number of the remaining words, which are the valid words of the opcode.
    pub(crate) legal: Size,
    /// A valid word that is close to the word of all default values.
    pub(crate) word: Option<u128>,
}

/// The words of one width.
pub(crate) struct WidthMap {
    pub(crate) bits: u8,
    pub(crate) root: Area,
}

impl EncodingSpace {
    pub(crate) fn of(set: &'static InstructionSet) -> EncodingSpace {
        EncodingSpace {
            shares: set.opcodes.iter().map(|opcode| share(opcode)).collect(),
            maps: set.widths.iter().map(|width| width_map::map(set, width)).collect(),
        }
    }
}

/// The words of an opcode after each check. Each set contains the words of the previous one that
/// pass the check.
struct ValidityStages {
    all: WordSet,
    used: WordSet,
    admitted: WordSet,
    combined: WordSet,
    legal: WordSet,
}

impl ValidityStages {
    fn of(opcode: &Opcode, sets: &mut Diagrams) -> ValidityStages {
        let all = word_sets::cube(sets, opcode.fixed);
        let unused = sets.cube(opcode.unused, 0);
        let used = sets.and(all, unused);
        let mut admitted = used;
        for field in opcode.fields.iter().filter(|field| !field.pieces.is_empty()) {
            let reserved = field.kind.reserved.iter();
            let cubes: Vec<Cube> =
                reserved.map(|values| word_sets::of_field(field.pieces, *values)).collect();
            let reserved = word_sets::cubes(sets, &cubes);
            admitted = sets.without(admitted, reserved);
        }
        let (special, others): (Vec<_>, Vec<_>) =
            opcode.exceptions.iter().partition(|exception| exception.class == SPECIAL);
        let without =
            |words: WordSet, exceptions: &[&isa_core::table::Exception], sets: &mut Diagrams| {
                exceptions.iter().fold(words, |words, exception| {
                    let cubes = word_sets::cubes(sets, exception.cubes);
                    let words = sets.without(words, cubes);
                    exception.cases.iter().fold(words, |words, case| {
                        let case = word_sets::case(sets, case);
                        sets.without(words, case)
                    })
                })
            };
        let combined = without(admitted, &others, sets);
        let legal = without(combined, &special, sets);
        ValidityStages { all, used, admitted, combined, legal }
    }
}

/// Returns the valid words of an opcode.
fn legal(opcode: &Opcode, sets: &mut Diagrams) -> WordSet {
    ValidityStages::of(opcode, sets).legal
}

fn share(opcode: &Opcode) -> Share {
    let mut sets = Diagrams::new();
    let steps = ValidityStages::of(opcode, &mut sets);
    let count = |words| sets.count(words, opcode.bits);
    let [all, used, admitted, combined, legal] =
        [steps.all, steps.used, steps.admitted, steps.combined, steps.legal].map(count);
    Share {
        all,
        unused: all.minus(used),
        reserved: used.minus(admitted),
        illegal: admitted.minus(combined),
        special: combined.minus(legal),
        legal,
        word: sets.nearest(steps.legal, opcode.initial()),
    }
}

/// Returns the general opcodes of a special case, the nearest first.
pub(crate) fn general(set: &InstructionSet, index: usize) -> impl Iterator<Item = usize> {
    let step = |&place: &usize| usize::from(*set.tree.general.get(place)?).checked_sub(1);
    // The limit prevents an endless iteration if the table contains a cycle.
    std::iter::successors(step(&index), step).take(set.opcodes.len())
}

/// Formats a share in percent with enough digits to show a small value.
pub(crate) fn percent(share: f64) -> String {
    match share * 100.0 {
        0.0 => "0 %".into(),
        100.0 => "100 %".into(),
        percent if percent >= 0.01 => format!("{percent:.2} %"),
        percent => format!("{percent:.1e} %"),
    }
}

#[cfg(test)]
mod tests;
