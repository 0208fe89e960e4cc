//! Uniform registers.

use isa_core::machine::{Sink, Source, UniformRegs};
use isa_core::operand::{Numbered, OperandKind};
use isa_core::table::ShortText;
use isa_core::text::{Cursor, Line, OperandError};

/// A uniform register, `UR0` to `UR62`, or the zero register `URZ`.
///
/// ```
/// use isa_defs::base::UReg;
///
/// let operand: UReg = "UR4".parse()?;
/// assert_eq!(operand, UReg::UR4);
/// assert_eq!(operand.number(), Some(4));
/// assert_eq!(UReg::URZ.to_string(), "URZ");
/// assert_eq!(UReg::new(63), None);
/// # Ok::<(), isa_core::text::OperandError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UReg(u8);

/// The number of registers without the zero register, whose bits it is.
const COUNT: u8 = 63;

const NAMES: Numbered = Numbered {
    prefix: "UR",
    first: 0,
    step: 1,
    count: COUNT as u16,
    last: "URZ",
    unknown: "no such uniform register: expected `UR0` to `UR62`, or `URZ`",
    letter_case: "uniform registers are written in upper case",
};

static READY: [ShortText; 64] = NAMES.ready();

impl UReg {
    /// The register that reads as 0.
    pub const URZ: UReg = UReg(COUNT);

    /// Returns the operand with this number; `None` if there is none.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < COUNT { Some(UReg(number)) } else { None }
    }

    /// The number; `None` for [`UReg::URZ`].
    #[must_use]
    pub const fn number(self) -> Option<u8> {
        if self.0 < COUNT { Some(self.0) } else { None }
    }
}

/// Defines a constant for each register, in the order of the numbers.
macro_rules! constants {
    ($($name:ident)*) => {
        #[derive(Clone, Copy)]
        enum RegisterIndex { $($name),* }

        impl UReg {
            $(
                #[doc = concat!("The uniform register `", stringify!($name), "`.")]
                pub const $name: UReg = UReg(RegisterIndex::$name as u8);
            )*
        }
    };
}

constants! {
    UR0 UR1 UR2 UR3 UR4 UR5 UR6 UR7 UR8 UR9 UR10 UR11
    UR12 UR13 UR14 UR15 UR16 UR17 UR18 UR19 UR20 UR21 UR22 UR23
    UR24 UR25 UR26 UR27 UR28 UR29 UR30 UR31 UR32 UR33 UR34 UR35
    UR36 UR37 UR38 UR39 UR40 UR41 UR42 UR43 UR44 UR45 UR46 UR47
    UR48 UR49 UR50 UR51 UR52 UR53 UR54 UR55 UR56 UR57 UR58 UR59
    UR60 UR61 UR62
}

impl OperandKind for UReg {
    type Value = u32;
    const WIDTH: u8 = 6;
    const VALUE_BITS: u16 = 32;
    const EXPECTS: &'static str = "a uniform register (`UR0` to `UR62`, or `URZ`)";
    const MAX_LEN: usize = "UR62".len();
    const FORMS: &'static [&'static str] = &["UR0", "URZ"];
    const NAMED: &'static [(&'static str, u64)] = &[("URZ", COUNT as u64)];
    const NUMBERED: Option<&'static Numbered> = Some(&NAMES);
    const READY: &'static [ShortText] = &READY;

    #[inline]
    fn from_bits(raw: u64) -> Self {
        UReg(raw as u8 & 63)
    }

    #[inline]
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    #[inline]
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        NAMES.read(cursor).map(UReg)
    }

    #[inline]
    fn write(self, line: &mut Line) {
        NAMES.write(self.0, line);
    }
}

isa_core::operand_traits!(UReg);

/// URZ reads as 0.
impl<M: UniformRegs + ?Sized> Source<M> for UReg {
    #[inline]
    fn fetch(self, machine: &M) -> u32 {
        self.number().map_or(0, |number| machine.uniform_reg(number))
    }
}

/// A write to URZ has no effect.
impl<M: UniformRegs + ?Sized> Sink<M> for UReg {
    #[inline]
    fn store(self, machine: &mut M, value: u32) {
        if let Some(number) = self.number() {
            machine.set_uniform_reg(number, value);
        }
    }
}
