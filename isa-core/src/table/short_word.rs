//! Instructions whose last part exists only if a condition holds, for example a literal.

use super::{Field, Opcode};
use crate::bits::Cube;

/// The words of an opcode that are shorter than its width: `word<64> if src == 255 else word<32>;`.
///
/// As a number, a short word has 0 in all bits after its width.
#[derive(Debug)]
pub struct ShortWord {
    /// The width of the short words in bits.
    pub bits: u8,
    /// The source text of the condition under which a word is long.
    pub condition: &'static str,
    /// The condition as masked patterns: a word that matches any of them is long. The patterns contain
    /// only bits of a short word.
    pub long: &'static [Cube],
}

impl Opcode {
    /// Returns the width in bits of a word of the opcode. It is [`Opcode::bits`] unless the opcode also
    /// has [short words](ShortWord).
    ///
    /// ```
    /// isa_core::define_isa! {
    ///     /// Moves from a register, or of the number after the instruction.
    ///     pub isa Moves: u16 | u32;
    ///     operand Reg: 8 = isa_core::operand::Reg;
    ///     operand Number: 16 = isa_core::operand::Hex<16>;
    ///     opcode MOVE {
    ///         encoding {
    ///             word<32> if ra == 255 else word<16>;
    ///             field<0, 8> Reg rd; field<8, 8> Reg ra; field<16, 16> Number n = 0;
    ///         }
    ///         syntax { MOVE rd, ra{, n}; }
    ///     }
    /// }
    ///
    /// let width = |text: &str| {
    ///     let word = text.parse::<Moves>().unwrap();
    ///     word.opcode().width_of(word.encode().unwrap().into())
    /// };
    /// assert_eq!((width("MOVE R1, R2;"), width("MOVE R1, RZ, 0x5;")), (16, 32));
    /// ```
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[must_use]
    pub fn width_of(&self, word: u128) -> u8 {
        match self.short {
            Some(short) if !short.long.iter().any(|long| long.contains(word)) => short.bits,
            _ => self.bits,
        }
    }

    /// Returns the bits of the missing part if `place` is the index of a composite operand, and otherwise
    /// 0. Several composite operands can contain them, and usually all but one contain 0 there.
    pub(crate) fn shared(&self, place: usize) -> u128 {
        match self.short {
            Some(short) if place >= self.fields.len() => u128::MAX.unbounded_shl(short.bits.into()),
            _ => 0,
        }
    }

    /// Returns whether a composite operand leaves the bits in `differs` to other operands: they belong to
    /// the missing part, and the other bits of the operand do not make the word long.
    #[cold]
    #[inline(never)]
    pub(crate) fn leaves_open(
        &self,
        place: usize,
        operand: &Field,
        value: u64,
        differs: u128,
    ) -> bool {
        let (own, shared) = (operand.set(0, value), self.shared(place));
        let is_long = || self.width_of(own) == self.bits;
        differs & !shared == 0 && own & shared == 0 && operand.mask() & !shared != 0 && !is_long()
    }

    /// Returns whether some words of the opcode have `bits` bits.
    #[inline(never)]
    #[must_use]
    pub fn has_width(&self, bits: u8) -> bool {
        self.bits == bits || self.short.is_some_and(|short| short.bits == bits)
    }
}
