//! Operand types of SASS: registers, constant memory, immediates and the control word.

use isa_core::operand::{AsmFormat, OperandKind, Pred};
use isa_core::text::{Cursor, Line, OperandError};

use super::number;

isa_core::registers! {
    /// A uniform register of chips before sm_100: `UR0` to `UR62`, or `URZ`, which is 0.
    pub UReg: 6 = "UR0" to "UR62", "URZ" of u32;
    /// A uniform register of sm_100 and newer chips: `UR0` to `UR254`, or `URZ`, which is 0.
    pub WideUReg: 8 = "UR0" to "UR254", "URZ" of u32;
    /// A uniform predicate: `UP0` to `UP6`, or `UPT`, which is true.
    pub UPred: 3 = "UP0" to "UP6", "UPT" of bool, 1 bit;
    /// A barrier of divergent branches: `B0` to `B15`.
    pub Barrier: 4 = "B0" to "B15" of u32;
}

/// Returns the lowest bits of a number.
pub(crate) const fn low(raw: u64, bits: u32) -> u64 {
    raw & !u64::MAX.unbounded_shl(bits)
}

/// Prints a number in hexadecimal with `0x`, also if it is 0.
pub(crate) fn push_hex(line: &mut Line, number: u64) {
    line.push_str("0x");
    line.push_hex(number.into(), 1);
}

/// Prints a signed number in hexadecimal.
pub(crate) fn push_signed_hex(line: &mut Line, number: i64) {
    if number < 0 {
        line.push(b'-');
    }
    push_hex(line, number.unsigned_abs());
}

/// Parses a number with an optional sign.
pub(crate) fn signed(cursor: &mut Cursor<'_>) -> Result<i128, OperandError> {
    let negative = cursor.eat(b'-');
    let start = cursor.position();
    let number = i128::try_from(cursor.number()?);
    let number = number.map_err(|_| cursor.fault(start, "the number is too large"))?;
    Ok(if negative { -number } else { number })
}

/// Parses a character that the syntax requires.
pub(crate) fn expect(
    cursor: &mut Cursor<'_>,
    byte: u8,
    message: &'static str,
) -> Result<(), OperandError> {
    match cursor.eat(byte) {
        true => Ok(()),
        false => Err(cursor.fault(cursor.position(), message)),
    }
}

/// Implements the conversions of an operand type from and to the bits of its field.
macro_rules! bits {
    ($width:expr, $value:ty) => {
        type Value = $value;
        const WIDTH: u8 = $width;
        fn from_bits(raw: u64) -> Self {
            Self(low(raw, $width) as _)
        }
        fn to_bits(self) -> u64 {
            self.0.into()
        }
    };
}

/// A word of constant memory: the offset in words in the low 14 bits, and the bank above it. The
/// offset is signed. If `SPACED` is true, a blank separates the bank from the offset, because
/// `nvdisasm` prints this blank in some instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bank<const SPACED: bool>(u32);

impl<const SPACED: bool> OperandKind for Bank<SPACED> {
    bits!(19, u32);
    const VALUE_BITS: u16 = 32;
    const EXPECTS: &'static str = "constant memory (`c[0x0][0x160]`, 4-byte aligned)";
    const MAX_LEN: usize = "c[0x1f] [-0x8000]".len();
    const FORMS: &'static [&'static str] = &["c[*"];

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let start = cursor.position();
        cursor.word();
        expect(cursor, b'[', "expected `[`, as in `c[0x0][0x160]`")?;
        let bank = cursor.number()?;
        expect(cursor, b']', "expected `]`")?;
        expect(cursor, b'[', "expected `[`, as in `c[0x0][0x160]`")?;
        let offset = signed(cursor)?;
        expect(cursor, b']', "expected `]`")?;
        if bank > 31 || !(-0x8000..0x8000).contains(&offset) || offset % 4 != 0 {
            return Err(cursor.fault(
                start,
                "expected a bank up to 0x1f and an offset from -0x8000 to 0x7ffc, a multiple of 4",
            ));
        }
        Ok(Bank((bank as u32) << 14 | low((offset / 4) as u64, 14) as u32))
    }

    fn write(self, line: &mut Line) {
        line.push_str("c[");
        push_hex(line, (self.0 >> 14).into());
        line.push_str(if SPACED { "] [" } else { "][" });
        push_signed_hex(line, ((self.0 << 18) as i32 >> 16).into());
        line.push(b']');
    }
}

/// A word of constant memory in a bank that a uniform register describes: the register in the low 6
/// bits, and the offset in words above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bound<const SPACED: bool>(u32);

impl<const SPACED: bool> OperandKind for Bound<SPACED> {
    bits!(20, u32);
    const VALUE_BITS: u16 = 32;
    const EXPECTS: &'static str = "constant memory (`cx[UR4][0x160]`, 4-byte aligned)";
    const MAX_LEN: usize = "cx[UR62] [0xfffc]".len();
    const FORMS: &'static [&'static str] = &["cx[*"];

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.word();
        expect(cursor, b'[', "expected `[`, as in `cx[UR4][0x160]`")?;
        let register = UReg::read(cursor)?;
        expect(cursor, b']', "expected `]`")?;
        expect(cursor, b'[', "expected `[`, as in `cx[UR4][0x160]`")?;
        let start = cursor.position();
        let offset = cursor.number()?;
        if offset > 0xffff || offset % 4 != 0 {
            return Err(cursor.fault(start, "expected an offset up to 0xfffc, a multiple of 4"));
        }
        expect(cursor, b']', "expected `]`")?;
        Ok(Bound((offset as u32 / 4) << 6 | register.to_bits() as u32))
    }

    fn write(self, line: &mut Line) {
        line.push_str("cx[");
        UReg::from_bits(self.0.into()).write(line);
        line.push_str(if SPACED { "] [" } else { "][" });
        push_hex(line, (self.0 >> 6 << 2).into());
        line.push(b']');
    }
}

/// The beginnings of a float: a number, or the name of a special value.
const FLOAT: &[&str] =
    &["0*", "-0*", "+0*", "+INF*", "-INF*", "+QNAN*", "-QNAN*", "+SNAN*", "-SNAN*"];

/// Prints an immediate with two 16-bit floats, or only the low one if `single` is true.
fn write_halves(raw: u64, args: &[u64], single: bool, line: &mut Line) {
    let brain = args.first() == Some(&2);
    if !single {
        number::write_half((raw >> 16) as u16, brain, line);
        line.push_str(", ");
    }
    number::write_half(raw as u16, brain, line);
}

/// Parses an immediate with two 16-bit floats, or only the low one if `single` is true.
fn read_halves(cursor: &mut Cursor<'_>, args: &[u64], single: bool) -> Result<u64, OperandError> {
    let brain = args.first() == Some(&2);
    let first = number::read_half(cursor, brain)?.into();
    if single {
        return Ok(first);
    }
    expect(cursor, b',', "expected `,` and the low lane")?;
    Ok(first << 16 | u64::from(number::read_half(cursor, brain)?))
}

/// Returns whether the text of both 16-bit floats is parsed as these floats.
fn are_canonical(raw: u64, args: &[u64]) -> bool {
    let lane = |bits: u64| number::is_canonical_half(bits as u16, args.first() == Some(&2));
    lane(raw) && lane(raw >> 16)
}

/// The format of an immediate with two 16-bit floats. The argument is the format of the floats: 2 is
/// bfloat16, and other numbers are binary16. The payload of a NaN is not printed.
pub struct Halves;

impl AsmFormat for Halves {
    const EXPECTS: &'static str = "two immediate lanes from high to low (`1, -0.5`)";
    const MAX_LEN: usize = 2 * number::MAX_LEN + ", ".len();
    const FORMS: &'static [&'static str] = FLOAT;
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> = Some(are_canonical);

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        read_halves(cursor, args, false)
    }
    fn write(raw: u64, args: &[u64], line: &mut Line) {
        write_halves(raw, args, false, line);
    }
}

/// Like [`Halves`], but if the argument is 1, the immediate is one float.
pub struct OneOrTwo;

impl AsmFormat for OneOrTwo {
    const EXPECTS: &'static str = "one or two immediate lanes from high to low (`1, -0.5`)";
    const MAX_LEN: usize = 2 * number::MAX_LEN + ", ".len();
    const FORMS: &'static [&'static str] = FLOAT;
    const READS_BACK: Option<fn(u64, &[u64]) -> bool> = Some(are_canonical);

    fn read(cursor: &mut Cursor<'_>, args: &[u64]) -> Result<u64, OperandError> {
        read_halves(cursor, args, args.first() == Some(&1))
    }
    fn write(raw: u64, args: &[u64], line: &mut Line) {
        write_halves(raw, args, args.first() == Some(&1), line);
    }
}

/// Two predicates that receive carries, the first in the high bits. The second is only printed if it
/// is not `PT`, and then the first is not `PT` either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Carries(u8);

impl OperandKind for Carries {
    bits!(6, u8);
    const EXPECTS: &'static str = "one or two predicates (`P0, P1`)";
    const MAX_LEN: usize = "PT, PT".len();
    const FORMS: &'static [&'static str] = &["P0", "PT"];
    const NAMED: &'static [(&'static str, u64)] = &[("NONE", 63)];

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let first = Pred::read(cursor)?.to_bits() as u8;
        let end = cursor.position();
        if cursor.eat(b',') && cursor.peek() == Some(b'P') {
            return Ok(Carries(first << 3 | Pred::read(cursor)?.to_bits() as u8));
        }
        cursor.seek(end);
        Ok(Carries(first << 3 | 7))
    }
    fn write(self, line: &mut Line) {
        Pred::from_bits(u64::from(self.0 >> 3)).write(line);
        if self.0 & 7 != 7 {
            line.push_str(", ");
            Pred::from_bits(u64::from(self.0 & 7)).write(line);
        }
    }
}

/// An immediate of 32 bits that is printed as a float. The payload of a NaN is not printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Float(u32);

impl OperandKind for Float {
    bits!(32, u32);
    const VALUE_BITS: u16 = 32;
    const EXPECTS: &'static str = "a float (`0.5`)";
    const MAX_LEN: usize = number::MAX_LEN;
    const FORMS: &'static [&'static str] = FLOAT;
    const READS_BACK: Option<fn(Self) -> bool> = Some(|float| number::is_canonical(float.0));

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        number::read_float(cursor).map(Float)
    }
    fn write(self, line: &mut Line) {
        number::write_float(self.0, line);
    }
}

/// The high half of a 64-bit float whose low half is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Double(u32);

impl OperandKind for Double {
    bits!(32, u32);
    const VALUE_BITS: u16 = 64;
    const EXPECTS: &'static str = "a float (`0.5`)";
    const MAX_LEN: usize = number::MAX_LEN;
    const FORMS: &'static [&'static str] = FLOAT;
    const READS_BACK: Option<fn(Self) -> bool> = Some(|float| number::is_canonical_double(float.0));

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        number::read_double(cursor).map(Double)
    }
    fn write(self, line: &mut Line) {
        number::write_double(self.0, line);
    }
}

/// An unsigned number that is always printed in hexadecimal with `0x`, also if it is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number<const BITS: u8>(u64);

impl<const BITS: u8> OperandKind for Number<BITS> {
    bits!(BITS as _, u64);
    const EXPECTS: &'static str = "a number (`0x10`)";
    const MAX_LEN: usize = "0x".len() + BITS.div_ceil(4) as usize;
    const FORMS: &'static [&'static str] = &["0~", "-0~"];

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let number = signed(cursor)?;
        let least = -(1 << (BITS - 1));
        match (least..1 << BITS).contains(&number) {
            true => Ok(Number(low(number as u64, BITS.into()))),
            false => Err(cursor.fault(start, "the number is out of range")),
        }
    }
    fn write(self, line: &mut Line) {
        push_hex(line, self.0);
    }
}

/// A signed number that is printed in hexadecimal with `0x`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SignedNumber<const BITS: u8>(u64);

impl<const BITS: u8> OperandKind for SignedNumber<BITS> {
    bits!(BITS as _, u64);
    const EXPECTS: &'static str = "a number (`-0x10`)";
    const MAX_LEN: usize = "-0x".len() + BITS.div_ceil(4) as usize;
    const FORMS: &'static [&'static str] = &["0~", "-0~"];

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        Number::<BITS>::read(cursor).map(|number| SignedNumber(number.0))
    }
    fn write(self, line: &mut Line) {
        push_signed_hex(line, (self.0 << (64 - BITS)) as i64 >> (64 - BITS));
    }
}

/// Declares the operand type of a part of the control word: a prefix and a number.
macro_rules! control {
    ($(#[$doc:meta])* $name:ident, $width:expr, $prefix:literal, $form:literal, $max:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(u8);

        impl OperandKind for $name {
            bits!($width, u8);
            const EXPECTS: &'static str = concat!("`", $prefix, "` and a number");
            const MAX_LEN: usize = $prefix.len() + 2;
            const FORMS: &'static [&'static str] = &[$form];

            fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
                cursor.skip_trivia();
                let start = cursor.position();
                if !cursor.rest().starts_with($prefix.as_bytes()) {
                    return Err(cursor.fault(start, concat!("expected `", $prefix, "`")));
                }
                cursor.seek(start + $prefix.len());
                match cursor.number()? {
                    number if number <= $max => Ok(Self(number as u8)),
                    _ => Err(cursor.fault(start, concat!("expected at most ", stringify!($max)))),
                }
            }
            fn write(self, line: &mut Line) {
                line.push_str($prefix);
                line.push_decimal(self.0.into());
            }
        }
    };
}

control! {
    /// The number of cycles until the next instruction is issued.
    Stall, 4, "?stall=", "?stall*", 15
}
control! {
    /// The barrier that is released when the results are written. The value 7 means no barrier.
    WriteBarrier, 3, "&wr=", "&wr*", 7
}
control! {
    /// The barrier that is released when the sources are read. The value 7 means no barrier.
    ReadBarrier, 3, "&rd=", "&rd*", 7
}

/// Whether the warp keeps its priority after the instruction. The value 0 lets another warp run
/// first; it is printed as `?yield`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Yield(u8);

impl OperandKind for Yield {
    bits!(1, u8);
    const EXPECTS: &'static str = "`?yield` or `?stay`";
    const MAX_LEN: usize = "?yield".len();
    const FORMS: &'static [&'static str] = &["?yield", "?stay"];

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        cursor.eat(b'?');
        match cursor.word() {
            "yield" => Ok(Yield(0)),
            "stay" => Ok(Yield(1)),
            _ => Err(cursor.fault(start, "expected `?yield` or `?stay`")),
        }
    }
    fn write(self, line: &mut Line) {
        line.push_str(if self.0 == 0 { "?yield" } else { "?stay" });
    }
}

/// The barriers that the instruction waits for, as a set: bit i represents barrier i.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Waits(u8);

impl OperandKind for Waits {
    bits!(6, u8);
    const EXPECTS: &'static str = "a set of barriers (`&req={0,5}`)";
    const MAX_LEN: usize = "&req={0,1,2,3,4,5}".len();
    const FORMS: &'static [&'static str] = &["&req*"];

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        if !cursor.rest().starts_with(b"&req={") {
            return Err(cursor.fault(start, "expected `&req={`"));
        }
        cursor.seek(start + "&req={".len());
        let mut set = 0;
        while !cursor.eat(b'}') {
            let at = cursor.position();
            match cursor.number()? {
                barrier @ 0..6 => set |= 1 << barrier,
                _ => return Err(cursor.fault(at, "expected a barrier from 0 to 5")),
            }
            cursor.eat(b',');
        }
        Ok(Waits(set))
    }

    fn write(self, line: &mut Line) {
        line.push_str("&req={");
        let mut separator = "";
        for barrier in (0..6).filter(|barrier| self.0 >> barrier & 1 == 1) {
            line.push_str(separator);
            line.push_decimal(barrier);
            separator = ",";
        }
        line.push(b'}');
    }
}

/// The uniform register with the descriptor of an access, which `nvdisasm` does not print for chips
/// before sm_90.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Descriptor(u8);

impl OperandKind for Descriptor {
    bits!(6, u8);
    const EXPECTS: &'static str = "`&desc=` and a uniform register";
    const MAX_LEN: usize = "&desc=UR62".len();
    const FORMS: &'static [&'static str] = &["&desc*"];

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        if !cursor.rest().starts_with(b"&desc=") {
            return Err(cursor.fault(start, "expected `&desc=`"));
        }
        cursor.seek(start + "&desc=".len());
        UReg::read(cursor).map(|register| Descriptor(register.to_bits() as u8))
    }
    fn write(self, line: &mut Line) {
        line.push_str("&desc=");
        UReg::from_bits(self.0.into()).write(line);
    }
}
