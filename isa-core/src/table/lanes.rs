//! Describes the lanes of an operand that an instruction reads or writes, and widths that depend on
//! fields. If the lanes or their number depend on fields, the row contains a pointer to the author's
//! function of these fields.

use core::fmt::{self, Display, Formatter};
use core::ops::Range;

use super::Opcode;

/// A line `Lanes` of a specification for one operand of an opcode, or a line `Bitwidth` whose width
/// depends on fields.
#[derive(Debug, Clone, Copy)]
pub struct LaneRow {
    /// The operand's field, as an index into [`Opcode::fields`].
    pub field: u8,
    /// The width of a lane in bits.
    pub bits: u16,
    /// The lanes that are read or written.
    pub mask: LaneMask,
    /// Whether the function of `mask` returns the number of lanes instead of a mask. All these lanes
    /// are read or written.
    pub is_count: bool,
    /// The path of the function that computes the mask or the number, as in the specification; empty
    /// if there is none.
    pub function: &'static str,
    /// The fields that are the arguments of the function, as indexes into [`Opcode::fields`].
    pub args: &'static [u8],
}

/// A set of lanes as a number in which bit i is lane i, or a function of field values that returns
/// this number.
#[derive(Debug, Clone, Copy)]
pub enum LaneMask {
    /// All lanes of the operand.
    All,
    /// Lanes that do not depend on fields of the word.
    Fixed(u64),
    /// A function of one field.
    Of1(fn(u64) -> u64),
    /// A function of two fields.
    Of2(fn(u64, u64) -> u64),
    /// A function of three fields.
    Of3(fn(u64, u64, u64) -> u64),
    /// A function of four fields.
    Of4(fn(u64, u64, u64, u64) -> u64),
}

impl LaneRow {
    /// Creates a row from its fields.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        field: u8,
        bits: u16,
        mask: LaneMask,
        is_count: bool,
        function: &'static str,
        args: &'static [u8],
    ) -> Self {
        LaneRow { field, bits, mask, is_count, function, args }
    }

    /// Returns the lanes in a word of the row's `opcode`, exactly as the specification defines
    /// them. Bits for lanes that the operand does not have are an error of the author.
    #[must_use]
    pub fn mask(&self, opcode: &Opcode, word: u128) -> u64 {
        let number = self.number(opcode, word);
        match self.is_count {
            true => u64::MAX.unbounded_shr(64u32.saturating_sub(number as u32)),
            false => number,
        }
    }

    /// Returns the width of the operand in a word of the row's `opcode`, if it depends on fields.
    pub(crate) fn width(&self, opcode: &Opcode, word: u128) -> Option<u16> {
        self.is_count.then(|| self.bits.saturating_mul(self.number(opcode, word) as u16))
    }

    /// Returns the mask, or the result of the function.
    fn number(&self, opcode: &Opcode, word: u128) -> u64 {
        let value =
            |place: u8| opcode.fields.get(usize::from(place)).map_or(0, |field| field.get(word));
        match (self.mask, self.args) {
            (LaneMask::Fixed(mask), _) => mask,
            (LaneMask::Of1(of), &[a]) => of(value(a)),
            (LaneMask::Of2(of), &[a, b]) => of(value(a), value(b)),
            (LaneMask::Of3(of), &[a, b, c]) => of(value(a), value(b), value(c)),
            (LaneMask::Of4(of), &[a, b, c, d]) => of(value(a), value(b), value(c), value(d)),
            _ => u64::MAX,
        }
    }
}

/// Prints a mask in the syntax of a specification, for example `half_lanes(ra.hsel2)`. Prints nothing
/// if the mask contains all lanes.
struct Mask<'r>(&'r Opcode, &'r LaneRow);

impl Display for Mask<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Mask(opcode, row) = *self;
        match row.mask {
            LaneMask::All => return Ok(()),
            LaneMask::Fixed(mask) => return write!(f, "{mask:#b}"),
            _ => f.write_str(row.function)?,
        }
        let names = row.args.iter().filter_map(|place| opcode.fields.get(usize::from(*place)));
        for (place, field) in names.enumerate() {
            write!(f, "{}{}", if place == 0 { "(" } else { ", " }, field.name)?;
        }
        f.write_str(")")
    }
}

impl Opcode {
    /// Returns the lanes of the operand whose field has the index `field`: the row, and the text of its
    /// mask or number in the specification, for example `half_lanes(ra.hsel2)`. The text is `None` if
    /// all lanes are used.
    #[must_use]
    pub fn lanes_text(&self, field: u8) -> Option<(&'static LaneRow, Option<impl Display>)> {
        let row = self.lanes.iter().find(|row| row.field == field)?;
        let is_all = matches!(row.mask, LaneMask::All);
        Some((*row, (!is_all).then_some(Mask(self, row))))
    }
}

/// The parts of an operand's value that an instruction reads or writes. Returned by
/// [`Operand::lanes`](crate::Operand::lanes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Lanes {
    /// The width of a lane in bits.
    pub bits: u16,
    /// Bit i is lane i. Lane 0 contains the lowest bits of the value.
    pub mask: u64,
}

impl Lanes {
    /// Returns the bits of each lane within the value, from the lowest lane up.
    ///
    /// ```
    /// use isa_core::table::Lanes;
    ///
    /// let lanes = Lanes { bits: 8, mask: 0b1010 };
    /// assert!(lanes.ranges().eq([8..16, 24..32]));
    /// ```
    pub fn ranges(self) -> impl Iterator<Item = Range<u32>> {
        let Lanes { bits, mask } = self;
        let bits = u32::from(bits);
        (0..64)
            .filter(move |lane| mask >> lane & 1 == 1)
            .map(move |lane| lane * bits..(lane + 1) * bits)
    }

    /// Returns the bits of all these lanes within the lowest 128 bits of the value.
    ///
    /// ```
    /// use isa_core::table::Lanes;
    ///
    /// assert_eq!(Lanes { bits: 8, mask: 0b1010 }.value_bits(), 0xff00_ff00);
    /// ```
    #[must_use]
    pub fn value_bits(self) -> u128 {
        let up_to = |bit: u32| u128::MAX.unbounded_shr(128u32.saturating_sub(bit));
        self.ranges().fold(0, |bits, lane| bits | up_to(lane.end) & !up_to(lane.start))
    }
}

/// Prints `lanes 0b11 of 16 bits`.
impl Display for Lanes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Lanes { bits, mask } = self;
        write!(f, "lanes {mask:#b} of {bits} bits")
    }
}

impl LaneRow {
    /// Returns the lanes in a word, for an operand of `width` bits.
    pub(crate) fn of_width(&self, opcode: &Opcode, width: u16, word: u128) -> Lanes {
        let count = u32::from(width / self.bits.max(1));
        let all = u64::MAX.unbounded_shr(64u32.saturating_sub(count));
        Lanes { bits: self.bits, mask: self.mask(opcode, word) & all }
    }
}

/// Returns whether a value of `width` bits can be divided into at most 64 lanes of `bits` bits that
/// include the lanes of `mask`.
#[doc(hidden)]
#[must_use]
pub const fn lanes_fit(width: u16, bits: u16, mask: u64) -> bool {
    if bits == 0 || width == 0 || !width.is_multiple_of(bits) || width / bits > 64 {
        return false;
    }
    let all = u64::MAX >> (64 - width / bits);
    mask & !all == 0
}
