//! The words of tables, as sets.

use isa_bdd::{Diagrams, Words};
use isa_core::table::{Case, Cube, Piece, TruthTable, extract, insert};

/// The words of any of some cubes.
pub(crate) fn cubes(sets: &mut Diagrams, cubes: &[Cube]) -> Words {
    sets.cubes(cubes.iter().map(|cube| (cube.mask, cube.value)))
}

/// The words of a cube.
pub(crate) fn cube(sets: &mut Diagrams, cube: Cube) -> Words {
    sets.cube(cube.mask, cube.value)
}

/// The words of a case.
pub(crate) fn case(sets: &mut Diagrams, case: &Case) -> Words {
    let words = cubes(sets, case.cubes);
    case.when.iter().fold(words, |words, when| {
        let table = map(sets, &when.map);
        match when.said {
            true => sets.and(words, table),
            false => sets.without(words, table),
        }
    })
}

/// The words of which a table over some bits says so.
fn map(sets: &mut Diagrams, map: &TruthTable) -> Words {
    let pieces = map.pieces().iter();
    let bits: Vec<u8> = pieces.flat_map(|it| it.position..it.position + it.width).collect();
    sets.told(&bits, &mut |word| map.contains(word))
}

/// The words in which a field has one of some values, as masked comparisons of the value.
pub(crate) fn of_field(pieces: &[Piece], values: Cube) -> Cube {
    let spread = |bits: u128| insert(pieces, 0, bits as u64);
    let (mask, value) = (spread(values.mask), spread(values.value));
    debug_assert_eq!(u128::from(extract(pieces, value)), values.value);
    Cube { mask, value }
}
