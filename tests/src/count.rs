//! How many words are legal, by arithmetic over the fields and conditions of a specification.
//!
//! The number is a product over the fields that no exception looks at, times the number of
//! combinations of the others that no exception forbids. It can be restricted to the words that
//! agree in some bits, so that a part of a word space can be enumerated beside it.

use isa_core::table::{Cube, Field};

use crate::model::{Row, bits, value};
use crate::space::{last, with};

/// More combinations than this are not tried.
const MOST: usize = 1 << 20;

/// The number of legal words of an opcode.
///
/// ```
/// use isa_tests::count::legal_words;
/// use isa_tests::model::Model;
/// use isa_riscv::Rv64imac;
///
/// let model = Model::new(Rv64imac::SET);
/// let addi = model.rows.iter().find(|row| row.opcode.name == "ADDI").unwrap();
/// assert_eq!(legal_words(addi), 1 << (5 + 5 + 12));
/// ```
#[must_use]
pub fn legal_words(row: &Row) -> u128 {
    legal_words_in(row, Cube::new(0, 0))
}

/// The number of legal words of an opcode in a cube.
///
/// # Panics
///
/// Where exceptions look at too many values to try them all.
#[must_use]
pub fn legal_words_in(row: &Row, cube: Cube) -> u128 {
    let fixed = row.fixed().iter().fold(0, |word, (field, raw)| with(field, word, *raw));
    let known = row.fixed().iter().fold(row.uncovered, |known, (field, _)| known | mask(field));
    if (cube.value ^ fixed) & cube.mask & known != 0 {
        return 0;
    }
    let entangled = entangled(row);
    let alone = row.free().filter(|index| !entangled.contains(index));
    let product: u128 = alone.map(|index| values(row, index, cube)).product();
    if product == 0 { 0 } else { product * combinations(row, &entangled, cube) }
}

/// The fields that some exception looks at and that the opcode does not fix.
#[must_use]
pub fn entangled(row: &Row) -> Vec<usize> {
    let looked_at: Vec<usize> = row.conditions.iter().flat_map(|one| one.fields()).collect();
    row.free().filter(|index| looked_at.contains(index)).collect()
}

/// The bits of a field's value that decide whether it exists, the lowest being 0.
#[must_use]
pub fn deciding(field: &Field) -> Vec<u32> {
    let named = field.kind.values.len();
    if named > 0 {
        let gaps = named < 1 << field.width();
        return (0..field.width()).filter(|_| gaps).collect();
    }
    let cubes = field.kind.reserved.iter();
    let mask = cubes.fold(0, |mask, cube| mask | cube.mask);
    (0..field.width()).filter(|bit| mask >> bit & 1 == 1).collect()
}

/// The bits of the word that decide whether it is an instruction of the opcode, as long as the
/// fixed fields stay.
#[must_use]
pub fn deciding_bits(row: &Row) -> Vec<u32> {
    let entangled = entangled(row);
    let of_field = |index: usize| {
        let field = row.opcode.fields[index];
        let deciding = match entangled.contains(&index) {
            true => (0..field.width()).collect(),
            false => deciding(field),
        };
        let places = bits(field);
        deciding.into_iter().map(move |bit| places[bit as usize])
    };
    row.free().flat_map(of_field).collect()
}

/// How many values of a field of an opcode agree with a cube.
fn values(row: &Row, index: usize, cube: Cube) -> u128 {
    let field = row.opcode.fields[index];
    let deciding = deciding(field);
    let existing = spreads(&deciding).filter(|&raw| row.exists(index, raw));
    let decided = deciding.iter().fold(0, |mask, bit| mask | 1 << bit);
    let (known, value) = within(field, cube);
    let fitting = existing.filter(|raw| (raw ^ value) & known & decided == 0).count();
    (fitting as u128) << (last(field) & !known & !decided).count_ones()
}

/// How many combinations of values of these fields agree with a cube, and no exception forbids.
fn combinations(row: &Row, entangled: &[usize], cube: Cube) -> u128 {
    let mut words = vec![row.fixed().iter().fold(0, |word, (field, raw)| with(field, word, *raw))];
    for &index in entangled {
        let field = row.opcode.fields[index];
        let (known, value) = within(field, cube);
        let places: Vec<u32> = (0..field.width()).filter(|bit| known >> bit & 1 == 0).collect();
        let raws: Vec<u64> = spreads(&places).map(|raw| raw | value).collect();
        let raws = raws.into_iter().filter(|&raw| row.exists(index, raw));
        words =
            raws.flat_map(|raw| words.iter().map(move |word| with(field, *word, raw))).collect();
        assert!(words.len() <= MOST, "{} has too many combinations", row.opcode.name);
    }
    let is_legal = |word: &&u128| {
        let get = |index: usize| row.value(index, **word);
        !row.conditions.iter().any(|condition| condition.holds(&get))
    };
    words.iter().filter(is_legal).count() as u128
}

/// What a cube says of a field: the bits of its value that are known, and those bits.
fn within(field: &Field, cube: Cube) -> (u64, u64) {
    (value(field, cube.mask), value(field, cube.value))
}

/// The numbers that have no bits but those at these places.
fn spreads(places: &[u32]) -> impl Iterator<Item = u64> + '_ {
    (0..1_u64 << places.len()).map(|number| {
        let bits = places.iter().enumerate();
        bits.fold(0, |spread, (i, place)| spread | (number >> i & 1) << place)
    })
}

fn mask(field: &Field) -> u128 {
    bits(field).iter().fold(0, |mask, bit| mask | 1 << bit)
}
