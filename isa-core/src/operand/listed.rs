//! Names that are listed, as those of the calling convention are: `zero`, `ra`, `sp`.

use super::forms::{are_forms_of, is_word};
use crate::asm::{Cursor, Fault, Line, Window};
use crate::table::{IS_SMALL, ShortText};

mod build;
mod item;
mod keys;

use build::Counts;
pub use build::{ListForms, ListNames, ListSizes, Spelled, items_of};
pub use item::ListItem;
pub(crate) use keys::ListedKey;
pub use keys::NameKeys;
use keys::Slots;

/// Names of registers in the order of their numbers, and others that are read and not written.
///
/// A line of [`registers!`](crate::registers) with a list makes one of it, which the kind has as
/// [`OperandKind::LISTED`](super::OperandKind::LISTED); another kind with the same names takes it
/// from there.
///
/// ```
/// use isa_core::asm::{Cursor, Fault, Line};
/// use isa_core::operand::{Listed, OperandKind, parse};
/// use isa_core::table::ShortText;
///
/// isa_core::registers! {
///     /// A register.
///     pub Reg: 2 = "zero", "ra", "a0" to "a1" or "x0" to "x3" of u32;
/// }
///
/// /// A register by its name, of which the machine takes the number.
/// #[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// pub struct Number(Reg);
///
/// impl OperandKind for Number {
///     type Value = u8;
///     const WIDTH: u8 = Reg::WIDTH;
///     const EXPECTS: &'static str = Reg::EXPECTS;
///     const MAX_LEN: usize = Reg::MAX_LEN;
///     const FORMS: &'static [&'static str] = Reg::FORMS;
///     const LISTED: Option<&'static Listed> = Reg::LISTED;
///     const READY: &'static [ShortText] = Reg::READY;
///     fn from_bits(raw: u64) -> Self {
///         Number(Reg::from_bits(raw))
///     }
///     fn to_bits(self) -> u64 {
///         self.0.to_bits()
///     }
///     fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
///         Reg::read(cursor).map(Number)
///     }
///     fn write(self, line: &mut Line) {
///         self.0.write(line);
///     }
/// }
///
/// assert_eq!(parse::<Number>("x2"), parse::<Number>("a0"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    /// The names that are written, and behind them lists of others.
    lists: &'static [&'static [ListItem]],
    counts: Counts,
    /// The names by their bytes; empty where they are searched for.
    slots: Slots,
    /// The signs that names begin with, a bit for each byte of ASCII.
    signs: u128,
    /// The message about a name that does not exist.
    unknown: &'static str,
    /// The message about a name in the wrong letter case.
    letter_case: &'static str,
}

impl Listed {
    /// The names of some lists by their table, and the messages about a name that does not exist and about
    /// one in the wrong letter case.
    #[doc(hidden)]
    #[must_use]
    pub const fn new<const SLOTS: usize>(
        lists: &'static [&'static [ListItem]],
        keys: &'static NameKeys<SLOTS>,
        [unknown, letter_case]: [&'static str; 2],
    ) -> Self {
        let NameKeys { counts, signs, .. } = *keys;
        let slots = if IS_SMALL { Slots::NONE } else { Slots::of(keys) };
        Listed { lists, counts, slots, signs, unknown, letter_case }
    }

    /// The number of the name with these bits. Bits that no name has give some number.
    #[inline]
    #[must_use]
    pub const fn number(&self, bits: u8) -> u8 {
        (self.counts.first as u8).wrapping_add((self.counts.step as u8).wrapping_mul(bits))
    }

    /// The bits of the name with this number; `None` where there is none.
    #[inline]
    #[must_use]
    pub const fn bits(&self, number: u8) -> Option<u8> {
        self.counts.bits(number as u16)
    }

    /// Reads a name, and gives its bits.
    ///
    /// # Errors
    ///
    /// Any other word.
    #[inline]
    pub fn read(&self, cursor: &mut Cursor<'_>) -> Result<u8, Fault> {
        let word = self.word(cursor);
        match self.find(word) {
            Some(bits) => Ok(bits),
            None => self.read_otherwise(cursor, word),
        }
    }

    /// Takes a word, with the sign before it where names begin with such a sign.
    #[inline]
    fn word<'t>(&self, cursor: &mut Cursor<'t>) -> &'t str {
        if self.signs == 0 {
            return cursor.word();
        }
        cursor.skip_trivia();
        let start = cursor.position();
        if cursor.rest().first().is_some_and(|&byte| has(self.signs, byte)) {
            cursor.seek(start + 1);
        }
        // A blank between the sign and the rest would be skipped.
        if cursor.rest().first().is_some_and(|&byte| is_word(byte)) {
            cursor.word();
        }
        cursor.text().get(start..cursor.position()).unwrap_or_default()
    }

    /// The bits of the name that is this word.
    #[inline]
    fn find(&self, word: &str) -> Option<u8> {
        match self.key_of(word) {
            Some(key) => self.slots.find(key),
            None => self.search(word, false),
        }
    }

    /// What a word is looked up by; `None` where it is searched for.
    #[inline]
    fn key_of(&self, word: &str) -> Option<u64> {
        let has_key =
            !IS_SMALL && !self.slots.is_empty() && (1..=keys::MOST_BYTES).contains(&word.len());
        has_key.then(|| keys::key(word.as_bytes()))
    }

    /// The bits of the first name that is this word, perhaps in any letter case.
    #[inline(never)]
    fn search(&self, word: &str, any_case: bool) -> Option<u8> {
        for list in self.lists {
            let mut number = list.first()?.begin();
            for item in *list {
                number = item.number.map_or(number, u16::from);
                if let Some(place) = item.place_of(word, any_case) {
                    return self.counts.bits(number + place * item.step);
                }
                number += item.count * item.step;
            }
        }
        None
    }

    /// Reads a word that is no name as it stands: one in another letter case, where the set reads
    /// any.
    #[cold]
    fn read_otherwise(&self, cursor: &Cursor<'_>, word: &str) -> Result<u8, Fault> {
        let bits = match self.key_of(word) {
            Some(key) => self.slots.find_in_any_case(key),
            None => self.search(word, true),
        };
        let message = match bits {
            Some(bits) if cursor.any_case() => return Ok(bits),
            Some(_) => self.letter_case,
            None => self.unknown,
        };
        Err(cursor.fault(cursor.position() - word.len(), message))
    }

    /// Appends the name with these bits; nothing where there is none.
    pub fn write(&self, bits: u8, line: &mut Line) {
        let mut place = u16::from(bits);
        for item in self.lists.first().copied().unwrap_or_default() {
            if place < item.count {
                return item.write(place, line);
            }
            place -= item.count;
        }
    }

    /// All names that are written by their bits, for `READY` of the kind; no text for bits without a
    /// name.
    #[must_use]
    pub const fn ready<const N: usize>(&self) -> [ShortText; N] {
        let (list, mut texts, mut bits, mut i) = (self.lists[0], [ShortText::EMPTY; N], 0, 0);
        while i < list.len() {
            let mut place = 0;
            while place < list[i].count && bits < N {
                texts[bits] = list[i].text(place);
                (bits, place) = (bits + 1, place + 1);
            }
            i += 1;
        }
        texts
    }

    /// The length of the longest name that is written.
    #[doc(hidden)]
    #[must_use]
    pub const fn longest(&self) -> usize {
        let (list, mut longest, mut i) = (self.lists[0], 0, 0);
        while i < list.len() {
            if list[i].len() > longest {
                longest = list[i].len();
            }
            i += 1;
        }
        longest
    }

    /// The names that are in no run with their bits, for `NAMED` of the kind.
    #[doc(hidden)]
    #[must_use]
    pub const fn named<const N: usize>(&self) -> [(&'static str, u64); N] {
        let (mut named, mut n, mut l) = ([("", 0); N], 0, 0);
        while l < self.lists.len() {
            let (list, mut i) = (self.lists[l], 0);
            let mut number = list[0].begin();
            while i < list.len() {
                let item = &list[i];
                if let Some(said) = item.number {
                    number = said as u16;
                }
                if item.first.is_none() {
                    named[n] = (item.name, self.counts.bits_of(item, 0, number) as u64);
                    n += 1;
                }
                number += item.count * item.step;
                i += 1;
            }
            l += 1;
        }
        named
    }

    /// Whether some form says of each name that it begins so.
    pub(crate) const fn are_said_by(&self, forms: &[&str]) -> bool {
        let mut l = 0;
        while l < self.lists.len() {
            let (list, mut i) = (self.lists[l], 0);
            while i < list.len() {
                // The names of a run have one form.
                if !are_forms_of(forms, list[i].name) {
                    return false;
                }
                i += 1;
            }
            l += 1;
        }
        true
    }

    /// The names as the reader compares them; `None` where they are searched for.
    pub(crate) const fn key(&self) -> Option<ListedKey> {
        match self.slots.is_empty() {
            true => None,
            false => Some(ListedKey { slots: self.slots, has_signs: self.signs != 0 }),
        }
    }
}

impl ListedKey {
    /// The bits that the text at a place stands for, and the length of the text. `None` says nothing.
    #[inline(always)]
    pub(crate) fn read(&self, window: Window<'_>, at: usize) -> Option<(u64, usize)> {
        let (key, len) = match window.short_word(at) {
            Some(word) => word,
            None if self.has_signs => signed(window, at)?,
            None => return None,
        };
        Some((self.slots.find(key)?.into(), len))
    }
}

/// The bytes of a sign and the word behind it, and their length; `None` where both have more than 8.
#[inline(always)]
fn signed(window: Window<'_>, at: usize) -> Option<(u64, usize)> {
    let (key, len) = window.short_word(at + 1)?;
    (len < 8).then_some((key << 8 | u64::from(window.byte(at)), len + 1))
}

/// Whether a byte is among some of ASCII.
const fn has(bytes: u128, byte: u8) -> bool {
    byte < 128 && bytes >> byte & 1 == 1
}

#[cfg(test)]
mod tests;
