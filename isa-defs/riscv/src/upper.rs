//! The immediate of `c.lui`: six signed bits, printed as the 20 bits that they are extended to.

use isa_core::operand::ImmediateCoding;

/// The upper 20 bits of a number: 1 to 31, or 0xfffe0 to 0xfffff for negative numbers.
pub struct Upper6;

impl ImmediateCoding for Upper6 {
    const BITS: u8 = 6;
    const EXPECTS: &'static str = "a number from 1 to 31 or from 0xfffe0 to 0xfffff";

    fn number(bits: u64, _: &[u64]) -> i128 {
        i128::from(if bits & 32 != 0 { bits | 0xfffc0 } else { bits })
    }
    fn bits(number: i128, _: &[u64]) -> Option<u64> {
        matches!(number, 0..32 | 0xfffe0..=0xfffff).then_some(number as u64 & 63)
    }
}
