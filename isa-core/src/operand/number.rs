//! Operand types for signed and unsigned numbers in units of a power of two, in decimal and in hexadecimal.

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

/// Like [`Signed`], but printed in hexadecimal after `0x`: `-0x10`, `0x0`.
///
/// ```
/// use isa_core::operand::{SignedHex, parse};
///
/// /// The offset of a word in constant memory.
/// type Offset = SignedHex<14, 2>;
///
/// assert_eq!(Offset::new(-16).map(|offset| offset.to_string()).as_deref(), Some("-0x10"));
/// assert_eq!(Offset::new(0).map(|offset| offset.to_string()).as_deref(), Some("0x0"));
/// assert_eq!(parse::<Offset>("-16"), parse("-0x10"));
/// assert_eq!(Offset::new(2), None, "not a multiple of 4");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignedHex<const BITS: u8, const SHIFT: u8 = 0>(i64);

/// Like [`Unsigned`], but always printed in hexadecimal after `0x`: `0x1f`, `0x0`.
/// [`Hex`](super::Hex) prints the number 0 as `0`.
///
/// ```
/// use isa_core::operand::{PrefixedHex, parse};
///
/// assert_eq!(PrefixedHex::<16>::new(0).map(|mask| mask.to_string()).as_deref(), Some("0x0"));
/// assert_eq!(parse::<PrefixedHex<16>>("31"), parse("0x1f"));
/// assert_eq!(PrefixedHex::<16>::new(0x10000), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrefixedHex<const BITS: u8, const SHIFT: u8 = 0>(u64);

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

/// Returns the parts of the text of a hexadecimal number of `bits` bits that are multiplied by 2 to the
/// power of `shift`: after a sign if `is_negative` is true.
const fn hexadecimal_parts(bits: u8, shift: u8, is_negative: bool) -> [TextPart; 2] {
    let own = Numeral { hex: 1, ..Numeral::of(NumeralBits::low(bits)) };
    let scale = 1 << (shift % 63);
    match is_negative {
        false => [TextPart::Text("0x"), TextPart::Number(Numeral { scale, ..own })],
        true => {
            // The magnitude of a negative number in two's complement.
            let add = scale << (bits % 63);
            [TextPart::Text("-0x"), TextPart::Number(Numeral { scale: -scale, add, ..own })]
        }
    }
}

/// The shared implementation of all these operand types, which differ only in their range, in their
/// sign extension, and in the base in which they are printed.
macro_rules! number_kind {
    ($kind:ident of $value:ident, $signed:literal, $hex:literal, $min:expr, $max:expr, $from_bits:expr) => {
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
            const LONGEST: usize = if $hex {
                "0x".len() + $signed as usize + (BITS + SHIFT).div_ceil(4) as usize
            } else {
                let (low, high) = (
                    Message::new().number(Self::MIN as i128).len(),
                    Message::new().number(Self::MAX as i128).len(),
                );
                if low > high { low } else { high }
            };
            const IS_READY: bool = !$hex && has_ready(BITS, Self::LONGEST);
            const TEXTS: [ShortText; 1 << READY_BITS] = if $hex {
                [ShortText::EMPTY; 1 << READY_BITS]
            } else {
                ready(BITS, SHIFT, $signed, Self::LONGEST)
            };
            const HEXADECIMAL: [[TextPart; 2]; 2] =
                [hexadecimal_parts(BITS, SHIFT, false), hexadecimal_parts(BITS, SHIFT, true)];
            const EITHER_SIGN: [&'static [TextPart]; 2] =
                [&Self::HEXADECIMAL[0], &Self::HEXADECIMAL[1]];
            const BY_SIGN: [TextPart; 1] = [TextPart::Choice {
                bits: NumeralBits { arg: None, low: BITS - 1, width: 1 },
                of: &Self::EITHER_SIGN,
            }];
            const DECIMAL: [TextPart; 1] = [TextPart::Number(Numeral {
                signed: $signed,
                scale: 1 << SHIFT,
                ..Numeral::of(NumeralBits::low(BITS))
            })];

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
                let count = if Self::IS_READY { 1 << BITS } else { 0 };
                texts.split_at(count).0
            };
            const PARTS: &'static [TextPart] = match ($hex, $signed) {
                (false, _) => &Self::DECIMAL,
                (true, false) => &Self::HEXADECIMAL[0],
                // The magnitude must fit into the numbers with which the parts compute.
                (true, true) if BITS + SHIFT < 62 => &Self::BY_SIGN,
                (true, true) => &[],
            };

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
                let size = i128::from(self.0).unsigned_abs();
                if $hex {
                    line.push_str("0x");
                    line.push_hex(size, 1);
                } else {
                    line.push_decimal(size as u64);
                }
            }
        }

        impl<const BITS: u8, const SHIFT: u8> core::fmt::Display for $kind<BITS, SHIFT> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                if $hex {
                    let mut line = Line::new();
                    self.write(&mut line);
                    return f.pad(line.as_str());
                }
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

/// Defines a signed and an unsigned operand type.
macro_rules! number_kinds {
    ($signed:ident, $unsigned:ident, $hex:literal) => {
        number_kind!(
            $signed of i64,
            true,
            $hex,
            (i64::MIN >> (64 - BITS)) << SHIFT,
            (i64::MAX >> (64 - BITS)) << SHIFT,
            |raw, unused| (raw << unused) as i64 >> unused
        );
        number_kind!(
            $unsigned of u64,
            false,
            $hex,
            0,
            (u64::MAX >> (64 - BITS)) << SHIFT,
            |raw, unused| (raw << unused) >> unused
        );
    };
}

number_kinds!(Signed, Unsigned, false);
number_kinds!(SignedHex, PrefixedHex, true);

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

    #[test]
    fn hexadecimal_numbers_have_a_prefix_and_a_sign() {
        let text = |kind: &dyn std::fmt::Display| std::format!("{kind}");
        for raw in 0..64 {
            let signed = SignedHex::<6, 2>::from_bits(raw);
            let size = signed.get().unsigned_abs();
            let sign = if signed.get() < 0 { "-" } else { "" };
            assert_eq!(text(&signed), std::format!("{sign}{size:#x}"));
            assert_eq!((parse(&text(&signed)), signed.to_bits()), (Ok(signed), raw));
            assert!(text(&signed).len() <= SignedHex::<6, 2>::MAX_LEN);
            let unsigned = PrefixedHex::<6>::from_bits(raw);
            assert_eq!(text(&unsigned), std::format!("{raw:#x}"));
            assert_eq!((parse(&text(&unsigned)), unsigned.to_bits()), (Ok(unsigned), raw));
        }
        assert_eq!(SignedHex::<24>::MAX_LEN, "-0x800000".len());
        assert_eq!(text(&SignedHex::<64>::new(i64::MIN).unwrap()), "-0x8000000000000000");
        assert_eq!(text(&PrefixedHex::<64>::new(u64::MAX).unwrap()), "0xffffffffffffffff");
        assert_eq!(std::format!("{:>6}", PrefixedHex::<8>::new(16).unwrap()), "  0x10");
        assert!(parse::<SignedHex<6, 2>>("0x2").is_err() && parse::<PrefixedHex<6>>("-1").is_err());
        assert!(SignedHex::<8>::READY.is_empty() && SignedHex::<64>::PARTS.is_empty());
    }
}
