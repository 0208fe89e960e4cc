//! Which words are legal, as the formats say it: bits that every legal word has, and sets of words that
//! are illegal, each with its reason.

use isa_core::table::{Case, Cube, InstructionSet, Map, Opcode, Piece, insert};

/// The words that are an opcode's.
#[derive(Debug)]
pub(crate) struct Legal {
    /// What all of them have alike: fixed bits, and 0 in the bits that no field covers, of the opcode's
    /// own width.
    pub(crate) plain: Cube,
    /// Those among the words of `plain` that are illegal.
    pub(crate) wrong: Vec<Wrong>,
}

/// Illegal words of one reason.
#[derive(Debug)]
pub(crate) struct Wrong {
    /// The reason, in a line.
    pub(crate) why: String,
    /// Words in any of these are illegal. None has a bit of `plain`.
    pub(crate) cubes: Vec<Cube>,
    /// And words in any of these, of which functions say so.
    pub(crate) told: Vec<Told>,
}

/// Words in any of some cubes of which functions of some fields say certain things.
#[derive(Debug)]
pub(crate) struct Told {
    /// Each function as the condition has it, its values, and whether they are meant or all others.
    pub(crate) when: Vec<(&'static str, Map, bool)>,
    /// The cubes.
    pub(crate) cubes: Vec<Cube>,
}

impl Legal {
    /// The legal words of an opcode.
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

    /// The legal words of each opcode of a set.
    pub(crate) fn of_set(set: &'static InstructionSet) -> Vec<Self> {
        set.opcodes.iter().map(|opcode| Legal::of(opcode)).collect()
    }
}

/// Cubes as far as they are inside another, without its bits; each once.
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

fn told(plain: Cube, case: &'static Case) -> Option<Told> {
    let cubes = within(plain, case.cubes.iter().copied());
    let when = case.when.iter().map(|said| (said.text, said.map, said.said)).collect();
    (!cubes.is_empty()).then_some(Told { when, cubes })
}

/// Whether all words of a cube are in another.
pub(crate) fn contains(outer: Cube, inner: Cube) -> bool {
    outer.mask & !inner.mask == 0 && (outer.value ^ inner.value) & outer.mask == 0
}

/// The words that two cubes share.
pub(crate) fn both(a: Cube, b: Cube) -> Option<Cube> {
    let differ = (a.value ^ b.value) & a.mask & b.mask;
    (differ == 0).then_some(Cube { mask: a.mask | b.mask, value: a.value | b.value })
}

impl Wrong {
    /// The illegal words as cubes alone: what functions say is cut into cubes too. `None` where that takes
    /// more than `most`.
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

/// Cubes of words that are, together, those with the values of a map, or those without.
pub(crate) fn cover(map: &Map, said: bool) -> Vec<Cube> {
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

/// Masks and values that are, together, the numbers of which a table says so. The table has a power of
/// two of them.
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

/// Text in one line.
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
