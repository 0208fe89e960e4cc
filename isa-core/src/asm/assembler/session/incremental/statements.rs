//! The statements of a draft, for code that displays or changes them.

use core::ops::Range;

use super::{Draft, DraftSegment};
use crate::asm::LabelMap;
use crate::error::ParseError;
use crate::parse::Parsed;
use crate::table::Opcode;
use crate::text::{Cursor, InstructionContext, Labels};

/// A statement of a [`Draft`] with the labels before it. At the end of the text it may be only labels,
/// or only white space and comments.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'d> {
    pub(super) draft: &'d Draft,
    pub(super) stretch: &'d DraftSegment,
    pub(super) start: usize,
}

impl Draft {
    /// Returns all statements.
    pub fn statements(&self) -> impl Iterator<Item = Statement<'_>> {
        self.with_starts().map(|(start, stretch)| Statement { draft: self, stretch, start })
    }

    /// Returns the statements that overlap or touch a range of the text.
    pub fn statements_in(&self, range: Range<usize>) -> impl Iterator<Item = Statement<'_>> {
        let first = self.stretches.partition_point(|stretch| stretch.end <= range.start);
        let first = first.min(self.stretches.len().saturating_sub(1));
        let starts = (first..).map(|number| self.end_before(number));
        let all = starts.zip(self.stretches.iter().skip(first));
        all.take_while(move |&(start, _)| start <= range.end).map(|(start, stretch)| Statement {
            draft: self,
            stretch,
            start,
        })
    }

    /// Returns the statement whose text contains a position, or the last statement if the position
    /// is after all of them.
    #[must_use]
    pub fn statement_at(&self, place: usize) -> Option<Statement<'_>> {
        self.statements_in(place..place).next()
    }
}

impl<'d> Statement<'d> {
    /// Returns the range of its whole text, including white space and comments.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.stretch.end
    }

    /// Returns the range of the statement without labels, from the first token to the `;` or line end.
    /// Returns `None` if there are only labels or blank text.
    #[must_use]
    pub fn code(&self) -> Option<Range<usize>> {
        let span = &self.stretch.piece.as_ref()?.span;
        let end = (self.start + span.end).min(self.stretch.end);
        Some(self.start + span.start..end)
    }

    /// Returns whether the statement ends with a terminator, and not only because the text of the draft
    /// ends.
    #[must_use]
    pub const fn is_terminated(&self) -> bool {
        self.stretch.is_terminated
    }

    /// Returns the labels with their positions.
    pub fn labels(&self) -> impl Iterator<Item = (&'d str, Range<usize>)> + use<'d> {
        let start = self.start;
        self.stretch.labels.iter().map(move |(at, name)| {
            let at = start + at;
            (name.as_str(), at..at + name.len())
        })
    }

    /// Returns the address of the statement and of its labels.
    #[must_use]
    pub const fn address(&self) -> u64 {
        self.stretch.address
    }

    /// Returns the opcode and the word if the statement is an instruction.
    #[must_use]
    pub fn instruction(&self) -> Option<(&'static Opcode, u128)> {
        let piece = self.stretch.piece.as_ref()?;
        let (opcode, word) = piece.reading.as_ref().ok().copied().flatten()?;
        Some((self.draft.assembler.set.opcodes.get(opcode)?, word))
    }

    /// Returns the error of the statement. Its positions are relative to the start of
    /// [`Self::span`].
    #[must_use]
    pub fn error(&self) -> Option<&'d ParseError> {
        self.stretch.piece.as_ref()?.reading.as_ref().err().map(|error| &**error)
    }

    /// Returns the constant that the statement defines, with its position.
    #[must_use]
    pub fn constant(&self) -> Option<(&'d str, Range<usize>)> {
        let constant = self.stretch.constant.as_ref()?;
        let at = self.start + constant.at;
        Some((&constant.name, at..at + constant.name.len()))
    }

    /// Returns the position of the name after `.section`.
    #[must_use]
    pub fn section(&self) -> Option<Range<usize>> {
        let turn = self.stretch.turn.as_ref()?;
        // `.text` and `.data` have no name after the directive.
        let is_behind = self.stretch.piece.as_ref()?.span.start < turn.at.start;
        is_behind.then(|| self.start + turn.at.start..self.start + turn.at.end)
    }

    /// Returns whether the statement contains labels or constants.
    #[must_use]
    pub fn has_labels(&self) -> bool {
        let piece = self.stretch.piece.as_ref();
        piece.is_some_and(|piece| piece.has_labels || piece.has_constants)
    }

    /// Returns the address and the labels of the statement, to print or parse other text in its
    /// place.
    #[must_use]
    pub fn context(&self) -> InstructionContext<'d> {
        InstructionContext::new(self.stretch.address, &self.draft.labels)
    }

    /// Returns the labels of the draft.
    #[must_use]
    pub const fn all_labels(&self) -> &'d LabelMap {
        &self.draft.labels
    }

    /// Returns the word that `text` would have at the address of the statement. Returns `None` if the
    /// text is not exactly one instruction.
    #[must_use]
    pub fn word_of(&self, text: &str, labels: &dyn Labels) -> Option<u128> {
        let site = InstructionContext::new(self.stretch.address, labels);
        let mut cursor = Cursor::in_context(text, &site);
        let (parsed, _) = self.draft.assembler.set.parse_with_numbers(&mut cursor).ok()?;
        match parsed {
            Parsed::Instruction { word, .. } => Some(word),
            Parsed::Word { .. } => None,
        }
    }

    /// Returns the text in the form that is parsed. If statements end with their lines, comments
    /// are removed and a `;` is added at the end.
    #[must_use]
    pub fn read_as(&self) -> &'d str {
        self.draft.read_as(self.start, self.stretch.end)
    }
}
