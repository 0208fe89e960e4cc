//! Where a name stands in a table, by its bytes.
//!
//! A name has two slots, which a multiplication of its bytes gives, and stands in one of them. Whoever looks
//! for a word compares it with both, so that no slot is asked for by what another has.

use super::ListItem;
use super::build::Counts;
use crate::operand::message::Message;
use crate::operand::numbered::is_same;
use crate::table::ShortText;

/// The most bytes of a name that stands in a table.
pub(super) const MOST_BYTES: usize = 8;

/// How many multipliers are tried.
const TRIALS: usize = 32;

/// How often a name may be put in the place of another until a multiplier is given up.
const MOVES: usize = 32;

/// A table of names in so many slots, which are a power of two.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NameKeys<const SLOTS: usize> {
    keys: [u64; SLOTS],
    bits: [u8; SLOTS],
    magic: u64,
    pub(super) counts: Counts,
    /// The signs that names begin with, a bit for each byte of ASCII.
    pub(super) signs: u128,
}

impl<const SLOTS: usize> NameKeys<SLOTS> {
    /// The table of the names of some lists of at most eight bytes. Where no multiplier serves, which is
    /// rare, all slots are empty.
    ///
    /// # Panics
    ///
    /// At compile time, where a name stands twice, or has a number that none of the first list has; where
    /// those of the first list are not consecutive, the field of so many bits is too narrow, or a text is no
    /// name.
    #[must_use]
    pub const fn new<const NAMES: usize>(lists: &[&[ListItem]], width: u8) -> Self {
        let counts = Counts::of(lists, width);
        let names = Words::<NAMES>::of(lists, counts);
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
            // The multiplier and the summand are Knuth's of MMIX.
            magic =
                magic.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f) | 1;
            trial += 1;
        }
        assert_differ(lists, 0);
        NameKeys { keys: [0; SLOTS], bits: [0; SLOTS], magic: 0, counts, signs: names.signs }
    }

    /// Puts all names in; gives whether they can share the slots.
    const fn put_all<const NAMES: usize>(
        &mut self,
        names: &Words<NAMES>,
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

    /// Puts a name in a slot, and what stood there in its other one, and so on. Gives whether all have found
    /// a place.
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

/// So many names by their bytes, with the bits that they stand for.
struct Words<const NAMES: usize> {
    /// The bytes of each name, 0 where it has more than eight.
    keys: [u64; NAMES],
    bits: [u8; NAMES],
    signs: u128,
    has_long: bool,
}

impl<const NAMES: usize> Words<NAMES> {
    /// The names of some lists.
    const fn of(lists: &[&[ListItem]], counts: Counts) -> Self {
        let mut all = Words { keys: [0; NAMES], bits: [0; NAMES], signs: 0, has_long: false };
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

    /// Adds the names of an item, the first of which has a number.
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

/// A digit as it is written.
const fn digit(number: u16) -> u64 {
    (b'0' + number as u8) as u64
}

/// Asserts that names of at least so many bytes differ.
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
                    let message = message.text("` stands twice in the names of one kind: ");
                    panic!("{}", message.text("a name is one register's").as_str())
                }
                (seen, place) = (seen + 1, place + 1);
            }
            i += 1;
        }
        l += 1;
    }
}

/// Whether a text is one of the first names of some lists.
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

/// [`NameKeys`] of any size, to be looked up in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slots {
    keys: &'static [u64],
    bits: &'static [u8],
    magic: u64,
    /// How far the product is shifted, leaving the number of a slot.
    shift: u8,
}

impl Slots {
    /// No names.
    pub(super) const NONE: Slots = Slots { keys: &[], bits: &[], magic: 0, shift: 0 };

    /// The slots of a table; none where no name stands in it.
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

    /// The bits of the name with these bytes.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<u8> {
        let [first, second] = self.places(key);
        let is_first = self.keys.get(first) == Some(&key);
        if is_first | (self.keys.get(second) == Some(&key)) {
            return self.bits.get(if is_first { first } else { second }).copied();
        }
        None
    }

    /// The bits of a name with these bytes in any letter case.
    pub(super) fn find_in_any_case(&self, key: u64) -> Option<u8> {
        // In both letter cases a word has the same slots.
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

/// [`Listed`](super::Listed) names, to be compared as numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListedKey {
    pub(super) slots: Slots,
    /// Whether some names begin with a sign.
    pub(super) has_signs: bool,
}

/// The bytes of a word of at most eight, the first lowest.
#[inline]
pub(super) const fn key(word: &[u8]) -> u64 {
    let (mut key, mut i) = (0, word.len());
    while i > 0 {
        i -= 1;
        key = key << 8 | word[i] as u64;
    }
    key
}

/// The two slots of a name with these bytes among so many.
const fn places(key: u64, magic: u64, slots: usize) -> [usize; 2] {
    by_product(product(key, magic), shift(slots), slots)
}

/// What the slots are numbered by: alike for words that differ in letter case alone.
#[inline(always)]
const fn product(key: u64, magic: u64) -> u64 {
    (key | 0x2020_2020_2020_2020).wrapping_mul(magic)
}

/// The highest bits, and those behind them.
#[inline(always)]
const fn by_product(product: u64, shift: u8, slots: usize) -> [usize; 2] {
    let second = product >> (shift.wrapping_add(shift) & 63);
    [(product >> (shift & 63)) as usize, second as usize & slots.wrapping_sub(1)]
}

/// How far a product is shifted for so many slots.
const fn shift(slots: usize) -> u8 {
    64 - slots.trailing_zeros() as u8
}
