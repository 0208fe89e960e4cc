//! Predicates.

use super::{Numbered, OperandKind, standard_traits};
use crate::asm::{Cursor, Fault, Line};

/// A predicate, `P0` to `P6`, or the true predicate `PT`.
///
/// ```
/// use isa_core::operand::Pred;
///
/// let operand: Pred = "P4".parse()?;
/// assert_eq!(operand, Pred::P4);
/// assert_eq!(operand.number(), Some(4));
/// assert_eq!(Pred::PT.to_string(), "PT");
/// assert_eq!(Pred::new(7), None);
/// # Ok::<(), isa_core::asm::Fault>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pred(u8);

const NAMES: Numbered = Numbered {
    prefix: "P",
    count: 7,
    last: "PT",
    unknown: "no such predicate: predicates are `P0` to `P6` and `PT`",
    letter_case: "predicates are written in upper case",
};

impl Pred {
    /// The predicate that reads as true and drops what is written to it.
    pub const PT: Pred = Pred(7);

    /// The predicate with this number, unless the number is above 6.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 7 { Some(Pred(number)) } else { None }
    }

    /// The number; `None` for [`Pred::PT`].
    #[must_use]
    pub const fn number(self) -> Option<u8> {
        if self.0 < 7 { Some(self.0) } else { None }
    }
}

impl OperandKind for Pred {
    /// The truth value of the predicate.
    type Value = bool;

    const WIDTH: u8 = 3;
    const EXPECTS: &'static str = "a predicate (`P0` to `P6`, or `PT`)";
    const NAMED: &'static [(&'static str, u64)] = &[("PT", Pred::PT.0 as u64)];
    const MAX_LEN: usize = 2;

    #[inline]
    fn from_bits(raw: u64) -> Self {
        Pred(raw as u8 & 7)
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
        NAMES.read(cursor).map(Pred)
    }

    #[inline]
    fn write(self, line: &mut Line) {
        NAMES.write(self.0, line);
    }
}

standard_traits!(Pred);

/// The numbered constants, in order.
macro_rules! constants {
    ($($name:ident)*) => {
        #[derive(Clone, Copy)]
        enum Number { $($name),* }

        impl Pred {
            $(
                #[doc = concat!("The predicate `", stringify!($name), "`.")]
                pub const $name: Pred = Pred(Number::$name as u8);
            )*
        }
    };
}

constants! {
    P0 P1 P2 P3 P4 P5 P6
}
