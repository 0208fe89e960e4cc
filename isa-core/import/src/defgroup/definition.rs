//! Definitions of a file, and the lines at which errors in them are reported.

use crate::ImportError;
use crate::code::LineOrigin;
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
    /// The number of lines of `doc` that belong to the description.
    pub(super) description: usize,
    pub(super) encoding: Vec<SectionLine>,
    /// The comments above and in the template.
    pub(super) above: Vec<SectionLine>,
    /// The template without its value lists, but with its `;`.
    pub(super) template: String,
    /// The first line of the template.
    pub(super) template_place: Option<SourceLine<'s>>,
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

impl<'s> Definition<'s> {
    /// Creates a definition without sections.
    pub(super) fn new(
        word: &'static str,
        name: &'s str,
        parents: Vec<&'s str>,
        place: SourceLine<'s>,
    ) -> Self {
        Definition {
            word,
            name,
            parents,
            before: Vec::new(),
            doc: Vec::new(),
            description: 0,
            encoding: Vec::new(),
            above: Vec::new(),
            template: String::new(),
            template_place: None,
            lists: Vec::new(),
            operands: Vec::new(),
            exception: Vec::new(),
            examples: Vec::new(),
            fields: Vec::new(),
            order: None,
            place,
        }
    }
}

/// A line of a file, as the position of an error.
#[derive(Clone, Copy)]
pub(super) struct SourceLine<'s> {
    pub(super) file: &'s str,
    /// The index of the file.
    pub(super) file_index: usize,
    pub(super) number: usize,
    pub(super) line: &'s str,
}

impl<'s> SourceLine<'s> {
    pub(super) fn origin(&self) -> LineOrigin {
        LineOrigin { file: self.file_index, line: self.number }
    }

    /// Returns the line `below` lines below this one, which has the text `line`.
    pub(super) fn with_line(&self, below: usize, line: &'s str) -> Self {
        SourceLine { number: self.number + below, line, ..*self }
    }

    pub(super) fn fault(&self, message: String) -> ImportError {
        self.fault_at(self.line.trim_start(), message)
    }

    /// Creates an error at the last word of the line that is `name`.
    pub(super) fn fault_at_name(&self, name: &str, message: String) -> ImportError {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = self.line.rsplit(|c| !is_word(c)).find(|word| *word == name);
        self.fault_at(word.unwrap_or(self.line), message)
    }

    pub(super) fn fault_at(&self, part: &str, message: String) -> ImportError {
        ImportError::at(self.file, (self.number, self.line), part, message)
    }
}
