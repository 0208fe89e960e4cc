//! Operand types for signed and unsigned numbers in units of a power of two.

use super::{Numeral, NumeralBits, OperandKind, TextPart};
use crate::operand::Source;
use crate::text::{Cursor, Line, Message, OperandError, ShortText, digits};

/// A signed number: `BITS` bits in two's complement, times 2 to the power of `SHIFT`.
///
/// It is printed in decimal and parsed in any base that the assembler accepts. On a machine its
/// value is the number.
///
/// ```
/// use isa_core::operand::{Signed, parse};
///
/// /// How far a branch goes: 8 bits, counted in half-words.
/// type Offset = Signed<8, 1>;
///
/// assert_eq!(Offset::new(-256).map(|offset| offset.to_string()).as_deref(), Some("-256"));
/// assert_eq!(parse::<Offset>("0x10"), Ok(Offset::new(16).unwrap()));
/// assert_eq!(Offset::new(255), None, "odd");
/// assert_eq!(
///     parse::<Offset>("256").unwrap_err().to_string(),
///     "out of range: expected a multiple of 2 from -256 to 254",
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signed<const BITS: u8, const SHIFT: u8 = 0>(i64);

/// An unsigned number: `BITS` bits, times 2 to the power of `SHIFT`.
///
/// ```
/// use isa_core::operand::{OperandKind, Unsigned};
///
/// type Slot = Unsigned<6, 3>;
///
/// let slot = Slot::new(24).unwrap();
/// assert_eq!(slot.get(), 24);
/// assert_eq!(slot.to_bits(), 3);
/// assert_eq!(Slot::new(512), None);
/// assert_eq!(Slot::MAX, 504);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unsigned<const BITS: u8, const SHIFT: u8 = 0>(u64);

/// Appends a description of the accepted numbers, such as "a multiple of 4 from -128 to 124".
pub(super) const fn with_range(message: Message, min: i128, max: i128, shift: u8) -> Message {
    let message = match shift {
        0 => message.text("a number"),
        _ => message.text("a multiple of ").number(1 << shift),
    };
    message.text(" from ").number(min).text(" to ").number(max)
}

/// Parses a number with an optional sign. The number must be within `bounds` and a multiple of 2 to
/// the power of `shift`.
pub(super) fn read(
    cursor: &mut Cursor<'_>,
    bounds: (i128, i128),
    shift: u8,
    message: &'static str,
) -> Result<i128, OperandError> {
    let start = cursor.position();
    let negative = cursor.eat(b'-');
    if !negative {
        cursor.eat(b'+');
    }
    let size = cursor.number()?;
    let size = i128::try_from(size).unwrap_or(i128::MAX);
    let number = if negative { -size } else { size };
    let fits = (bounds.0..=bounds.1).contains(&number) && number & ((1 << shift) - 1) == 0;
    if fits { Ok(number) } else { Err(cursor.fault(start, message)) }
}

/// The maximum width of numbers with prepared texts, in bits.
const READY_BITS: u8 = 6;

/// Returns the texts of all numbers of a width by their bits. Returns an empty list if the width is 0
/// or above [`READY_BITS`], or if a text has more than eight bytes.
const fn ready(
    bits: u8,
    shift: u8,
    is_signed: bool,
    longest: usize,
) -> [ShortText; 1 << READY_BITS] {
    let (mut texts, mut raw) = ([ShortText::EMPTY; 1 << READY_BITS], 0);
    while has_ready(bits, longest) && raw < 1 << bits {
        let is_negative = is_signed && raw >> (bits - 1) == 1;
        let size = if is_negative { (1 << bits) - raw } else { raw };
        let sign = if is_negative { ShortText::EMPTY.with(b'-') } else { ShortText::EMPTY };
        let (digits, len) = digits::without_zeros(digits::decimal(size << shift));
        texts[raw as usize] = sign.with_bytes(&digits.to_le_bytes(), len);
        raw += 1;
    }
    texts
}

/// Returns whether numbers of a width have prepared texts. `longest` is the length of the longest
/// text.
const fn has_ready(bits: u8, longest: usize) -> bool {
    bits > 0 && bits <= READY_BITS && longest <= 8
}

/// The shared implementation of both operand types, which differ only in their range and in their
/// sign extension.
macro_rules! number_kind {
    ($kind:ident of $value:ident, $signed:literal, $min:expr, $max:expr, $from_bits:expr) => {
        impl<const BITS: u8, const SHIFT: u8> $kind<BITS, SHIFT> {
            /// The lowest number.
            pub const MIN: $value = $min;
            /// The highest number.
            pub const MAX: $value = $max;

            const RANGE: Message =
                with_range(Message::new(), Self::MIN as i128, Self::MAX as i128, SHIFT);
            const OUT_OF_RANGE: Message = with_range(
                Message::new().text("out of range: expected "),
                Self::MIN as i128,
                Self::MAX as i128,
                SHIFT,
            );
            const LONGEST: usize = {
                let (low, high) = (
                    Message::new().number(Self::MIN as i128).len(),
                    Message::new().number(Self::MAX as i128).len(),
                );
                if low > high { low } else { high }
            };
            const TEXTS: [ShortText; 1 << READY_BITS] = ready(BITS, SHIFT, $signed, Self::LONGEST);

            /// Returns the operand for a number; `None` if it is out of range or not a multiple of
            /// the unit.
            #[must_use]
            pub const fn new(number: $value) -> Option<Self> {
                let fits =
                    number >= Self::MIN && number <= Self::MAX && number & ((1 << SHIFT) - 1) == 0;
                if fits { Some($kind(number)) } else { None }
            }

            /// Returns the number.
            #[must_use]
            pub const fn get(self) -> $value {
                self.0
            }
        }

        impl<const BITS: u8, const SHIFT: u8> OperandKind for $kind<BITS, SHIFT> {
            /// The number.
            type Value = $value;

            const WIDTH: u8 = BITS;
            const EXPECTS: &'static str = Self::RANGE.as_str();
            const MAX_LEN: usize = Self::LONGEST;
            /// A number in any notation, with or without a sign: `["0~", "-0~", "+0~"]`.
            const FORMS: &'static [&'static str] = &["0~", "-0~", "+0~"];
            const READY: &'static [ShortText] = {
                let texts: &'static [ShortText] = &Self::TEXTS;
                let count = if has_ready(BITS, Self::LONGEST) { 1 << BITS } else { 0 };
                texts.split_at(count).0
            };
            const PARTS: &'static [TextPart] = &[TextPart::Number(Numeral {
                signed: $signed,
                scale: 1 << SHIFT,
                ..Numeral::of(NumeralBits::low(BITS))
            })];

            #[inline]
            fn from_bits(raw: u64) -> Self {
                let from_bits: fn(u64, u32) -> $value = $from_bits;
                $kind(from_bits(raw, 64 - BITS as u32) << SHIFT)
            }

            #[inline]
            fn to_bits(self) -> u64 {
                (self.0 >> SHIFT) as u64 & u64::MAX >> (64 - BITS)
            }

            fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
                let bounds = (Self::MIN as i128, Self::MAX as i128);
                read(cursor, bounds, SHIFT, Self::OUT_OF_RANGE.as_str())
                    .map(|number| $kind(number as $value))
            }

            fn write(self, line: &mut Line) {
                if i128::from(self.0) < 0 {
                    line.push(b'-');
                }
                line.push_decimal(i128::from(self.0).unsigned_abs() as u64);
            }
        }

        impl<const BITS: u8, const SHIFT: u8> core::fmt::Display for $kind<BITS, SHIFT> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&self.0, f)
            }
        }

        impl<const BITS: u8, const SHIFT: u8> core::str::FromStr for $kind<BITS, SHIFT> {
            type Err = OperandError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                super::parse(text)
            }
        }

        /// The value is the number, on any machine, because the word contains it.
        impl<M: ?Sized, const BITS: u8, const SHIFT: u8> Source<M> for $kind<BITS, SHIFT> {
            #[inline]
            fn fetch(self, _: &M) -> $value {
                self.0
            }
        }
    };
}

number_kind!(
    Signed of i64,
    true,
    (i64::MIN >> (64 - BITS)) << SHIFT,
    (i64::MAX >> (64 - BITS)) << SHIFT,
    |raw, unused| (raw << unused) as i64 >> unused
);
number_kind!(
    Unsigned of u64,
    false,
    0,
    (u64::MAX >> (64 - BITS)) << SHIFT,
    |raw, unused| (raw << unused) >> unused
);

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::operand::parse;

    #[test]
    fn every_number_of_a_narrow_kind_survives() {
        for raw in 0..64 {
            let signed = Signed::<6, 2>::from_bits(raw);
            assert_eq!(signed.to_bits(), raw);
            assert_eq!(signed.get(), ((raw as i64 + 32) % 64 - 32) * 4);
            assert_eq!(Signed::new(signed.get()), Some(signed));
            assert_eq!(parse::<Signed<6, 2>>(&std::format!("{signed}")), Ok(signed));
            let unsigned = Unsigned::<6>::from_bits(raw);
            assert_eq!((unsigned.to_bits(), unsigned.get()), (raw, raw));
            let ready = |texts: &[ShortText]| texts[raw as usize].as_str().parse();
            assert_eq!(ready(Signed::<6, 2>::READY), Ok(signed.get()));
            assert_eq!(ready(Unsigned::<6>::READY), Ok(raw as i64));
            assert_eq!(parse::<Unsigned<6>>(&std::format!("{unsigned}")), Ok(unsigned));
        }
    }

    #[test]
    fn few_short_texts_are_ready() {
        assert_eq!(Unsigned::<7>::READY.len() + Signed::<3, 24>::READY.len(), 0);
        let texts = Signed::<3, 20>::READY.iter().map(ShortText::as_str);
        assert!(texts.eq([0, 1, 2, 3, -4, -3, -2, -1].map(|n| std::format!("{}", n << 20))));
    }

    #[test]
    fn ranges_are_those_of_the_bits() {
        assert_eq!((Signed::<12>::MIN, Signed::<12>::MAX), (-2048, 2047));
        assert_eq!((Signed::<64>::MIN, Signed::<64>::MAX), (i64::MIN, i64::MAX));
        assert_eq!(Unsigned::<64>::MAX, u64::MAX);
        assert_eq!(Signed::<12>::EXPECTS, "a number from -2048 to 2047");
        assert_eq!(Unsigned::<4, 3>::EXPECTS, "a multiple of 8 from 0 to 120");
        let range = |shift| with_range(Message::new(), -8, 4, shift);
        assert_eq!(range(0).as_str(), "a number from -8 to 4");
        assert_eq!(range(2).as_str(), "a multiple of 4 from -8 to 4");
        assert_eq!(Signed::<12>::MAX_LEN, "-2048".len());
        assert_eq!(Unsigned::<20>::MAX_LEN, "1048575".len());
        for wrong in ["2048", "-2049", "99999999999999999999999999"] {
            assert!(parse::<Signed<12>>(wrong).is_err(), "{wrong}");
        }
        assert!(parse::<Unsigned<12>>("-1").is_err());
        assert_eq!(parse::<Signed<12>>("+5"), parse::<Signed<12>>("5"));
        assert!(parse::<Signed<12>>("-+5").is_err() && parse::<Signed<12>>("+-5").is_err());
        assert_eq!(parse::<Signed<64>>("-9223372036854775808").unwrap().get(), i64::MIN);
        let mut line = Line::new();
        Signed::<64>::from_bits(1 << 63).write(&mut line);
        assert_eq!(line.as_str(), "-9223372036854775808");
    }
}
