//! The number of `c.lui`: six bits with a sign, written as the twenty bits that they become.

use isa_core::asm::{Cursor, Fault, Line};
use isa_core::machine::Source;
use isa_core::operand::OperandKind;

/// The upper part of a number: 1 to 31, or 0xfffe0 to 0xfffff for the numbers below 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CUpper(u8);

impl OperandKind for CUpper {
    /// The twenty bits.
    type Value = u64;
    const WIDTH: u8 = 6;
    const EXPECTS: &'static str = "a number from 1 to 31 or from 0xfffe0 to 0xfffff";
    const MAX_LEN: usize = "1048575".len();
    const FORMS: &'static [&'static str] = &["0~"];

    fn from_bits(raw: u64) -> Self {
        CUpper(raw as u8 & 63)
    }

    fn to_bits(self) -> u64 {
        self.0.into()
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.skip_trivia();
        let start = cursor.position();
        match cursor.number()? {
            number @ (0..32 | 0xfffe0..=0xfffff) => Ok(CUpper(number as u8 & 63)),
            _ => Err(cursor.fault(start, "write 1 to 31, or 0xfffe0 to 0xfffff")),
        }
    }

    fn write(self, line: &mut Line) {
        line.push_decimal(self.twenty_bits());
    }
}

impl CUpper {
    #[inline]
    fn twenty_bits(self) -> u64 {
        let sign = if self.0 & 32 != 0 { 0xfffc0 } else { 0 };
        u64::from(self.0) | sign
    }
}

impl<M: ?Sized> Source<M> for CUpper {
    #[inline]
    fn fetch(self, _: &M) -> u64 {
        self.twenty_bits()
    }
}
