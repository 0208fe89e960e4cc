//! The error for a word of a given width that is not a valid instruction.

use core::fmt;

use super::DecodeError;
use crate::table::Opcode;

/// The reason why a word with a given width is not a valid instruction: see
/// [`InstructionSet::decode_as`](crate::table::InstructionSet::decode_as).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum NoInstruction {
    /// The set has no instruction with these bits.
    Refused(DecodeError),
    /// The same number is an instruction of another width.
    Width {
        /// The width of the word in bits.
        word: u8,
        /// The width of the instruction in bits.
        instruction: u8,
    },
}

impl NoInstruction {
    /// Returns the closest opcode, if there is one.
    #[must_use]
    pub fn closest(&self) -> Option<&'static Opcode> {
        match self {
            NoInstruction::Refused(error) => error.closest(),
            NoInstruction::Width { .. } => None,
        }
    }
}

impl fmt::Display for NoInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoInstruction::Refused(error) => error.fmt(f),
            NoInstruction::Width { word, instruction } => {
                write!(f, "expected an instruction of {word} bits, found one of {instruction} bits")
            }
        }
    }
}

impl core::error::Error for NoInstruction {}

impl From<DecodeError> for NoInstruction {
    fn from(error: DecodeError) -> Self {
        NoInstruction::Refused(error)
    }
}
