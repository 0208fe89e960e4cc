//! How many words are legal, by arithmetic over the fields and conditions of a specification.
//!
//! The number is a product over the fields that no exception looks at, times the number of
//! combinations of the others that no exception forbids. It can be restricted to the words that
//! agree in some bits, so that a part of a word space can be enumerated beside it.

use isa_core::table::{Cube, Field};

use crate::model::{Row, bits, value};
use crate::space::{last, with};

/// Values of more bits than these are not all tried.
const MOST_BITS: usize = 20;

/// The number of legal words of an opcode.
///
/// ```
/// use isa_check::count::legal_words;
/// use isa_check::model::Model;
///
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 7 { NEG = 1 }
/// #     opcode NEG { encoding { field<8, 7> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// # }
/// assert_eq!(legal_words(&Model::new(Tiny::SET).rows[0]), Some(256));
/// ```
///
/// `None` where exceptions look at too many values to try them all.
#[must_use]
pub fn legal_words(row: &Row) -> Option<u128> {
    legal_words_in(row, Cube::new(0, 0))
}

/// The number of legal words of an opcode in a cube; `None` as for [`legal_words`].
#[must_use]
pub fn legal_words_in(row: &Row, cube: Cube) -> Option<u128> {
    let fixed = row.fixed().iter().fold(0, |word, (field, raw)| with(field, word, *raw));
    let known = row.fixed().iter().fold(row.uncovered, |known, (field, _)| known | mask(field));
    if (cube.value ^ fixed) & cube.mask & known != 0 {
        return Some(0);
    }
    let entangled = entangled(row);
    let alone = row.free().filter(|index| !entangled.contains(index));
    let product = alone.map(|index| values(row, index, cube)).product::<Option<u128>>()?;
    if product == 0 { Some(0) } else { Some(product * combinations(row, &entangled, cube)?) }
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
        let gaps = (named as u128) < 1 << field.width();
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
fn values(row: &Row, index: usize, cube: Cube) -> Option<u128> {
    let field = row.opcode.fields[index];
    let deciding = deciding(field);
    if deciding.len() > MOST_BITS {
        return None;
    }
    let existing = spreads(&deciding).filter(|&raw| row.exists(index, raw));
    let decided = deciding.iter().fold(0, |mask, bit| mask | 1 << bit);
    let (known, value) = within(field, cube);
    let fitting = existing.filter(|raw| (raw ^ value) & known & decided == 0).count();
    Some((fitting as u128) << (last(field) & !known & !decided).count_ones())
}

/// How many combinations of values of these fields agree with a cube, and no exception forbids.
fn combinations(row: &Row, entangled: &[usize], cube: Cube) -> Option<u128> {
    let mut words = vec![row.fixed().iter().fold(0, |word, (field, raw)| with(field, word, *raw))];
    for &index in entangled {
        let field = row.opcode.fields[index];
        let (known, value) = within(field, cube);
        let places: Vec<u32> = (0..field.width()).filter(|bit| known >> bit & 1 == 0).collect();
        if places.len() > MOST_BITS {
            return None;
        }
        let raws: Vec<u64> = spreads(&places).map(|raw| raw | value).collect();
        let raws: Vec<u64> = raws.into_iter().filter(|&raw| row.exists(index, raw)).collect();
        if words.len().saturating_mul(raws.len()) > 1 << MOST_BITS {
            return None;
        }
        words = raws
            .into_iter()
            .flat_map(|raw| words.iter().map(move |word| with(field, *word, raw)))
            .collect();
    }
    let is_legal = |word: &&u128| {
        let get = |index: usize| row.value(index, **word);
        !row.conditions.iter().any(|condition| condition.holds(&get))
    };
    Some(words.iter().filter(is_legal).count() as u128)
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
