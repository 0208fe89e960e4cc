//! Computes the words of a row, and the row that prints each of them.

use isa_core::table::{Cube, insert};

use crate::description::{Case, Description, Row};

use super::sets::{NONE, Sets, Words, bits_of};

/// Returns the words of a row. Bits above the width of the row can have any value.
pub(super) fn legal(description: &Description, row: &Row, sets: &mut Sets) -> Words {
    let fixed = sets.cube(row.fixed);
    let unused = sets.cube(Cube { mask: row.unused, value: 0 });
    let mut legal = sets.and(fixed, unused);
    for field in &row.fields {
        let reserved = &description.kinds[field.kind].reserved;
        let spread = |bits: u128| insert(&field.pieces, 0, bits as u64);
        let all: u128 = spread(u64::MAX.into());
        let cubes: Vec<Cube> = reserved
            .iter()
            .filter(|_| all != 0)
            .map(|cube| Cube { mask: spread(cube.mask), value: spread(cube.value) })
            .collect();
        let reserved = sets.cubes(&cubes);
        legal = sets.without(legal, reserved);
    }
    for rule in &row.illegal {
        let words = sets.cubes(&rule.words);
        legal = sets.without(legal, words);
        for case in &rule.cases {
            let words = of_case(case, sets);
            legal = sets.without(legal, words);
        }
    }
    legal
}

fn of_case(case: &Case, sets: &mut Sets) -> Words {
    let cubes = sets.cubes(&case.words);
    case.when.iter().fold(cubes, |words, said| {
        let bits = bits_of(&said.pieces);
        let listed = 8 * said.values.len() as u64;
        let is_said = |value: &u64| said.values[(value / 8) as usize] >> (value % 8) & 1 == 1;
        let values: Vec<u64> = (0..listed).filter(is_said).collect();
        let set = sets.values(&bits, &values);
        if said.is { sets.and(words, set) } else { sets.without(words, set) }
    })
}

/// Returns the words of an opcode, divided by the row that prints them.
pub(super) fn spellings<'d>(
    description: &Description,
    opcode: &'d Row,
    words: Words,
    sets: &mut Sets,
) -> Vec<(Words, &'d Row)> {
    let mut rest = words;
    let mut all = Vec::new();
    for alias in opcode.aliases.iter().filter(|alias| alias.printed) {
        let own = legal(description, &alias.row, sets);
        let unless = sets.cubes(alias.unless.as_deref().unwrap_or_default());
        let own = sets.without(own, unless);
        let own = sets.and(own, rest);
        rest = sets.without(rest, own);
        all.push((own, &alias.row));
    }
    all.push((rest, opcode));
    all.retain(|(words, _)| *words != NONE);
    all
}
