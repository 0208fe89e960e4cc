//! What the rows of an instruction set are printed by: short texts and steps over them.
//!
//! A template walked item by item costs a branch for all that it may say. So the macro also lays
//! out each opcode as a row of steps: each takes a few bits of the word as the number of a ready
//! text of at most 15 bytes, and appends that. Text between fields, marks and neighbouring fields
//! are folded into one table, so that a line takes about as many steps as it has operands and
//! modifiers.

use super::{Cube, Field, Init};

/// A text of at most 15 bytes, stored and copied as 16: the last byte is the length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ShortText([u8; ShortText::SIZE]);

impl ShortText {
    pub(crate) const SIZE: usize = 16;

    /// No text.
    pub const EMPTY: ShortText = ShortText([0; Self::SIZE]);

    /// The text with one more byte; one that is full stays as it is.
    #[must_use]
    pub const fn with(self, byte: u8) -> Self {
        let ShortText(mut bytes) = self;
        let len = self.len();
        if len < Self::SIZE - 1 {
            bytes[len] = byte;
            bytes[Self::SIZE - 1] += 1;
        }
        ShortText(bytes)
    }

    /// The text with `text` behind it, as far as there is room.
    #[must_use]
    pub const fn with_str(mut self, text: &str) -> Self {
        let (text, mut i) = (text.as_bytes(), 0);
        while i < text.len() {
            self = self.with(text[i]);
            i += 1;
        }
        self
    }

    /// The text with a number below 1,000 behind it, in decimal.
    #[must_use]
    pub const fn with_decimal(mut self, number: u16) -> Self {
        if number >= 100 {
            self = self.with(b'0' + (number / 100 % 10) as u8);
        }
        if number >= 10 {
            self = self.with(b'0' + (number / 10 % 10) as u8);
        }
        self.with(b'0' + (number % 10) as u8)
    }

    /// The length in bytes.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        (self.0[Self::SIZE - 1] & 15) as usize
    }

    /// Whether this is no text.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes, those behind the text included.
    #[inline]
    pub(crate) const fn padded(&self) -> &[u8; Self::SIZE] {
        &self.0
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let text = self.0.get(..self.len()).unwrap_or_default();
        core::str::from_utf8(text).unwrap_or_default()
    }
}

impl core::fmt::Debug for ShortText {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self.as_str(), f)
    }
}

/// What the steps of the opcodes of one call refer to by number.
#[derive(Debug)]
pub struct Texts {
    /// Tables of ready texts: first those of the call, then of each way to write an operand
    /// [`Text::ready`](super::Text::ready).
    pub tables: &'static [&'static [ShortText]],
    /// Words in which some fields have their defaults.
    pub defaults: &'static [Cube],
}

/// Short texts from 16 bytes each.
///
/// # Panics
///
/// At compile time, where there are fewer.
#[doc(hidden)]
#[must_use]
pub const fn short_texts<const N: usize>(bytes: &[u8]) -> [ShortText; N] {
    let (mut texts, mut i) = ([ShortText::EMPTY; N], 0);
    while i < N {
        texts[i] = ShortText(bytes.as_chunks().0[i]);
        i += 1;
    }
    texts
}

/// How an opcode is printed: steps of 8 bytes. Without steps the template is walked.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// What the steps refer to.
    pub texts: &'static Texts,
    /// The steps.
    pub steps: &'static [u8],
    /// For each symbol of the syntax two bytes, the position and the width of its field: 0 where
    /// the opcode has none, 255 where the field is no single run of bits in one half.
    pub places: &'static [u8],
}

impl Program {
    /// No steps.
    pub const NONE: Program =
        Program { texts: &Texts { tables: &[], defaults: &[] }, steps: &[], places: &[] };

    /// These steps over these texts.
    #[must_use]
    pub const fn new(texts: &'static Texts, steps: &'static [u8], places: &'static [u8]) -> Self {
        Program { texts, steps, places }
    }
}

/// One step of a program, from its 8 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step(pub(crate) u64);

impl Step {
    /// A step that goes over some others where fields have their defaults.
    pub(crate) const SKIP: u8 = 0xff;

    #[inline]
    pub(crate) const fn new(bytes: &[u8; 8]) -> Self {
        Step(u64::from_le_bytes(*bytes))
    }

    /// The table of texts. A field whose text is not ready has no table, or an empty one.
    #[inline]
    pub(crate) const fn what(self) -> u8 {
        self.0 as u8
    }

    /// The number in the bits that the step names: two runs of bits, each moved to its place.
    #[inline]
    pub(crate) const fn index(self, halves: [u64; 2]) -> usize {
        (self.run(halves, 8) | self.run(halves, 24)) as usize
    }

    /// One run: a byte of which half and how far to turn it, then a mask.
    #[inline]
    const fn run(self, halves: [u64; 2], at: u32) -> u64 {
        let (turn, mask) = (self.0 >> at, self.0 >> (at + 8) & 0xff);
        // Chosen by a mask: what to read is not known early enough to be predicted.
        let upper = (turn >> 6 & 1).wrapping_neg();
        let half = halves[0] ^ (halves[0] ^ halves[1]) & upper;
        half.rotate_right(turn as u32 & 63) & mask
    }

    /// The first short text, or the number of a cube.
    #[inline]
    pub(crate) const fn base(self) -> usize {
        (self.0 >> 40 & 0xffff) as usize
    }

    /// The field, as an index into those of the opcode, or how many steps to skip.
    #[inline]
    pub(crate) const fn operand(self) -> usize {
        (self.0 >> 56) as usize
    }
}

/// The words in which all these fields have their defaults.
#[doc(hidden)]
#[must_use]
pub const fn defaults<const N: usize>(table: &'static [Field], places: [u16; N]) -> Cube {
    let (mut mask, mut value, mut i) = (0, 0, 0);
    while i < N {
        let field = &table[places[i] as usize];
        mask |= field.mask();
        if let Init::Default(raw) = field.init {
            value = field.set(value, raw);
        }
        i += 1;
    }
    Cube { mask, value }
}
