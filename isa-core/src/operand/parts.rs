//! Texts of operands as data: what a program reads that prints words without this crate.

use super::NAME;
use super::forms::is_word;
use crate::table::Text;

/// A part of an operand's text, for kinds and formats of so many values that their texts cannot be
/// listed: [`OperandKind::PARTS`](super::OperandKind::PARTS). The description of a set
/// ([`describe`](crate::describe)) has them as JSON; nothing is printed by them here.
///
/// ```
/// use isa_core::operand::{Bits, Numeral, OperandKind, Signed, TextPart};
///
/// let [TextPart::Number(number)] = Signed::<12, 1>::PARTS else { panic!() };
/// assert_eq!(*number, Numeral { signed: true, scale: 2, ..Numeral::of(Bits::low(12)) });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPart {
    /// Fixed text.
    Text(&'static str),
    /// A number.
    Number(Numeral),
    /// A number of 16 bits in a format of floating point, as
    /// [`half2::write_lane`](crate::half2::write_lane) writes it.
    Float {
        /// Which bits.
        bits: Bits,
        /// `binary16` or `bfloat16`.
        format: &'static str,
    },
    /// One of some texts, by the number that bits are; the last of them stands for all higher numbers.
    Choice {
        /// Which bits.
        bits: Bits,
        /// The texts.
        of: &'static [&'static [TextPart]],
    },
}

/// Bits of the value that is written, or of an argument of its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bits {
    /// The place of the argument; `None` for the value itself.
    pub arg: Option<u8>,
    /// The lowest bit.
    pub low: u8,
    /// How many bits, at most 64.
    pub width: u8,
}

impl Bits {
    /// The lowest bits of the value.
    #[must_use]
    pub const fn low(width: u8) -> Bits {
        Bits { arg: None, low: 0, width }
    }
}

/// A number in a text: that of some bits times `scale`, plus `add`, then taken as two's complement of
/// `wrap` bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numeral {
    /// Which bits.
    pub bits: Bits,
    /// Whether they are two's complement.
    pub signed: bool,
    /// What the number of the bits is multiplied with.
    pub scale: i64,
    /// What is added to that.
    pub add: i64,
    /// Of how many bits the sum is a number with a sign; 0 if it stays as it is.
    pub wrap: u8,
    /// The least number of hexadecimal digits, in lower case and with nothing before them; 0 for
    /// decimal, with `-` before a number below 0.
    pub hex: u8,
}

impl Numeral {
    /// The number of some bits without a sign, in decimal.
    #[must_use]
    pub const fn of(bits: Bits) -> Numeral {
        Numeral { bits, signed: false, scale: 1, add: 0, wrap: 0, hex: 0 }
    }
}

/// How text begins that would go on with the last word of an operand: with a letter, `_` or a digit. No forms
/// where the [`PARTS`](super::OperandKind::PARTS) of the operand say that it ends with another sign.
#[doc(hidden)]
#[must_use]
pub const fn going_on(text: &Text) -> &'static [&'static str] {
    let ends = ends_in_word(text.parts);
    if ends { &[NAME, "0*"] } else { &[] }
}

/// Whether a text of some parts may end with a letter, `_` or a digit, as one of unknown parts may.
const fn ends_in_word(parts: &[TextPart]) -> bool {
    match parts {
        [] | [.., TextPart::Number(_) | TextPart::Float { .. }] => true,
        [.., TextPart::Text(text)] => match text.as_bytes() {
            [] => true,
            [.., last] => is_word(*last),
        },
        [.., TextPart::Choice { of, .. }] => {
            let mut i = 0;
            while i < of.len() && !ends_in_word(of[i]) {
                i += 1;
            }
            i < of.len()
        }
    }
}
