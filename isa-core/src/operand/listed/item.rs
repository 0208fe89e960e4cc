//! The items of a list of names, as a line of `registers!` has them.

use super::build::Counts;
use crate::asm::Line;
use crate::operand::numbered::decimal;
use crate::operand::registers::Run;
use crate::table::ShortText;

/// An item of a list: a name, or a run of numbered ones.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ListItem {
    /// The name; of a run the first.
    pub(super) name: &'static str,
    /// What the names begin with: of a run what stands before the numbers, else all of the name.
    pub(super) prefix: &'static str,
    /// Of a run the number in its first name.
    pub(super) first: Option<u16>,
    /// How many names there are.
    pub(super) count: u16,
    /// What the number of each name is more than that of the one before it.
    pub(super) step: u16,
    /// The number that is said of the name.
    pub(super) number: Option<u8>,
}

impl ListItem {
    /// The item of one name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        ListItem { name, prefix: name, first: None, count: 1, step: 1, number: None }
    }

    /// The name with its number.
    #[must_use]
    pub const fn numbered(self, number: u8) -> Self {
        ListItem { number: Some(number), ..self }
    }

    /// The run from this name to a last, with the step from each number to the next.
    ///
    /// # Panics
    ///
    /// At compile time, where a name has no number at its end, the last has another prefix or a lower
    /// number, or is not reached in steps, and where a number is said of the first.
    #[must_use]
    pub const fn to(self, last: &'static str, step: u8) -> Self {
        let Run { prefix, first, count } = Run::of(self.name, last, step);
        assert!(
            self.number.is_none(),
            "a number is said of one name: write the first name of the run by itself"
        );
        ListItem { prefix, first: Some(first), count, step: step as u16, ..self }
    }

    /// The number at the end of a name, if it is one of a run.
    pub(super) const fn digits(&self, place: u16) -> Option<u16> {
        match self.first {
            Some(first) => Some(first + place * self.step),
            None => None,
        }
    }

    /// The number of the first name of a list that begins with this item: that in the name of a run, else
    /// 0, if none is said.
    pub(super) const fn begin(&self) -> u16 {
        match (self.number, self.first) {
            (Some(number), _) => number as u16,
            (None, Some(first)) => first,
            (None, None) => 0,
        }
    }

    /// The text of a name.
    pub(super) const fn text(&self, place: u16) -> ShortText {
        let text = ShortText::EMPTY.with_str(self.prefix);
        match self.digits(place) {
            Some(number) => text.with_decimal(number),
            None => text,
        }
    }

    /// The length of the last name, which is the longest.
    pub(super) const fn len(&self) -> usize {
        let digits = match self.digits(self.count - 1) {
            None => 0,
            Some(0..10) => 1,
            Some(10..100) => 2,
            Some(_) => 3,
        };
        self.prefix.len() + digits
    }

    /// Which of the names a word is, perhaps in any letter case.
    pub(super) fn place_of(&self, word: &str, any_case: bool) -> Option<u16> {
        let (head, tail) = word.split_at_checked(self.prefix.len())?;
        if !head.eq_ignore_ascii_case(self.prefix) || !any_case && head != self.prefix {
            return None;
        }
        let Some(first) = self.first else { return tail.is_empty().then_some(0) };
        let number = u16::from(decimal(tail)?);
        Counts { first, step: self.step, count: self.count }.bits(number).map(u16::from)
    }

    /// Appends a name.
    pub(super) fn write(&self, place: u16, line: &mut Line) {
        line.push_str(self.prefix);
        if let Some(number) = self.digits(place) {
            line.push_decimal(number.into());
        }
    }
}
