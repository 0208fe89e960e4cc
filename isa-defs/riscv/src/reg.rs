//! Registers, by the names of the calling convention.

use isa_core::machine::Source;
use isa_core::operand::{Listed, OperandKind};
use isa_core::table::ShortText;
use isa_core::text::{Cursor, Line, OperandError};

use super::machine::Registers;

isa_core::registers! {
    /// A register of 64 bits. `zero` is always 0 and ignores writes.
    ///
    /// ```
    /// use isa_riscv::Reg;
    ///
    /// assert_eq!(Reg::A0.number(), 10);
    /// assert_eq!(isa_core::operand::parse::<Reg>("x10"), Ok(Reg::A0));
    /// assert_eq!(isa_core::operand::parse::<Reg>("fp"), Ok(Reg::S0));
    /// ```
    pub Reg: 5 = "zero", "ra", "sp", "gp", "tp", "t0" to "t2", "s0" to "s1", "a0" to "a7", "s2" to "s11", "t3" to "t6"
        or "x0" to "x31" or "fp" = 8 of u64, in Registers { reg, set_reg };
    /// One of the registers that three bits can name.
    pub CReg: 3 = "s0" = 8, "s1", "a0" to "a5" or "x8" to "x15" or "fp" = 8 of u64, in Registers { reg, set_reg };
}

/// Defines a constant for each register, in the order of the register numbers.
macro_rules! constants {
    ($($constant:ident)*) => {
        /// The constants in order, which assigns them their numbers.
        #[allow(clippy::upper_case_acronyms, reason = "named as the constants")]
        enum RegisterNumber { $($constant),* }

        impl Reg {
            $(
                #[doc = concat!("Register ", stringify!($constant), ", in lower case in assembly text.")]
                pub const $constant: Reg = Reg(RegisterNumber::$constant as u8);
            )*
        }
    };
}

constants! {
    ZERO RA SP GP TP T0 T1 T2 S0 S1 A0 A1 A2 A3 A4 A5 A6 A7 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 T3 T4 T5 T6
}

/// A register that contains the bits to set or to clear in a control and status register. If it is
/// `zero`, the instruction does not write the control and status register. Any other register causes a
/// write, even if it contains 0 and the write changes no bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mask(pub Reg);

impl OperandKind for Mask {
    type Value = Option<u64>;
    const WIDTH: u8 = Reg::WIDTH;
    const VALUE_BITS: u16 = 64;
    const EXPECTS: &'static str = Reg::EXPECTS;
    const MAX_LEN: usize = Reg::MAX_LEN;
    const FORMS: &'static [&'static str] = Reg::FORMS;
    const LISTED: Option<&'static Listed> = Reg::LISTED;
    const READY: &'static [ShortText] = Reg::READY;

    fn from_bits(raw: u64) -> Self {
        Mask(Reg::from_bits(raw))
    }

    fn to_bits(self) -> u64 {
        self.0.to_bits()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        Reg::read(cursor).map(Mask)
    }

    fn write(self, line: &mut Line) {
        self.0.write(line);
    }
}

impl<M: Registers + ?Sized> Source<M> for Mask {
    #[inline]
    fn fetch(self, machine: &M) -> Option<u64> {
        (self.0 != Reg::ZERO).then(|| self.0.fetch(machine))
    }
}
