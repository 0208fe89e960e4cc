//! Predefined formats, which print fields as operands of a type.

use core::marker::PhantomData;

use super::forms::Joined;
use super::{AsmFormat, Listed, Numbered, OperandKind, TextPart, begins_like};
use crate::text::{Cursor, Line, Message, OperandError, ShortText};

/// One or several fields, printed as an operand of another type.
///
/// ```
/// isa_core::define_isa! {
///     /// A rotation by a number of which half stands elsewhere.
///     pub isa Shifts: u32;
///     operand Reg: 8 = isa_core::operand::Reg;
///     operand Count: 4 = isa_core::operand::Unsigned<4>;
///     format Whole = isa_core::operand::FixedText<isa_core::operand::Unsigned<8>>;
///     opcode ROTATE {
///         encoding { field<0, 8> Reg rd; field<8, 4> Count low; field<20, 4> Count high; }
///         syntax { ROTATE rd, by; }
///         operands { AsmFormat<by: high, low> = Whole(); }
///     }
/// }
///
/// let inst: Shifts = "ROTATE R1, 33;".parse().unwrap();
/// assert_eq!(inst.encode().unwrap(), 0x20_0101);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct FixedText<K>(PhantomData<K>);

impl<K: OperandKind> AsmFormat for FixedText<K> {
    const EXPECTS: &'static str = K::EXPECTS;
    const MAX_LEN: usize = K::MAX_LEN;
    const READY: &'static [ShortText] = K::READY;
    const NUMBERED: Option<&'static Numbered> = K::NUMBERED;
    const LISTED: Option<&'static Listed> = K::LISTED;
    const FORMS: &'static [&'static str] = K::FORMS;
    const PARTS: &'static [TextPart] = K::PARTS;
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> = match K::READS_BACK {
        Some(_) => Some(|raw, _| K::READS_BACK.is_none_or(|it| it(K::from_bits(raw)))),
        None => None,
    };

    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        K::read(cursor).map(K::to_bits)
    }
    #[inline]
    fn write(raw: u64, _: &[u64], line: &mut Line) {
        K::from_bits(raw).write(line);
    }
}

/// Two fields, or `N` fields, that have the same type and the same value, printed as one operand. If
/// `where` declares that fields are equal and an operand placeholder has the name of one of them, the
/// macro uses this format by default. For a placeholder with another name, declare it as the format.
///
/// ```
/// isa_core::define_isa! {
///     /// A sum, and twice a number.
///     pub isa Sums: u32;
///     operand Reg: 8 = isa_core::operand::Reg;
///     format Duplicated = isa_core::operand::Duplicated<isa_core::operand::Reg>;
///     opcode ADD {
///         encoding { field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 8> Reg rb; }
///         syntax { ADD rd, ra, rb; }
///     }
///     alias DOUBLE of ADD {
///         encoding { where ra == rb; }
///         syntax { DOUBLE rd, source; }
///         operands { AsmFormat<source: ra, rb> = Duplicated(); }
///     }
/// }
///
/// let double: Sums = "DOUBLE R1, R2;".parse().unwrap();
/// assert_eq!(double, "ADD R1, R2, R2;".parse().unwrap());
/// assert_eq!(double.to_string(), "DOUBLE R1, R2;");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Duplicated<K, const N: u32 = 2>(PhantomData<K>);

impl<K: OperandKind, const N: u32> Duplicated<K, N> {
    /// Returns the combined bits of all fields, if each field contains `operand`.
    fn of(operand: K) -> u64 {
        let bits = operand.to_bits();
        (1..N).fold(bits, |all, _| all.unbounded_shl(K::WIDTH.into()) | bits)
    }
}

impl<K: OperandKind, const N: u32> AsmFormat for Duplicated<K, N> {
    const EXPECTS: &'static str = K::EXPECTS;
    const MAX_LEN: usize = K::MAX_LEN;
    const FORMS: &'static [&'static str] = K::FORMS;
    const PARTS: &'static [TextPart] = K::PARTS;
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> = Some(|raw, _| {
        let operand = K::from_bits(raw);
        raw == Self::of(operand) && K::READS_BACK.is_none_or(|it| it(operand))
    });

    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        K::read(cursor).map(Self::of)
    }
    #[inline]
    fn write(raw: u64, _: &[u64], line: &mut Line) {
        K::from_bits(raw).write(line);
    }
}

/// An operand of one of two types. The bit above the operand's bits selects the type: 0 selects the
/// first type, 1 the second. Use it as the format of a composite operand that consists of this bit and
/// the operand.
///
/// ```
/// isa_core::registers! {
///     /// The low half of a register.
///     pub W: 5 = "w0" to "w31" of u32;
///     /// A register.
///     pub R: 5 = "r0" to "r31" of u64;
/// }
///
/// isa_core::define_isa! {
///     /// Tests a bit.
///     pub isa Tests: u32;
///     operand R: 5;
///     operand Bit1: 1 = isa_core::operand::Unsigned<1>;
///     operand Bits5: 5 = isa_core::operand::Unsigned<5>;
///     format Half = isa_core::operand::Either<W, R>;
///     format Place = isa_core::operand::FixedText<isa_core::operand::Unsigned<6>>;
///     opcode TEST {
///         encoding { field<0, 5> R rt; field<8, 5> Bits5 low; field<31, 1> Bit1 high; }
///         syntax { TEST rt, bit; }
///         operands { AsmFormat<rt: high, rt> = Half(); AsmFormat<bit: high, low> = Place(); }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// assert_eq!("TEST r3, 33;".parse::<Tests>()?.encode()?, 0x8000_0103);
/// assert_eq!("TEST w3, 1;".parse::<Tests>()?.encode()?, 0x103);
/// assert!("TEST w3, 33;".parse::<Tests>().is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Either<A, B>(PhantomData<(A, B)>);

impl<A: OperandKind, B: OperandKind> Either<A, B> {
    const EXPECTED: Message = Message::new().text(A::EXPECTS).text(", or ").text(B::EXPECTS);
    const BEGIN: Joined = Joined::new(A::FORMS, B::FORMS);
    /// The bit that selects the operand type.
    const SECOND: u64 = {
        assert!(
            A::WIDTH == B::WIDTH && A::WIDTH < 64,
            "the two operand types must have the same width"
        );
        1 << A::WIDTH
    };
}

impl<A: OperandKind, B: OperandKind> AsmFormat for Either<A, B> {
    const EXPECTS: &'static str = Self::EXPECTED.as_str();
    const MAX_LEN: usize = if A::MAX_LEN > B::MAX_LEN { A::MAX_LEN } else { B::MAX_LEN };
    const FORMS: &'static [&'static str] = Self::BEGIN.forms();
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> = match (A::READS_BACK, B::READS_BACK) {
        (None, None) => None,
        _ => Some(|raw, _| match raw & Self::SECOND {
            0 => A::READS_BACK.is_none_or(|it| it(A::from_bits(raw))),
            _ => B::READS_BACK.is_none_or(|it| it(B::from_bits(raw ^ Self::SECOND))),
        }),
    };

    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, OperandError> {
        match begins_like(A::FORMS, cursor) {
            true => A::read(cursor).map(A::to_bits),
            false => B::read(cursor).map(|operand| operand.to_bits() | Self::SECOND),
        }
    }

    #[inline]
    fn write(raw: u64, _: &[u64], line: &mut Line) {
        match raw & Self::SECOND {
            0 => A::from_bits(raw).write(line),
            _ => B::from_bits(raw ^ Self::SECOND).write(line),
        }
    }
}
