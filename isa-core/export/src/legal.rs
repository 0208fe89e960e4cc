//! Describes the valid words for the exports. The description consists of the bits that every valid word
//! has, and of sets of invalid words with their reasons.

use isa_core::table::{ConditionCase, Cube, InstructionSet, Opcode, Piece, TruthTable, insert};

/// The valid words of an opcode.
#[derive(Debug)]
pub(crate) struct Legal {
    /// The bits that all valid words share, within the opcode's own width: the fixed bits, and 0 for the
    /// bits that no field covers.
    pub(crate) plain: Cube,
    /// The words that match `plain` but are invalid.
    pub(crate) wrong: Vec<Wrong>,
}

/// Words that are invalid for the same reason.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// The reason, in one line.
    pub(crate) why: String,
    /// Words that match any of these patterns are invalid. The patterns do not contain bits of
    /// `plain`.
    pub(crate) cubes: Vec<Cube>,
    /// Further invalid words, which depend on the results of functions.
    pub(crate) told: Vec<Told>,
}

/// The words that match any of some patterns, and for which functions of fields return given
/// results.
#[derive(Debug)]
pub(crate) struct Told {
    /// For each function: its source text, the values for which it is true, and the required
    /// result.
    pub(crate) when: Vec<(&'static str, TruthTable, bool)>,
    /// The patterns.
    pub(crate) cubes: Vec<Cube>,
}

impl Legal {
    /// Returns the valid words of an opcode.
    pub(crate) fn of(opcode: &'static Opcode) -> Self {
        let Cube { mask, value } = opcode.fixed;
        let plain = Cube { mask: mask | opcode.unused, value };
        let reserved = opcode.fields.iter().map(|field| {
            let cubes = field.kind.reserved.iter();
            let cubes = cubes.filter(|cube| cube.mask >> field.width() == 0);
            let of_word = |number| insert(field.pieces, 0, number as u64);
            let words = cubes.map(|cube| Cube::new(of_word(cube.mask), of_word(cube.value)));
            Wrong {
                why: format!("{}: a value of {} that is reserved", field.name, field.kind.name),
                cubes: within(plain, words),
                told: Vec::new(),
            }
        });
        let excepted = opcode.exceptions.iter().map(|exception| Wrong {
            why: line(exception.reason),
            cubes: within(plain, exception.cubes.iter().copied()),
            told: exception.cases.iter().filter_map(|case| told(plain, case)).collect(),
        });
        let wrong = reserved.chain(excepted);
        let wrong = wrong.filter(|wrong| !(wrong.cubes.is_empty() && wrong.told.is_empty()));
        Legal { plain, wrong: wrong.collect() }
    }

    /// Returns the valid words of each opcode of a set.
    pub(crate) fn of_set(set: &'static InstructionSet) -> Vec<Self> {
        set.opcodes.iter().map(|opcode| Legal::of(opcode)).collect()
    }
}

/// Returns the parts of patterns that are inside of `plain`, without its bits and without
/// duplicates.
fn within(plain: Cube, cubes: impl Iterator<Item = Cube>) -> Vec<Cube> {
    let mut own: Vec<Cube> = Vec::new();
    for Cube { mask, value } in cubes {
        if (value ^ plain.value) & mask & plain.mask == 0 {
            let cube = Cube { mask: mask & !plain.mask, value: value & !plain.mask };
            if !own.iter().any(|other| contains(*other, cube)) {
                own.retain(|other| !contains(cube, *other));
                own.push(cube);
            }
        }
    }
    own
}

fn told(plain: Cube, case: &'static ConditionCase) -> Option<Told> {
    let cubes = within(plain, case.cubes.iter().copied());
    let when = case.when.iter().map(|said| (said.text, said.map, said.said)).collect();
    (!cubes.is_empty()).then_some(Told { when, cubes })
}

/// Returns whether all words of `inner` match `outer`.
pub(crate) fn contains(outer: Cube, inner: Cube) -> bool {
    outer.mask & !inner.mask == 0 && (outer.value ^ inner.value) & outer.mask == 0
}

/// Returns the words that match both patterns, or `None` if there are none.
pub(crate) fn both(a: Cube, b: Cube) -> Option<Cube> {
    let differ = (a.value ^ b.value) & a.mask & b.mask;
    (differ == 0).then_some(Cube { mask: a.mask | b.mask, value: a.value | b.value })
}

impl Wrong {
    /// Returns the invalid words as patterns only. Functions are converted to patterns. Returns `None`
    /// if more than `most` patterns are needed.
    pub(crate) fn as_cubes(&self, most: usize) -> Option<Vec<Cube>> {
        let mut all = self.cubes.clone();
        for told in &self.told {
            let mut cubes = told.cubes.clone();
            for (_, map, said) in &told.when {
                let cover = cover(map, *said);
                let pairs = cubes.iter().flat_map(|a| cover.iter().filter_map(|b| both(*a, *b)));
                cubes = pairs.take(most + 1).collect();
            }
            all.extend(cubes);
            if all.len() > most {
                return None;
            }
        }
        Some(all)
    }
}

/// Returns patterns that together match the words whose value is in a map. If `said` is false, they
/// match the words whose value is not in the map.
pub(crate) fn cover(map: &TruthTable, said: bool) -> Vec<Cube> {
    let width: u32 = map.pieces().iter().map(|piece| u32::from(piece.width)).sum();
    let has =
        |number: usize| map.values().get(number / 8).is_some_and(|b| b >> (number % 8) & 1 == 1);
    let values: Vec<bool> = (0..1_usize << width).map(|number| has(number) == said).collect();
    let numbers = cover_values(&values).into_iter();
    let spread = |number: u64| spread(map.pieces(), number);
    numbers.map(|(mask, value)| Cube::new(spread(mask), spread(value))).collect()
}

fn spread(pieces: &[Piece], number: u64) -> u128 {
    insert(pieces, 0, number)
}

/// Returns masks and values that together match the numbers for which a table contains true. The
/// length of the table is a power of two.
fn cover_values(values: &[bool]) -> Vec<(u64, u64)> {
    match values {
        _ if values.iter().all(|value| !value) => return Vec::new(),
        _ if values.iter().all(|value| *value) => return vec![(0, 0)],
        _ => {}
    }
    let half = values.len() / 2;
    let (low, high) = values.split_at(half);
    let pairs = || low.iter().zip(high);
    let shared: Vec<bool> = pairs().map(|(low, high)| *low && *high).collect();
    let low_alone: Vec<bool> = pairs().map(|(low, high)| *low && !*high).collect();
    let high_alone: Vec<bool> = pairs().map(|(low, high)| !*low && *high).collect();
    let top = half as u64;
    let mut all = cover_values(&shared);
    all.extend(cover_values(&low_alone).into_iter().map(|(mask, value)| (mask | top, value)));
    all.extend(
        cover_values(&high_alone).into_iter().map(|(mask, value)| (mask | top, value | top)),
    );
    all
}

/// Joins the lines of a text.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_cover_what_a_table_says() {
        for seed in 0..200_u64 {
            let values: Vec<bool> = (0..16).map(|n| (seed * 0x9e37_79b9) >> n & 1 == 1).collect();
            let cubes = cover_values(&values);
            for (number, value) in values.iter().enumerate() {
                let has = |&(mask, own): &(u64, u64)| number as u64 & mask == own;
                assert_eq!(cubes.iter().any(has), *value, "{number} of {seed}");
            }
        }
    }
}
