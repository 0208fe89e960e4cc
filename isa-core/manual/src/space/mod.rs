//! Which words are whose: the legal words of each opcode, those that are illegal and why, and those that
//! no opcode has. All numbers are exact.

mod free;
mod tree;
mod words;

pub(crate) use isa_bdd::Count as Size;
use isa_bdd::{Diagrams, Words};
use isa_core::table::{Cube, InstructionSet, Opcode};

pub(crate) use free::{Pattern, patterns};
pub(crate) use tree::{Area, Content, Owner, ranges};

/// The class of exceptions that special cases make in the opcode that they are inside of.
const SPECIAL: &str = "SpecialCase";

/// The words of a set.
pub(crate) struct Space {
    /// Those of each opcode, in the order of the set.
    pub(crate) shares: Vec<Share>,
    /// A map for each width of the words, the widest first.
    pub(crate) maps: Vec<WidthMap>,
}

/// Where the words with the fixed bits of an opcode go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    /// All words with its fixed bits.
    pub(crate) all: Size,
    /// Those with a bit set that no field covers.
    pub(crate) unused: Size,
    /// Others with a reserved value.
    pub(crate) reserved: Size,
    /// Others that are an illegal combination.
    pub(crate) illegal: Size,
    /// Others that are those of special cases.
    pub(crate) special: Size,
    /// The rest: its legal words.
    pub(crate) legal: Size,
    /// A legal word close to the one of all defaults.
    pub(crate) word: Option<u128>,
}

/// The words of one width.
pub(crate) struct WidthMap {
    pub(crate) bits: u8,
    pub(crate) root: Area,
}

impl Space {
    pub(crate) fn of(set: &'static InstructionSet) -> Space {
        Space {
            shares: set.opcodes.iter().map(|opcode| share(opcode)).collect(),
            maps: set.widths.iter().map(|width| tree::map(set, width)).collect(),
        }
    }
}

/// The words of an opcode by why they are legal or not, each step among what the one before leaves.
struct Steps {
    all: Words,
    used: Words,
    admitted: Words,
    combined: Words,
    legal: Words,
}

impl Steps {
    fn of(opcode: &Opcode, sets: &mut Diagrams) -> Steps {
        let all = words::cube(sets, opcode.fixed);
        let unused = sets.cube(opcode.unused, 0);
        let used = sets.and(all, unused);
        let mut admitted = used;
        for field in opcode.fields.iter().filter(|field| !field.pieces.is_empty()) {
            let reserved = field.kind.reserved.iter();
            let cubes: Vec<Cube> =
                reserved.map(|values| words::of_field(field.pieces, *values)).collect();
            let reserved = words::cubes(sets, &cubes);
            admitted = sets.without(admitted, reserved);
        }
        let (special, others): (Vec<_>, Vec<_>) =
            opcode.exceptions.iter().partition(|exception| exception.class == SPECIAL);
        let without =
            |words: Words, exceptions: &[&isa_core::table::Exception], sets: &mut Diagrams| {
                exceptions.iter().fold(words, |words, exception| {
                    let cubes = words::cubes(sets, exception.cubes);
                    let words = sets.without(words, cubes);
                    exception.cases.iter().fold(words, |words, case| {
                        let case = words::case(sets, case);
                        sets.without(words, case)
                    })
                })
            };
        let combined = without(admitted, &others, sets);
        let legal = without(combined, &special, sets);
        Steps { all, used, admitted, combined, legal }
    }
}

/// The legal words of an opcode.
fn legal(opcode: &Opcode, sets: &mut Diagrams) -> Words {
    Steps::of(opcode, sets).legal
}

fn share(opcode: &Opcode) -> Share {
    let mut sets = Diagrams::new();
    let steps = Steps::of(opcode, &mut sets);
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

/// The opcodes that an opcode is a special case of, the nearest first.
pub(crate) fn general(set: &InstructionSet, index: usize) -> impl Iterator<Item = usize> {
    let step = |&place: &usize| usize::from(*set.tree.general.get(place)?).checked_sub(1);
    // No longer than the set, whatever a table says.
    std::iter::successors(step(&index), step).take(set.opcodes.len())
}

/// A share in percent, with as many digits as it takes to see it.
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
