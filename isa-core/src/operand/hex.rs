//! Operand types for numbers that are printed in hexadecimal.

use super::number::{read, with_range};
use super::{Numeral, NumeralBits, OperandKind, TextPart};
use crate::operand::Source;
use crate::text::{Cursor, Line, Message, OperandError};

/// Defines an operand type for numbers that a function prints in hexadecimal.
macro_rules! hexadecimal {
    ($(#[$doc:meta])* $kind:ident, $write:path, $parts:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $kind<const BITS: u8>(u64);

        impl<const BITS: u8> $kind<BITS> {
            /// The highest number.
            pub const MAX: u64 = u64::MAX >> (64 - BITS);

            const RANGE: Message = with_range(Message::new(), 0, Self::MAX as i128, 0);
            const OUT_OF_RANGE: Message =
                with_range(Message::new().text("out of range: expected "), 0, Self::MAX as i128, 0);

            /// Returns the operand for a number; `None` if it is out of range.
            #[must_use]
            pub const fn new(number: u64) -> Option<Self> {
                if number <= Self::MAX { Some($kind(number)) } else { None }
            }

            /// Returns the number.
            #[must_use]
            pub const fn get(self) -> u64 {
                self.0
            }
        }

        impl<const BITS: u8> OperandKind for $kind<BITS> {
            /// The number.
            type Value = u64;

            const WIDTH: u8 = BITS;
            const EXPECTS: &'static str = Self::RANGE.as_str();
            const MAX_LEN: usize = "0x".len() + BITS.div_ceil(4) as usize;
            /// A number in any notation, with or without a sign: `["0~", "-0~", "+0~"]`.
            const FORMS: &'static [&'static str] = &["0~", "-0~", "+0~"];
            const PARTS: &'static [TextPart] = $parts;

            #[inline]
            fn from_bits(raw: u64) -> Self {
                $kind(raw & Self::MAX)
            }

            #[inline]
            fn to_bits(self) -> u64 {
                self.0
            }

            fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
                let number = read(cursor, (0, Self::MAX.into()), 0, Self::OUT_OF_RANGE.as_str());
                number.map(|number| $kind(number as u64))
            }

            fn write(self, line: &mut Line) {
                $write(self.0, line);
            }
        }

        impl<const BITS: u8> core::fmt::Display for $kind<BITS> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                let mut line = Line::new();
                self.write(&mut line);
                f.pad(line.as_str())
            }
        }

        impl<const BITS: u8> core::str::FromStr for $kind<BITS> {
            type Err = OperandError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                super::parse(text)
            }
        }

        /// The value is the number, on any machine, because the word contains it.
        impl<M: ?Sized, const BITS: u8> Source<M> for $kind<BITS> {
            #[inline]
            fn fetch(self, _: &M) -> u64 {
                self.0
            }
        }
    };
}

hexadecimal! {
    /// An unsigned number of `BITS` bits, at most 64. It is printed in hexadecimal like `%#x` in C:
    /// `0`, `0x1f`. It is parsed in any base that the assembler accepts.
    ///
    /// ```
    /// use isa_core::operand::{Hex, parse};
    ///
    /// assert_eq!(Hex::<16>::new(0x1f).map(|code| code.to_string()).as_deref(), Some("0x1f"));
    /// assert_eq!(parse::<Hex<16>>("31"), parse("0x1f"));
    /// assert_eq!(Hex::<16>::new(0x10000), None);
    /// ```
    Hex, write, &[TextPart::Choice {
        bits: NumeralBits::low(BITS),
        of: &[
            &[TextPart::Text("0")],
            &[
                TextPart::Text("0x"),
                TextPart::Number(Numeral { hex: 1, ..Numeral::of(NumeralBits::low(BITS)) }),
            ],
        ],
    }]
}

hexadecimal! {
    /// Like [`Hex`], but printed with digits in upper case: `0`, `0x1F`. Digits in both cases are
    /// accepted.
    ///
    /// A [description](crate::describe) does not contain the text of such a number if it has more than
    /// 13 bits, because text parts can only print digits in lower case.
    ///
    /// ```
    /// use isa_core::operand::{UpperHex, parse};
    ///
    /// assert_eq!(UpperHex::<16>::new(0x1f).map(|code| code.to_string()).as_deref(), Some("0x1F"));
    /// assert_eq!(parse::<UpperHex<16>>("31"), parse("0x1f"));
    /// ```
    UpperHex, write_upper, &[]
}

/// Prints a number like `%#x` in C.
pub(super) fn write(number: u64, line: &mut Line) {
    if number != 0 {
        line.push_str("0x");
    }
    line.push_hex(number.into(), number.checked_ilog2().unwrap_or(0) / 4 + 1);
}

/// Prints a number like `%#X` in C, but with `0x` in lower case.
fn write_upper(number: u64, line: &mut Line) {
    if number == 0 {
        return line.push_str("0");
    }
    line.push_str("0x");
    for place in (0..=number.ilog2() / 4).rev() {
        let digit = (number >> (4 * place)) as usize & 15;
        line.push_str("0123456789ABCDEF".get(digit..=digit).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use super::{Hex, UpperHex};
    use crate::operand::{OperandKind, parse};

    #[test]
    fn every_number_of_a_narrow_kind_survives() {
        for raw in 0..512 {
            let hex = Hex::<9>::from_bits(raw);
            assert_eq!((hex.get(), hex.to_bits()), (raw, raw));
            let text = hex.to_string();
            assert_eq!(text, if raw == 0 { "0".to_string() } else { std::format!("{raw:#x}") });
            assert!(text.len() <= Hex::<9>::MAX_LEN);
            assert_eq!(parse(&text), Ok(hex));
            assert_eq!(parse(&raw.to_string()), Ok(hex));
        }
    }

    #[test]
    fn digits_are_in_upper_case() {
        for raw in (0..512).chain([0xabcdef, 1 << 60, u64::MAX]) {
            let hex = UpperHex::<64>::from_bits(raw);
            let text = hex.to_string();
            assert_eq!(text, if raw == 0 { "0".to_string() } else { std::format!("0x{raw:X}") });
            assert_eq!((parse(&text), parse(&text.to_lowercase())), (Ok(hex), Ok(hex)));
        }
        assert!(parse::<UpperHex<9>>("0x200").is_err() && UpperHex::<9>::new(512).is_none());
    }

    #[test]
    fn what_has_too_many_bits_is_refused() {
        let error = parse::<Hex<9>>("0x200").unwrap_err().to_string();
        assert_eq!(error, "out of range: expected a number from 0 to 511");
        assert!(parse::<Hex<9>>("-1").is_err() && Hex::<9>::new(512).is_none());
        assert_eq!(Hex::<64>::MAX, u64::MAX);
        assert_eq!(Hex::<64>::from_bits(u64::MAX).to_string(), "0xffffffffffffffff");
    }
}
