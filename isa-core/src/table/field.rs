//! Describes the fields of a word: their bits, the meaning of their values, and their assembly
//! syntax.

use crate::bits::{halves, low_bits};
use crate::operand::Kind;

/// A run of `width` bits in a word. Its lowest bit is `position`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The lowest bit. Bit 0 is the least significant bit of the word.
    pub position: u8,
    /// The number of bits.
    pub width: u8,
}

/// The value of a field if the assembly text does not contain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Init {
    /// `== value`: the field has this value in every word of the opcode.
    Fixed(u64),
    /// `= value`: the field is optional in the assembly text.
    Default(u64),
    /// No value: the assembly text must contain the field.
    Required,
}

/// A field of an instruction word.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// The name in the specification, for example `hfmt_v2` or `ra.neg`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The group, optype or opcode whose `encoding` section declares the field.
    pub declared_in: &'static str,
    /// The bits of the field, the most significant piece first. Nearly all fields have one piece; a
    /// fixed field without bits has none.
    pub pieces: &'static [Piece],
    /// The type of the field, which defines the meaning of its values.
    pub kind: &'static Kind,
    /// Whether the field is fixed, has a default, or is required.
    pub init: Init,
}

impl Field {
    /// Returns the number of bits in all pieces of the field.
    #[must_use]
    pub const fn width(&self) -> u32 {
        let (mut i, mut sum) = (0, 0);
        while i < self.pieces.len() {
            sum += self.pieces[i].width as u32;
            i += 1;
        }
        sum
    }

    /// Returns the bits of the word that belong to the field.
    #[must_use]
    pub const fn mask(&self) -> u128 {
        let (mut i, mut mask) = (0, 0);
        while i < self.pieces.len() {
            let Piece { position, width } = self.pieces[i];
            mask |= low_bits(width) << position;
            i += 1;
        }
        mask
    }

    /// Returns false if the opcode fixes the field to a different value.
    #[inline]
    pub(crate) const fn can_be(&self, value: u64) -> bool {
        !matches!(self.init, Init::Fixed(fixed) if fixed != value)
    }

    /// Returns the value of the field in `word`.
    #[inline]
    #[must_use]
    pub const fn get(&self, word: u128) -> u64 {
        match self.init {
            Init::Fixed(raw) if self.pieces.is_empty() => raw,
            _ => extract(self.pieces, word),
        }
    }

    /// Returns `word` with another value of the field. Bits of `raw` beyond the width of the field
    /// are dropped.
    #[inline]
    #[must_use]
    pub const fn set(&self, word: u128, raw: u64) -> u128 {
        insert(self.pieces, word, raw)
    }
}

/// Concatenates the pieces of a field, the most significant piece first.
#[inline]
#[must_use]
pub const fn extract(pieces: &[Piece], word: u128) -> u64 {
    let (mut i, mut raw) = (0, 0u64);
    while i < pieces.len() {
        let Piece { position, width } = pieces[i];
        let [low, high] = halves(word);
        let bits = match position {
            64.. => high >> (position & 63),
            // Shifting a 128-bit word takes much longer than shifting one of its 64-bit halves.
            _ if position + width <= 64 => low >> position,
            _ => (word >> position) as u64,
        };
        raw = raw.unbounded_shl(width as u32) | bits & low_bits(width) as u64;
        i += 1;
    }
    raw
}

/// Stores `raw` in the pieces of a field, the most significant piece first.
#[inline]
#[must_use]
pub const fn insert(pieces: &[Piece], word: u128, raw: u64) -> u128 {
    let (mut i, mut rest, mut word) = (pieces.len(), raw as u128, word);
    while i > 0 {
        i -= 1;
        let Piece { position, width } = pieces[i];
        let mask = low_bits(width) << position;
        word = word & !mask | (rest << position) & mask;
        rest >>= width;
    }
    word
}
