//! Computes the words of a row, and the row that prints each of them.

use isa_core::table::Cube;

use crate::description::{ConditionCase, Description, OpcodeDescription};
use crate::masked_patterns::spread;

use super::word_sets::{NONE, WordSets, Words, bits_of};

/// Returns the valid words of a row. Bits above the width of the row can have any value.
pub(super) fn valid_words(
    description: &Description,
    row: &OpcodeDescription,
    sets: &mut WordSets,
) -> Words {
    let fixed = sets.cube(row.fixed);
    let unused = sets.cube(Cube { mask: row.unused, value: 0 });
    let mut valid = sets.and(fixed, unused);
    for field in &row.fields {
        let reserved = &description.kinds[field.kind].reserved;
        let cubes: Vec<Cube> = reserved
            .iter()
            .filter(|_| !field.pieces.is_empty())
            .map(|cube| spread(&field.pieces, *cube))
            .collect();
        let reserved = sets.cubes(&cubes);
        valid = sets.without(valid, reserved);
    }
    for rule in &row.illegal {
        let words = sets.cubes(&rule.words);
        valid = sets.without(valid, words);
        for case in &rule.cases {
            let words = of_case(case, sets);
            valid = sets.without(valid, words);
        }
    }
    valid
}

fn of_case(case: &ConditionCase, sets: &mut WordSets) -> Words {
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
    opcode: &'d OpcodeDescription,
    words: Words,
    sets: &mut WordSets,
) -> Vec<(Words, &'d OpcodeDescription)> {
    let mut rest = words;
    let mut all = Vec::new();
    for alias in opcode.aliases.iter().filter(|alias| alias.printed) {
        let own = valid_words(description, &alias.row, sets);
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
