//! A string builder for use at compile time, when the standard formatting is not available.

use crate::IS_SMALL;
use crate::bits::Cube;
use crate::text::{Line, ShortText};

/// A text that can be extended at its end.
pub(crate) struct Message {
    bytes: [u8; Message::ROOM],
    /// The length of the text in bytes.
    len: usize,
}

impl Message {
    /// The capacity in bytes, sufficient for a line of assembly and a message about it.
    const ROOM: usize = if IS_SMALL { 256 } else { 2 * Line::CAPACITY };

    /// Returns an empty text.
    pub(crate) const fn new() -> Self {
        Message { bytes: [0; Message::ROOM], len: 0 }
    }

    /// Appends text. If it does not fit, nothing is appended.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if text.len() > self.bytes.len() - self.len {
            return self;
        }
        let mut i = 0;
        while i < text.len() {
            self.bytes[self.len] = text[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    /// Appends a short text. If it does not fit, nothing is appended.
    pub(crate) const fn short(self, text: ShortText) -> Self {
        match core::str::from_utf8(text.padded().split_at(text.len()).0) {
            Ok(text) => self.text(text),
            Err(_) => self,
        }
    }

    /// Appends a number in decimal.
    pub(crate) const fn number(self, number: i128) -> Self {
        let mut message = if number < 0 { self.text("-") } else { self };
        let (mut unit, size) = (1, number.unsigned_abs());
        while size / unit > 9 {
            unit *= 10;
        }
        while unit > 0 {
            message = message.digit((size / unit % 10) as u8);
            unit /= 10;
        }
        message
    }

    /// Appends a number in hexadecimal, with `0x` unless it is 0.
    pub(crate) const fn hexadecimal(self, number: u64) -> Self {
        let mut message = if number > 0 { self.text("0x") } else { self };
        let mut digits = if number > 0 { number.ilog2() / 4 + 1 } else { 1 };
        while digits > 0 {
            digits -= 1;
            let digit = (number >> (4 * digits)) as u8 & 15;
            message = message.digit(if digit < 10 { digit } else { digit + (b'a' - b'0' - 10) });
        }
        message
    }

    const fn digit(self, digit: u8) -> Self {
        let bytes = [b'0' + digit];
        match core::str::from_utf8(&bytes) {
            Ok(text) => self.text(text),
            Err(_) => self,
        }
    }

    /// Appends a masked pattern as in `reserved(...)`: `1x`.
    pub(crate) const fn pattern(mut self, cube: Cube) -> Self {
        let mut bit = 128 - cube.mask.leading_zeros();
        while bit > 0 {
            bit -= 1;
            self = self.text(match (cube.mask >> bit & 1, cube.value >> bit & 1) {
                (0, _) => "x",
                (_, 0) => "0",
                _ => "1",
            });
        }
        self
    }

    /// Returns the text.
    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    /// Returns the length of the text in bytes.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use crate::bits::Cube;
    use crate::text::Message;

    #[test]
    fn numbers_are_written_in_decimal() {
        let text = Message::new().number(0).text(" ").number(-10).text(" ").number(1 << 64);
        assert_eq!(text.as_str(), "0 -10 18446744073709551616");
        assert_eq!((text.len(), Message::new().len()), ("0 -10 18446744073709551616".len(), 0));
        assert_eq!(Message::new().number(9).number(99).number(100).as_str(), "999100");
    }

    #[test]
    fn numbers_are_written_in_hexadecimal() {
        for number in [0, 1, 9, 10, 15, 16, 0xfc, 0xabc0, u64::MAX] {
            let text = Message::new().hexadecimal(number);
            let expected = if number == 0 { "0".into() } else { std::format!("{number:#x}") };
            assert_eq!(text.as_str(), expected);
        }
    }

    #[test]
    fn a_long_text_is_left_out() {
        let long = "x".repeat(Message::ROOM + 1);
        assert_eq!(Message::new().text("a").text(&long).text("b").as_str(), "ab");
        let full = Message::new().text(&long[..968]).text(&long[..57]).text(&long[..56]);
        assert_eq!(full.as_str(), &long[..1024], "what just fits is not left out");
    }

    #[test]
    fn patterns_have_a_place_for_each_bit() {
        assert_eq!(Message::new().pattern(Cube::new(0b1011, 0b0010)).as_str(), "0x10");
    }
}
