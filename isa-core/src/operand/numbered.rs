//! Operand names that consist of a prefix and a number, like the registers of most instruction
//! sets.

use super::name_range::{decimal, is_same};
use crate::operand::Chunk;
use crate::text::{Cursor, Line, OperandError, ShortText, Window};

/// The names of a register file: names that consist of a prefix and a number, and one special name.
///
/// An operand type can use its methods to parse and print the names.
///
/// ```
/// use isa_core::text::Cursor;
/// use isa_core::operand::Numbered;
///
/// const BARRIERS: Numbered = Numbered {
///     prefix: "B",
///     first: 0,
///     step: 1,
///     count: 16,
///     last: "BX",
///     unknown: "no such barrier: expected `B0` to `B15`, or `BX`",
///     letter_case: "barriers are written in upper case",
/// };
/// assert_eq!(BARRIERS.read(&mut Cursor::new("B15")), Ok(15));
/// assert_eq!(BARRIERS.read(&mut Cursor::new("BX")), Ok(16));
/// assert!(BARRIERS.read(&mut Cursor::new("B16")).is_err());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Numbered {
    /// The text before the number.
    pub prefix: &'static str,
    /// The number of the first name, whose bits are 0.
    pub first: u8,
    /// The difference between consecutive numbers; at least 1.
    pub step: u8,
    /// The number of names without the special name, at most 256, or 255 if there is a special name.
    pub count: u16,
    /// The special name, such as `RZ` next to `R0` or `sp` next to `x0`. Its bits are `count`.
    /// Empty if there is none.
    pub last: &'static str,
    /// The message for a name that does not exist.
    pub unknown: &'static str,
    /// The message for a name in the wrong letter case.
    pub letter_case: &'static str,
}

impl Numbered {
    /// Returns whether the text looks like one of the names: it begins with the prefix in either letter
    /// case and a digit, or with the special name.
    #[inline]
    #[must_use]
    pub fn looks_like(&self, cursor: &Cursor<'_>) -> bool {
        let (prefix, rest) = (self.prefix.as_bytes(), cursor.rest());
        let is_number = rest.split_at_checked(prefix.len()).is_some_and(|(head, tail)| {
            head.eq_ignore_ascii_case(prefix) && tail.first().is_some_and(u8::is_ascii_digit)
        });
        is_number || self.is_special(rest)
    }

    /// Returns the number of the name that is encoded as `bits`. The number of the special name is
    /// the number that would follow the last number. If `bits` encodes no name, returns an
    /// arbitrary number.
    #[inline]
    #[must_use]
    pub const fn number(&self, bits: u8) -> u8 {
        self.first.wrapping_add(self.step.wrapping_mul(bits))
    }

    /// Returns the bits of the name with the number `number`; `None` if there is no such name.
    ///
    /// ```
    /// use isa_core::operand::Numbered;
    ///
    /// const PAIRS: Numbered =
    ///     Numbered { prefix: "r", first: 24, step: 2, count: 4, last: "", unknown: "", letter_case: "" };
    /// assert_eq!([24, 30].map(|number| PAIRS.bits(number)), [Some(0), Some(3)]);
    /// assert_eq!([22, 25, 32].map(|number| PAIRS.bits(number)), [None; 3]);
    /// ```
    #[inline]
    #[must_use]
    pub const fn bits(&self, number: u8) -> Option<u8> {
        // For most register files the bits are the number itself.
        let bits = match (number.checked_sub(self.first), self.step) {
            (None, _) => return None,
            (Some(bits), 0 | 1) => bits,
            (Some(distance), step) if distance % step == 0 => distance / step,
            (Some(_), _) => return None,
        };
        if (bits as u16) < self.count { Some(bits) } else { None }
    }

    /// Returns whether `forms` are exactly the prefix with a number and, if there is a special name,
    /// the special name.
    pub(crate) const fn has_forms(&self, forms: &[&str]) -> bool {
        let (first, special) = match forms {
            [first] => (first.as_bytes(), ""),
            [first, special] => (first.as_bytes(), *special),
            _ => return false,
        };
        let Some((prefix, mut digits)) = first.split_at_checked(self.prefix.len()) else {
            return false;
        };
        let is_number = !digits.is_empty();
        while let [b'0'..=b'9', rest @ ..] = digits {
            digits = rest;
        }
        is_number
            && digits.is_empty()
            && is_same(prefix, self.prefix.as_bytes())
            && is_same(special.as_bytes(), self.last.as_bytes())
    }

    /// Returns whether each name begins like one of the forms.
    pub(crate) const fn are_said_by(&self, forms: &[&str]) -> bool {
        let (mut i, mut all) = (0, false);
        while i < forms.len() {
            all |= is_beginning(forms[i].as_bytes(), self.prefix.as_bytes());
            i += 1;
        }
        all || self.has_forms(forms)
    }

    /// Returns whether the text begins with the special name as a whole word, in either letter
    /// case.
    fn is_special(&self, text: &[u8]) -> bool {
        let Some((head, tail)) = text.split_at_checked(self.last.len()) else {
            return false;
        };
        let ended = |byte: &u8| !(byte.is_ascii_alphanumeric() || *byte == b'_');
        !self.last.is_empty()
            && head.eq_ignore_ascii_case(self.last.as_bytes())
            && tail.first().is_none_or(ended)
    }

    /// Parses a name. Returns its bits: 0 for the first name, `count` for the special name.
    ///
    /// # Errors
    ///
    /// Returns an error for a word that is not one of the names.
    #[inline]
    pub fn read(&self, cursor: &mut Cursor<'_>) -> Result<u8, OperandError> {
        let word = self.word(cursor);
        if !self.last.is_empty() && word == self.last {
            return Ok(self.count as u8);
        }
        let number = word.strip_prefix(self.prefix).and_then(decimal);
        match number.and_then(|number| self.bits(number)) {
            Some(bits) => Ok(bits),
            None => self.read_otherwise(cursor, word),
        }
    }

    /// Parses a word, including the sign before it if the prefix begins with a sign, as in `$0` and
    /// `%r1`.
    #[inline]
    fn word<'t>(&self, cursor: &mut Cursor<'t>) -> &'t str {
        if self.prefix.as_bytes().first().is_none_or(|byte| byte.is_ascii_alphanumeric()) {
            return cursor.word();
        }
        cursor.skip_trivia();
        let start = cursor.position();
        let sign =
            self.prefix.bytes().take_while(|byte| byte.is_ascii_punctuation() && *byte != b'_');
        let signs = sign.count();
        let has_sign =
            cursor.rest().get(..signs).is_some_and(|head| self.prefix.as_bytes().starts_with(head));
        if has_sign {
            cursor.seek(start + signs);
        }
        // `word` would skip white space between the sign and the rest.
        if cursor.rest().first().is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            cursor.word();
        }
        cursor.text().get(start..cursor.position()).unwrap_or_default()
    }

    /// Returns the names in the form that the fast parser uses.
    ///
    /// # Panics
    ///
    /// Panics at compile time if the prefix or the special name has more than eight bytes.
    #[must_use]
    pub(crate) const fn key(&'static self) -> NumberedKey {
        NumberedKey {
            prefix: Chunk::new(self.prefix),
            last: Chunk::new(self.last),
            count: self.count,
            counts_bits: self.first == 0 && self.step == 1,
            names: self,
        }
    }

    /// Parses a word that is not a name in its exact spelling: if the set ignores letter case, it
    /// may be a name in another letter case.
    #[cold]
    fn read_otherwise(&self, cursor: &Cursor<'_>, word: &str) -> Result<u8, OperandError> {
        let (head, tail) = word.split_at_checked(self.prefix.len()).unwrap_or((word, ""));
        let bits = decimal(tail).and_then(|number| self.bits(number));
        let bits = bits.filter(|_| head.eq_ignore_ascii_case(self.prefix));
        let is_special = !self.last.is_empty() && word.eq_ignore_ascii_case(self.last);
        let message = match bits.or(is_special.then_some(self.count as u8)) {
            Some(bits) if cursor.any_case() => return Ok(bits),
            Some(_) => self.letter_case,
            None => self.unknown,
        };
        Err(cursor.fault(cursor.position() - word.len(), message))
    }

    /// Returns all names by their bits, for `READY` of the operand type. Bits that are at least `count`
    /// have the special name.
    ///
    /// ```
    /// # use isa_core::operand::Numbered;
    /// # use isa_core::table::ShortText;
    /// # const BARRIERS: Numbered =
    /// #     Numbered { prefix: "B", first: 0, step: 1, count: 7, last: "BX", unknown: "", letter_case: "" };
    /// static READY: [ShortText; 8] = BARRIERS.ready();
    /// assert_eq!(READY[3].as_str(), "B3");
    /// assert_eq!(READY[7].as_str(), "BX");
    /// ```
    #[must_use]
    pub const fn ready<const N: usize>(&self) -> [ShortText; N] {
        let mut texts = [ShortText::EMPTY.with_str(self.last); N];
        let (prefix, mut bits) = (ShortText::EMPTY.with_str(self.prefix), 0);
        while bits < N && bits < self.count as usize {
            texts[bits] = prefix.with_decimal(self.number(bits as u8) as u16);
            bits += 1;
        }
        texts
    }

    /// Prints the name that is encoded as `bits`.
    #[inline]
    pub fn write(&self, bits: u8, line: &mut Line) {
        if u16::from(bits) < self.count {
            line.push_str(self.prefix);
            line.push_decimal(self.number(bits).into());
        } else {
            line.push_str(self.last);
        }
    }
}

/// The names of a [`Numbered`] for comparison as numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedKey {
    pub(crate) prefix: Chunk,
    last: Chunk,
    pub(crate) count: u16,
    /// Whether the bits of each name are its number.
    pub(crate) counts_bits: bool,
    names: &'static Numbered,
}

impl NumberedKey {
    /// Parses the name at a position of the window without a branch for each digit. Returns its
    /// bits and its length. `None` means that the general parser must decide.
    #[inline(always)]
    pub(crate) fn read(&self, window: Window<'_>, at: usize) -> Option<(u64, usize)> {
        let head = window.load(at);
        let number = match self.prefix.begins(head) {
            true => self.number(window, at + self.prefix.len()),
            false => None,
        };
        match number {
            Some((bits, len)) => Some((bits, self.prefix.len() + len)),
            None => self.special(window, at, head),
        }
    }

    /// Parses the number of a name. Returns the bits of the name and the length of the number.
    #[inline(always)]
    fn number(&self, window: Window<'_>, at: usize) -> Option<(u64, usize)> {
        if self.counts_bits {
            return window.number_below(self.count, at);
        }
        let (number, len) = window.number_below(256, at)?;
        Some((self.names.bits(number as u8)?.into(), len))
    }

    #[inline(always)]
    fn special(&self, window: Window<'_>, at: usize, head: u64) -> Option<(u64, usize)> {
        let len = self.last.len();
        let found = self.last.begins(head) & (len > 0) & !window.is_word(at + len);
        found.then_some((self.count.into(), len))
    }
}

/// Defines an operand type whose values are the numbers below a count and one special name, which has
/// the next number.
macro_rules! numbered_kind {
    (
        $(#[$doc:meta])*
        $kind:ident: $value_bits:literal bits of $value:ty, $width:literal bits, at most $len:literal characters, $expects:literal;

        $(#[$special_doc:meta])*
        $special:ident = $count:literal;

        names: $names:expr;

        $constant_doc:literal: $first:ident $($constant:ident)*
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $kind(u8);

        const NAMES: $crate::operand::Numbered = {
            use $crate::operand::Numbered;
            $names
        };

        impl $kind {
            $(#[$special_doc])*
            pub const $special: $kind = $kind($count);

            /// Returns the operand with this number; `None` if there is none.
            #[must_use]
            pub const fn new(number: u8) -> Option<Self> {
                if number < $count { Some($kind(number)) } else { None }
            }

            #[doc = concat!("The number; `None` for [`", stringify!($kind), "::", stringify!($special), "`].")]
            #[must_use]
            pub const fn number(self) -> Option<u8> {
                if self.0 < $count { Some(self.0) } else { None }
            }
        }

        /// The constants in order, which determines their numbers.
        #[derive(Clone, Copy)]
        enum RegisterNumber { $first, $($constant),* }

        impl $kind {
            #[doc = concat!($constant_doc, stringify!($first), "`.")]
            pub const $first: $kind = $kind(RegisterNumber::$first as u8);
            $(
                #[doc = concat!($constant_doc, stringify!($constant), "`.")]
                pub const $constant: $kind = $kind(RegisterNumber::$constant as u8);
            )*
        }

        impl $crate::operand::OperandKind for $kind {
            type Value = $value;
            const WIDTH: u8 = $width;
            const VALUE_BITS: u16 = $value_bits;
            const EXPECTS: &'static str = $expects;
            const NAMED: &'static [(&'static str, u64)] = &[(stringify!($special), $count)];
            const MAX_LEN: usize = $len;
            const FORMS: &'static [&'static str] = &[stringify!($first), stringify!($special)];
            const NUMBERED: Option<&'static $crate::operand::Numbered> = Some(&NAMES);
            const READY: &'static [$crate::table::ShortText] = {
                static READY: [$crate::table::ShortText; 1 << $width] = NAMES.ready();
                &READY
            };

            $crate::__numbered_functions!($kind, $width, NAMES);
        }

        $crate::operand_traits!($kind);
    };
}
pub(super) use numbered_kind;

/// Returns whether a form is a beginning of `text` followed by `*`.
const fn is_beginning(form: &[u8], text: &[u8]) -> bool {
    match form.split_last() {
        Some((b'*', head)) if head.len() <= text.len() => {
            is_same(head, text.split_at(head.len()).0)
        }
        _ => false,
    }
}

/// Implements the functions of an operand type that is an index of a width into these names.
#[doc(hidden)]
#[macro_export]
macro_rules! __numbered_functions {
    ($kind:ident, $width:literal, $names:expr) => {
        #[inline]
        fn from_bits(raw: u64) -> Self {
            $kind(raw as u8 & ((1u16 << $width) - 1) as u8)
        }

        #[inline]
        fn to_bits(self) -> u64 {
            self.0.into()
        }

        #[inline]
        fn read(cursor: &mut $crate::text::Cursor<'_>) -> Result<Self, $crate::text::OperandError> {
            $names.read(cursor).map($kind)
        }

        #[inline]
        fn write(self, line: &mut $crate::text::Line) {
            $names.write(self.0, line);
        }
    };
}

#[cfg(test)]
mod tests;
