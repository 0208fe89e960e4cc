//! Ready texts, and how bits of a word number them.

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
    pub const fn with_str(self, text: &str) -> Self {
        self.with_bytes(text.as_bytes(), text.len())
    }

    /// The text with the first of some bytes behind it, as far as there is room.
    pub(crate) const fn with_bytes(self, more: &[u8], count: usize) -> Self {
        let ShortText(mut bytes) = self;
        let (mut len, mut i) = (self.len(), 0);
        while i < count && len < Self::SIZE - 1 {
            bytes[len] = more[i];
            len += 1;
            i += 1;
        }
        bytes[Self::SIZE - 1] = len as u8;
        ShortText(bytes)
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
        self.len_byte() as usize
    }

    /// The length as it is stored.
    #[inline(always)]
    pub(crate) const fn len_byte(&self) -> u8 {
        self.0[Self::SIZE - 1]
    }

    /// Whether this is no text.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first seven bytes as one number, the first lowest, and in its highest byte how many there
    /// are in all.
    pub(super) const fn head(&self) -> u64 {
        let [a, b, c, d, e, f, g, ..] = self.0;
        u64::from_le_bytes([a, b, c, d, e, f, g, self.len_byte()])
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
    /// All ready texts, those of one table behind one another. First the tables of the call, then
    /// of each way to write an operand [`Text::ready`](super::Text::ready), then those of whole
    /// optional parts.
    pub pool: &'static [ShortText],
    /// How many tables are not those of whole parts.
    pub plain: usize,
    /// How many texts each table has; none where a kind's texts are not ready.
    pub sizes: &'static [usize],
    /// Words in which some fields have their defaults.
    pub defaults: &'static [Cube],
    /// How bits of the word number the texts of a table.
    pub gathers: &'static [Gather],
}

impl Texts {
    /// Where in the pool the texts of a table begin that are taken from the number `first` on.
    /// `None` where the table has fewer texts than the gather can number.
    pub(super) const fn place(&self, table: usize, first: usize, gather: Gather) -> Option<u32> {
        if table >= self.sizes.len() || first + gather.places() > self.sizes[table] {
            return None;
        }
        let (mut start, mut i) = (first, 0);
        while i < table {
            start += self.sizes[i];
            i += 1;
        }
        Some(start as u32)
    }
}

/// How many texts some tables have.
#[doc(hidden)]
#[must_use]
pub const fn sizes<const N: usize>(tables: &[&[ShortText]; N]) -> [usize; N] {
    let (mut sizes, mut i) = ([0; N], 0);
    while i < N {
        sizes[i] = tables[i].len();
        i += 1;
    }
    sizes
}

/// The sum of some numbers.
#[doc(hidden)]
#[must_use]
pub const fn sum(sizes: &[usize]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < sizes.len() {
        sum += sizes[i];
        i += 1;
    }
    sum
}

/// The texts of some tables, which have `N` together, one behind the other.
#[doc(hidden)]
#[must_use]
pub const fn pool<const N: usize>(tables: &[&[ShortText]]) -> [ShortText; N] {
    let (mut pool, mut len, mut i) = ([ShortText::EMPTY; N], 0, 0);
    while i < tables.len() {
        pool.split_at_mut(len).1.split_at_mut(tables[i].len()).0.copy_from_slice(tables[i]);
        len += tables[i].len();
        i += 1;
    }
    pool
}

/// How bits that lie apart become a number: those under the masks, one half laid over the other,
/// times `magic`, shifted right. The macro has tried all values of the bits: no two give one number.
#[derive(Debug, Clone, Copy)]
pub struct Gather {
    pub(super) masks: [u64; 2],
    pub(super) magic: u64,
    pub(super) shift: u8,
}

impl Gather {
    /// No bits: always 0.
    pub const NONE: Gather = Gather::new([0; 2], 0, 63);

    /// A gather from its masks, that of the low half first, its multiplier and its shift.
    #[must_use]
    pub const fn new(masks: [u64; 2], magic: u64, shift: u8) -> Self {
        Gather { masks, magic, shift }
    }

    /// How many numbers there are.
    const fn places(self) -> usize {
        if self.magic == 0 { 1 } else { 1 << (64 - self.shift) }
    }

    /// The number.
    #[inline(always)]
    pub(super) const fn number(self, halves: [u64; 2]) -> u64 {
        let bits = halves[0] & self.masks[0] | halves[1] & self.masks[1];
        bits.wrapping_mul(self.magic) >> (self.shift & 63)
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

    /// Appends the text for a number of the whole; `None` where there is no room for it. There is a text
    /// for each value of the bits.
    const fn append(&self, text: ShortText, number: usize) -> Option<ShortText> {
        let (mut value, mut below, mut i) = (0, 0, 0);
        while i < self.runs.len() {
            let (shift, width) = self.runs[i];
            value |= (number >> shift & ((1 << width) - 1)) << below;
            below += width;
            i += 1;
        }
        let part = &self.texts[value];
        let fits = text.len() + part.len() < ShortText::SIZE;
        if fits { Some(text.with_bytes(&part.0, part.len())) } else { None }
    }
}

/// The texts of an optional part and of what always stands behind it, by the number that is gathered
/// from some runs of bits; for the defaults without the part. `None` where a part has not all its
/// texts ready, or one is too long.
#[doc(hidden)]
#[must_use]
pub const fn whole<const N: usize>(
    gather: Gather,
    defaults: Cube,
    runs: &[(u8, u8)],
    parts: &[Part],
    behind: &str,
) -> Option<[ShortText; N]> {
    let (mut texts, mut number, mut part) = ([ShortText::EMPTY; N], 0, 0);
    while part < parts.len() {
        if parts[part].texts.len() != 1 << parts[part].bits() {
            return None;
        }
        part += 1;
    }
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
        if text.len() + behind.len() >= ShortText::SIZE {
            return None;
        }
        texts[gather.number(super::halves(word)) as usize] = text.with_str(behind);
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
    let (chunks, mut texts, mut i) = (bytes.as_chunks().0, [ShortText::EMPTY; N], 0);
    while i < N {
        texts[i] = ShortText(chunks[i]);
        i += 1;
    }
    texts
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
