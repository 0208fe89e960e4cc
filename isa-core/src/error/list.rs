//! Lists in messages: "`.RN`, `.RM` or `.RZ`", "bits 31:25 and 7".

use core::fmt::{self, Display};

use crate::table::{Field, Piece};

/// Writes the items with commas and an "or" before the last.
pub(super) fn alternatives<T: Display>(
    f: &mut dyn fmt::Write,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    joined(f, items, "or")
}

/// The maximum number of listed items if there can be hundreds.
const MOST: usize = 8;

/// Writes the items with commas and an "or" before the last. If there are many items, it writes only
/// the first ones and the number of the others.
pub(super) fn some_alternatives<T: Display>(
    f: &mut dyn fmt::Write,
    items: impl Iterator<Item = T> + Clone,
) -> fmt::Result {
    match items.clone().count() {
        // A single remaining item is written, because it is not longer than the number of the others.
        count if count <= MOST + 1 => alternatives(f, items),
        count => {
            for item in items.take(MOST) {
                write!(f, "{item}, ")?;
            }
            write!(f, "or one of {} more", count - MOST)
        }
    }
}

/// Writes the items with commas and a word before the last.
pub(crate) fn joined<T: Display>(
    f: &mut dyn fmt::Write,
    items: impl Iterator<Item = T>,
    last: &str,
) -> fmt::Result {
    let mut items = items.peekable();
    let mut first = true;
    while let Some(item) = items.next() {
        match (first, items.peek().is_some()) {
            (true, _) => write!(f, "{item}")?,
            (false, true) => write!(f, ", {item}")?,
            (false, false) => write!(f, " {last} {item}")?,
        }
        first = false;
    }
    Ok(())
}

/// One run of bits: `81:80`, or `76`.
struct PieceRun(Piece);

impl Display for PieceRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Piece { position, width } = self.0;
        let low = u32::from(position);
        match u32::from(width) {
            0 | 1 => write!(f, "{low}"),
            width => write!(f, "{}:{low}", low + width - 1),
        }
    }
}

/// Writes bit ranges: "bit 76", "bits 81:80", "bits 31:25 and 11:7".
pub(super) fn bits(
    f: &mut dyn fmt::Write,
    pieces: impl Iterator<Item = Piece> + Clone,
) -> fmt::Result {
    let mut all = pieces.clone();
    let single = all.next().is_some_and(|piece| piece.width <= 1) && all.next().is_none();
    f.write_str(if single { "bit " } else { "bits " })?;
    joined(f, pieces.map(PieceRun), "and")
}

/// Writes a field with its position: "`ra.hsel2` (bits 81:80)".
pub(super) fn field(f: &mut dyn fmt::Write, field: &Field) -> fmt::Result {
    write!(f, "`{}` (", field.name)?;
    bits(f, field.pieces.iter().copied())?;
    f.write_str(")")
}

/// The runs of set bits of a mask, the highest first.
#[derive(Clone)]
pub(super) struct Runs(pub(super) u128);

impl Iterator for Runs {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.0 == 0 {
            return None;
        }
        let high = 128 - self.0.leading_zeros();
        let width = (self.0 << (128 - high)).leading_ones();
        let position = high - width;
        self.0 &= !(u128::MAX.unbounded_shl(position));
        Some(Piece { position: position as u8, width: width as u8 })
    }
}

/// Sorts items by a key. The sort is stable.
#[cfg(feature = "alloc")]
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut alloc::vec::Vec<T>, key: impl Fn(&T) -> K) {
    if !crate::IS_SMALL {
        return items.sort_by_key(key);
    }
    // Insertion needs much less code than a sort, and it is as fast for few items.
    let mut sorted = alloc::vec::Vec::new();
    for item in items.drain(..) {
        let before = sorted.partition_point(|other| key(other) <= key(&item));
        sorted.insert(before, item);
    }
    *items = sorted;
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::string::String;

    use super::some_alternatives;

    #[test]
    fn of_many_alternatives_some_are_named() {
        let said = |count: u32| {
            let mut text = String::new();
            some_alternatives(&mut text, 0..count).unwrap();
            text
        };
        assert_eq!(said(9), "0, 1, 2, 3, 4, 5, 6, 7 or 8");
        assert_eq!(said(10), "0, 1, 2, 3, 4, 5, 6, 7, or one of 2 more");
    }
}
