//! The position in assembly text, with the basic steps of parsing.

use core::fmt;
use core::ops::Range;

use crate::text::{InstructionContext, digits};

/// The message for a number that is too large.
pub(crate) const OVER_64_BITS: &str = "the number has more than 64 bits";

/// A position in assembly text, with methods for the parsers of operand types.
///
/// White space, `//` comments and `/* */` comments are allowed between tokens: every method that
/// looks for a token skips them first.
#[derive(Debug, Clone)]
pub struct Cursor<'t> {
    text: &'t str,
    at: usize,
    site: Option<&'t InstructionContext<'t>>,
    any_case: bool,
    address_bits: u8,
    takes_sums: bool,
    /// Whether a name includes all its dots even if no label has that name.
    takes_dots: bool,
}

impl<'t> Cursor<'t> {
    /// Creates a cursor at the start of `text`.
    #[must_use]
    pub const fn new(text: &'t str) -> Self {
        Cursor {
            text,
            at: 0,
            site: None,
            any_case: false,
            address_bits: 64,
            takes_sums: true,
            takes_dots: false,
        }
    }

    /// Creates a cursor like [`Cursor::new`], but for a text in a program, in which labels and `.` have
    /// addresses.
    #[must_use]
    pub const fn in_context(text: &'t str, site: &'t InstructionContext<'t>) -> Self {
        Cursor { site: Some(site), ..Cursor::new(text) }
    }

    /// Returns the address and labels of the instruction that is parsed, if they are known.
    #[must_use]
    pub fn context(&self) -> Option<&'t InstructionContext<'t>> {
        self.site.inspect(|site| site.ask())
    }

    /// Returns the same as [`Cursor::context`], but does not record that the parser asked for the site.
    /// Use it if the result does not depend on the address.
    pub(crate) const fn context_unasked(&self) -> Option<&'t InstructionContext<'t>> {
        self.site
    }

    /// Returns whether the set that parses the text accepts any letter case.
    #[must_use]
    pub const fn any_case(&self) -> bool {
        self.any_case
    }

    /// Returns the distance from one address to another. If the set that parses the text has addresses
    /// of fewer than 64 bits, the distance may wrap around: it is the shortest distance modulo the
    /// address range.
    ///
    /// ```
    /// use isa_core::text::Cursor;
    ///
    /// assert_eq!(Cursor::new("").distance(0x10, 8), -8);
    /// ```
    #[must_use]
    pub const fn distance(&self, from: u64, to: u64) -> i64 {
        let above = 64u32.saturating_sub(self.address_bits as u32);
        (to.wrapping_sub(from).unbounded_shl(above) as i64) >> if above < 64 { above } else { 63 }
    }

    /// Returns the width of addresses in the set that parses the text, in bits.
    pub(crate) const fn address_bits(&self) -> u8 {
        self.address_bits
    }

    /// Sets the options that the set specifies, and resets two others: a number after a label is not
    /// part of the target until [`Cursor::set_takes_sums`] allows it, and a name includes a dot only if
    /// a label has that name.
    #[inline]
    pub(crate) const fn set_reader(&mut self, any_case: bool, address_bits: u8) {
        self.any_case = any_case;
        self.address_bits = address_bits;
        self.takes_sums = false;
        self.takes_dots = false;
    }

    /// Sets whether a number after the label of a target belongs to the target, as in `label + 8`.
    pub(crate) const fn set_takes_sums(&mut self, takes_sums: bool) {
        self.takes_sums = takes_sums;
    }

    /// Returns whether a number after the label of a target belongs to the target.
    pub(crate) const fn takes_sums(&self) -> bool {
        self.takes_sums
    }

    /// Sets whether a name includes all its dots even if no label has that name.
    pub(crate) const fn set_takes_dots(&mut self, takes_dots: bool) {
        self.takes_dots = takes_dots;
    }

    /// Returns whether a name includes all its dots even if no label has that name.
    pub(crate) const fn takes_dots(&self) -> bool {
        self.takes_dots
    }

    /// Returns the byte offset of the cursor in the text.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Moves the cursor to a byte offset, or to the end if the text is shorter.
    pub fn seek(&mut self, position: usize) {
        self.at = position.min(self.text.len());
    }

    /// Returns the cursor moved to a byte offset, as by [`Cursor::seek`].
    #[cfg(feature = "alloc")]
    pub(crate) fn moved_to(mut self, position: usize) -> Self {
        self.seek(position);
        self
    }

    /// Returns the whole text.
    #[must_use]
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the text from the cursor on, as bytes.
    #[inline]
    #[must_use]
    pub fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Skips white space and comments. An unclosed `/*` comment extends to the end of the text.
    #[inline]
    pub fn skip_trivia(&mut self) {
        match self.rest() {
            [b'!'..=b'.' | b'0'..=b'~', ..] => {}
            [b' ' | b'\n', b'!'..=b'.' | b'0'..=b'~', ..] => self.at += 1,
            _ => self.skip_all(),
        }
    }

    #[inline(never)]
    fn skip_all(&mut self) {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => self.at += 1,
                [b'/', b'/', rest @ ..] => {
                    self.at += 2 + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                [b'/', b'*', rest @ ..] => {
                    let end = rest.windows(2).position(|pair| pair == b"*/");
                    self.at += 2 + end.map_or(rest.len(), |end| end + 2);
                }
                _ => return,
            }
        }
    }

    /// Returns the position after the last token before the cursor. `start` is the start of any
    /// token before the cursor.
    #[cold]
    pub(crate) fn behind_last_token(&self, start: usize) -> usize {
        let mut ahead = Cursor { at: start.min(self.at), ..self.clone() };
        loop {
            let behind = ahead.at;
            ahead.skip_trivia();
            if ahead.at >= self.at {
                return behind;
            }
            ahead.at += 1;
        }
    }

    /// Returns the first byte of the next token, or `None` at the end of the text.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        self.skip_trivia();
        self.rest().first().copied()
    }

    /// Moves past the next byte if it is equal to `byte`, and returns whether it is.
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Parses the longest run of letters, digits and `_`; it is empty if there is none.
    #[inline]
    pub fn word(&mut self) -> &'t str {
        self.skip_trivia();
        self.take(word_len(self.rest()))
    }

    /// Parses a number, which is decimal, hexadecimal after `0x`, or binary after `0b`.
    ///
    /// ```
    /// use isa_core::text::Cursor;
    ///
    /// assert_eq!(Cursor::new("352").number(), Ok(352));
    /// assert_eq!(Cursor::new("0x160").number(), Ok(0x160));
    /// assert_eq!(Cursor::new("0b101").number(), Ok(5));
    /// assert!(Cursor::new("0x").number().is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a number, or if the number has more than 128 bits.
    pub fn number(&mut self) -> Result<u128, OperandError> {
        let word = self.word();
        match digits::short_number(word.as_bytes()) {
            Some(number) => Ok(number.into()),
            None => self.long_number(word),
        }
    }

    /// Parses the number in `word`, which is the word before the cursor, for [`Cursor::number`].
    #[cold]
    fn long_number(&self, word: &str) -> Result<u128, OperandError> {
        let start = self.at - word.len();
        let (digits, radix) = match word.as_bytes() {
            [b'0', b'x', ..] => (2, 16),
            [b'0', b'b', ..] => (2, 2),
            [b'0', b'X', ..] if self.any_case => (2, 16),
            [b'0', b'B', ..] if self.any_case => (2, 2),
            _ => (0, 10),
        };
        let digits = word.get(digits..).unwrap_or_default();
        let mut number = 0u128;
        for digit in digits.chars() {
            let Some(digit) = digit.to_digit(radix) else {
                return Err(self.fault(
                    start,
                    "not a number: expected decimal, `0x` hexadecimal or `0b` binary digits",
                ));
            };
            number = number
                .checked_mul(radix.into())
                .and_then(|number| number.checked_add(digit.into()))
                .ok_or_else(|| self.fault(start, "the number has more than 128 bits"))?;
        }
        if digits.is_empty() {
            return Err(self.fault(start, "expected a number"));
        }
        Ok(number)
    }

    /// Moves past `len` bytes and returns them.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> &'t str {
        let start = self.at;
        self.at += len;
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Moves past a literal and returns true, or leaves the cursor unchanged. White space is
    /// allowed between the words and punctuation characters of the literal.
    pub(crate) fn eat_text(&mut self, text: &str) -> bool {
        let start = self.at;
        let mut in_word = false;
        for byte in text.bytes() {
            let is_letter = WORD[usize::from(byte)];
            if byte != b' ' && !self.eat_fixed(byte, in_word && is_letter) {
                self.at = start;
                return false;
            }
            in_word = is_letter;
        }
        true
    }

    /// Moves past a byte of a literal. White space may precede the byte, unless it is `glued` to the
    /// previous byte.
    fn eat_fixed(&mut self, byte: u8, glued: bool) -> bool {
        if !glued {
            self.skip_trivia();
        }
        let is_same =
            |&found: &u8| found == byte || self.any_case && found.eq_ignore_ascii_case(&byte);
        let found = self.rest().first().is_some_and(is_same);
        self.at += usize::from(found);
        found
    }

    /// Returns the end of the character at `start`, or of the text.
    pub(crate) fn next_boundary(&self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or_default();
        start + rest.chars().next().map_or(0, char::len_utf8)
    }

    /// Creates an error for the text from `start` to the cursor. The error covers at least one
    /// character.
    #[must_use]
    pub fn fault(&self, start: usize, message: &'static str) -> OperandError {
        let span = start..self.at.max(self.next_boundary(start));
        OperandError::new(span, message)
    }

    /// Creates an error for a target at an invalid distance, in bytes. The text from `start` to the
    /// cursor is the address or label of the target. If the text is the distance itself, such as
    /// `.+4`, use [`Cursor::fault`].
    #[must_use]
    pub fn too_far(&self, start: usize, distance: i64, message: &'static str) -> OperandError {
        OperandError { cause: Cause::Target { distance }, ..self.fault(start, message) }
    }

    /// Creates an error for a target at an address that the operand cannot have. The text from
    /// `start` to the cursor is the label of the target. If the text is the address itself, such as
    /// `0x40`, use [`Cursor::fault`].
    #[must_use]
    pub fn wrong_address(&self, start: usize, address: u64, message: &'static str) -> OperandError {
        OperandError { cause: Cause::Address { address }, ..self.fault(start, message) }
    }
}

/// For each byte, whether it is a letter, a digit or `_`.
pub(crate) static WORD: [bool; 256] = {
    let (mut table, mut byte) = ([false; 256], 0);
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

/// Returns the number of letters, digits and `_` at the start of a text.
#[inline]
pub(crate) fn word_len(text: &[u8]) -> usize {
    text.iter().position(|&byte| !WORD[usize::from(byte)]).unwrap_or(text.len())
}

/// An error in the text of one operand.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperandError {
    /// The position of the invalid text in bytes.
    pub span: Range<usize>,
    /// The error and the expected text, in lower case and without a full stop.
    pub message: &'static str,
    /// Details of the error.
    pub cause: Cause,
}

/// The subject of a [`OperandError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The text itself.
    Text,
    /// A label that the program does not define.
    UnknownLabel,
    /// A constant that the program does not define.
    UnknownConstant,
    /// The distance to a target. At another distance, the target may be valid.
    #[non_exhaustive]
    Target {
        /// The distance to the target in bytes; negative if the target is before the instruction.
        distance: i64,
    },
    /// An address of the program. If the program is at another address, this address may be valid.
    #[non_exhaustive]
    Address {
        /// The address.
        address: u64,
    },
    /// A part of an address of the program. If the program is at another address, the part may be
    /// valid.
    #[non_exhaustive]
    Part {
        /// The value of the part.
        number: i64,
    },
}

#[cfg(feature = "alloc")]
impl Cause {
    /// Returns whether the error may disappear if the program or its labels have other addresses.
    pub(crate) const fn depends_on_place(self) -> bool {
        matches!(self, Cause::Target { .. } | Cause::Address { .. } | Cause::Part { .. })
    }
}

impl OperandError {
    pub(crate) const fn new(span: Range<usize>, message: &'static str) -> Self {
        OperandError { span, message, cause: Cause::Text }
    }
}

impl fmt::Display for OperandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Cause::Target { distance } = self.cause {
            let way = if distance < 0 { "back" } else { "ahead" };
            let (size, unit) = match distance.unsigned_abs() {
                1 => (1, "byte"),
                size => (size, "bytes"),
            };
            write!(f, "{size} {unit} {way}, ")?;
        }
        if let Cause::Address { address } = self.cause {
            write!(f, "{address:#x}, ")?;
        }
        if let Cause::Part { number } = self.cause {
            write!(f, "{number}, ")?;
        }
        f.write_str(self.message)
    }
}

impl core::error::Error for OperandError {}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::format;
    use std::string::{String, ToString};
    use std::vec::Vec;

    use crate::text::Cursor;

    #[test]
    fn a_distance_has_a_direction_and_a_unit() {
        let said = |distance| Cursor::new("x").too_far(0, distance, "out").to_string();
        assert_eq!(said(0), "0 bytes ahead, out");
        assert_eq!((said(1), said(2)), ("1 byte ahead, out".into(), "2 bytes ahead, out".into()));
        assert_eq!((said(-1), said(-2)), ("1 byte back, out".into(), "2 bytes back, out".into()));
    }

    #[test]
    fn a_number_of_few_digits_is_the_same_number() {
        let mut texts: Vec<String> = (0..=u8::MAX)
            .filter(u8::is_ascii_alphanumeric)
            .flat_map(|byte| {
                ["", "0x", "1", "0x1", "0x00", "007", "0b", "0b1"].map(|head| (head, byte))
            })
            .map(|(head, byte)| format!("{head}{}", char::from(byte)))
            .collect();
        for (digit, most) in [("9", 40), ("0", 40), ("18446744073709551615", 2)] {
            texts.extend((1..most).map(|len| digit.repeat(len)));
        }
        for digit in ["f", "F", "0", "8"] {
            texts.extend((1..35).map(|len| format!("0x{}", digit.repeat(len))));
        }
        for digit in ["1", "0", "10"] {
            texts.extend((1..132).map(|len| format!("0b{}", digit.repeat(len))));
        }
        texts.extend(["0x", "", "18446744073709551616", "1_0", "0X1"].map(String::from));
        for text in &texts {
            let mut cursor = Cursor::new(text);
            let number = cursor.number();
            assert_eq!(number, cursor.long_number(text), "{text}");
            assert_eq!(number.ok(), naive(text), "{text}");
        }
    }

    fn naive(text: &str) -> Option<u128> {
        match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
            (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
            (_, Some(digits)) => u128::from_str_radix(digits, 2).ok(),
            _ => text.parse().ok(),
        }
    }

    #[test]
    fn blanks_and_comments_are_skipped() {
        let behind = |text| {
            let mut cursor = Cursor::new(text);
            cursor.skip_trivia();
            cursor.position()
        };
        let texts = ["", "x", " x", "\nx", "/", "/x", " /", "  x", "\u{e9}", " \u{e9}", "0", "~"];
        assert_eq!(texts.map(behind), [0, 0, 1, 1, 0, 0, 1, 2, 0, 1, 0, 0]);
        let texts = ["\t\r\n\u{b}\u{c} x", "//x", "//x\ny", "/*x*/y", "/* x", "/**/ // \n/**/;"];
        assert_eq!(texts.map(behind), [6, 3, 4, 5, 4, 13]);
    }
}
