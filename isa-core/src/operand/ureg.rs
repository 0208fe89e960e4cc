//! Uniform registers.

use super::{Numbered, OperandKind, standard_traits};
use crate::asm::{Cursor, Fault, Line};

/// A uniform register, `UR0` to `UR62`, or the zero register `URZ`.
///
/// ```
/// use isa_core::operand::UReg;
///
/// let operand: UReg = "UR4".parse()?;
/// assert_eq!(operand, UReg::UR4);
/// assert_eq!(operand.number(), Some(4));
/// assert_eq!(UReg::URZ.to_string(), "URZ");
/// assert_eq!(UReg::new(63), None);
/// # Ok::<(), isa_core::asm::Fault>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UReg(u8);

const NAMES: Numbered = Numbered {
    prefix: "UR",
    count: 63,
    last: "URZ",
    unknown: "no such uniform register: uniform registers are `UR0` to `UR62` and `URZ`",
    letter_case: "uniform registers are written in upper case",
};

impl UReg {
    /// The register that reads as 0.
    pub const URZ: UReg = UReg(63);

    /// The uniform register with this number, unless the number is above 62.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 63 { Some(UReg(number)) } else { None }
    }

    /// The number; `None` for [`UReg::URZ`].
    #[must_use]
    pub const fn number(self) -> Option<u8> {
        if self.0 < 63 { Some(self.0) } else { None }
    }
}

impl OperandKind for UReg {
    /// The 32 bits of the register.
    type Value = u32;

    const WIDTH: u8 = 6;
    const EXPECTS: &'static str = "a uniform register (`UR0` to `UR62`, or `URZ`)";
    const NAMED: &'static [(&'static str, u64)] = &[("URZ", UReg::URZ.0 as u64)];
    const MAX_LEN: usize = 4;

    #[inline]
    fn from_bits(raw: u64) -> Self {
        UReg(raw as u8 & 63)
    }

    #[inline]
    fn to_bits(self) -> u64 {
        self.0.into()
    }

    #[inline]
    fn looks_like(cursor: &Cursor<'_>) -> bool {
        NAMES.looks_like(cursor)
    }

    #[inline]
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        NAMES.read(cursor).map(UReg)
    }

    #[inline]
    fn write(self, line: &mut Line) {
        NAMES.write(self.0, line);
    }
}

standard_traits!(UReg);

/// The numbered constants, in order.
macro_rules! constants {
    ($($name:ident)*) => {
        #[derive(Clone, Copy)]
        enum Number { $($name),* }

        impl UReg {
            $(
                #[doc = concat!("The uniform register `", stringify!($name), "`.")]
                pub const $name: UReg = UReg(Number::$name as u8);
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
