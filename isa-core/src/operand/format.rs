//! Ready formats: fields that are written as operands of a kind.

use core::marker::PhantomData;

use super::{AsmFormat, Numbered, OperandKind};
use crate::asm::{Cursor, Fault, Line};
use crate::table::ShortText;

/// A field, or several together, written as an operand of another kind.
///
/// ```
/// isa_core::define_isa! {
///     /// A rotation by a number of which half stands elsewhere.
///     pub isa Shifts: u32;
///     operand Reg: 8 = isa_core::operand::Reg;
///     operand Count: 4 = isa_core::operand::Unsigned<4>;
///     format Whole = isa_core::operand::Shown<isa_core::operand::Unsigned<8>>;
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
pub struct Shown<K>(PhantomData<K>);

impl<K: OperandKind> AsmFormat for Shown<K> {
    const EXPECTS: &'static str = K::EXPECTS;
    const MAX_LEN: usize = K::MAX_LEN;
    const READY: &'static [ShortText] = K::READY;
    const NUMBERED: Option<&'static Numbered> = K::NUMBERED;
    const FORMS: &'static [&'static str] = K::FORMS;
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> = match K::READS_BACK {
        Some(_) => Some(|raw, _| K::READS_BACK.is_none_or(|it| it(K::from_bits(raw)))),
        None => None,
    };

    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, Fault> {
        K::read(cursor).map(K::to_bits)
    }
    #[inline]
    fn write(raw: u64, _: &[u64], line: &mut Line) {
        K::from_bits(raw).write(line);
    }
}

/// Two fields of a kind that have one value, written once: for an alias of words in which the two
/// are equal.
///
/// ```
/// isa_core::define_isa! {
///     /// A sum, and twice a number.
///     pub isa Sums: u32;
///     operand Reg: 8 = isa_core::operand::Reg;
///     format Twice = isa_core::operand::Twice<isa_core::operand::Reg>;
///     opcode ADD {
///         encoding { field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 8> Reg rb; }
///         syntax { ADD rd, ra, rb; }
///     }
///     alias DOUBLE of ADD {
///         encoding { where ra == rb; }
///         syntax { DOUBLE rd, source; }
///         operands { AsmFormat<source: ra, rb> = Twice(); }
///     }
/// }
///
/// let double: Sums = "DOUBLE R1, R2;".parse().unwrap();
/// assert_eq!(double, "ADD R1, R2, R2;".parse().unwrap());
/// assert_eq!(double.to_string(), "DOUBLE R1, R2;");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Twice<K>(PhantomData<K>);

impl<K: OperandKind> AsmFormat for Twice<K> {
    const EXPECTS: &'static str = K::EXPECTS;
    const MAX_LEN: usize = K::MAX_LEN;
    const FORMS: &'static [&'static str] = K::FORMS;
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> = Some(|raw, _| {
        let (high, low) = (raw >> K::WIDTH, K::from_bits(raw));
        high == low.to_bits() && K::READS_BACK.is_none_or(|it| it(low))
    });

    #[inline]
    fn read(cursor: &mut Cursor<'_>, _: &[u64]) -> Result<u64, Fault> {
        K::read(cursor).map(|operand| operand.to_bits() << K::WIDTH | operand.to_bits())
    }
    #[inline]
    fn write(raw: u64, _: &[u64], line: &mut Line) {
        K::from_bits(raw).write(line);
    }
}
