//! Definitions of a file, and the lines at which errors in them are reported.

use crate::ImportError;
use crate::macro_call::{FieldStatement, SectionLine};

/// One definition.
pub(super) struct Definition<'s> {
    /// `group`, `optype` or `opcode`.
    pub(super) word: &'static str,
    pub(super) name: &'s str,
    pub(super) parents: Vec<&'s str>,
    /// The comments before the definition.
    pub(super) before: Vec<String>,
    pub(super) doc: Vec<String>,
    pub(super) encoding: Vec<SectionLine>,
    /// The comments above and in the template.
    pub(super) above: Vec<SectionLine>,
    /// The template without its value lists, but with its `;`.
    pub(super) template: String,
    /// The value lists below the template.
    pub(super) lists: Vec<SectionLine>,
    pub(super) operands: Vec<SectionLine>,
    pub(super) exception: Vec<SectionLine>,
    pub(super) examples: Vec<SectionLine>,
    /// The fields of the encoding, with their positions in the file.
    pub(super) fields: Vec<(FieldStatement, SourceLine<'s>)>,
    /// The operands in `Order`.
    pub(super) order: Option<(Vec<String>, SourceLine<'s>)>,
    pub(super) place: SourceLine<'s>,
}

/// A line of a file, as the position of an error.
#[derive(Clone, Copy)]
pub(super) struct SourceLine<'s> {
    pub(super) file: &'s str,
    pub(super) number: usize,
    pub(super) line: &'s str,
}

impl SourceLine<'_> {
    pub(super) fn fault(&self, message: String) -> ImportError {
        self.fault_at(self.line.trim_start(), message)
    }

    pub(super) fn fault_at(&self, part: &str, message: String) -> ImportError {
        ImportError::at(self.file, (self.number, self.line), part, message)
    }
}
