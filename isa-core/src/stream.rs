//! Words of different widths, one behind another.
//!
//! Each width is tried, the widest first, that the bits allow which stand first; no word is the start of
//! a longer one.

use crate::error::DecodeError;
use crate::table::{InstructionSet, Width};

impl Width {
    /// The length of a word in bytes.
    const fn bytes(&self) -> usize {
        self.bits as usize / 8
    }
}

impl InstructionSet {
    /// The instruction that a stream begins with: the number of its opcode, its word, and its
    /// length in bytes. The bytes of each word stand as [`InstructionSet::byte_order`] says.
    ///
    /// No word is the start of a longer one, so that there is at most one.
    ///
    /// # Errors
    ///
    /// A word that is no instruction, with the reason, and a stream that ends inside of one.
    #[inline]
    pub fn first(&self, bytes: &[u8]) -> Result<(usize, u128, usize), DecodeError> {
        for (width, word) in self.likely(bytes) {
            if width.bytes() <= bytes.len()
                && let Ok(index) = self.index(word)
                && self.opcodes.get(index).is_some_and(|opcode| opcode.bits == width.bits)
            {
                return Ok((index, word, width.bytes()));
            }
        }
        Err(self.refuse_first(bytes))
    }

    /// How many bytes of a stream to go on by: the length of the instruction that it begins with,
    /// or of the word that is none. At most the length of the stream.
    ///
    /// What is no instruction has the widest word whose opcodes all have the bits that it begins with, as
    /// far as they agree in any.
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
        self.presumed(bytes).0.min(bytes.len())
    }

    /// The widths that the first word can have, the widest first, with the word of each.
    fn likely(&self, bytes: &[u8]) -> impl Iterator<Item = (&'static Width, u128)> {
        let words =
            self.widths.iter().map(|width| (width, self.byte_order.word(bytes, width.bits)));
        words.filter(|(width, word)| width.common.contains(*word))
    }

    /// The length in bytes of a word that is no instruction, and the word.
    fn presumed(&self, bytes: &[u8]) -> (usize, u128) {
        let narrowest = || {
            let width = self.widths.last()?;
            Some((width, self.byte_order.word(bytes, width.bits)))
        };
        let found = self.likely(bytes).next().or_else(narrowest);
        found.map_or((1, 0), |(width, word)| (width.bytes(), word))
    }

    #[cold]
    fn refuse_first(&self, bytes: &[u8]) -> DecodeError {
        let (needed, word) = self.presumed(bytes);
        if bytes.len() < needed {
            return DecodeError::truncated(needed, bytes.len());
        }
        self.index(word).err().unwrap_or_else(|| DecodeError::refused(word, self.opcodes, None))
    }
}
