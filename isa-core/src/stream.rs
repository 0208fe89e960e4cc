//! Words of different widths, one behind another.
//!
//! Each width is tried, the widest first, that the bits allow which stand first; no word is the start of
//! a longer one.

use crate::error::DecodeError;
use crate::table::{Cube, InstructionSet, Width};

impl Width {
    /// The length of a word in bytes.
    const fn bytes(&self) -> usize {
        self.bits as usize / 8
    }

    /// What tells words of this width, of which they begin with one: `starts`, or else `common`.
    #[must_use]
    pub const fn telling(&self) -> &[Cube] {
        match self.starts {
            None => core::slice::from_ref(&self.common),
            Some(starts) => starts,
        }
    }

    /// Whether a word begins as those of this width do.
    fn begins(&self, word: u128) -> bool {
        self.telling().iter().any(|start| start.contains(word))
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
    /// What is no instruction is as long as the bits say that stand first, of which `define_isa!` finds for each
    /// width those that tell: the bits that all its opcodes begin with, and where narrower ones may begin so too,
    /// the fewest others that tell the two apart. A word has the widest width of which some opcode has the same
    /// in these bits, and else the narrowest. So two bits decide in RISC-V and in S/390, and five in Thumb. With
    /// what opcodes of several widths begin with, a prefix of the Z80, a word is one of the narrowest of them.
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

    /// The alignment of instructions in bytes: the largest power of two that divides the length of each
    /// word. For example, it is 2 for words of 2 and 4 bytes, and 1 for words of 2 and 3 bytes.
    #[must_use]
    pub fn alignment(&self) -> u64 {
        let bits = self.widths.iter().fold(0, |bits, width| bits | width.bytes());
        1 << bits.trailing_zeros().min(4)
    }

    /// [`InstructionSet::length`] of a stream that begins with no instruction.
    pub(crate) fn length_of_none(&self, bytes: &[u8]) -> usize {
        self.presumed(bytes).map_or(1, |(width, _)| width.bytes()).min(bytes.len())
    }

    /// The widths that an instruction at the start of a stream can have, the widest first, with the word
    /// of each.
    #[inline]
    fn likely(&self, bytes: &[u8]) -> impl Iterator<Item = (&'static Width, u128)> {
        let words =
            self.widths.iter().map(|width| (width, self.byte_order.word(bytes, width.bits)));
        words.filter(|(width, word)| width.common.contains(*word))
    }

    /// The width of a word that is no instruction, and the word.
    fn presumed(&self, bytes: &[u8]) -> Option<(&'static Width, u128)> {
        let word = |width: &'static Width| (width, self.byte_order.word(bytes, width.bits));
        let mut words = self.widths.iter().map(word);
        let found = words.find(|(width, word)| width.begins(*word));
        found.or_else(|| self.widths.last().map(word))
    }

    #[cold]
    fn refuse_first(&self, bytes: &[u8]) -> DecodeError {
        let Some((width, word)) = self.presumed(bytes) else {
            return DecodeError::truncated(1, bytes.len());
        };
        if bytes.len() < width.bytes() {
            return DecodeError::truncated(width.bytes(), bytes.len());
        }
        self.refuse_as(word, width.bits)
    }

    /// Why a word of so many bits is no instruction of this width.
    #[cold]
    pub(crate) fn refuse_as(&self, word: u128, bits: u8) -> DecodeError {
        let refused = || DecodeError::refused(word, self.opcodes, None);
        let error = self.index(word).err().unwrap_or_else(refused);
        // A word of a width that no opcode has is explained by all.
        let is_width = self.widths.iter().any(|width| width.bits == bits);
        if is_width { error.of_width(bits) } else { error }
    }
}
