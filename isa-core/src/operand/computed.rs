//! Operand type and format for numbers that are encoded by a function.

use core::fmt;
use core::marker::PhantomData;

use super::{AsmFormat, OperandKind, TextPart, hex};
use crate::bits::Cube;
use crate::operand::Source;
use crate::text::{Cursor, Line, Message, OperandError};

/// A mapping between bits and numbers; see [`ComputedImmediate`].
pub trait ImmediateCoding: 'static {
    /// The width of the operand type in bits, at most 64. A format does not need it.
    const BITS: u8 = 64;

    /// The range of the numbers, for messages: "a number from 1 to 32".
    const EXPECTS: &'static str;

    /// Bits that encode no number; see [`OperandKind::RESERVED`].
    const RESERVED: &'static [Cube] = &[];

    /// Whether numbers are printed in hexadecimal, like [`Hex`](super::Hex).
    const HEX: bool = false;

    /// Whether several bit patterns encode the same number. In this case, the parser uses the pattern
    /// that [`Self::bits`] returns.
    const REPEATS: bool = false;

    /// The printed text as data; see [`OperandKind::PARTS`]. It is useful if there are too many
    /// values to list.
    const PARTS: &'static [TextPart] = &[];

    /// Returns the number that `bits` encode. For a format, the number may depend on the values of
    /// other fields, `args`. For an operand type, `args` is empty.
    ///
    /// If the number has more than 64 bits, a decimal text contains the low 64 bits of its absolute
    /// value. A hexadecimal text always contains the low 64 bits of the number, without a sign.
    fn number(bits: u64, args: &[u64]) -> i128;

    /// Returns the bits that encode a number, or `None` if the number has no encoding. If the number in
    /// the text is larger than 2 to the power of 64, `number` is 2 to the power of 64.
    fn bits(number: i128, args: &[u64]) -> Option<u64>;
}

/// A number that differs from the value of its bits and is converted by a [`ImmediateCoding`]. It can be used as
/// an operand type or as a format, also as the format of a composite operand.
///
/// ```
/// use isa_core::operand::{ComputedImmediate, ImmediateCoding};
///
/// /// How many bytes are copied: 1, 2, 4 and so on, up to 128.
/// pub struct Powers;
///
/// impl ImmediateCoding for Powers {
///     const BITS: u8 = 3;
///     const EXPECTS: &'static str = "a power of 2 up to 128";
///     fn number(bits: u64, _: &[u64]) -> i128 {
///         1 << bits
///     }
///     fn bits(number: i128, _: &[u64]) -> Option<u64> {
///         (0..8).find(|bits| number == 1 << bits)
///     }
/// }
///
/// /// The last of some lanes, of which the first is given.
/// pub struct Last;
///
/// impl ImmediateCoding for Last {
///     const EXPECTS: &'static str = "a number of lanes";
///     fn number(bits: u64, args: &[u64]) -> i128 {
///         i128::from(bits) + 1 - i128::from(args[0])
///     }
///     fn bits(number: i128, args: &[u64]) -> Option<u64> {
///         u64::try_from(number + i128::from(args[0]) - 1).ok().filter(|last| *last < 8)
///     }
/// }
///
/// isa_core::define_isa! {
///     /// Copies.
///     pub isa Copies: u16;
///     operand Lane: 3 = isa_core::operand::Unsigned<3>;
///     operand Bytes: 3 = isa_core::operand::ComputedImmediate<Powers>;
///     format Last = isa_core::operand::ComputedImmediate<Last>;
///     opcode COPY {
///         encoding { field<0, 3> Bytes bytes; field<4, 3> Lane first; field<8, 3> Lane last; }
///         syntax { COPY bytes, first, last; }
///         operands { AsmFormat<last> = Last(last, first); }
///     }
/// }
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let copy: Copies = "COPY 16, 2, 3;".parse()?;
/// assert_eq!(copy.encode()?, 0x424);
/// assert_eq!(copy.to_string(), "COPY 16, 2, 3;");
/// assert!("COPY 12, 2, 3;".parse::<Copies>().is_err());
/// # Ok(())
/// # }
/// ```
pub struct ComputedImmediate<C>(u64, PhantomData<C>);

impl<C: ImmediateCoding> ComputedImmediate<C> {
    const OUT_OF_RANGE: Message = Message::new().text("invalid number: expected ").text(C::EXPECTS);

    /// Returns the operand for a number; `None` if the number has no encoding.
    #[must_use]
    pub fn new(number: i128) -> Option<Self> {
        C::bits(number, &[]).map(|bits| ComputedImmediate(bits, PhantomData))
    }

    /// Returns the number.
    #[must_use]
    pub fn get(self) -> i128 {
        C::number(self.0, &[])
    }

    fn read_bits(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        let start = cursor.position();
        let negative = cursor.eat(b'-');
        if !negative {
            cursor.eat(b'+');
        }
        let size = cursor.number()?.min(1 << 64) as i128;
        let bits = C::bits(if negative { -size } else { size }, args);
        bits.ok_or_else(|| cursor.fault(start, Self::OUT_OF_RANGE.as_str()))
    }

    fn write_bits(bits: u64, args: &[u64], line: &mut Line) {
        let number = C::number(bits, args);
        if C::HEX {
            return hex::write(number as u64, line);
        }
        if number < 0 {
            line.push(b'-');
        }
        line.push_decimal(number.unsigned_abs() as u64);
    }

    fn reads_back(bits: u64, args: &[u64]) -> bool {
        C::bits(C::number(bits, args), args) == Some(bits)
    }
}

impl<C> Clone for ComputedImmediate<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ComputedImmediate<C> {}

impl<C> PartialEq for ComputedImmediate<C> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<C> Eq for ComputedImmediate<C> {}

impl<C> core::hash::Hash for ComputedImmediate<C> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<C: ImmediateCoding> fmt::Debug for ComputedImmediate<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Coded").field(&self.get()).finish()
    }
}

impl<C: ImmediateCoding> fmt::Display for ComputedImmediate<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new();
        Self::write_bits(self.0, &[], &mut line);
        f.pad(line.as_str())
    }
}

impl<C: ImmediateCoding> core::str::FromStr for ComputedImmediate<C> {
    type Err = OperandError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        super::parse(text)
    }
}

/// The length of a sign and 20 digits, in bytes. `0x` and 16 digits are shorter.
const LONGEST: usize = 21;

impl<C: ImmediateCoding> OperandKind for ComputedImmediate<C> {
    /// The number, or its low 64 bits.
    type Value = i64;

    const WIDTH: u8 = C::BITS;
    const EXPECTS: &'static str = C::EXPECTS;
    const MAX_LEN: usize = LONGEST;
    /// A number in any notation, with or without a sign: `["0~", "-0~", "+0~"]`.
    const FORMS: &'static [&'static str] = &["0~", "-0~", "+0~"];
    const RESERVED: &'static [Cube] = C::RESERVED;
    const PARTS: &'static [TextPart] = C::PARTS;
    const READS_BACK: Option<fn(Self) -> bool> =
        if C::REPEATS { Some(|coded| Self::reads_back(coded.0, &[])) } else { None };

    #[inline]
    fn from_bits(raw: u64) -> Self {
        ComputedImmediate(raw & u64::MAX >> (64 - C::BITS), PhantomData)
    }

    #[inline]
    fn to_bits(self) -> u64 {
        self.0
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        Self::read_bits(cursor, &[]).map(|bits| ComputedImmediate(bits, PhantomData))
    }

    fn write(self, line: &mut Line) {
        Self::write_bits(self.0, &[], line);
    }
}

/// The value is the number, on any machine, because the word contains it.
impl<M: ?Sized, C: ImmediateCoding> Source<M> for ComputedImmediate<C> {
    #[inline]
    fn fetch(self, _: &M) -> i64 {
        self.get() as i64
    }
}

impl<C: ImmediateCoding> AsmFormat for ComputedImmediate<C> {
    const EXPECTS: &'static str = C::EXPECTS;
    const MAX_LEN: usize = LONGEST;
    const FORMS: &'static [&'static str] = <Self as OperandKind>::FORMS;
    const PARTS: &'static [TextPart] = C::PARTS;
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> =
        if C::REPEATS { Some(Self::reads_back) } else { None };

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        Self::read_bits(cursor, args)
    }

    fn write(raw: u64, args: &[u64], line: &mut Line) {
        Self::write_bits(raw, args, line);
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::ToString;

    use super::{ComputedImmediate, ImmediateCoding};
    use crate::operand::{AsmFormat, OperandKind, kind_of, parse, text_of};
    use crate::text::{Cursor, Line};

    /// Numbers from -4 to 3 with two encodings each, minus an argument.
    struct Duplicated;

    impl ImmediateCoding for Duplicated {
        const BITS: u8 = 4;
        const EXPECTS: &'static str = "a number from -4 to 3";
        const REPEATS: bool = true;

        fn number(bits: u64, args: &[u64]) -> i128 {
            i128::from(bits >> 1) - 4 - args.first().map_or(0, |less| i128::from(*less))
        }
        fn bits(number: i128, args: &[u64]) -> Option<u64> {
            let number = number + 4 + args.first().map_or(0, |less| i128::from(*less));
            u64::try_from(number).ok().filter(|bits| *bits < 8).map(|bits| bits << 1)
        }
    }

    /// All numbers, in hexadecimal.
    struct Plain;

    impl ImmediateCoding for Plain {
        const EXPECTS: &'static str = "a number";
        const HEX: bool = true;

        fn number(bits: u64, _: &[u64]) -> i128 {
            (bits as i64).into()
        }
        fn bits(number: i128, _: &[u64]) -> Option<u64> {
            u64::try_from(number).ok()
        }
    }

    #[test]
    fn texts_are_those_of_the_numbers() {
        for raw in 0..16 {
            let coded = ComputedImmediate::<Duplicated>::from_bits(raw);
            let text = coded.to_string();
            assert_eq!(text, (raw as i64 / 2 - 4).to_string());
            let read = parse::<ComputedImmediate<Duplicated>>(&text).unwrap();
            assert_eq!((read.get(), read.to_bits()), (coded.get(), raw & !1));
            let back = <ComputedImmediate<Duplicated> as OperandKind>::READS_BACK.unwrap();
            assert_eq!(back(coded), raw & 1 == 0);
            assert_eq!(ComputedImmediate::<Duplicated>::new(coded.get()), Some(read));
        }
        assert_eq!(parse::<ComputedImmediate<Duplicated>>("+3"), parse("3"));
        for wrong in ["4", "-5", "-+1", "99999999999999999999999999999999999999999"] {
            assert!(parse::<ComputedImmediate<Duplicated>>(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            parse::<ComputedImmediate<Duplicated>>("4").unwrap_err().to_string(),
            "invalid number: expected a number from -4 to 3"
        );
        assert_eq!(parse::<ComputedImmediate<Plain>>("17").unwrap().to_string(), "0x11");
        assert_eq!(
            ComputedImmediate::<Plain>::from_bits(u64::MAX).to_string(),
            "0xffffffffffffffff"
        );
    }

    #[test]
    fn formats_have_arguments() {
        let read = |text, args: &[u64]| {
            <ComputedImmediate<Duplicated> as AsmFormat>::read(&mut Cursor::new(text), args).ok()
        };
        assert_eq!((read("-6", &[2]), read("-6", &[]), read("1", &[2])), (Some(0), None, Some(14)));
        let mut line = Line::new();
        <ComputedImmediate<Duplicated> as AsmFormat>::write(14, &[2], &mut line);
        assert_eq!(line.as_str(), "1");
        let back = <ComputedImmediate<Duplicated> as AsmFormat>::READS_BACK.unwrap();
        assert!(back(14, &[2]) && !back(15, &[2]));
        assert!(text_of::<ComputedImmediate<Plain>>().reads_back.is_none());
        static TEXT: crate::table::Text = text_of::<ComputedImmediate<Duplicated>>();
        assert_eq!(kind_of::<ComputedImmediate<Duplicated>>("Twice", "", &TEXT).width, 4);
    }
}
