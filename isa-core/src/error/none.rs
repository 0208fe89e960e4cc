//! Why a word of a given width is no instruction.

use core::fmt;

use super::DecodeError;
use crate::table::Opcode;

/// Why a word that comes with its width is no instruction: see
/// [`InstructionSet::decode_as`](crate::table::InstructionSet::decode_as).
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum NoInstruction {
    /// The set has none with its bits.
    Refused(DecodeError),
    /// Its bits are those of an instruction of another width.
    Width {
        /// The width of the word.
        word: u8,
        /// That of the instruction.
        instruction: u8,
    },
}

impl NoInstruction {
    /// The opcode that comes closest.
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
                write!(f, "{word} bits that begin with an instruction of {instruction} bits")
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
