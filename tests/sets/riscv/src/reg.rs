//! Registers, by the names of the calling convention.

use isa_core::asm::{Cursor, Fault, Line};
use isa_core::machine::{Sink, Source};
use isa_core::operand::OperandKind;

use super::machine::Registers;

/// Defines the 32 registers: a constant and a name for each, in their order.
macro_rules! registers {
    ($($constant:ident = $name:literal)*) => {
        pub(crate) const NAMES: [&str; 32] = [$($name),*];

        /// The constants in their order, which gives them their numbers.
        #[allow(clippy::upper_case_acronyms, reason = "named as the constants")]
        enum Number { $($constant),* }

        impl Reg {
            $(
                #[doc = concat!("The register `", $name, "`.")]
                pub const $constant: Reg = Reg(Number::$constant as u8);
            )*
        }
    };
}

/// A register of 64 bits. `zero` reads 0 and drops what is written.
///
/// ```
/// use isa_riscv::Reg;
///
/// assert_eq!(Reg::A0.number(), 10);
/// assert_eq!(isa_core::operand::parse::<Reg>("x10"), Ok(Reg::A0));
/// assert_eq!(isa_core::operand::parse::<Reg>("fp"), Ok(Reg::S0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reg(u8);

registers! {
    ZERO = "zero" RA = "ra" SP = "sp" GP = "gp" TP = "tp" T0 = "t0" T1 = "t1" T2 = "t2"
    S0 = "s0" S1 = "s1" A0 = "a0" A1 = "a1" A2 = "a2" A3 = "a3" A4 = "a4" A5 = "a5"
    A6 = "a6" A7 = "a7" S2 = "s2" S3 = "s3" S4 = "s4" S5 = "s5" S6 = "s6" S7 = "s7"
    S8 = "s8" S9 = "s9" S10 = "s10" S11 = "s11" T3 = "t3" T4 = "t4" T5 = "t5" T6 = "t6"
}

impl Reg {
    /// The register with this number; `None` beyond 31.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 32 { Some(Reg(number)) } else { None }
    }

    /// The number, 0 to 31.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    fn named(word: &str) -> Option<Self> {
        let number = match (word, word.strip_prefix('x')) {
            ("fp", _) => return Some(Reg::S0),
            (_, Some(digits)) if digits == "0" || !digits.starts_with(['0', '+']) => {
                return digits.parse().ok().and_then(Reg::new);
            }
            _ => NAMES.iter().position(|name| *name == word)?,
        };
        Reg::new(number as u8)
    }
}

/// How the name of a register begins.
const FORMS: &[&str] = &["zero", "ra", "sp", "gp", "tp", "fp", "t0", "s0", "a0", "x0"];

impl OperandKind for Reg {
    type Value = u64;
    const WIDTH: u8 = 5;
    const VALUE_BITS: u16 = 64;
    const EXPECTS: &'static str = "a register (`a0`, `sp`, `x31`)";
    const MAX_LEN: usize = "zero".len();
    const FORMS: &'static [&'static str] = FORMS;

    #[inline]
    fn from_bits(raw: u64) -> Self {
        Reg(raw as u8 & 31)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let word = cursor.word();
        let start = cursor.position() - word.len();
        let message = "no such register: `zero`, `ra`, `sp`, `gp`, `tp`, `t0` to `t6`, `s0` to \
                       `s11`, `a0` to `a7`, or `x0` to `x31`";
        Reg::named(word).ok_or_else(|| cursor.fault(start, message))
    }

    fn write(self, line: &mut Line) {
        line.push_str(NAMES[usize::from(self.0)]);
    }
}

/// One of the registers `s0`, `s1` and `a0` to `a5`, which three bits can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CReg(Reg);

impl CReg {
    /// The register, if three bits can name it.
    #[must_use]
    pub const fn new(reg: Reg) -> Option<Self> {
        if reg.0 >> 3 == 1 { Some(CReg(reg)) } else { None }
    }

    /// The register.
    #[must_use]
    pub const fn reg(self) -> Reg {
        self.0
    }
}

impl OperandKind for CReg {
    type Value = u64;
    const WIDTH: u8 = 3;
    const VALUE_BITS: u16 = 64;
    const EXPECTS: &'static str = "a register of the first eight (`s0`, `s1`, `a0` to `a5`)";
    const MAX_LEN: usize = "a0".len();
    const FORMS: &'static [&'static str] = FORMS;

    #[inline]
    fn from_bits(raw: u64) -> Self {
        CReg(Reg(raw as u8 & 7 | 8))
    }

    fn to_bits(self) -> u64 {
        u64::from(self.0.0) & 7
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.skip_trivia();
        let start = cursor.position();
        let reg = Reg::read(cursor)?;
        let message = "16 bits have room for `s0`, `s1` and `a0` to `a5` only";
        CReg::new(reg).ok_or_else(|| cursor.fault(start, message))
    }

    fn write(self, line: &mut Line) {
        self.0.write(line);
    }
}

/// A register with the bits to set or to clear in another. `zero` stands for none: a register
/// that holds 0 is another thing, since then a write of no bits takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask(pub Reg);

impl OperandKind for Mask {
    type Value = Option<u64>;
    const WIDTH: u8 = Reg::WIDTH;
    const VALUE_BITS: u16 = 64;
    const EXPECTS: &'static str = Reg::EXPECTS;
    const MAX_LEN: usize = Reg::MAX_LEN;
    const FORMS: &'static [&'static str] = FORMS;

    fn from_bits(raw: u64) -> Self {
        Mask(Reg::from_bits(raw))
    }

    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        Reg::read(cursor).map(Mask)
    }

    fn write(self, line: &mut Line) {
        self.0.write(line);
    }
}

impl<M: Registers + ?Sized> Source<M> for Reg {
    #[inline]
    fn fetch(self, machine: &M) -> u64 {
        machine.reg(self.0)
    }
}

impl<M: Registers + ?Sized> Sink<M> for Reg {
    #[inline]
    fn store(self, machine: &mut M, value: u64) {
        machine.set_reg(self.0, value);
    }
}

impl<M: Registers + ?Sized> Source<M> for CReg {
    #[inline]
    fn fetch(self, machine: &M) -> u64 {
        self.0.fetch(machine)
    }
}

impl<M: Registers + ?Sized> Sink<M> for CReg {
    #[inline]
    fn store(self, machine: &mut M, value: u64) {
        self.0.store(machine, value);
    }
}

impl<M: Registers + ?Sized> Source<M> for Mask {
    #[inline]
    fn fetch(self, machine: &M) -> Option<u64> {
        (self.0 != Reg::ZERO).then(|| self.0.fetch(machine))
    }
}
