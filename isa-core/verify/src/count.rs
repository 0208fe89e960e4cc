//! Counts valid encodings by arithmetic on the fields and conditions of a specification.
//!
//! The count is a product. Its factors are the number of values of each field that no exception uses,
//! and the number of combinations of the other fields' values that no exception forbids. The count can
//! be restricted to words with given values in some bits, so that it can be compared with an enumeration
//! of a part of all words.

use isa_core::table::{Cube, Field};

use crate::field_values::{bit_positions, field_value, max_value, with_value};
use crate::model::OpcodeModel;

/// The values of a field are enumerated only if at most this many of its bits decide whether a value
/// exists.
const MOST_BITS: usize = 20;

/// Returns the number of valid encodings of an opcode.
///
/// ```
/// use isa_verify::count::legal_words;
/// use isa_verify::model::Model;
///
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 7 { NEG = 1 }
/// #     opcode NEG { encoding { field<8, 7> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// # }
/// assert_eq!(legal_words(&Model::new(Tiny::SET).opcodes[0]), Some(256));
/// ```
///
/// Returns `None` if exceptions use too many values to try them all.
#[must_use]
pub fn legal_words(row: &OpcodeModel) -> Option<u128> {
    legal_words_in(row, Cube::new(0, 0))
}

/// Returns the number of valid encodings of an opcode that match a masked pattern. Returns `None` in the
/// same case as [`legal_words`].
#[must_use]
pub fn legal_words_in(row: &OpcodeModel, cube: Cube) -> Option<u128> {
    let fixed = row.fixed().iter().fold(0, |word, (field, raw)| with_value(field, word, *raw));
    let known = row.fixed().iter().fold(row.uncovered, |known, (field, _)| known | mask(field));
    if (cube.value ^ fixed) & cube.mask & known != 0 {
        return Some(0);
    }
    let entangled = entangled(row);
    let alone = row.free().filter(|index| !entangled.contains(index));
    let product = alone.map(|index| values(row, index, cube)).product::<Option<u128>>()?;
    if product == 0 { Some(0) } else { Some(product * combinations(row, &entangled, cube)?) }
}

/// Returns the fields that an exception uses and that the opcode does not fix.
#[must_use]
pub fn entangled(row: &OpcodeModel) -> Vec<usize> {
    let looked_at: Vec<usize> = row.conditions.iter().flat_map(|one| one.fields()).collect();
    row.free().filter(|index| looked_at.contains(index)).collect()
}

/// Returns the bits of a field's value that decide whether the value exists. Bit 0 is the lowest.
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

/// Returns the bits of the word that decide whether it is an instruction of the opcode, if the
/// fixed fields are correct.
#[must_use]
pub fn deciding_bits(row: &OpcodeModel) -> Vec<u32> {
    let entangled = entangled(row);
    let of_field = |index: usize| {
        let field = row.opcode.fields[index];
        let deciding = match entangled.contains(&index) {
            true => (0..field.width()).collect(),
            false => deciding(field),
        };
        let places = bit_positions(field);
        deciding.into_iter().map(move |bit| places[bit as usize])
    };
    row.free().flat_map(of_field).collect()
}

/// Returns the number of existing values of a field that match a pattern.
fn values(row: &OpcodeModel, index: usize, cube: Cube) -> Option<u128> {
    let field = row.opcode.fields[index];
    let deciding = deciding(field);
    if deciding.len() > MOST_BITS {
        return None;
    }
    let existing = spreads(&deciding).filter(|&raw| row.has_value(index, raw));
    let decided = deciding.iter().fold(0, |mask, bit| mask | 1 << bit);
    let (known, value) = within(field, cube);
    let fitting = existing.filter(|raw| (raw ^ value) & known & decided == 0).count();
    Some((fitting as u128) << (max_value(field) & !known & !decided).count_ones())
}

/// Returns the number of combinations of values of the fields `entangled` that match the pattern
/// `cube` and that no exception forbids.
fn combinations(row: &OpcodeModel, entangled: &[usize], cube: Cube) -> Option<u128> {
    let mut words =
        vec![row.fixed().iter().fold(0, |word, (field, raw)| with_value(field, word, *raw))];
    for &index in entangled {
        let field = row.opcode.fields[index];
        let (known, value) = within(field, cube);
        let places: Vec<u32> = (0..field.width()).filter(|bit| known >> bit & 1 == 0).collect();
        if places.len() > MOST_BITS {
            return None;
        }
        let raws: Vec<u64> = spreads(&places).map(|raw| raw | value).collect();
        let raws: Vec<u64> = raws.into_iter().filter(|&raw| row.has_value(index, raw)).collect();
        if words.len().saturating_mul(raws.len()) > 1 << MOST_BITS {
            return None;
        }
        words = raws
            .into_iter()
            .flat_map(|raw| words.iter().map(move |word| with_value(field, *word, raw)))
            .collect();
    }
    let is_legal = |word: &&u128| {
        let get = |index: usize| row.value(index, **word);
        !row.conditions.iter().any(|condition| condition.holds(&get))
    };
    Some(words.iter().filter(is_legal).count() as u128)
}

/// Returns the part of a pattern that belongs to a field: the bits of its value that are known, and
/// their values.
fn within(field: &Field, cube: Cube) -> (u64, u64) {
    (field_value(field, cube.mask), field_value(field, cube.value))
}

/// Returns all numbers whose bits are 0 except at the positions `places`.
fn spreads(places: &[u32]) -> impl Iterator<Item = u64> + '_ {
    (0..1_u64 << places.len()).map(|number| {
        let bits = places.iter().enumerate();
        bits.fold(0, |spread, (i, place)| spread | (number >> i & 1) << place)
    })
}

fn mask(field: &Field) -> u128 {
    bit_positions(field).iter().fold(0, |mask, bit| mask | 1 << bit)
}
