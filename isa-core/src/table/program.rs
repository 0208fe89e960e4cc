//! What the rows of an instruction set are printed by: short texts and steps over them.
//!
//! A template walked item by item costs a branch for all that it may say. So the macro also lays
//! out each opcode as a row of steps: each takes a few bits of the word as the number of a ready
//! text of at most 31 bytes, and appends that. Text between fields, marks and neighbouring fields
//! are folded into one table, so that a line takes about as many steps as it has operands and
//! modifiers.

use super::{Cube, Field, Init};

/// A text of at most 31 bytes, stored and copied as 32: the last byte is the length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ShortText([u8; ShortText::SIZE]);

impl ShortText {
    pub(crate) const SIZE: usize = 32;

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
        (self.0[Self::SIZE - 1] & 31) as usize
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
    /// Tables of the texts of whole optional parts; empty where a kind's texts are not ready.
    pub wholes: &'static [&'static [ShortText]],
    /// How bits of the word number the texts of a table.
    pub gathers: &'static [Gather],
}

/// How bits that lie apart become a number: those under the masks, one half laid over the other,
/// times `magic`, shifted right. The macro has tried all values of the bits: no two give one number.
#[derive(Debug, Clone, Copy)]
pub struct Gather {
    masks: [u64; 2],
    magic: u64,
    shift: u8,
}

impl Gather {
    /// No bits: always 0.
    pub const NONE: Gather = Gather::new([0; 2], 0, 63);

    /// As the fields are named, the low half first.
    #[must_use]
    pub const fn new(masks: [u64; 2], magic: u64, shift: u8) -> Self {
        Gather { masks, magic, shift }
    }

    /// The number.
    #[inline(always)]
    pub(crate) const fn number(&self, halves: [u64; 2]) -> usize {
        let bits = halves[0] & self.masks[0] | halves[1] & self.masks[1];
        (bits.wrapping_mul(self.magic) >> (self.shift & 63)) as usize
    }
}

/// One of the texts that an optional part is put together from.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// The texts.
    pub texts: &'static [ShortText],
    /// Where in the number of the whole the bits are that number one, the lowest first: shift and
    /// width.
    pub runs: &'static [(u8, u8)],
}

impl Part {
    const fn bits(&self) -> u8 {
        let (mut i, mut bits) = (0, 0);
        while i < self.runs.len() {
            bits += self.runs[i].1;
            i += 1;
        }
        bits
    }

    /// Appends the text for a number of the whole; `None` where there is none, or no room for it.
    const fn append(&self, mut text: ShortText, number: usize) -> Option<ShortText> {
        if self.texts.len() != 1 << self.bits() {
            return None;
        }
        let (mut value, mut below, mut i) = (0, 0, 0);
        while i < self.runs.len() {
            let (shift, width) = self.runs[i];
            value |= (number >> shift & ((1 << width) - 1)) << below;
            below += width;
            i += 1;
        }
        let (part, mut i) = (self.texts[value], 0);
        if text.len() + part.len() >= ShortText::SIZE {
            return None;
        }
        while i < part.len() {
            text = text.with(part.0[i]);
            i += 1;
        }
        Some(text)
    }
}

/// The texts of an optional part by the number that is gathered from some runs of bits: nothing for
/// the defaults. `None` where a part has not all its texts ready, or one is too long.
#[doc(hidden)]
#[must_use]
pub const fn whole<const N: usize>(
    gather: Gather,
    defaults: Cube,
    runs: &[(u8, u8)],
    parts: &[Part],
) -> Option<[ShortText; N]> {
    let (mut texts, mut number) = ([ShortText::EMPTY; N], 0);
    loop {
        let (mut word, mut rest, mut i) = (0, number, 0);
        while i < runs.len() {
            let (position, width) = runs[i];
            word |= (rest as u128 & ((1 << width) - 1)) << position;
            rest >>= width;
            i += 1;
        }
        if rest != 0 {
            return Some(texts);
        }
        let (mut text, mut i) = (ShortText::EMPTY, 0);
        while i < parts.len() && word != defaults.value {
            text = match parts[i].append(text, number) {
                Some(text) => text,
                None => return None,
            };
            i += 1;
        }
        texts[gather.number(super::halves(word))] = text;
        number += 1;
    }
}

#[doc(hidden)]
#[must_use]
pub const fn texts_of<const N: usize>(
    texts: &'static Option<[ShortText; N]>,
) -> &'static [ShortText] {
    match texts {
        Some(texts) => texts,
        None => &[],
    }
}

/// Short texts from 32 bytes each.
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

/// How an opcode is printed. Without steps the template is walked.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// What the steps refer to.
    pub texts: &'static Texts,
    /// The steps.
    pub steps: &'static [Step],
    /// For each symbol of the syntax the place of its field.
    pub places: &'static [Place],
}

impl Program {
    /// No steps.
    pub const NONE: Program = Program {
        texts: &Texts { tables: &[], defaults: &[], wholes: &[], gathers: &[] },
        steps: &[],
        places: &[],
    };

    /// These steps over these texts.
    #[must_use]
    pub const fn new(
        texts: &'static Texts,
        steps: &'static [Step],
        places: &'static [Place],
    ) -> Self {
        Program { texts, steps, places }
    }
}

/// Where a field is that lies in one half of the word.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Its bits in that half; none where the opcode has no such field, or it lies in several runs.
    pub(crate) mask: u64,
    /// The position in that half.
    pub(crate) turn: u8,
    /// 1 for the upper half, 2 for several runs.
    pub(crate) upper: u8,
}

impl Place {
    /// The field's value in a word.
    #[inline]
    pub(crate) const fn get(self, halves: [u64; 2]) -> u64 {
        (halves[self.upper as usize & 1] & self.mask).rotate_right(self.turn as u32)
    }
}

/// Places from two bytes each, position and width; 255 for several runs.
///
/// # Panics
///
/// At compile time, where there are fewer.
#[doc(hidden)]
#[must_use]
pub const fn places<const N: usize>(bytes: &[u8]) -> [Place; N] {
    let (mut places, mut i) = ([Place { mask: 0, turn: 0, upper: 0 }; N], 0);
    while i < N {
        let [position, width] = bytes.as_chunks().0[i];
        places[i] = if width > 64 {
            Place { mask: 0, turn: 0, upper: 2 }
        } else {
            let mask = 1u64.unbounded_shl(width as u32).wrapping_sub(1) << (position % 64);
            Place { mask, turn: position % 64, upper: position / 64 }
        };
        i += 1;
    }
    places
}

/// One step of a program: bits of the word number a text of a table.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// The texts from the first one that the step takes. Empty where they are not ready, and for a
    /// step that takes none.
    pub(crate) table: &'static [ShortText],
    gather: Gather,
    /// How many steps to go over behind a text of the table.
    pub(crate) over: u8,
    /// What to do without a text: a part to go over, or a field to write.
    pub(crate) is_skip: bool,
    /// The field, as an index into those of the opcode, or how many steps to go over.
    pub(crate) operand: u8,
    /// For a step that goes over some others, the number of a cube.
    pub(crate) base: u16,
}

impl Step {
    /// The bytes that a step is made from.
    const BYTES: usize = 6;

    /// A step that prints an optional part whole, and then goes over some others. Where there is no
    /// such text it goes over none.
    const WHOLE: u8 = 0xfd;

    /// A step that goes over some others where fields have their defaults.
    const SKIP: u8 = 0xff;

    /// A step from its bytes: what it is or the number of a table, the operand, the first text, the
    /// number of a gather.
    const fn new(texts: &'static Texts, bytes: &[u8; Step::BYTES]) -> Self {
        let [what, operand, low, high, gather_low, gather_high] = *bytes;
        let base = u16::from_le_bytes([low, high]);
        let gather = u16::from_le_bytes([gather_low, gather_high]) as usize;
        let table: &[ShortText] = match what {
            Self::SKIP => &[],
            Self::WHOLE => texts.wholes[base as usize],
            _ if (what as usize) < texts.tables.len() => {
                let table = texts.tables[what as usize];
                if table.is_empty() { table } else { table.split_at(base as usize).1 }
            }
            _ => &[],
        };
        let is_whole = what == Self::WHOLE;
        Step {
            table,
            gather: if gather < texts.gathers.len() { texts.gathers[gather] } else { Gather::NONE },
            over: if is_whole { operand } else { 0 },
            is_skip: is_whole || what == Self::SKIP,
            operand: if is_whole { 0 } else { operand },
            base: if is_whole { u16::MAX } else { base },
        }
    }

    /// The text of the table for a word.
    #[inline(always)]
    pub(crate) fn text(&self, halves: [u64; 2]) -> Option<&'static ShortText> {
        self.table.get(self.gather.number(halves))
    }
}

/// Steps from their bytes.
///
/// # Panics
///
/// At compile time, where there are fewer.
#[doc(hidden)]
#[must_use]
pub const fn steps<const N: usize>(texts: &'static Texts, bytes: &[u8]) -> [Step; N] {
    let none = [Step::SKIP, 0, 0, 0, 0, 0];
    let (mut steps, mut i) = ([Step::new(texts, &none); N], 0);
    while i < N {
        steps[i] = Step::new(texts, &bytes.as_chunks().0[i]);
        i += 1;
    }
    steps
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
