//! The hash table of listed names.
//!
//! A multiplication of a name's bytes yields two slots, and the name is in one of them (cuckoo
//! hashing). A lookup compares the word with both slots at once, so the memory access to one slot does
//! not have to wait for the content of the other.

use super::ListItem;
use super::build::Counts;
use crate::operand::name_range::is_same;
use crate::text::{Message, ShortText};

/// The maximum length of a name in the table, in bytes.
pub(super) const MOST_BYTES: usize = 8;

/// The number of multipliers to try.
const TRIALS: usize = 32;

/// The maximum number of names that an insertion may move before the multiplier is given up.
const MOVES: usize = 32;

/// A table of names with `SLOTS` slots, which is a power of two.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NameKeys<const SLOTS: usize> {
    keys: [u64; SLOTS],
    bits: [u8; SLOTS],
    magic: u64,
    pub(super) counts: Counts,
    /// The signs that names begin with: one bit for each ASCII byte.
    pub(super) signs: u128,
}

impl<const SLOTS: usize> NameKeys<SLOTS> {
    /// Creates the table of the names in `lists`. It contains only names of at most eight bytes. If
    /// no multiplier works, which is rare, all slots are empty.
    ///
    /// # Panics
    ///
    /// Panics at compile time if a name occurs twice or is not valid, or if its number is not the
    /// number of a name in the first list. Also panics if the numbers of the first list are not
    /// consecutive, or if the field with `width` bits is too narrow.
    #[must_use]
    pub const fn new<const NAMES: usize>(lists: &[&[ListItem]], width: u8) -> Self {
        let counts = Counts::of(lists, width);
        let names = NameWords::<NAMES>::of(lists, counts);
        let (mut trial, mut magic) = (0, 0x9e37_79b9_7f4a_7c15u64);
        while trial < TRIALS {
            let mut table =
                NameKeys { keys: [0; SLOTS], bits: [0; SLOTS], magic, counts, signs: names.signs };
            if table.put_all(&names, lists) {
                if names.has_long {
                    assert_differ(lists, MOST_BYTES + 1);
                }
                return table;
            }
            // Knuth's multiplier and increment of MMIX.
            magic =
                magic.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f) | 1;
            trial += 1;
        }
        assert_differ(lists, 0);
        NameKeys { keys: [0; SLOTS], bits: [0; SLOTS], magic: 0, counts, signs: names.signs }
    }

    /// Inserts all `names` into the table. Returns whether this was possible.
    const fn put_all<const NAMES: usize>(
        &mut self,
        names: &NameWords<NAMES>,
        lists: &[&[ListItem]],
    ) -> bool {
        let mut i = 0;
        while i < NAMES {
            let key = names.keys[i];
            if key != 0 {
                let [first, second] = places(key, self.magic, SLOTS);
                if self.keys[first] == key || self.keys[second] == key {
                    assert_differ(lists, 0);
                }
                if self.keys[first] == 0 {
                    (self.keys[first], self.bits[first]) = (key, names.bits[i]);
                } else if !self.put(second, key, names.bits[i]) {
                    return false;
                }
            }
            i += 1;
        }
        true
    }

    /// Inserts a name into a slot, moves the previous name of the slot to its other slot, and so
    /// on. Returns whether all names have a slot.
    const fn put(&mut self, mut at: usize, mut key: u64, mut bits: u8) -> bool {
        let mut moves = 0;
        while moves < MOVES {
            (key, self.keys[at]) = (self.keys[at], key);
            (bits, self.bits[at]) = (self.bits[at], bits);
            if key == 0 {
                return true;
            }
            let [first, second] = places(key, self.magic, SLOTS);
            at = if at == first { second } else { first };
            moves += 1;
        }
        false
    }
}

/// `NAMES` names as bytes, with the bits that they encode.
struct NameWords<const NAMES: usize> {
    /// The bytes of each name, 0 if it has more than eight.
    keys: [u64; NAMES],
    bits: [u8; NAMES],
    signs: u128,
    has_long: bool,
}

impl<const NAMES: usize> NameWords<NAMES> {
    /// Returns the names in `lists`.
    const fn of(lists: &[&[ListItem]], counts: Counts) -> Self {
        let mut all = NameWords { keys: [0; NAMES], bits: [0; NAMES], signs: 0, has_long: false };
        let (mut names, mut l) = (0, 0);
        while l < lists.len() {
            let (list, mut i) = (lists[l], 0);
            let mut number = list[0].begin();
            while i < list.len() {
                let item = &list[i];
                if let Some(said) = item.number {
                    number = said as u16;
                }
                all.signs |= super::build::sign_of(item);
                all.add_item(item, names, number, counts);
                names += item.count as usize;
                number += item.count * item.step;
                i += 1;
            }
            l += 1;
        }
        all
    }

    /// Adds the names of an item. The first one has the number `number`.
    const fn add_item(&mut self, item: &ListItem, at: usize, number: u16, counts: Counts) {
        let prefix = item.prefix.as_bytes();
        let head = if prefix.len() <= MOST_BYTES { key(prefix) } else { 0 };
        let mut place = 0;
        while place < item.count {
            let (digits, len) = match item.digits(place) {
                None => (0, 0),
                Some(number @ 0..10) => (digit(number), 1),
                Some(number @ 10..100) => (digit(number / 10) | digit(number % 10) << 8, 2),
                Some(number) => {
                    let tens = digit(number / 10 % 10) << 8 | digit(number % 10) << 16;
                    (digit(number / 100) | tens, 3)
                }
            };
            let name = at + place as usize;
            match prefix.len() + len <= MOST_BYTES {
                true => self.keys[name] = head | digits.unbounded_shl(8 * prefix.len() as u32),
                false => self.has_long = true,
            }
            self.bits[name] = counts.bits_of(item, place, number + place * item.step);
            place += 1;
        }
    }
}

/// Returns the ASCII character of a digit.
const fn digit(number: u16) -> u64 {
    (b'0' + number as u8) as u64
}

/// Asserts that all names of at least `least` bytes are distinct.
const fn assert_differ(lists: &[&[ListItem]], least: usize) {
    let (mut l, mut seen) = (0, 0);
    while l < lists.len() {
        let (list, mut i) = (lists[l], 0);
        while i < list.len() {
            let mut place = 0;
            while place < list[i].count {
                let text = list[i].text(place);
                if text.len() >= least && stands_before(lists, seen, text) {
                    let message = Message::new().text("`").short(text);
                    panic!(
                        "{}",
                        message.text("` occurs twice in the names of one operand type").as_str()
                    )
                }
                (seen, place) = (seen + 1, place + 1);
            }
            i += 1;
        }
        l += 1;
    }
}

/// Returns whether `text` is among the first `names` names of `lists`.
const fn stands_before(lists: &[&[ListItem]], names: usize, text: ShortText) -> bool {
    let (mut l, mut seen) = (0, 0);
    while l < lists.len() {
        let (list, mut i) = (lists[l], 0);
        while i < list.len() {
            let mut place = 0;
            while place < list[i].count && seen < names {
                if is_same(list[i].text(place).padded(), text.padded()) {
                    return true;
                }
                (seen, place) = (seen + 1, place + 1);
            }
            i += 1;
        }
        l += 1;
    }
    false
}

/// A [`NameKeys`] of any size, for lookups.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slots {
    keys: &'static [u64],
    bits: &'static [u8],
    magic: u64,
    /// The distance by which the product is shifted to get the index of a slot.
    shift: u8,
}

impl Slots {
    /// An empty table.
    pub(super) const NONE: Slots = Slots { keys: &[], bits: &[], magic: 0, shift: 0 };

    /// Returns the slots of a table. If the table is empty, there are no slots.
    pub(super) const fn of<const SLOTS: usize>(table: &'static NameKeys<SLOTS>) -> Self {
        if table.magic == 0 {
            return Self::NONE;
        }
        let NameKeys { keys, bits, magic, .. } = table;
        Slots { keys, bits, magic: *magic, shift: shift(SLOTS) }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the bits of the name whose bytes are `key`.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<u8> {
        let [first, second] = self.places(key);
        let is_first = self.keys.get(first) == Some(&key);
        if is_first | (self.keys.get(second) == Some(&key)) {
            return self.bits.get(if is_first { first } else { second }).copied();
        }
        None
    }

    /// Returns the bits of a name whose bytes are equal to `key` if letter case is ignored.
    pub(super) fn find_in_any_case(&self, key: u64) -> Option<u8> {
        // A word has the same slots in both letter cases.
        let mut places = self.places(key).into_iter();
        let is_same = |at: &usize| {
            let own = self.keys.get(*at).copied().unwrap_or_default();
            own.to_le_bytes().eq_ignore_ascii_case(&key.to_le_bytes())
        };
        self.bits.get(places.find(is_same)?).copied()
    }

    #[inline(always)]
    const fn places(&self, key: u64) -> [usize; 2] {
        by_product(product(key, self.magic), self.shift, self.keys.len())
    }
}

/// The names of a [`Listed`](super::Listed) for comparison as numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListedKey {
    pub(super) slots: Slots,
    /// Whether some names begin with a sign.
    pub(super) has_signs: bool,
}

/// Returns the bytes of a word of at most eight bytes as a number, with the first byte in the
/// lowest bits.
#[inline]
pub(super) const fn key(word: &[u8]) -> u64 {
    let (mut key, mut i) = (0, word.len());
    while i > 0 {
        i -= 1;
        key = key << 8 | word[i] as u64;
    }
    key
}

/// Returns the two slots of the name with the bytes `key` in a table with `slots` slots.
const fn places(key: u64, magic: u64, slots: usize) -> [usize; 2] {
    by_product(product(key, magic), shift(slots), slots)
}

/// Returns the product that the slots are computed from. It is equal for words that differ only in
/// letter case.
#[inline(always)]
const fn product(key: u64, magic: u64) -> u64 {
    (key | 0x2020_2020_2020_2020).wrapping_mul(magic)
}

/// Returns two slots: the highest bits of the product, and the bits below them.
#[inline(always)]
const fn by_product(product: u64, shift: u8, slots: usize) -> [usize; 2] {
    let second = product >> (shift.wrapping_add(shift) & 63);
    [(product >> (shift & 63)) as usize, second as usize & slots.wrapping_sub(1)]
}

/// Returns the distance by which a product is shifted for `slots` slots.
const fn shift(slots: usize) -> u8 {
    64 - slots.trailing_zeros() as u8
}
