//! The texts of operands as data, for programs that print words without this crate.

use super::forms::is_word;

/// A part of an operand's text, for operand types and formats with too many values to list their
/// texts: [`OperandKind::PARTS`](super::OperandKind::PARTS). The description of a set
/// ([`describe`](crate::describe)) contains the parts as JSON; this crate does not print with them.
///
/// ```
/// use isa_core::operand::{NumeralBits, Numeral, OperandKind, Signed, TextPart};
///
/// let [TextPart::Number(number)] = Signed::<12, 1>::PARTS else { panic!() };
/// assert_eq!(*number, Numeral { signed: true, scale: 2, ..Numeral::of(NumeralBits::low(12)) });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPart {
    /// Fixed text.
    Text(&'static str),
    /// A number.
    Number(Numeral),
    /// A floating-point number of 16 bits, printed like `write_lane` of the crate
    /// [`isa-half`](https://docs.rs/isa-half) prints it.
    Float {
        /// The bits of the number.
        bits: NumeralBits,
        /// The floating-point format: `binary16` or `bfloat16`.
        format: &'static str,
    },
    /// One of several texts, selected by the number in some bits. The last text is also used for
    /// all higher numbers.
    Choice {
        /// The bits of the number.
        bits: NumeralBits,
        /// The texts.
        of: &'static [&'static [TextPart]],
    },
}

/// Some bits of the printed value, or of an argument of its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumeralBits {
    /// The index of the argument; `None` for the value itself.
    pub arg: Option<u8>,
    /// The lowest bit.
    pub low: u8,
    /// The number of bits, at most 64.
    pub width: u8,
}

impl NumeralBits {
    /// Returns the lowest bits of the value.
    #[must_use]
    pub const fn low(width: u8) -> NumeralBits {
        NumeralBits { arg: None, low: 0, width }
    }
}

/// A number in a text. It is computed from the number in some bits, which is multiplied by `scale`;
/// then `add` is added, and the sum is interpreted as two's complement of `wrap` bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numeral {
    /// The bits of the number.
    pub bits: NumeralBits,
    /// Whether the bits are two's complement.
    pub signed: bool,
    /// The factor of the number in the bits.
    pub scale: i64,
    /// The number that is added to the product.
    pub add: i64,
    /// The width of the sum in bits if it is interpreted as two's complement; 0 if it is not.
    pub wrap: u8,
    /// The minimum number of hexadecimal digits, which are in lower case and without a prefix. If it is
    /// 0, the number is printed in decimal, with `-` before a negative number.
    pub hex: u8,
}

impl Numeral {
    /// Returns a number that is printed in unsigned decimal and read from `bits`.
    #[must_use]
    pub const fn of(bits: NumeralBits) -> Numeral {
        Numeral { bits, signed: false, scale: 1, add: 0, wrap: 0, hex: 0 }
    }
}

/// Returns whether a text can end with a letter, `_` or a digit. If there are no parts, the text is
/// unknown, so the function returns true.
pub(super) const fn ends_in_word(parts: &[TextPart]) -> bool {
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
