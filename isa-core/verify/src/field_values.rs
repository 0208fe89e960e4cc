//! The values of a field in a word, computed bit by bit from the positions in the specification.
//!
//! These functions share no code with `isa-core`, so the field access of a set can be compared with them.

use isa_core::table::Field;

/// Returns the value of a field in a word.
#[must_use]
pub fn field_value(field: &Field, word: u128) -> u64 {
    let mut raw = 0;
    for piece in field.pieces {
        raw = (raw << piece.width) | ((word >> piece.position) % (1 << piece.width));
    }
    raw as u64
}

/// Returns the positions of the bits of a field in a word, beginning with the lowest bit of its value.
#[must_use]
pub fn bit_positions(field: &Field) -> Vec<u32> {
    let runs = field.pieces.iter().rev().map(|piece| (piece.position.into(), piece.width.into()));
    runs.flat_map(|(low, width): (u32, u32)| low..low + width).collect()
}

/// Returns the boundary values of a field. For a field of up to 8 bits these are all values. For a
/// wider field they are the first and the last values, each single bit and its complement, runs of
/// ones, and the named values. Some of them may be reserved.
#[must_use]
pub fn boundary_values(field: &Field) -> Vec<u64> {
    let width = field.width();
    let last = max_value(field);
    if width <= 8 {
        return (0..=last).collect();
    }
    let mut values = vec![0, 1, 2, 3, last, last - 1, last - 2, last - 3, last / 3, last / 3 * 2];
    for bit in 0..width {
        let one = 1 << bit;
        values.extend([one, one - 1, last ^ one]);
    }
    values.extend(field.kind.values.iter().map(|value| value.raw));
    values.sort_unstable();
    values.dedup();
    values
}

/// Returns the largest value of a field, or 0 for a field without bits.
#[must_use]
pub fn max_value(field: &Field) -> u64 {
    u64::MAX.unbounded_shr(64 - field.width())
}

/// Returns the word with another value in one field, computed bit by bit.
#[must_use]
pub fn with_value(field: &Field, word: u128, raw: u64) -> u128 {
    let mut places = field.pieces.iter().rev().flat_map(|piece| {
        let low = u32::from(piece.position);
        low..low + u32::from(piece.width)
    });
    (0..field.width()).fold(word, |word, i| match places.next() {
        Some(place) => word & !(1 << place) | u128::from(raw >> i & 1) << place,
        None => word,
    })
}
