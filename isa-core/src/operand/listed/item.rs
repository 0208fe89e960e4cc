//! The items of a list of names in a line of `registers!`.

use crate::operand::name_range::{NameRange, decimal};
use crate::text::{Line, ShortText};

/// An item of a list: one name, or a run of numbered names.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ListItem {
    /// The name; for a run, its first name.
    pub(super) name: &'static str,
    /// The beginning of the names: for a run the text before the numbers, otherwise the complete
    /// name.
    pub(super) prefix: &'static str,
    /// For a run, the number in its first name.
    pub(super) first: Option<u16>,
    /// The number of names.
    pub(super) count: u16,
    /// The difference between the numbers of consecutive names.
    pub(super) step: u16,
    /// The number that is declared for the name.
    pub(super) number: Option<u8>,
}

impl ListItem {
    /// Returns the item of one name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        ListItem { name, prefix: name, first: None, count: 1, step: 1, number: None }
    }

    /// Declares the number of the name.
    #[must_use]
    pub const fn numbered(self, number: u8) -> Self {
        ListItem { number: Some(number), ..self }
    }

    /// Returns the run from this name to `last`, with `step` between consecutive numbers.
    ///
    /// # Panics
    ///
    /// Panics at compile time if a name does not end with a number, or if a number is declared for the
    /// first name. Also panics if `last` has another prefix or a lower number, or if its number is not
    /// a whole number of steps after the first.
    #[must_use]
    pub const fn to(self, last: &'static str, step: u8) -> Self {
        let NameRange { prefix, first, count } = NameRange::of(self.name, last, step);
        assert!(
            self.number.is_none(),
            "a run cannot have a number: write its first name separately"
        );
        ListItem { prefix, first: Some(first), count, step: step as u16, ..self }
    }

    /// Returns the number at the end of a name, if the item is a run.
    pub(super) const fn digits(&self, place: u16) -> Option<u16> {
        match self.first {
            Some(first) => Some(first + place * self.step),
            None => None,
        }
    }

    /// Returns the number of the first name in a list that begins with this item. If no number is
    /// declared, it is the number in the first name of a run, or 0 if the item is not a run.
    pub(super) const fn begin(&self) -> u16 {
        match (self.number, self.first) {
            (Some(number), _) => number as u16,
            (None, Some(first)) => first,
            (None, None) => 0,
        }
    }

    /// Returns the text of a name.
    pub(super) const fn text(&self, place: u16) -> ShortText {
        let text = ShortText::EMPTY.with_str(self.prefix);
        match self.digits(place) {
            Some(number) => text.with_decimal(number),
            None => text,
        }
    }

    /// Returns the length of the last name, which is the longest.
    pub(super) const fn len(&self) -> usize {
        let digits = match self.digits(self.count - 1) {
            None => 0,
            Some(0..10) => 1,
            Some(10..100) => 2,
            Some(_) => 3,
        };
        self.prefix.len() + digits
    }

    /// Returns the index of the name that is equal to a word, optionally in any letter case.
    pub(super) fn place_of(&self, word: &str, any_case: bool) -> Option<u16> {
        let (head, tail) = word.split_at_checked(self.prefix.len())?;
        if !head.eq_ignore_ascii_case(self.prefix) || !any_case && head != self.prefix {
            return None;
        }
        let Some(first) = self.first else { return tail.is_empty().then_some(0) };
        let number = u16::from(decimal(tail)?);
        index_of(number, first, self.step, self.count).map(u16::from)
    }

    /// Prints a name.
    pub(super) fn write(&self, place: u16, line: &mut Line) {
        line.push_str(self.prefix);
        if let Some(number) = self.digits(place) {
            line.push_decimal(number.into());
        }
    }
}

/// Returns the index of `number` among `count` numbers from `first` on, with `step` between them.
#[inline]
pub(super) const fn index_of(number: u16, first: u16, step: u16, count: u16) -> Option<u8> {
    if number < first {
        return None;
    }
    let index = match step {
        0 | 1 => number - first,
        step if (number - first).is_multiple_of(step) => (number - first) / step,
        _ => return None,
    };
    if index < count { Some(index as u8) } else { None }
}
