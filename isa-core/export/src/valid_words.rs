//! Describes the valid words for the exports. The description consists of the bits that every valid word
//! has, and of sets of invalid words with their reasons.

use isa_core::table::{ConditionCase, Cube, Field, Init, InstructionSet, Opcode, TruthTable};

use super::masked_patterns::{is_inside, spread, with_results};

/// The valid words of an opcode.
#[derive(Debug)]
pub(crate) struct ValidWords {
    /// The bits that all valid words share, within the opcode's own width: the fixed bits, and 0 for the
    /// bits that no field covers.
    pub(crate) plain: Cube,
    /// The words that match `plain` but are invalid.
    pub(crate) wrong: Vec<InvalidWords>,
}

/// Words that are invalid for the same reason.
#[derive(Debug)]
pub(crate) struct InvalidWords {
    /// The reason, in one line.
    pub(crate) why: String,
    /// Words that match any of these patterns are invalid. The patterns do not contain bits of
    /// `plain`.
    pub(crate) cubes: Vec<Cube>,
    /// Further invalid words, which depend on the results of functions.
    pub(crate) conditional: Vec<FunctionCondition>,
}

/// The words that match any of some patterns, and for which functions of fields return given
/// results.
#[derive(Debug)]
pub(crate) struct FunctionCondition {
    /// For each function: its source text, the values for which it is true, and the required
    /// result.
    pub(crate) when: Vec<(&'static str, TruthTable, bool)>,
    /// The patterns.
    pub(crate) cubes: Vec<Cube>,
}

impl ValidWords {
    /// Returns the valid words of an opcode.
    pub(crate) fn of(opcode: &'static Opcode) -> Self {
        let plain = fixed_bits(opcode);
        let reserved = opcode.fields.iter().map(|field| {
            let cubes = field.kind.reserved.iter();
            let cubes = cubes.filter(|cube| cube.mask >> field.width() == 0);
            let words = cubes.map(|cube| spread(field.pieces, *cube));
            InvalidWords {
                why: format!("{}: a reserved value of {}", field.name, field.kind.name),
                cubes: within(plain, words),
                conditional: Vec::new(),
            }
        });
        let excepted = opcode.exceptions.iter().map(|exception| InvalidWords {
            why: line(exception.reason),
            cubes: within(plain, exception.cubes.iter().copied()),
            conditional: exception
                .cases
                .iter()
                .filter_map(|case| function_condition(plain, case))
                .collect(),
        });
        let wrong = reserved.chain(excepted);
        let wrong = wrong.filter(|wrong| !(wrong.cubes.is_empty() && wrong.conditional.is_empty()));
        ValidWords { plain, wrong: wrong.collect() }
    }

    /// Returns the valid words of each opcode of a set.
    pub(crate) fn of_set(set: &'static InstructionSet) -> Vec<Self> {
        set.opcodes.iter().map(|opcode| ValidWords::of(opcode)).collect()
    }
}

/// Returns the bits that are the same in all valid words of an opcode, including the unused bits.
pub(crate) const fn fixed_bits(opcode: &Opcode) -> Cube {
    Cube::new(opcode.fixed.mask | opcode.unused, opcode.fixed.value)
}

/// Returns the parts of patterns that are inside of `plain`, without its bits and without
/// duplicates.
fn within(plain: Cube, cubes: impl Iterator<Item = Cube>) -> Vec<Cube> {
    let mut own: Vec<Cube> = Vec::new();
    for Cube { mask, value } in cubes {
        if (value ^ plain.value) & mask & plain.mask == 0 {
            let cube = Cube { mask: mask & !plain.mask, value: value & !plain.mask };
            if !own.iter().any(|other| is_inside(cube, *other)) {
                own.retain(|other| !is_inside(*other, cube));
                own.push(cube);
            }
        }
    }
    own
}

fn function_condition(plain: Cube, case: &'static ConditionCase) -> Option<FunctionCondition> {
    let cubes = within(plain, case.cubes.iter().copied());
    let when = case.when.iter().map(|said| (said.text, said.map, said.said)).collect();
    (!cubes.is_empty()).then_some(FunctionCondition { when, cubes })
}

impl InvalidWords {
    /// Returns the invalid words as patterns only. Functions are converted to patterns. Returns `None`
    /// if more than `most` patterns are needed.
    pub(crate) fn as_cubes(&self, most: usize) -> Option<Vec<Cube>> {
        let mut all = self.cubes.clone();
        for FunctionCondition { when, cubes } in &self.conditional {
            let when = when.iter().map(|(_, map, said)| (*map, *said));
            all.extend(with_results(cubes, when, most)?);
            if all.len() > most {
                return None;
            }
        }
        Some(all)
    }
}

/// Returns whether a field has bits that the opcode does not fix.
pub(crate) fn is_open(field: &Field) -> bool {
    !(field.pieces.is_empty() || matches!(field.init, Init::Fixed(_)))
}

/// Returns the pattern with zeros in the bits between the opcode's width and the width
/// `widest` of the words of a set or of a type.
pub(crate) fn widened(plain: Cube, bits: u8, widest: u8) -> Cube {
    let all = |bits: u8| u128::MAX >> (128 - u32::from(bits));
    Cube { mask: plain.mask | all(widest) & !all(bits), value: plain.value }
}

/// Breaks a text into the lines of a comment.
pub(crate) fn comment_lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(last) if last.is_empty() => last.push_str(word),
            Some(last) if last.len() + word.len() < 90 => *last += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Joins the lines of a text.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
