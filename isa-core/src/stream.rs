//! Decodes streams of words that have different widths.
//!
//! The decoder tries each width that the first bits of the stream allow, the widest first. No valid
//! word is the beginning of a longer valid word.

use crate::bits::Cube;
use crate::error::DecodeError;
use crate::table::{FeatureSet, InstructionSet, Width};

impl Width {
    /// Returns the length of a word in bytes.
    const fn bytes(&self) -> usize {
        self.bits as usize / 8
    }

    /// Returns the patterns that the first bits of a word of this width can match: `starts`, or else
    /// `common`.
    #[must_use]
    pub const fn telling(&self) -> &[Cube] {
        match self.starts {
            None => core::slice::from_ref(&self.common),
            Some(starts) => starts,
        }
    }

    /// Returns whether a word begins like the words of this width.
    fn begins(&self, word: u128) -> bool {
        self.telling().iter().any(|start| start.contains(word))
    }
}

impl InstructionSet {
    /// Decodes the first instruction of a stream, and returns the index of its opcode, its word,
    /// and its length in bytes. The bytes of each word have the order of
    /// [`InstructionSet::byte_order`].
    ///
    /// No valid word is the beginning of a longer valid word, so at most one width matches.
    ///
    /// # Errors
    ///
    /// Returns the reason if the word is not a valid instruction, and an error if the stream ends
    /// inside of a word.
    #[inline]
    pub fn first(&self, bytes: &[u8]) -> Result<(usize, u128, usize), DecodeError> {
        self.first_with(self.choice(), bytes)
    }

    /// Does the same as [`InstructionSet::first`] with other features, without copying the tables.
    ///
    /// # Errors
    ///
    /// Returns the same errors, and an error for a word that does not exist with these features.
    #[doc(hidden)]
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub fn first_with(
        &self,
        features: Option<FeatureSet>,
        bytes: &[u8],
    ) -> Result<(usize, u128, usize), DecodeError> {
        for (width, word) in self.likely(bytes) {
            if width.bytes() <= bytes.len()
                && let Ok((index, opcode)) = self.find_own(features, word)
                && opcode.width_of(word) == width.bits
            {
                return Ok((index, word, width.bytes()));
            }
        }
        Err(self.refuse_first(features, bytes))
    }

    /// Returns the number of bytes up to the next instruction of a stream: the length of the first
    /// instruction, or of the invalid word. It is at most the length of the stream.
    ///
    /// The first bits determine the length of an invalid word. For each width, `define_isa!` determines
    /// the bits that distinguish it from narrower widths. These are the bits that all its opcodes have
    /// in common at their start. If words of narrower widths can start with the same bits, as few
    /// further bits as possible are added. An invalid word has the widest width for which an opcode has
    /// the same values in these bits. If there is no such opcode, it has the narrowest width. For
    /// example, two bits determine the length in RISC-V and in S/390, and five in Thumb. If opcodes of
    /// several widths begin with the same bits, such as a prefix of the Z80, the word has the narrowest
    /// of these widths.
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

    /// Returns the alignment of instructions in bytes: the largest power of two, up to 16, that divides
    /// the length of every word. For example, it is 2 for words of 2 and 4 bytes, and 1 for words of 2
    /// and 3 bytes.
    #[must_use]
    pub fn alignment(&self) -> u64 {
        let bits = self.widths.iter().fold(0, |bits, width| bits | width.bytes());
        1 << bits.trailing_zeros().min(4)
    }

    /// Returns the result of [`InstructionSet::length`] for a stream that does not begin with an
    /// instruction.
    pub(crate) fn length_of_none(&self, bytes: &[u8]) -> usize {
        self.presumed(bytes).map_or(1, |(width, _)| width.bytes()).min(bytes.len())
    }

    /// Returns the widths that an instruction at the start of a stream can have, the widest first,
    /// with the word of each width.
    #[inline]
    fn likely(&self, bytes: &[u8]) -> impl Iterator<Item = (&'static Width, u128)> {
        let words =
            self.widths.iter().map(|width| (width, self.byte_order.word(bytes, width.bits)));
        words.filter(|(width, word)| width.common.contains(*word))
    }

    /// Returns the width of an invalid word, and the word.
    #[inline(never)]
    fn presumed(&self, bytes: &[u8]) -> Option<(&'static Width, u128)> {
        let word = |width: &'static Width| (width, self.byte_order.word(bytes, width.bits));
        let mut words = self.widths.iter().map(word);
        let found = words.find(|(width, word)| width.begins(*word));
        found.or_else(|| self.widths.last().map(word))
    }

    #[cold]
    fn refuse_first(&self, features: Option<FeatureSet>, bytes: &[u8]) -> DecodeError {
        let Some((width, word)) = self.presumed(bytes) else {
            return DecodeError::truncated(1, bytes.len());
        };
        if bytes.len() < width.bytes() {
            return DecodeError::truncated(width.bytes(), bytes.len());
        }
        self.refuse_as(features, word, width.bits)
    }

    /// Returns the reason why a word of `bits` bits is not an instruction of this width.
    #[cold]
    pub(crate) fn refuse_as(
        &self,
        features: Option<FeatureSet>,
        word: u128,
        bits: u8,
    ) -> DecodeError {
        let refused = || DecodeError::refused(word, self.opcodes, None);
        let error = self.find_own(features, word).err().unwrap_or_else(refused);
        // If no opcode has this width, the explanation considers all opcodes.
        let is_width = self.widths.iter().any(|width| width.bits == bits);
        if is_width { error.of_width(bits) } else { error }
    }
}
