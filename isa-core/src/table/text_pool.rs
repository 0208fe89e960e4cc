//! Describes prepared texts, and the perfect-hash multiply that converts bits of a word to the index of
//! a text.

use super::{Field, Init};
use crate::bits::Cube;
use crate::text::ShortText;

/// The tables to which the print steps of the opcodes of one call refer by index.
#[derive(Debug)]
pub struct TextPool {
    /// All prepared texts, table by table. The order is: the common table of the call,
    /// [`Text::ready`](super::Text::ready) of each operand type and format, and the tables of whole
    /// optional groups.
    pub pool: &'static [ShortText],
    /// The number of tables that precede the tables of whole optional groups.
    pub plain: usize,
    /// The number of texts in each table; 0 if the texts are not prepared.
    pub sizes: &'static [usize],
    /// Masked patterns of words in which some fields have their defaults.
    pub defaults: &'static [Cube],
    /// The perfect-hash multiplies that convert bits of the word to an index.
    pub gathers: &'static [BitGather],
}

impl TextPool {
    /// Returns the index in the pool of text `first` of a table. Returns `None` if the table has
    /// fewer texts than `gather` can select.
    pub(super) const fn place(&self, table: usize, first: usize, gather: BitGather) -> Option<u32> {
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

/// Returns the number of texts in each table.
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

/// Returns the sum of `sizes`.
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

/// Concatenates the texts of tables, which have `N` texts in total.
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

/// A perfect-hash multiply that gathers scattered bits into an index. The halves of the word are masked
/// and combined by a bitwise or; the result is multiplied by `magic` and shifted right. The macro
/// checks all values of the bits, so no two values have the same index.
#[derive(Debug, Clone, Copy)]
pub struct BitGather {
    pub(super) masks: [u64; 2],
    pub(super) magic: u64,
    pub(super) shift: u8,
}

impl BitGather {
    /// Uses no bits; the index is always 0.
    pub const NONE: BitGather = BitGather::new([0; 2], 0, 63);

    /// Creates a gather from its masks (low half first), its multiplier and its shift.
    #[must_use]
    pub const fn new(masks: [u64; 2], magic: u64, shift: u8) -> Self {
        BitGather { masks, magic, shift }
    }

    /// Returns the number of possible indexes.
    const fn places(self) -> usize {
        if self.magic == 0 { 1 } else { 1 << (64 - self.shift) }
    }

    /// Returns the index.
    #[inline(always)]
    pub(super) const fn number(self, halves: [u64; 2]) -> u64 {
        let bits = halves[0] & self.masks[0] | halves[1] & self.masks[1];
        bits.wrapping_mul(self.magic) >> (self.shift & 63)
    }
}

/// One part of an optional group. The texts of the whole group are prepared from the texts of its
/// parts.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct GroupPart {
    /// The texts.
    pub texts: &'static [ShortText],
    /// The bits of the whole group's index that form the index of this part's text. Each run of bits
    /// has a shift and a width; the lowest run comes first.
    pub runs: &'static [(u8, u8)],
}

impl GroupPart {
    const fn bits(&self) -> u8 {
        let (mut i, mut bits) = (0, 0);
        while i < self.runs.len() {
            bits += self.runs[i].1;
            i += 1;
        }
        bits
    }

    /// Appends this part's text for an index of the whole group. Returns `None` if the text does not
    /// fit. `texts` contains a text for each value of the bits in `runs`.
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
        if fits { Some(text.with_bytes(part.padded(), part.len())) } else { None }
    }
}

/// Returns the texts of an optional group, followed by the text `behind` that always follows it. The
/// index of a text is gathered from the bits of the group's parts. If all fields have their defaults,
/// the text consists only of `behind`. Returns `None` if the texts of a part are not prepared, or if a
/// text is too long.
#[doc(hidden)]
#[must_use]
pub const fn whole<const N: usize>(
    gather: BitGather,
    defaults: Cube,
    runs: &[(u8, u8)],
    parts: &[GroupPart],
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
        texts[gather.number(crate::bits::halves(word)) as usize] = text.with_str(behind);
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

/// Returns the masked pattern of the words in which the fields with the indexes `places` in `table`
/// have their defaults.
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
