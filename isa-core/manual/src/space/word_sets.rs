//! Converts patterns and conditions in tables to sets of words.

use isa_bdd::{Diagrams, WordSet};
use isa_core::table::{ConditionCase, Cube, Piece, TruthTable, extract, insert};

/// Returns the words that match any of the masked patterns.
pub(crate) fn cubes(sets: &mut Diagrams, cubes: &[Cube]) -> WordSet {
    sets.cubes(cubes.iter().map(|cube| (cube.mask, cube.value)))
}

/// Returns the words that match a masked pattern.
pub(crate) fn cube(sets: &mut Diagrams, cube: Cube) -> WordSet {
    sets.cube(cube.mask, cube.value)
}

/// Returns the words of a case.
pub(crate) fn case(sets: &mut Diagrams, case: &ConditionCase) -> WordSet {
    let words = cubes(sets, case.cubes);
    case.when.iter().fold(words, |words, when| {
        let table = map(sets, &when.map);
        match when.said {
            true => sets.and(words, table),
            false => sets.without(words, table),
        }
    })
}

/// Returns the words for which the truth table `map` is true.
fn map(sets: &mut Diagrams, map: &TruthTable) -> WordSet {
    let pieces = map.pieces().iter();
    let bits: Vec<u8> = pieces.flat_map(|it| it.position..it.position + it.width).collect();
    sets.told(&bits, &mut |word| map.contains(word))
}

/// Converts a masked pattern of a field's value to a masked pattern of the word.
pub(crate) fn of_field(pieces: &[Piece], values: Cube) -> Cube {
    let spread = |bits: u128| insert(pieces, 0, bits as u64);
    let (mask, value) = (spread(values.mask), spread(values.value));
    debug_assert_eq!(u128::from(extract(pieces, value)), values.value);
    Cube { mask, value }
}
