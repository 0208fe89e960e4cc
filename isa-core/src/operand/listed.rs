//! Operand names from a list, such as the names of a calling convention: `zero`, `ra`, `sp`.

use super::forms::{are_forms_of, is_word};
use crate::IS_SMALL;
use crate::text::{Cursor, Line, OperandError, ShortText, Window};

mod build;
mod item;
mod keys;

use build::Counts;
pub use build::{ListForms, ListNames, ListSizes, Spelled, items_of};
pub use item::ListItem;
pub(crate) use keys::ListedKey;
pub use keys::NameKeys;
use keys::Slots;

/// Names of registers in the order of their numbers, and further names that are accepted but never
/// printed.
///
/// A line of [`registers!`](crate::registers) with a list defines one, and the operand type
/// contains it as [`OperandKind::LISTED`](super::OperandKind::LISTED). Another operand type with
/// the same names can use that constant.
///
/// ```
/// use isa_core::text::{Cursor, OperandError, Line};
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
///     fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
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
    /// The printed names, followed by lists of other names.
    lists: &'static [&'static [ListItem]],
    counts: Counts,
    /// The lookup table of the names. Empty if names are found by a linear search.
    slots: Slots,
    /// The signs that names begin with: one bit for each ASCII byte.
    signs: u128,
    /// The message for a name that does not exist.
    unknown: &'static str,
    /// The message for a name in the wrong letter case.
    letter_case: &'static str,
}

impl Listed {
    /// Creates the names of `lists` from their lookup table `keys`. `unknown` is the message for a
    /// name that does not exist, and `letter_case` the message for a name in the wrong letter case.
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

    /// Returns the number of the name that is encoded as `bits`. If `bits` encodes no name, returns
    /// an arbitrary number.
    #[inline]
    #[must_use]
    pub const fn number(&self, bits: u8) -> u8 {
        (self.counts.first as u8).wrapping_add((self.counts.step as u8).wrapping_mul(bits))
    }

    /// Returns the bits of the name with the number `number`; `None` if there is no such name.
    #[inline]
    #[must_use]
    pub const fn bits(&self, number: u8) -> Option<u8> {
        self.counts.bits(number as u16)
    }

    /// Parses a name. Returns its bits.
    ///
    /// # Errors
    ///
    /// Returns an error for a word that is not one of the names.
    #[inline]
    pub fn read(&self, cursor: &mut Cursor<'_>) -> Result<u8, OperandError> {
        let word = self.word(cursor);
        match self.find(word) {
            Some(bits) => Ok(bits),
            None => self.read_otherwise(cursor, word),
        }
    }

    /// Parses a word, including the sign before it if some names begin with that sign.
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
        // `word` would skip white space between the sign and the rest.
        if cursor.rest().first().is_some_and(|&byte| is_word(byte)) {
            cursor.word();
        }
        cursor.text().get(start..cursor.position()).unwrap_or_default()
    }

    /// Returns the bits of the name that is equal to `word`.
    #[inline]
    fn find(&self, word: &str) -> Option<u8> {
        match self.key_of(word) {
            Some(key) => self.slots.find(key),
            None => self.search(word, false),
        }
    }

    /// Returns the lookup key of a word; `None` if the names must be searched.
    #[inline]
    fn key_of(&self, word: &str) -> Option<u64> {
        let has_key =
            !IS_SMALL && !self.slots.is_empty() && (1..=keys::MOST_BYTES).contains(&word.len());
        has_key.then(|| keys::key(word.as_bytes()))
    }

    /// Searches the first name that is equal to `word`, optionally in any letter case. Returns its
    /// bits.
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

    /// Parses a word that is not a name in its exact spelling: if the set ignores letter case, it
    /// may be a name in another letter case.
    #[cold]
    fn read_otherwise(&self, cursor: &Cursor<'_>, word: &str) -> Result<u8, OperandError> {
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

    /// Prints the name that is encoded as `bits`, or nothing if there is no such name.
    pub fn write(&self, bits: u8, line: &mut Line) {
        let mut place = u16::from(bits);
        for item in self.lists.first().copied().unwrap_or_default() {
            if place < item.count {
                return item.write(place, line);
            }
            place -= item.count;
        }
    }

    /// Returns all printed names by their bits, for `READY` of the operand type. For bits without a
    /// name the text is empty.
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

    /// Returns the length of the longest printed name.
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

    /// Returns the names that are not part of a run, with their bits, for `NAMED` of the operand
    /// type.
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

    /// Returns whether each name begins like one of the forms.
    pub(crate) const fn are_said_by(&self, forms: &[&str]) -> bool {
        let mut l = 0;
        while l < self.lists.len() {
            let (list, mut i) = (self.lists[l], 0);
            while i < list.len() {
                // The names of a run differ only in their numbers, so the first name is sufficient.
                if !are_forms_of(forms, list[i].name) {
                    return false;
                }
                i += 1;
            }
            l += 1;
        }
        true
    }

    /// Returns the names in the form that the fast parser uses; `None` if the names must be
    /// searched.
    pub(crate) const fn key(&self) -> Option<ListedKey> {
        match self.slots.is_empty() {
            true => None,
            false => Some(ListedKey { slots: self.slots, has_signs: self.signs != 0 }),
        }
    }
}

impl ListedKey {
    /// Parses the name at a position of the window. Returns its bits and its length. `None` means
    /// that the general parser must decide.
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

/// Returns the bytes of a sign and the word after it, and their length; `None` if there are more
/// than 8 bytes.
#[inline(always)]
fn signed(window: Window<'_>, at: usize) -> Option<(u64, usize)> {
    let (key, len) = window.short_word(at + 1)?;
    (len < 8).then_some((key << 8 | u64::from(window.byte(at)), len + 1))
}

/// Returns whether a set of ASCII bytes contains a byte.
const fn has(bytes: u128, byte: u8) -> bool {
    byte < 128 && bytes >> byte & 1 == 1
}

#[cfg(test)]
mod tests;
