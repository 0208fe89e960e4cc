//! The bits of a word in rows, as pictures of encodings have them.

/// A field of a word that is drawn.
#[derive(Debug, Clone)]
pub struct Field<'f> {
    /// The name: what stands before a dot in it is what the field belongs to.
    pub name: &'f str,
    /// Whether it has one value.
    pub is_fixed: bool,
    /// The lowest bit of each piece, and how many bits it has.
    pub pieces: Vec<(u8, u8)>,
}

/// Bits side by side in a row: of one piece of a field, all fixed or none, or of no field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The highest of the bits.
    pub high: u8,
    /// The lowest of the bits.
    pub low: u8,
    /// The field, an index into the list of all, and which of its pieces; none for bits of no field.
    pub field: Option<(usize, usize)>,
    /// Whether the bits have one value.
    pub is_fixed: bool,
}

/// A word of so many bits in rows of `columns`, the highest bits first; a row that is not full is the
/// first, and stands on the right. `fixed` has the bits that have one value. Of fields that share a bit
/// one that is fixed as the bit is has it, then the first.
///
/// ```
/// use isa_words::picture::{Cell, Field, rows};
///
/// let op = Field { name: "op", is_fixed: true, pieces: vec![(0, 4)] };
/// let rd = Field { name: "rd", is_fixed: false, pieces: vec![(4, 4), (12, 4)] };
/// let rows = rows(16, 8, 0xf, &[op, rd]);
/// let none = Cell { high: 11, low: 8, field: None, is_fixed: false };
/// let high = Cell { high: 15, low: 12, field: Some((1, 1)), is_fixed: false };
/// assert_eq!(rows[0], [high, none]);
/// assert_eq!(rows[1].len(), 2);
/// ```
#[must_use]
pub fn rows(bits: u8, columns: u8, fixed: u128, fields: &[Field<'_>]) -> Vec<Vec<Cell>> {
    let owners = owners(fields);
    let cell = |bit: u8| {
        let is_fixed = fixed >> bit & 1 == 1;
        let [free, held] = owners[usize::from(bit)];
        let field = if is_fixed { held.or(free) } else { free.or(held) };
        Cell { high: bit, low: bit, field, is_fixed }
    };
    let cells: Vec<Cell> = (0..bits.min(128)).map(cell).collect();
    let row = |bits: &[Cell]| {
        let mut row: Vec<Cell> = Vec::new();
        for bit in bits.iter().rev() {
            match row.last_mut() {
                Some(last) if (last.field, last.is_fixed) == (bit.field, bit.is_fixed) => {
                    last.low = bit.low;
                }
                _ => row.push(*bit),
            }
        }
        row
    };
    cells.chunks(usize::from(columns.max(1))).rev().map(row).collect()
}

/// The piece of a field that each bit belongs to, of fields that are not fixed and of those that are.
fn owners(fields: &[Field<'_>]) -> [[Option<(usize, usize)>; 2]; 128] {
    let mut owners = [[None; 2]; 128];
    for (index, field) in fields.iter().enumerate() {
        for (place, &(low, width)) in field.pieces.iter().enumerate() {
            let bits = owners.iter_mut().skip(low.into()).take(width.into());
            bits.for_each(|owner| {
                owner[usize::from(field.is_fixed)].get_or_insert((index, place));
            });
        }
    }
    owners
}

/// A number for each field by which it is coloured, from 0 on without a gap: that of what it belongs
/// to, so that `ra.neg` has that of `ra`. Fixed fields have the number 0 and count for none.
#[must_use]
pub fn colours(fields: &[Field<'_>]) -> Vec<usize> {
    let mut stems: Vec<&str> = Vec::new();
    let colours = fields.iter().map(|field| match field.is_fixed {
        true => 0,
        false => {
            let stem = field.name.split('.').next().unwrap_or_default();
            stems.iter().position(|known| *known == stem).unwrap_or_else(|| {
                stems.push(stem);
                stems.len() - 1
            })
        }
    });
    colours.collect()
}
