//! Operand type for numbers that can also be written as a part of an address.

use core::fmt;
use core::marker::PhantomData;

use super::{OperandKind, TextPart};
use crate::bits::Cube;
use crate::operand::Source;
use crate::text::{
    AddressPart, AddressParts, Cause, Cursor, Line, Message, OVER_64_BITS, OperandError, ShortText,
};

/// A number of another operand type, or a part of an address instead: `-8`, `%lo(table + 8)`.
///
/// The number that a part computes is passed to the parser of `K` in decimal, so it must be a valid
/// `K`. The part contains a label, `.`, a number or a constant, optionally followed by numbers
/// ([`Cursor::address_part`]). The operand is printed in the same way as `K`, because the word does not
/// contain the original spelling. In an object file a part with a label becomes a relocation
/// ([`Reference::Part`](crate::asm::Reference::Part)).
///
/// If numbers have a prefix, as in `#8`, the template must contain the prefix: `"#" imm`. To also
/// accept a part of an address without the prefix, declare a synonym without the prefix.
///
/// ```
/// use isa_core::asm::Assembler;
/// use isa_core::operand::{AddressPart, AddressParts, AddressPartOr, Unsigned};
///
/// /// The bytes of an address of 16 bits.
/// pub struct Bytes;
///
/// impl AddressParts for Bytes {
///     const PARTS: &'static [AddressPart] = &[
///         AddressPart::new("lo8(", ")", |address| (address & 0xff).into()),
///         AddressPart::new("hi8(", ")", |address| (address >> 8).into()),
///     ];
/// }
///
/// isa_core::define_isa! {
///     /// Loads a number of eight bits.
///     isa Tiny: u16;
///     operand Number: 8 = AddressPartOr<Bytes, Unsigned<8>>;
///     enum Half: 1 { low = 0, high = 1 }
///     opcode LOAD {
///         encoding { field<0, 8> Number by; field<8, 1> Half half; }
///         syntax { LOAD half, by; }
///     }
/// }
///
/// let program = Assembler::new(Tiny::SET).origin(0x1234).assemble(
///     "here: LOAD low, lo8(here + 1); LOAD high, hi8(here + 1); LOAD low, 7;",
/// )?;
/// assert_eq!(program.bytes, [0x35, 0, 0x12, 1, 7, 0]);
/// let errors = Assembler::new(Tiny::SET).assemble("LOAD high, hi8(0x12345);").unwrap_err();
/// assert_eq!(
///     errors.to_string(),
///     "1:12: `hi8(0x12345)` is 291, out of range: expected a number from 0 to 255",
/// );
/// # Ok::<(), isa_core::asm::AssembleErrors>(())
/// ```
pub struct AddressPartOr<P, K>(K, PhantomData<P>);

impl<P: AddressParts, K: OperandKind> AddressPartOr<P, K> {
    const EXPECTED: Message = {
        let (mut message, mut i) = (Message::new().text(K::EXPECTS), 0);
        while i < P::PARTS.len() {
            let AddressPart { open, close, .. } = P::PARTS[i];
            message = message.text(", or `").text(open).text("label").text(close).text("`");
            i += 1;
        }
        message
    };

    /// The forms of the number, followed by the beginnings of the parts. The unused elements at the end
    /// repeat the first form.
    const BEGIN: [&'static str; 16] = {
        assert!(
            !K::FORMS.is_empty() && K::FORMS.len() + P::PARTS.len() <= 16,
            "expected 1 to 16 forms and address operators in total"
        );
        let (mut all, mut i) = ([K::FORMS[0]; 16], 0);
        while i < K::FORMS.len() + P::PARTS.len() {
            let part = i.checked_sub(K::FORMS.len());
            assert!(
                part.is_some() || !matches!(K::FORMS[i].as_bytes(), [b'#', ..]),
                "`FORMS` must not begin with `#`: write `#` in the template, as in `\"#\" imm`"
            );
            all[i] = if let Some(part) = part { P::PARTS[part].open } else { K::FORMS[i] };
            i += 1;
        }
        all
    };

    /// Creates the operand from a number.
    #[must_use]
    pub const fn new(number: K) -> Self {
        AddressPartOr(number, PhantomData)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> K {
        self.0
    }

    /// Parses `number` as if it were written in the text. `start` is the position for errors.
    fn read_number(cursor: &Cursor<'_>, start: usize, number: i128) -> Result<Self, OperandError> {
        let refused = |message| {
            let cause = i64::try_from(number).map_or(Cause::Text, |number| Cause::Part { number });
            OperandError { cause, ..cursor.fault(start, message) }
        };
        let Ok(size) = u64::try_from(number.unsigned_abs()) else {
            return Err(refused(OVER_64_BITS));
        };
        let mut digits = Line::new();
        if number < 0 {
            digits.push(b'-');
        }
        digits.push_decimal(size);
        let read = K::read(&mut Cursor::new(digits.as_str()));
        read.map(AddressPartOr::new).map_err(|fault| refused(fault.message))
    }
}

impl<P: AddressParts, K: OperandKind> OperandKind for AddressPartOr<P, K> {
    type Value = K::Value;

    const WIDTH: u8 = K::WIDTH;
    const VALUE_BITS: u16 = K::VALUE_BITS;
    const EXPECTS: &'static str = Self::EXPECTED.as_str();
    const MAX_LEN: usize = K::MAX_LEN;
    const FORMS: &'static [&'static str] = {
        let all: &'static [&'static str] = &Self::BEGIN;
        all.split_at(K::FORMS.len() + P::PARTS.len()).0
    };
    const RESERVED: &'static [Cube] = K::RESERVED;
    const NAMED: &'static [(&'static str, u64)] = K::NAMED;
    const READY: &'static [ShortText] = K::READY;
    const TARGET: Option<fn(Self, u64) -> u64> = match K::TARGET {
        Some(_) => Some(|to, address| K::TARGET.map_or(address, |target| target(to.0, address))),
        None => None,
    };
    const PARTS: &'static [TextPart] = K::PARTS;
    const READS_BACK: Option<fn(Self) -> bool> = match K::READS_BACK {
        Some(_) => Some(|part| K::READS_BACK.is_none_or(|reads_back| reads_back(part.0))),
        None => None,
    };

    #[inline]
    fn from_bits(raw: u64) -> Self {
        AddressPartOr::new(K::from_bits(raw))
    }

    #[inline]
    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        // Nearly all texts are numbers.
        if let Some(b'0'..=b'9' | b'-') = cursor.peek() {
            return K::read(cursor).map(AddressPartOr::new);
        }
        let start = cursor.position();
        match cursor.address_part(P::PARTS)? {
            Some(number) => Self::read_number(cursor, start, number),
            None => K::read(cursor).map(AddressPartOr::new),
        }
    }

    #[inline]
    fn write(self, line: &mut Line) {
        self.0.write(line);
    }
}

impl<P, K: Clone> Clone for AddressPartOr<P, K> {
    fn clone(&self) -> Self {
        AddressPartOr(self.0.clone(), PhantomData)
    }
}

impl<P, K: Copy> Copy for AddressPartOr<P, K> {}

impl<P, K: PartialEq> PartialEq for AddressPartOr<P, K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<P, K: Eq> Eq for AddressPartOr<P, K> {}

impl<P, K: PartialOrd> PartialOrd for AddressPartOr<P, K> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

impl<P, K: Ord> Ord for AddressPartOr<P, K> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl<P, K: core::hash::Hash> core::hash::Hash for AddressPartOr<P, K> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<P, K: fmt::Debug> fmt::Debug for AddressPartOr<P, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PartOf").field(&self.0).finish()
    }
}

impl<P: AddressParts, K: OperandKind> fmt::Display for AddressPartOr<P, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line::new();
        self.write(&mut line);
        f.pad(line.as_str())
    }
}

impl<P: AddressParts, K: OperandKind> core::str::FromStr for AddressPartOr<P, K> {
    type Err = OperandError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        super::parse(text)
    }
}

/// The value is the number.
impl<M: ?Sized, P: AddressParts, K: Source<M>> Source<M> for AddressPartOr<P, K> {
    #[inline]
    fn fetch(self, machine: &M) -> K::Value {
        self.0.fetch(machine)
    }
}
