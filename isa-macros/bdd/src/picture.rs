//! Divides the bits of a word into rows of cells, for drawings of encodings.

/// A field of a word in a drawing.
#[derive(Debug, Clone)]
pub struct PictureField<'f> {
    /// The name. A name with a dot, such as `ra.neg`, belongs to the field with the name before the
    /// first dot.
    pub name: &'f str,
    /// Whether the field has a fixed value.
    pub is_fixed: bool,
    /// The lowest bit and the number of bits of each piece.
    pub pieces: Vec<(u8, u8)>,
}

/// Adjacent bits in a row that belong to the same piece of a field, or to no field, and that are
/// all fixed or all not fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The highest bit.
    pub high: u8,
    /// The lowest bit.
    pub low: u8,
    /// The index of the field and the index of its piece; `None` for bits that no field covers.
    pub field: Option<(usize, usize)>,
    /// Whether the bits have a fixed value.
    pub is_fixed: bool,
}

/// Divides a word of `bits` bits into rows of `columns` bits, the highest bits first. If the bits
/// do not fill all rows, the first row is shorter and aligned to the right. `fixed` is the mask of
/// the bits with a fixed value. If several fields contain a bit, the cell belongs to the first
/// field whose `is_fixed` agrees with the bit, or else to the first field.
///
/// ```
/// use isa_bdd::picture::{Cell, PictureField, rows};
///
/// let op = PictureField { name: "op", is_fixed: true, pieces: vec![(0, 4)] };
/// let rd = PictureField { name: "rd", is_fixed: false, pieces: vec![(4, 4), (12, 4)] };
/// let rows = rows(16, 8, 0xf, &[op, rd]);
/// let none = Cell { high: 11, low: 8, field: None, is_fixed: false };
/// let high = Cell { high: 15, low: 12, field: Some((1, 1)), is_fixed: false };
/// assert_eq!(rows[0], [high, none]);
/// assert_eq!(rows[1].len(), 2);
/// ```
#[must_use]
pub fn rows(bits: u8, columns: u8, fixed: u128, fields: &[PictureField<'_>]) -> Vec<Vec<Cell>> {
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

/// Returns, for each bit, the field and the piece that contain it. The first entry considers only
/// fields that are not fixed, the second only fixed fields.
fn owners(fields: &[PictureField<'_>]) -> [[Option<(usize, usize)>; 2]; 128] {
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

/// Returns the index of a colour for each field. The indexes start at 0 without gaps. Fields that
/// belong together share a colour: `ra.neg` has the colour of `ra`. Fixed fields have index 0 and
/// do not use up an index.
#[must_use]
pub fn colours(fields: &[PictureField<'_>]) -> Vec<usize> {
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
