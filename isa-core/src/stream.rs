//! Words of different widths, one behind another.
//!
//! Each width is tried, the widest first, that the word's low bits allow; no word is the start of a
//! longer one.

use crate::error::DecodeError;
use crate::table::{InstructionSet, Width};

impl Width {
    /// The length of a word in bytes.
    const fn bytes(&self) -> usize {
        self.bits as usize / 8
    }

    /// The word that bytes begin with.
    const fn word(&self, whole: u128) -> u128 {
        whole & !u128::MAX.unbounded_shl(self.bits as u32)
    }
}

impl InstructionSet {
    /// The instruction that a stream begins with: the number of its opcode, its word, and its
    /// length in bytes. Of each word the lowest byte comes first.
    ///
    /// No word is the start of a longer one, so that there is at most one.
    ///
    /// # Errors
    ///
    /// A word that is no instruction, with the reason, and a stream that ends inside of one.
    #[inline]
    pub fn first(&self, bytes: &[u8]) -> Result<(usize, u128, usize), DecodeError> {
        let whole = little_endian(bytes);
        for width in self.likely(whole).filter(|width| width.bytes() <= bytes.len()) {
            let word = width.word(whole);
            if let Ok(index) = self.index(word)
                && self.opcodes.get(index).is_some_and(|opcode| opcode.bits == width.bits)
            {
                return Ok((index, word, width.bytes()));
            }
        }
        Err(self.refuse_first(whole, bytes.len()))
    }

    /// How many bytes of a stream to go on by: the length of the instruction that it begins with,
    /// or of the word that is none. At most the length of the stream.
    ///
    /// What is no instruction has the widest word whose opcodes all have its lowest bits, as far
    /// as they agree in any.
    ///
    /// ```
    /// isa_core::define_isa! {
    ///     /// Words of 16 and of 32 bits.
    ///     isa Mixed: u16 | u32;
    ///     operand Reg: 8 = isa_core::operand::Reg;
    ///     enum Length: 2 { SHORT = 0, LONG = 3 }
    ///     opcode INC {
    ///         encoding { word<16>; field<0, 2> Length length == SHORT; field<8, 8> Reg rd; }
    ///         syntax { INC Rd; }
    ///     }
    ///     opcode ADD {
    ///         encoding {
    ///             word<32>; field<0, 2> Length length == LONG;
    ///             field<16, 8> Reg rd; field<24, 8> Reg ra;
    ///         }
    ///         syntax { ADD Rd, Ra; }
    ///     }
    /// }
    ///
    /// let code = [0x00, 0x05, 0x03, 0x00, 0x01, 0x02, 0x07, 0x00, 0x00, 0x00, 0x00, 0x06];
    /// let mut rest = &code[..];
    /// let mut lines = Vec::new();
    /// while !rest.is_empty() {
    ///     lines.push(match Mixed::decode_first(rest) {
    ///         Ok((instruction, _)) => instruction.to_string(),
    ///         Err(error) => format!("// {error}"),
    ///     });
    ///     rest = &rest[Mixed::SET.length(rest)..];
    /// }
    /// assert_eq!(lines, ["INC R5;", "ADD R1, R2;", "// ADD: unused bit 2 must be 0", "INC R6;"]);
    /// ```
    #[must_use]
    pub fn length(&self, bytes: &[u8]) -> usize {
        match self.first(bytes) {
            Ok((_, _, length)) => length,
            Err(_) => self.length_of_none(bytes),
        }
    }

    /// [`InstructionSet::length`] of a stream that begins with no instruction.
    pub(crate) fn length_of_none(&self, bytes: &[u8]) -> usize {
        self.presumed(little_endian(bytes)).min(bytes.len())
    }

    /// The widths that a word can have, the widest first.
    fn likely(&self, whole: u128) -> impl Iterator<Item = &'static Width> {
        self.widths.iter().filter(move |width| width.common.contains(whole))
    }

    /// The length in bytes of a word that is no instruction.
    fn presumed(&self, whole: u128) -> usize {
        self.likely(whole).next().or(self.widths.last()).map_or(1, Width::bytes)
    }

    #[cold]
    fn refuse_first(&self, whole: u128, got: usize) -> DecodeError {
        let needed = self.presumed(whole);
        if got < needed {
            return DecodeError::truncated(needed, got);
        }
        let word = whole & !u128::MAX.unbounded_shl(needed as u32 * 8);
        self.index(word).err().unwrap_or_else(|| DecodeError::refused(word, self.opcodes, None))
    }
}

/// The first 16 bytes as a number.
#[inline]
fn little_endian(bytes: &[u8]) -> u128 {
    if let Some(bytes) = bytes.first_chunk() {
        return u128::from_le_bytes(*bytes);
    }
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}
