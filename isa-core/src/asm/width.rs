//! Words that come with a width of their own, as text has them: by the number of their digits.

use alloc::format;
use alloc::string::{String, ToString};

use super::{Line, data, print_word};
use crate::error::NoInstruction;
use crate::table::{InstructionSet, Opcode};

impl InstructionSet {
    /// The opcode of a word of so many bits.
    ///
    /// # Errors
    ///
    /// A word that is no instruction, or one of another width.
    #[inline(always)]
    pub fn decode_as(&self, word: u128, bits: u8) -> Result<&'static Opcode, NoInstruction> {
        match self.decode(word) {
            Ok(opcode) if opcode.bits == bits => Ok(opcode),
            Ok(opcode) => Err(NoInstruction::Width { word: bits, instruction: opcode.bits }),
            Err(error) => Err(NoInstruction::Refused(error)),
        }
    }

    /// Appends the directive that assembles to a word of 8, 16, 32 or 64 bits, or of the widest of the set.
    pub fn print_data(&self, word: u128, bits: u8, line: &mut Line) {
        if bits == self.bits {
            return print_word(word, bits, line);
        }
        line.push_str(data::of_size(usize::from(bits / 8)).unwrap_or(".8byte"));
        line.push_str(" 0x");
        line.push_hex(word, u32::from(bits).div_ceil(4));
        line.push(b';');
    }

    /// A word as data, with a comment: why it is no instruction, or its text where that would assemble to
    /// another word.
    #[must_use]
    #[cold]
    pub fn data_line(&self, word: u128, bits: u8) -> String {
        let (mut line, mut text) = (Line::new(), Line::new());
        self.print_data(word, bits, &mut line);
        match self.decode_as(word, bits) {
            Ok(opcode) => {
                opcode.print(word, &mut text);
                format!("{line} // {text} assembles to other bits")
            }
            Err(error) => format!("{line} // {}", error.to_string().replace(['\n', '\r'], " ")),
        }
    }
}
