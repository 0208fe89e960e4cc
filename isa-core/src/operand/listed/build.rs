//! Compile-time tables for a line of `registers!` that contains lists of names: their sizes, forms and
//! texts.
//!
//! Each step of these functions costs rustc about a microsecond in each crate that contains the
//! line. Therefore work that is identical for all names of a run is done once, and messages are
//! built only if they are needed.

use super::{ListItem, item::index_of};
use crate::operand::forms::{is_alike, is_word};
use crate::text::Message;

/// The maximum length of a name in bytes, which is the capacity of a `ShortText`.
const MOST: usize = 31;

/// The sizes of the tables for the names of some lists. The first list contains the printed names.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ListSizes {
    /// The number of names.
    pub names: usize,
    /// The number of names in the first list.
    pub written: usize,
    /// The number of names that are not part of a run.
    pub alone: usize,
    /// The number of bytes that is sufficient for the names of the first list.
    pub bytes: usize,
    /// The number of slots in the [`NameKeys`](super::NameKeys) of the names.
    pub slots: usize,
}

impl ListSizes {
    /// Returns the sizes of the tables for the names in `lists`.
    #[must_use]
    pub const fn of(lists: &[&[ListItem]]) -> Self {
        let mut sizes = ListSizes { names: 0, written: 0, alone: 0, bytes: 0, slots: 0 };
        let mut l = 0;
        while l < lists.len() {
            let (list, mut i) = (lists[l], 0);
            while i < list.len() {
                let item = &list[i];
                sizes.names += item.count as usize;
                sizes.alone += item.first.is_none() as usize;
                if l == 0 {
                    sizes.bytes += item.count as usize * item.len();
                }
                i += 1;
            }
            if l == 0 {
                sizes.written = sizes.names;
            }
            l += 1;
        }
        // At most two fifths of the slots contain a name, so nearly any multiplier works.
        sizes.slots = (sizes.names * 5 / 2 + 2).next_power_of_two();
        sizes
    }
}

/// The distinct forms of some lists with `ITEMS` items. The form of an item is its first name.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ListForms<const ITEMS: usize> {
    forms: [&'static str; ITEMS],
    /// A hash of each form.
    keys: [u64; ITEMS],
    count: usize,
}

impl<const ITEMS: usize> ListForms<ITEMS> {
    /// Returns the forms of the names in `lists`.
    #[must_use]
    pub const fn of(lists: &[&[ListItem]]) -> Self {
        let mut all = ListForms { forms: [""; ITEMS], keys: [0; ITEMS], count: 0 };
        let mut l = 0;
        while l < lists.len() {
            let (list, mut i) = (lists[l], 0);
            while i < list.len() {
                all.add(list[i].name);
                i += 1;
            }
            l += 1;
        }
        all
    }

    const fn add(&mut self, name: &'static str) {
        let (bytes, mut key, mut i) = (name.as_bytes(), 0u64, 0);
        while i < bytes.len() {
            // A run of digits has the same hash as any other run of digits.
            if !(bytes[i].is_ascii_digit() && i > 0 && bytes[i - 1].is_ascii_digit()) {
                let byte = if bytes[i].is_ascii_digit() { b'0' } else { bytes[i] };
                key = key.wrapping_mul(0x1_0000_0000_01b3) ^ byte as u64;
            }
            i += 1;
        }
        i = 0;
        while i < self.count {
            if self.keys[i] == key && is_alike(self.forms[i], name) {
                return;
            }
            i += 1;
        }
        self.forms[self.count] = name;
        self.keys[self.count] = key;
        self.count += 1;
    }

    /// Returns the forms.
    #[must_use]
    pub const fn forms(&self) -> &[&'static str] {
        self.forms.split_at(self.count).0
    }
}

/// Returns the number of items in all `lists`.
#[doc(hidden)]
#[must_use]
pub const fn items_of(lists: &[&[ListItem]]) -> usize {
    let (mut items, mut l) = (0, 0);
    while l < lists.len() {
        items += lists[l].len();
        l += 1;
    }
    items
}

/// The names of a list as texts. This is a trait because rustc evaluates an associated constant
/// only for types that use it.
#[doc(hidden)]
pub trait ListNames<const NAMES: usize, const BYTES: usize> {
    /// The items.
    const LIST: &'static [ListItem];

    /// The concatenated texts.
    const SPELLED: Spelled<NAMES, BYTES> = Spelled::of(Self::LIST);

    /// The names.
    const NAMES: [&'static str; NAMES] = Self::SPELLED.names();
}

/// The concatenated texts of `NAMES` names.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Spelled<const NAMES: usize, const BYTES: usize> {
    text: [u8; BYTES],
    /// The end of each name in `text`.
    ends: [u16; NAMES],
}

impl<const NAMES: usize, const BYTES: usize> Spelled<NAMES, BYTES> {
    /// Returns the texts of the names of a list.
    #[must_use]
    pub const fn of(list: &[ListItem]) -> Self {
        let mut all = Spelled { text: [0; BYTES], ends: [0; NAMES] };
        let (mut names, mut len, mut i) = (0, 0, 0);
        while i < list.len() {
            let mut place = 0;
            while place < list[i].count {
                let (text, mut at) = (list[i].text(place), 0);
                while at < text.len() {
                    all.text[len] = text.padded()[at];
                    (len, at) = (len + 1, at + 1);
                }
                all.ends[names] = len as u16;
                (names, place) = (names + 1, place + 1);
            }
            i += 1;
        }
        all
    }

    /// Returns the names.
    #[must_use]
    pub const fn names(&'static self) -> [&'static str; NAMES] {
        let (mut names, mut i, mut start) = ([""; NAMES], 0, 0);
        while i < NAMES {
            let end = self.ends[i] as usize;
            let bytes = self.text.split_at(end).0.split_at(start).1;
            names[i] = match core::str::from_utf8(bytes) {
                Ok(name) => name,
                Err(_) => "",
            };
            start = end;
            i += 1;
        }
        names
    }
}

/// The mapping between the numbers of registers and their bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    /// The number of the first register.
    pub(super) first: u16,
    /// The difference between consecutive numbers.
    pub(super) step: u16,
    /// The number of registers.
    pub(super) count: u16,
}

impl Counts {
    /// Returns the mapping for the first list in `lists`, for a field of `width` bits.
    ///
    /// # Panics
    ///
    /// Panics at compile time if the numbers are not consecutive, or if the field is too narrow.
    pub(super) const fn of(lists: &[&[ListItem]], width: u8) -> Self {
        assert!(width <= 8, "a register field can have at most 8 bits");
        let (list, mut i, mut count) = (lists[0], 0, 0);
        let (first, step) = (list[0].begin(), list[0].step);
        while i < list.len() {
            let (item, follows) = (&list[i], first + count * step);
            let number = match item.number {
                Some(number) => number as u16,
                None => follows,
            };
            if number != follows {
                wrong_number(item, 0, number, Some(follows));
            }
            if item.step != step && item.count > 1 {
                wrong_number(item, 1, number + item.step, Some(follows + step));
            }
            count += item.count;
            if first + (count - 1) * step > 255 {
                wrong_number(item, item.count - 1, first + (count - 1) * step, None);
            }
            i += 1;
        }
        if count > 1 << width {
            let message = Message::new().text("a field of ").number(width as i128);
            let message = message.text(" bits is too narrow for ").number(count as i128);
            panic!("{}", message.text(" registers").as_str())
        }
        Counts { first, step, count }
    }

    /// Returns the bits of the register with the number `number`.
    #[inline]
    pub(super) const fn bits(self, number: u16) -> Option<u8> {
        index_of(number, self.first, self.step, self.count)
    }

    /// Returns the bits of a name whose list assigns it a number.
    ///
    /// # Panics
    ///
    /// Panics at compile time if no register has the number.
    pub(super) const fn bits_of(self, item: &ListItem, place: u16, number: u16) -> u8 {
        match self.bits(number) {
            Some(bits) => bits,
            None => wrong_number(item, place, number, None),
        }
    }
}

/// Panics because a name has the wrong number: either it is not the next number of its list, or no
/// register has the number.
const fn wrong_number(item: &ListItem, place: u16, number: u16, follows: Option<u16>) -> ! {
    let message = Message::new().text("`").text(item.prefix);
    let message = match item.digits(place) {
        Some(digits) => message.number(digits as i128),
        None => message,
    };
    let message = message.text("` has the number ").number(number as i128);
    let message = match (number, follows) {
        (256.., _) => message.text(", expected at most 255"),
        (_, Some(follows)) => {
            let message = message.text(", expected ").number(follows as i128);
            message.text(": numbers in the first list must be consecutive")
        }
        _ => message.text(", which does not occur in the first list"),
    };
    panic!("{}", message.as_str())
}

/// Returns the sign that the names of an item begin with, as one bit.
///
/// # Panics
///
/// Panics at compile time if the names are not valid.
pub(super) const fn sign_of(item: &ListItem) -> u128 {
    let name = item.name.as_bytes();
    let (mut i, mut fits) = (0, item.len() <= MOST && !matches!(name, [] | [b'_'] | [_, b'_']));
    let is_signed = !matches!(name, [first, ..] if is_word(*first));
    if is_signed {
        fits &= matches!(name, [first, _, ..] if first.is_ascii_graphic());
        i = 1;
    }
    while i < name.len() {
        fits &= is_word(name[i]);
        i += 1;
    }
    if !fits {
        let message = Message::new().text("`").text(item.name);
        let message = message.text("` is not a name: expected at most 31 letters, digits and `_`");
        panic!("{}", message.text(", optionally after one sign").as_str())
    }
    match name {
        [first, ..] if is_signed => 1 << *first,
        _ => 0,
    }
}
