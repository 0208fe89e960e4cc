//! Commands that a tool adds for its own set.

use isa_core::table::InstructionSet;

use crate::set::ToolSet;

/// A command of a single set: see [`Tool::command`](crate::Tool::command).
#[derive(Debug, Clone, Copy)]
pub(crate) struct CustomCommand {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// The names of the flags, each with its help text.
    pub(crate) flags: &'static [(&'static str, &'static str)],
    pub(crate) run: fn(&ProgramCode, &[&str]) -> Result<Report, String>,
}

/// The code of a file: an ELF file, or assembly text.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ProgramCode {
    /// The tables of the set, with the features of the processor.
    pub set: &'static InstructionSet,
    /// The sections with code. Assembly text is one section without a name.
    pub sections: Vec<CodeSection>,
    /// The bytes of the ELF file, or nothing if the input is assembly text.
    pub file: Vec<u8>,
}

/// A section with code.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CodeSection {
    /// The name.
    pub name: String,
    /// The words, each with its address. Some may be invalid instructions. Bytes at the end that do not
    /// form a word are left out.
    pub words: Vec<(u64, u128)>,
    /// The labels and their addresses, in the order of the file.
    pub labels: Vec<(String, u64)>,
}

impl CodeSection {
    /// Creates a section from its bytes. `start` is the address of the first byte.
    pub(crate) fn new(
        set: ToolSet,
        name: String,
        start: u64,
        bytes: &[u8],
        labels: Vec<(String, u64)>,
    ) -> Self {
        let (mut words, mut address, mut rest) = (Vec::new(), start, bytes);
        while let Some((word, after)) = rest.split_at_checked(set.tables.length(rest))
            && !word.is_empty()
        {
            words.push((address, set.word_of(word).word));
            address = address.wrapping_add(word.len() as u64);
            rest = after;
        }
        CodeSection { name, words, labels }
    }
}

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The text for standard output.
    pub text: String,
    /// Whether the exit status is 0 instead of 1.
    pub is_success: bool,
}
