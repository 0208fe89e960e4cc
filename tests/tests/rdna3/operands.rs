//! Operand types: sources, literals, and selections of halves.

use std::ops::RangeInclusive;

use isa_core::operand::{OperandKind, Unsigned};
use isa_core::text::{Cursor, Line, OperandError};

isa_core::registers! {
    /// A vector register.
    pub(crate) Vgpr: 8 = "v0" to "v255" of u32;
}

/// The names of sources from 235.
const SPECIAL: [&str; 5] = [
    "src_shared_base",
    "src_shared_limit",
    "src_private_base",
    "src_private_limit",
    "src_pops_exiting_wave_id",
];

/// The names of sources from 251.
const FLAGS: [&str; 4] = ["src_vccz", "src_execz", "src_scc", "src_lds_direct"];

/// The float constants from 240, with their bits as 16-bit and as 32-bit floats.
const FLOATS: [(&str, u32, u32); 9] = [
    ("0.5", 0x3800, 0x3f00_0000),
    ("-0.5", 0xb800, 0xbf00_0000),
    ("1.0", 0x3c00, 0x3f80_0000),
    ("-1.0", 0xbc00, 0xbf80_0000),
    ("2.0", 0x4000, 0x4000_0000),
    ("-2.0", 0xc000, 0xc000_0000),
    ("4.0", 0x4400, 0x4080_0000),
    ("-4.0", 0xc400, 0xc080_0000),
    ("0.15915494", 0x3118, 0x3e22_f983),
];

/// The integers that a source can contain.
const INTEGERS: RangeInclusive<i64> = -16..=64;

/// The number of a source that is the literal after the instruction.
const LITERAL: u64 = 255;

/// A scalar register, a constant or a vector register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Source(u16);

impl Source {
    /// Returns whether the source is a constant or a literal.
    const fn is_number(self) -> bool {
        matches!(self.0, 128..=208 | 240..=248 | 255)
    }

    /// Returns the source with a name.
    fn named(name: &str) -> Option<u16> {
        let numbered = |prefix, count, first| {
            let digits: &str = name.strip_prefix(prefix)?;
            let is_plain = !digits.starts_with('0') || digits == "0";
            let number = digits.parse::<u16>().ok().filter(|number| is_plain && *number < count)?;
            Some(first + number)
        };
        let listed = |names: &[&str], first| {
            let place = names.iter().position(|other| *other == name)?;
            Some(first + place as u16)
        };
        let floats = FLOATS.map(|(name, ..)| name);
        let integer = || {
            let number = name.parse().ok().filter(|number| INTEGERS.contains(number))?;
            Some(if number < 0 { 192 - number } else { 128 + number } as u16)
        };
        let found = numbered("s", 106, 0).or_else(|| numbered("ttmp", 16, 108));
        let found = found.or_else(|| numbered("v", 256, 256)).or_else(integer);
        let found = found.or_else(|| listed(&["vcc_lo", "vcc_hi"], 106));
        let found = found.or_else(|| listed(&["null", "m0", "exec_lo", "exec_hi"], 124));
        let found = found.or_else(|| listed(&SPECIAL, 235)).or_else(|| listed(&floats, 240));
        found.or_else(|| listed(&FLAGS, 251))
    }
}

impl OperandKind for Source {
    type Value = u16;
    const WIDTH: u8 = 9;
    const EXPECTS: &'static str = "a register or a constant";
    const MAX_LEN: usize = "src_pops_exiting_wave_id".len();
    const FORMS: &'static [&'static str] = &["*"];

    fn from_bits(raw: u64) -> Self {
        Source(raw as u16 & 511)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
        let length = cursor.rest().iter().take_while(is_part).count();
        match Source::named(&cursor.text()[start..start + length]) {
            Some(number) => {
                cursor.seek(start + length);
                Ok(Source(number))
            }
            None => Err(cursor.fault(start, "expected a register or a constant")),
        }
    }

    fn write(self, line: &mut Line) {
        let (name, number) = match self.0 {
            number @ 0..=105 => ("s", Some(number)),
            number @ (106 | 107) => (["vcc_lo", "vcc_hi"][usize::from(number) - 106], None),
            number @ 108..=123 => ("ttmp", Some(number - 108)),
            number @ 124..=127 => {
                (["null", "m0", "exec_lo", "exec_hi"][usize::from(number) - 124], None)
            }
            number @ 128..=192 => ("", Some(number - 128)),
            number @ 193..=208 => ("-", Some(number - 192)),
            number @ 235..=239 => (SPECIAL[usize::from(number) - 235], None),
            number @ 240..=248 => (FLOATS[usize::from(number) - 240].0, None),
            number @ 251..=254 => (FLAGS[usize::from(number) - 251], None),
            number @ 256.. => ("v", Some(number - 256)),
            // The specification reserves the other numbers.
            _ => ("?", None),
        };
        line.push_str(name);
        if let Some(number) = number {
            line.push_decimal(number.into());
        }
    }
}

/// A literal of `BITS` bits. Its text is the text of the constant with the same value, if there is one.
/// Such a text does not parse to a literal. `IS_WIDE` selects constants that are 32-bit floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Literal<const BITS: u8, const IS_WIDE: bool>(u32);

impl<const BITS: u8, const IS_WIDE: bool> Literal<BITS, IS_WIDE> {
    /// Returns the value as a signed number, if it is one of the integers that a source can contain.
    fn integer(self) -> Option<i64> {
        let unused = 64 - u32::from(BITS);
        let number = (i64::from(self.0) << unused) >> unused;
        Some(number).filter(|number| INTEGERS.contains(number))
    }

    fn float(self) -> Option<&'static str> {
        let bits = |(_, half, single): &&(&str, u32, u32)| if IS_WIDE { *single } else { *half };
        FLOATS.iter().find(|float| bits(float) == self.0).map(|(name, ..)| *name)
    }
}

impl<const BITS: u8, const IS_WIDE: bool> OperandKind for Literal<BITS, IS_WIDE> {
    type Value = u32;
    const WIDTH: u8 = BITS;
    const EXPECTS: &'static str = "a hexadecimal number";
    const MAX_LEN: usize = "0.15915494".len();
    const FORMS: &'static [&'static str] = &["0x*"];
    const READS_BACK: Option<fn(Self) -> bool> =
        Some(|it| it.integer().is_none() && it.float().is_none());

    fn from_bits(raw: u64) -> Self {
        Literal(raw as u32)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let start = cursor.position();
        if !cursor.rest().starts_with(b"0x") {
            return Err(cursor.fault(start, "expected a hexadecimal number"));
        }
        match u32::try_from(cursor.number()?) {
            Ok(number) if number <= u32::MAX >> (32 - BITS) => Ok(Literal(number)),
            _ => Err(cursor.fault(start, "the literal is too large")),
        }
    }

    fn write(self, line: &mut Line) {
        if let Some(integer) = self.integer() {
            line.push_str(if integer < 0 { "-" } else { "" });
            line.push_decimal(integer.unsigned_abs());
        } else if let Some(float) = self.float() {
            line.push_str(float);
        } else {
            line.push_str("0x");
            line.push_hex(self.0.into(), 1);
        }
    }
}

isa_core::operand_text! {
    /// A source of an instruction for a 16-bit number.
    pub(crate) SourceHalf "a register or a number": literal: Literal<16, false>, number: Source =
        [number = 255] ("" literal) or [literal = _] ("" number);
    /// A source of an instruction for two 16-bit floats.
    pub(crate) SourceHalves "a register or a number": literal: Literal<32, false>, number: Source =
        [number = 255] ("" literal) or [literal = _] ("" number);
    /// A source of an instruction for integers or for a 32-bit float.
    pub(crate) SourceWords "a register or a number": literal: Literal<32, true>, number: Source =
        [number = 255] ("" literal) or [literal = _] ("" number);

    /// The half of each source from which the low half of the result is computed.
    pub(crate) OpSel2 "`op_sel:[0,1]`": b: Unsigned<1>, a: Unsigned<1> = ("op_sel:[" a "," b "]");
    pub(crate) OpSel3 "`op_sel:[0,1,0]`": c: Unsigned<1>, b: Unsigned<1>, a: Unsigned<1> =
        ("op_sel:[" a "," b "," c "]");
    /// The half of each source from which the high half is computed.
    pub(crate) OpSelHi2 "`op_sel_hi:[0,1]`": b: Unsigned<1>, a: Unsigned<1> =
        ("op_sel_hi:[" a "," b "]");
    pub(crate) OpSelHi3 "`op_sel_hi:[0,1,0]`": c: Unsigned<1>, b: Unsigned<1>, a: Unsigned<1> =
        ("op_sel_hi:[" a "," b "," c "]");
    /// The sources that are negated for the low half of the result.
    pub(crate) NegLo2 "`neg_lo:[0,1]`": b: Unsigned<1>, a: Unsigned<1> = ("neg_lo:[" a "," b "]");
    pub(crate) NegLo3 "`neg_lo:[0,1,0]`": c: Unsigned<1>, b: Unsigned<1>, a: Unsigned<1> =
        ("neg_lo:[" a "," b "," c "]");
    /// The sources that are negated for the high half.
    pub(crate) NegHi2 "`neg_hi:[0,1]`": b: Unsigned<1>, a: Unsigned<1> = ("neg_hi:[" a "," b "]");
    pub(crate) NegHi3 "`neg_hi:[0,1,0]`": c: Unsigned<1>, b: Unsigned<1>, a: Unsigned<1> =
        ("neg_hi:[" a "," b "," c "]");
}

/// A source of `v_fma_mix`: from the highest bit, whether it is negated, whether its sign is removed, the
/// literal, and the source. A negated number is `neg(1.0)`, because `-1.0` is another number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MixSource(u32);

impl MixSource {
    const NEG: u32 = 1 << 26;
    const ABS: u32 = 1 << 25;

    fn literal(self) -> Literal<16, false> {
        Literal(self.0 >> 9 & 0xffff)
    }

    fn source(self) -> Source {
        Source(self.0 as u16 & 511)
    }
}

impl OperandKind for MixSource {
    type Value = u32;
    const WIDTH: u8 = 27;
    const EXPECTS: &'static str = "a register or a number, as `-v1`, `|v1|` or `neg(1.0)`";
    const MAX_LEN: usize = "-|src_pops_exiting_wave_id|".len();
    const FORMS: &'static [&'static str] = &["*"];
    const READS_BACK: Option<fn(Self) -> bool> = Some(|it| {
        let is_literal = u64::from(it.source().0) == LITERAL;
        !is_literal || Literal::<16, false>::READS_BACK.is_none_or(|reads| reads(it.literal()))
    });

    fn from_bits(raw: u64) -> Self {
        MixSource(raw as u32)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        cursor.skip_trivia();
        let (mut bits, mut close) = (0, None);
        if cursor.rest().starts_with(b"neg(") {
            cursor.seek(cursor.position() + "neg(".len());
            (bits, close) = (MixSource::NEG, Some(b')'));
        } else {
            let is_sign = matches!(cursor.rest(), [b'-', next, ..] if !next.is_ascii_digit());
            if is_sign && cursor.eat(b'-') {
                bits = MixSource::NEG;
            }
            if cursor.eat(b'|') {
                (bits, close) = (bits | MixSource::ABS, Some(b'|'));
            }
        }
        cursor.skip_trivia();
        bits |= match cursor.rest().starts_with(b"0x") {
            true => Literal::<16, false>::read(cursor)?.0 << 9 | LITERAL as u32,
            false => u32::from(Source::read(cursor)?.0),
        };
        match close {
            Some(close) if !cursor.eat(close) => {
                Err(cursor.fault(cursor.position(), "expected `|` or `)`"))
            }
            _ => Ok(MixSource(bits)),
        }
    }

    fn write(self, line: &mut Line) {
        let (source, is_neg) = (self.source(), self.0 & MixSource::NEG != 0);
        let [open, close] = match (is_neg, self.0 & MixSource::ABS != 0) {
            (false, false) => ["", ""],
            (false, true) => ["|", "|"],
            (true, true) => ["-|", "|"],
            (true, false) if source.is_number() => ["neg(", ")"],
            (true, false) => ["-", ""],
        };
        line.push_str(open);
        match u64::from(source.0) == LITERAL {
            true => self.literal().write(line),
            false => source.write(line),
        }
        line.push_str(close);
    }
}
