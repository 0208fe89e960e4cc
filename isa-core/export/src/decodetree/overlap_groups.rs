//! Groups patterns that overlap, and determines their order.

use std::collections::BTreeMap;

use isa_core::table::Cube;

use super::super::ExportError;
use super::super::masked_patterns::{intersection, is_inside};
use super::{Argument, OpcodePattern};

/// A single pattern, or an overlap group.
pub(super) enum PatternEntry {
    Single(OpcodePattern),
    Group(Vec<OpcodePattern>),
}

/// The maximum number of parts into which an opcode is split.
const PARTS: u64 = 256;

/// Arranges the patterns as the generator requires. The generator first divides the patterns by the bits
/// that all patterns fix. It then divides each class by the other bits that all patterns of the class
/// fix. Patterns that it cannot distinguish become a group.
pub(super) fn arrange(rows: &[OpcodePattern]) -> Result<Vec<PatternEntry>, ExportError> {
    let mut classes = Vec::new();
    divide(rows, (0..rows.len()).collect(), 0, &mut classes);
    // Restores the order of the specification.
    classes.sort();
    let entry = |class: Vec<usize>| match class.as_slice() {
        [one] if rows[*one].wrong.is_empty() => Ok(PatternEntry::Single(rows[*one].clone())),
        own => ordered(own.iter().map(|row| rows[*row].clone()).collect()).map(PatternEntry::Group),
    };
    classes.into_iter().map(entry).collect()
}

/// Divides a class in the same way as the generator.
fn divide(rows: &[OpcodePattern], class: Vec<usize>, outer: u128, classes: &mut Vec<Vec<usize>>) {
    let common = class.iter().fold(!outer, |mask, &row| mask & rows[row].plain.mask);
    if class.len() == 1 || common == 0 {
        classes.push(class);
        return;
    }
    let mut parts: BTreeMap<u128, Vec<usize>> = BTreeMap::new();
    for row in class {
        parts.entry(rows[row].plain.value & common).or_default().push(row);
    }
    for part in parts.into_values() {
        divide(rows, part, outer | common, classes);
    }
}

/// Orders a class so that no pattern of invalid words matches a valid word of a later opcode. If there
/// is no such order, it splits opcodes by the fields that decide which words are invalid.
fn ordered(mut rows: Vec<OpcodePattern>) -> Result<Vec<OpcodePattern>, ExportError> {
    // A pattern with more fixed bits is more specific.
    rows.sort_by_key(|row| u32::MAX - row.plain.mask.count_ones());
    let mut order = Vec::new();
    while !rows.is_empty() {
        let waits = |own: &OpcodePattern| rows.iter().any(|other| takes(own, other));
        if let Some(place) = rows.iter().position(|own| !waits(own)) {
            order.push(rows.remove(place));
            continue;
        }
        let divided =
            rows.iter().enumerate().filter_map(|(place, _)| Some((place, divided(&rows, place)?)));
        let Some((place, parts)) = divided.min_by_key(|(_, parts)| parts.len()) else {
            let names: Vec<&str> = rows.iter().map(|row| row.opcode.name).collect();
            return Err(ExportError::new(format!(
                "the fixed bits of {} overlap, and each contains words that are invalid for another: \
                 decodetree distinguishes patterns only by fixed bits",
                names.join(", ")
            )));
        };
        rows.splice(place..=place, parts);
    }
    Ok(order)
}

/// Returns whether the patterns of one row's invalid words match valid words of the other row.
fn takes(one: &OpcodePattern, other: &OpcodePattern) -> bool {
    one.wrong.iter().any(|(wrong, _)| takes_by(*wrong, other))
}

fn takes_by(wrong: Cube, other: &OpcodePattern) -> bool {
    intersection(wrong, other.plain)
        .is_some_and(|cube| !other.wrong.iter().any(|(wrong, _)| is_inside(cube, *wrong)))
}

/// Splits an opcode into parts. In each part, every field that decides about the conflict with other
/// opcodes has a single value. Returns `None` if there would be too many parts, or if a split does not
/// resolve the conflict.
fn divided(rows: &[OpcodePattern], place: usize) -> Option<Vec<OpcodePattern>> {
    let row = &rows[place];
    let others = || rows.iter().enumerate().filter(|(other, _)| *other != place);
    let taking = row.wrong.iter().map(|(wrong, _)| *wrong);
    let taking = taking.filter(|wrong| others().any(|(_, other)| takes_by(*wrong, other)));
    let bits = taking.fold(0, |bits, wrong| bits | wrong.mask) & !row.plain.mask;
    let deciding = |own: &&Argument| own.field.mask() & bits != 0;
    let fields: Vec<&Argument> = row.fields.iter().filter(deciding).collect();
    let width: u32 = fields.iter().map(|own| own.field.width()).sum();
    if fields.is_empty() || 1_u64.checked_shl(width).is_none_or(|parts| parts > PARTS) {
        return None;
    }
    let part = |number: u64| {
        let mut part = row.clone();
        let mut rest = number;
        for own in part.fields.iter_mut().filter(|own| deciding(&&**own)) {
            let value = rest & ((1 << own.field.width()) - 1);
            rest >>= own.field.width();
            own.value = Some(value);
            part.plain.mask |= own.field.mask();
            part.plain.value = own.field.set(part.plain.value, value);
        }
        let plain = part.plain;
        let is_legal = !part.wrong.iter().any(|(wrong, _)| is_inside(plain, *wrong));
        part.wrong = part
            .wrong
            .into_iter()
            .filter_map(|(wrong, why)| Some((intersection(wrong, plain)?, why)))
            .collect();
        is_legal.then_some(part)
    };
    Some((0..1 << width).filter_map(part).collect())
}
