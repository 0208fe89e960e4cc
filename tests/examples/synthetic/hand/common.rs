//! The shared part of all opcodes: operand types, source operands, and the fields that every word
//! and line has.

use std::fmt;

/// The reason why a word or a line is not a valid instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// No opcode has this number.
    Opcode,
    /// A field has a reserved value.
    Reserved,
    /// Bits are set that do not belong to a field.
    Free,
    /// `.BF16` takes neither `.FTZ` nor `.SAT`.
    Combination,
    /// No opcode has this name with this source.
    Mnemonic,
    /// The line does not continue with the expected part.
    Expected(&'static str),
}

/// Returns the value of `width` bits from `position`.
#[inline]
pub const fn bits(word: u128, position: u32, width: u32) -> u32 {
    (word >> position) as u32 & ((1u64 << width) - 1) as u32
}

#[inline]
pub const fn bit(word: u128, position: u32) -> bool {
    word >> position & 1 == 1
}

/// Returns a mask of `width` bits from `position`.
pub const fn mask(position: u32, width: u32) -> u128 {
    ((1 << width) - 1) << position
}

/// Returns the opcode number of a word.
#[inline]
pub const fn opcode(word: u128) -> u32 {
    bits(word, 0, 16)
}

/// Checks that all bits outside `taken` are zero.
#[inline]
pub const fn check_free(word: u128, taken: u128) -> Result<(), Error> {
    if word & !taken == 0 { Ok(()) } else { Err(Error::Free) }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Half {
    #[default]
    Both,
    Low,
    High,
}

impl Half {
    pub const fn from_bits(bits: u32) -> Result<Self, Error> {
        match bits {
            0 => Ok(Half::Both),
            2 => Ok(Half::Low),
            3 => Ok(Half::High),
            _ => Err(Error::Reserved),
        }
    }

    pub const fn to_bits(self) -> u128 {
        match self {
            Half::Both => 0,
            Half::Low => 2,
            Half::High => 3,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Round {
    #[default]
    Nearest,
    Down,
    Up,
    Zero,
}

impl Round {
    pub const fn from_bits(bits: u32) -> Self {
        match bits & 3 {
            0 => Round::Nearest,
            1 => Round::Down,
            2 => Round::Up,
            _ => Round::Zero,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reg(pub u8);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UReg(u8);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Imm(pub u32);

/// A word of constant memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CMem {
    bank: u8,
    offset: u32,
}

/// The location of a source operand's value.
pub trait Place: Sized + Copy + fmt::Display {
    const WIDTH: u32;
    fn from_bits(bits: u32) -> Result<Self, Error>;
    fn to_bits(self) -> u128;
}

impl Place for Reg {
    const WIDTH: u32 = 8;

    fn from_bits(bits: u32) -> Result<Self, Error> {
        Ok(Reg(bits as u8))
    }

    fn to_bits(self) -> u128 {
        self.0.into()
    }
}

impl Place for UReg {
    const WIDTH: u32 = 6;

    fn from_bits(bits: u32) -> Result<Self, Error> {
        Ok(UReg(bits as u8))
    }

    fn to_bits(self) -> u128 {
        self.0.into()
    }
}

impl Place for CMem {
    const WIDTH: u32 = 22;

    fn from_bits(bits: u32) -> Result<Self, Error> {
        let offset = bits & 0x1_ffff;
        if !offset.is_multiple_of(4) {
            return Err(Error::Reserved);
        }
        Ok(CMem { bank: (bits >> 17) as u8, offset })
    }

    fn to_bits(self) -> u128 {
        u128::from(self.bank) << 17 | u128::from(self.offset)
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            255 => f.write_str("RZ"),
            number => write!(f, "R{number}"),
        }
    }
}

impl fmt::Display for UReg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            63 => f.write_str("URZ"),
            number => write!(f, "UR{number}"),
        }
    }
}

impl fmt::Display for Imm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Display for CMem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "c[{:#x}][{:#x}]", self.bank, self.offset)
    }
}

/// A source operand with its modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source<P> {
    pub place: P,
    pub neg: bool,
    pub abs: bool,
    pub half: Half,
}

impl<P: Place> Source<P> {
    /// The bits of source operand B.
    pub const B: u128 = mask(64, P::WIDTH) | mask(96, 4);

    pub fn decode(word: u128, place: u32, marks: u32) -> Result<Self, Error> {
        Ok(Source {
            place: P::from_bits(bits(word, place, P::WIDTH))?,
            neg: bit(word, marks),
            abs: bit(word, marks + 1),
            half: Half::from_bits(bits(word, marks + 2, 2))?,
        })
    }

    pub fn encode(self, place: u32, marks: u32) -> u128 {
        let neg = u128::from(self.neg) << marks;
        let abs = u128::from(self.abs) << (marks + 1);
        self.place.to_bits() << place | neg | abs | self.half.to_bits() << (marks + 2)
    }
}

impl<P: Place> fmt::Display for Source<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bar = if self.abs { "|" } else { "" };
        let half = match self.half {
            Half::Both => "",
            Half::Low => ".H0_H0",
            Half::High => ".H1_H1",
        };
        write!(f, "{}{bar}{}{half}{bar}", if self.neg { "-" } else { "" }, self.place)
    }
}

/// The fields that every opcode has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub guard: u8,
    pub guard_not: bool,
    pub bf16: bool,
    pub ftz: bool,
    pub sat: bool,
    pub round: Round,
    pub rd: Reg,
    pub a: Source<Reg>,
    pub wait: u8,
}

impl Head {
    /// The bits of these fields and of the opcode number.
    pub const BITS: u128 = mask(0, 45) | mask(112, 2);

    pub fn decode(word: u128) -> Result<Self, Error> {
        let head = Head {
            guard: bits(word, 16, 3) as u8,
            guard_not: bit(word, 19),
            rd: Reg(bits(word, 20, 8) as u8),
            a: Source::decode(word, 28, 36)?,
            bf16: bit(word, 40),
            ftz: bit(word, 41),
            sat: bit(word, 42),
            round: Round::from_bits(bits(word, 43, 2)),
            wait: bits(word, 112, 2) as u8,
        };
        head.check()
    }

    fn check(self) -> Result<Self, Error> {
        if self.bf16 && (self.ftz || self.sat) { Err(Error::Combination) } else { Ok(self) }
    }

    pub fn encode(&self, opcode: u32) -> u128 {
        u128::from(opcode)
            | u128::from(self.guard) << 16
            | u128::from(self.guard_not) << 19
            | u128::from(self.rd.0) << 20
            | self.a.encode(28, 36)
            | u128::from(self.bf16) << 40
            | u128::from(self.ftz) << 41
            | u128::from(self.sat) << 42
            | (self.round as u128) << 43
            | u128::from(self.wait) << 112
    }

    /// Prints a line with the name of the opcode and its source operand B.
    pub fn print(
        &self,
        f: &mut fmt::Formatter<'_>,
        name: &str,
        b: &dyn fmt::Display,
    ) -> fmt::Result {
        if self.guard != 7 || self.guard_not {
            let not = if self.guard_not { "!" } else { "" };
            match self.guard {
                7 => write!(f, "@{not}PT ")?,
                guard => write!(f, "@{not}P{guard} ")?,
            }
        }
        f.write_str(name)?;
        for (is_there, text) in [(self.bf16, ".BF16"), (self.ftz, ".FTZ"), (self.sat, ".SAT")] {
            if is_there {
                f.write_str(text)?;
            }
        }
        let round = match self.round {
            Round::Nearest => "",
            Round::Down => ".RM",
            Round::Up => ".RP",
            Round::Zero => ".RZ",
        };
        write!(f, "{round} {}, {}, {b}", self.rd, self.a)?;
        match self.wait {
            0 => f.write_str(";"),
            wait => write!(f, " W{wait};"),
        }
    }
}

/// Source operand B of any type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnySource {
    Reg(Source<Reg>),
    UReg(Source<UReg>),
    Imm(Imm),
    CMem(Source<CMem>),
}

/// The location of a source operand of any type.
enum AnyPlace {
    Reg(Reg),
    UReg(UReg),
    CMem(CMem),
}

/// The parts of a line, before the opcode is looked up.
#[derive(Debug, Clone, Copy)]
pub struct Parsed<'l> {
    pub name: &'l str,
    pub head: Head,
    pub b: AnySource,
}

impl<'l> Parsed<'l> {
    pub fn new(line: &'l str) -> Result<Self, Error> {
        let mut text = Text { rest: line.trim_start() };
        let (guard, guard_not) = text.guard()?;
        let name = text.word();
        let (mut bf16, mut ftz, mut sat, mut round) = (false, false, false, Round::Nearest);
        while text.eat(".") {
            match text.word() {
                "F16" => bf16 = false,
                "BF16" => bf16 = true,
                "FTZ" => ftz = true,
                "SAT" => sat = true,
                "RN" => round = Round::Nearest,
                "RM" => round = Round::Down,
                "RP" => round = Round::Up,
                "RZ" => round = Round::Zero,
                _ => return Err(Error::Expected("a modifier")),
            }
        }
        let rd = text.reg()?;
        text.want(",", "a comma")?;
        let AnySource::Reg(a) = text.source()? else { return Err(Error::Expected("a register")) };
        text.want(",", "a comma")?;
        let b = text.source()?;
        let wait = match text.eat("W") {
            true => text.number(3, "0 to 3")? as u8,
            false => 0,
        };
        text.want(";", "a semicolon")?;
        let head = Head { guard, guard_not, bf16, ftz, sat, round, rd, a, wait };
        Ok(Parsed { name, head: head.check()?, b })
    }
}

/// The rest of a line.
struct Text<'l> {
    rest: &'l str,
}

impl<'l> Text<'l> {
    fn eat(&mut self, what: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(what) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn want(&mut self, what: &str, name: &'static str) -> Result<(), Error> {
        if self.eat(what) { Ok(()) } else { Err(Error::Expected(name)) }
    }

    fn word(&mut self) -> &'l str {
        self.rest = self.rest.trim_start();
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let (word, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn number(&mut self, most: u32, name: &'static str) -> Result<u32, Error> {
        let word = self.word();
        let number = match word.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => word.parse(),
        };
        number.ok().filter(|number| *number <= most).ok_or(Error::Expected(name))
    }

    fn guard(&mut self) -> Result<(u8, bool), Error> {
        if !self.eat("@") {
            return Ok((7, false));
        }
        let not = self.eat("!");
        match self.word() {
            "PT" => Ok((7, not)),
            word => match word.strip_prefix('P').and_then(|number| number.parse().ok()) {
                Some(number @ 0..=6) => Ok((number, not)),
                _ => Err(Error::Expected("a predicate")),
            },
        }
    }

    fn reg(&mut self) -> Result<Reg, Error> {
        match self.place()? {
            AnyPlace::Reg(reg) => Ok(reg),
            _ => Err(Error::Expected("a register")),
        }
    }

    fn place(&mut self) -> Result<AnyPlace, Error> {
        let word = self.word();
        if word == "c" {
            self.want("[", "a bank")?;
            let bank = self.number(31, "a bank")? as u8;
            self.want("]", "a bracket")?;
            self.want("[", "an offset")?;
            let offset = self.number(0x1_fffc, "an offset")?;
            self.want("]", "a bracket")?;
            let cmem = CMem { bank, offset };
            return match offset.is_multiple_of(4) {
                true => Ok(AnyPlace::CMem(cmem)),
                false => Err(Error::Expected("a multiple of 4")),
            };
        }
        let place = match word {
            "RZ" => Some(AnyPlace::Reg(Reg(255))),
            "URZ" => Some(AnyPlace::UReg(UReg(63))),
            _ => match (word.strip_prefix('R'), word.strip_prefix("UR")) {
                (Some(number), _) => {
                    number.parse().ok().filter(|n| *n < 255).map(|n| AnyPlace::Reg(Reg(n)))
                }
                (None, Some(number)) => {
                    number.parse().ok().filter(|n| *n < 63).map(|n| AnyPlace::UReg(UReg(n)))
                }
                (None, None) => None,
            },
        };
        place.ok_or(Error::Expected("a source"))
    }

    fn source(&mut self) -> Result<AnySource, Error> {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(AnySource::Imm(Imm(self.number(u32::MAX, "an immediate")?)));
        }
        let (neg, abs) = (self.eat("-"), self.eat("|"));
        let place = self.place()?;
        let half = match self.eat(".") {
            true => match self.word() {
                "H1_H0" => Half::Both,
                "H0_H0" => Half::Low,
                "H1_H1" => Half::High,
                _ => return Err(Error::Expected("a half")),
            },
            false => Half::Both,
        };
        if abs {
            self.want("|", "a bar")?;
        }
        Ok(match place {
            AnyPlace::Reg(place) => AnySource::Reg(Source { place, neg, abs, half }),
            AnyPlace::UReg(place) => AnySource::UReg(Source { place, neg, abs, half }),
            AnyPlace::CMem(place) => AnySource::CMem(Source { place, neg, abs, half }),
        })
    }
}
