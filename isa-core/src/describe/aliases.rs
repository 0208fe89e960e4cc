//! Finds the words of an alias that are not printed as this alias. The text of such a word is parsed as
//! another word, because another row accepts it first or because a format prints several values in the
//! same way.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use crate::bits::Cube;
use crate::operand::Text;
use crate::table::{Field, Opcode, insert};

/// The maximum number of combinations of values that are tried.
const MOST: u64 = 1 << 20;

/// A group of bits whose values are tried together. Values that behave in the same way form a class,
/// which consists of one representative value and the patterns of all its values.
struct AliasUnit {
    classes: Vec<(u128, Vec<Cube>)>,
    mask: u128,
}

/// Returns the valid words of an alias that are not printed as this alias, as masked patterns.
/// Returns `None` if there are too many values to try.
pub(super) fn unprinted(row: &Opcode) -> Option<Vec<Cube>> {
    let reads_back = row.formats.iter().filter(|format| format.text.reads_back.is_some());
    let mut places: Vec<u8> = reads_back
        .flat_map(|format| core::iter::once(&format.field).chain(format.args))
        .copied()
        .collect();
    if !row.after.is_empty() {
        let shown = row.bind.iter().filter(|place| row.at((**place).into()).is_some());
        places.extend(shown.copied());
        places.extend(row.formats.iter().flat_map(|format| format.args));
    }
    if places.is_empty() {
        return Some(Vec::new());
    }
    let mut units: Vec<AliasUnit> = Vec::new();
    let mut taken = row.fixed.mask;
    for place in places {
        let Some(field) = row.at(place.into()) else { continue };
        if let Some(unit) = names(row, place, field).filter(|unit| unit.mask & taken == 0) {
            taken |= unit.mask;
            units.push(unit);
        }
        for bit in bits(field).filter(|bit| taken & bit == 0).collect::<Vec<u128>>() {
            taken |= bit;
            let class = |value| (value, alloc::vec![Cube { mask: bit, value }]);
            units.push(AliasUnit { classes: alloc::vec![class(0), class(bit)], mask: bit });
        }
    }
    let count = units.iter().try_fold(1u64, |all, unit| {
        all.checked_mul(unit.classes.len() as u64).filter(|count| *count <= MOST)
    });
    count?;
    let all = units.iter().fold(0, |all, unit| all | unit.mask);
    let mut search = AliasSearch { row, units, screened: is_apart(row, all) };
    Some(search.cubes(0, row.initial()).unwrap_or_default())
}

/// Returns the bits of a field, the highest first.
fn bits(field: &Field) -> impl Iterator<Item = u128> {
    let pieces = field.pieces.iter();
    pieces
        .flat_map(|piece| (piece.position..piece.position + piece.width).rev().map(|bit| 1 << bit))
}

/// Returns one unit for a field whose names consist of a prefix and a number. All rows parse such names
/// in the same way, except for names that only some rows accept; these names are in separate classes.
/// Returns `None` if a row has a condition on the field, or numbers the names differently.
fn names(row: &Opcode, place: u8, field: &Field) -> Option<AliasUnit> {
    let names = text_of(row, place, field)?.numbered?;
    let mut counts = Vec::new();
    // Visits each row once, because several rows can have the same row in `after`.
    let (mut rows, mut seen) = (alloc::vec![row], BTreeSet::from([core::ptr::from_ref(row)]));
    while let Some(row) = rows.pop() {
        rows.extend(row.after.iter().copied().filter(|row| seen.insert(core::ptr::from_ref(*row))));
        let all = (0..=u8::MAX).map_while(|place| Some((place, row.at(place.into())?)));
        for (place, field) in all {
            let Some(own) = text_of(row, place, field).and_then(|text| text.numbered) else {
                continue;
            };
            let counts_alike = (own.first, own.step) == (names.first, names.step);
            if own.prefix == names.prefix && (asks(row, field.mask()) || !counts_alike) {
                return None;
            }
            counts.push(own.count.min(names.count));
        }
    }
    let class_of = |value: u64| counts.iter().filter(|count| value >= u64::from(**count)).count();
    let mut classes: Vec<(usize, (u128, Vec<Cube>))> = Vec::new();
    for value in 0..1u64.checked_shl(field.width())? {
        let word = insert(field.pieces, 0, value);
        let cube = Cube { mask: field.mask(), value: word };
        match classes.iter_mut().find(|(class, _)| *class == class_of(value)) {
            Some((_, (_, cubes))) => cubes.push(cube),
            None => classes.push((class_of(value), (word, alloc::vec![cube]))),
        }
    }
    let classes = classes.into_iter().map(|(_, class)| class).collect();
    Some(AliasUnit { classes, mask: field.mask() })
}

/// Returns whether a condition of `row` depends on bits in `mask`.
fn asks(row: &Opcode, mask: u128) -> bool {
    row.exceptions.iter().any(|exception| {
        let mut cubes = exception.cubes.iter();
        !exception.cases.is_empty() || cubes.any(|cube| cube.mask & mask != 0)
    })
}

/// Returns the text functions of a row for the field or composite operand at index `place`.
fn text_of(row: &Opcode, place: u8, field: &Field) -> Option<&'static Text> {
    let format = row.formats.iter().find(|format| format.field == place);
    format.map(|format| format.text).or(field.kind.text)
}

/// Returns whether each invalid combination depends either only on bits of the mask, or only on other
/// bits.
fn is_apart(row: &Opcode, mask: u128) -> bool {
    row.exceptions.iter().all(|exception| {
        let mut cubes = exception.cubes.iter();
        exception.cases.is_empty()
            && cubes.all(|cube| cube.mask & mask == 0 || cube.mask & !(mask | row.fixed.mask) == 0)
    })
}

struct AliasSearch<'r> {
    row: &'r Opcode,
    units: Vec<AliasUnit>,
    /// Whether words that the row does not contain are skipped, so that the result for them can be
    /// arbitrary.
    screened: bool,
}

impl AliasSearch<'_> {
    /// Returns the words that are not printed as the alias. All bits of the units before `place`
    /// have the values in `word`. Returns `None` if the row contains none of these words.
    fn cubes(&mut self, place: usize, word: u128) -> Option<Vec<Cube>> {
        let Some(unit) = self.units.get(place) else {
            return match self.row.screen.passes(word) || !self.screened {
                true if self.row.is_printed_otherwise(word) => Some(alloc::vec![Cube::new(0, 0)]),
                true => Some(Vec::new()),
                false => None,
            };
        };
        let (mask, words) = (unit.mask, unit.classes.iter().map(|(word, _)| *word));
        let words: Vec<u128> = words.collect();
        let parts: Vec<_> =
            words.iter().map(|own| self.cubes(place + 1, word & !mask | own)).collect();
        let first = parts.iter().flatten().next()?;
        if parts.iter().flatten().all(|part| part == first) {
            return Some(first.clone());
        }
        let classes = &self.units[place].classes;
        let mut all = Vec::new();
        for ((_, own), part) in classes.iter().zip(&parts) {
            for inner in part.iter().flatten() {
                let joined = own.iter().map(|own| Cube {
                    mask: own.mask | inner.mask,
                    value: own.value | inner.value,
                });
                all.extend(joined);
            }
        }
        Some(all)
    }
}
