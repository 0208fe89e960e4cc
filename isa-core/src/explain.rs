//! Explains the meaning of each bit of a word.

#[cfg(feature = "alloc")]
mod markdown;
#[cfg(feature = "alloc")]
mod objects;
#[cfg(feature = "alloc")]
mod page;
#[cfg(feature = "alloc")]
mod spelling;
#[cfg(feature = "alloc")]
mod template;

#[cfg(feature = "alloc")]
pub use markdown::opcode_markdown;
#[cfg(feature = "alloc")]
pub use objects::{alias_json, opcode_json};
#[cfg(feature = "alloc")]
pub use page::Explanation;
#[cfg(feature = "alloc")]
pub use spelling::{alias_condition, value_text};
#[cfg(feature = "alloc")]
pub use template::syntax;

use crate::inst::Operands;
use crate::table::{Access, Exception, Field, Init, Lanes, Opcode, Piece};
#[cfg(feature = "alloc")]
use crate::table::{Property, PropertyValue};
use crate::text::Line;

/// A run of bits of a word, or a field without bits, and its meaning. See [`Opcode::explain`].
#[derive(Debug, Clone, Copy)]
pub struct WordPart {
    /// The position of the bits; the width is 0 for a field without bits.
    pub piece: Piece,
    /// The bits.
    pub bits: u128,
    /// The field that contains the bits; `None` for bits that no field covers.
    pub field: Option<FieldPart>,
}

impl WordPart {
    /// Returns the highest bit.
    #[must_use]
    pub const fn high(&self) -> u8 {
        self.piece.position + self.piece.width.saturating_sub(1)
    }

    /// Returns the lowest bit.
    #[must_use]
    pub const fn low(&self) -> u8 {
        self.piece.position
    }

    /// Returns whether a valid word can have these bits. For a field, only its own value is checked;
    /// [`Opcode::broken`] returns the invalid combinations of several fields.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        match self.field {
            Some(part) => part.is_legal(),
            None => self.bits == 0,
        }
    }
}

/// The field to which a [`WordPart`] of a word belongs.
#[derive(Debug, Clone, Copy)]
pub struct FieldPart {
    opcode: &'static Opcode,
    word: u128,
    index: usize,
    /// The field.
    pub field: &'static Field,
    /// The index of the field's piece; nearly always 0, because most fields have one piece.
    pub piece: usize,
    /// The value of the field, including all pieces.
    pub raw: u64,
}

impl FieldPart {
    /// Returns whether the opcode fixes the field.
    #[must_use]
    pub const fn is_fixed(&self) -> bool {
        matches!(self.field.init, Init::Fixed(_))
    }

    /// Returns whether the field has its default.
    #[must_use]
    pub const fn is_default(&self) -> bool {
        matches!(self.field.init, Init::Default(value) if value == self.raw)
    }

    /// Returns whether the field can have the value.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        let fixed = match self.field.init {
            Init::Fixed(value) => value == self.raw,
            Init::Default(_) | Init::Required => true,
        };
        fixed && self.field.kind.admits(self.raw)
    }

    /// Returns the access of the instruction to the operand in the field; `None` for other fields.
    #[must_use]
    pub fn access(&self) -> Option<Access> {
        let mut operands = self.opcode.operands.iter();
        let operand = operands.find(|operand| usize::from(operand.field) == self.index);
        operand.map(|operand| operand.access)
    }

    /// Returns the lanes that the instruction reads or writes, if this field is an operand and the
    /// specification declares its lanes: [`Operand::lanes`](crate::Operand::lanes).
    #[must_use]
    pub fn lanes(&self) -> Option<Lanes> {
        let mut operands = Operands::new(self.opcode, self.word);
        operands.find(|operand| operand.place() == self.index)?.lanes()
    }

    /// Appends the value as assembly text. A named value is printed as its name.
    pub fn meaning(&self, line: &mut Line) {
        self.opcode.print_field(self.index, self.word, None, line);
    }

    /// Returns the documentation of a named value, or an empty text.
    #[must_use]
    pub fn doc(&self) -> &'static str {
        self.field.kind.value(self.raw).map_or("", |value| value.doc)
    }
}

/// The parts of a word, from bit 0 up. See [`Opcode::explain`].
#[derive(Debug, Clone)]
pub struct WordParts {
    opcode: &'static Opcode,
    word: u128,
    at: u32,
    /// The number of fields that have been examined to find those without bits, which are returned
    /// last.
    bitless: usize,
}

impl WordParts {
    /// Returns the field with a piece that starts at the next bit, and the index of the piece.
    fn starting(&self) -> Option<(usize, usize, Piece)> {
        let fields = self.opcode.fields.iter().enumerate();
        let mut pieces = fields.flat_map(|(index, field)| {
            let pieces = field.pieces.iter().enumerate();
            pieces.map(move |(number, piece)| (index, number, *piece))
        });
        pieces.find(|(_, _, piece)| u32::from(piece.position) == self.at && piece.width > 0)
    }

    /// Returns the bits up to the next piece of a field, or up to the end of the word.
    fn gap(&self) -> Piece {
        let pieces = self.opcode.fields.iter().flat_map(|field| field.pieces);
        let starts = pieces.map(|piece| u32::from(piece.position));
        let end = starts
            .filter(|start| *start > self.at)
            .min()
            .unwrap_or_else(|| self.opcode.width_of(self.word).into());
        Piece { position: self.at as u8, width: (end - self.at) as u8 }
    }

    /// Returns the next field without bits.
    fn bitless(&mut self) -> Option<WordPart> {
        let mut rest = self.opcode.fields.iter().enumerate().skip(self.bitless);
        let (index, _) = rest.find(|(_, field)| field.pieces.is_empty())?;
        self.bitless = index + 1;
        let piece = Piece { position: 0, width: 0 };
        Some(WordPart { piece, bits: 0, field: self.field_part(index, 0) })
    }

    fn field_part(&self, index: usize, piece: usize) -> Option<FieldPart> {
        let field = *self.opcode.fields.get(index)?;
        Some(FieldPart {
            opcode: self.opcode,
            word: self.word,
            index,
            field,
            piece,
            raw: field.get(self.word),
        })
    }
}

impl Iterator for WordParts {
    type Item = WordPart;

    fn next(&mut self) -> Option<WordPart> {
        if self.at >= self.opcode.width_of(self.word).into() {
            return self.bitless();
        }
        let (piece, field) = match self.starting() {
            Some((index, number, piece)) => (piece, self.field_part(index, number)),
            None => (self.gap(), None),
        };
        let width = u32::from(piece.width);
        let mask = u128::MAX.unbounded_shr(128u32.saturating_sub(width));
        let part = WordPart { piece, bits: self.word.unbounded_shr(self.at) & mask, field };
        self.at += width;
        Some(part)
    }
}

impl Opcode {
    /// Explains every bit of a valid or invalid word, from bit 0 up, followed by the fields without
    /// bits.
    pub fn explain(&'static self, word: u128) -> WordParts {
        WordParts { opcode: self, word, at: 0, bitless: 0 }
    }

    /// Returns the exceptions that reject a word, inherited ones first.
    pub fn broken(&self, word: u128) -> impl Iterator<Item = &'static Exception> + use<> {
        let exceptions = self.exceptions.iter().copied();
        exceptions.filter(move |exception| exception.excludes(word))
    }
}

/// Returns all digits of a word after `0x`.
#[cfg(feature = "alloc")]
fn digits(word: u128, bits: u8) -> alloc::string::String {
    let digits = usize::from(bits).div_ceil(4);
    alloc::format!("0x{word:0digits$x}")
}

/// Returns the properties of an opcode for explanations.
#[cfg(feature = "describe")]
fn properties(opcode: &Opcode) -> impl Iterator<Item = (&'static Property, PropertyValue)> + use<> {
    opcode.properties.iter()
}

/// Returns no properties, so that the engines of manuals stay small.
#[cfg(all(feature = "alloc", not(feature = "describe")))]
fn properties(_: &Opcode) -> core::iter::Empty<(&'static Property, PropertyValue)> {
    core::iter::empty()
}
