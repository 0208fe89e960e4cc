//! The statements of a draft, for who shows or changes them.

use core::ops::Range;

use super::{Draft, Stretch};
use crate::asm::{Cursor, LabelMap, Labels, Parsed, Site};
use crate::error::ParseError;
use crate::table::Opcode;

/// A statement of a [`Draft`] with the labels before it, or labels alone, or blank text.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'d> {
    pub(super) draft: &'d Draft,
    pub(super) stretch: &'d Stretch,
    pub(super) start: usize,
}

impl Draft {
    /// All statements.
    pub fn statements(&self) -> impl Iterator<Item = Statement<'_>> {
        self.with_starts().map(|(start, stretch)| Statement { draft: self, stretch, start })
    }

    /// The statements that have something in a range of the text, or stand at a place of it.
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

    /// The statement whose text a place is in; the last where it is behind all.
    #[must_use]
    pub fn statement_at(&self, place: usize) -> Option<Statement<'_>> {
        self.statements_in(place..place).next()
    }
}

impl<'d> Statement<'d> {
    /// All of its text, with blanks and comments before and between.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.start..self.stretch.end
    }

    /// The text without labels, from the first token to what ends the statement; `None` where there are
    /// labels alone, or nothing.
    #[must_use]
    pub fn code(&self) -> Option<Range<usize>> {
        let span = &self.stretch.piece.as_ref()?.span;
        let end = (self.start + span.end).min(self.stretch.end);
        Some(self.start + span.start..end)
    }

    /// Whether the text ends as statements do, and not with the text of the draft alone.
    #[must_use]
    pub const fn is_terminated(&self) -> bool {
        self.stretch.is_terminated
    }

    /// The labels with their places.
    pub fn labels(&self) -> impl Iterator<Item = (&'d str, Range<usize>)> + use<'d> {
        let start = self.start;
        self.stretch.labels.iter().map(move |(at, name)| {
            let at = start + at;
            (name.as_str(), at..at + name.len())
        })
    }

    /// The address of the statement, and of its labels.
    #[must_use]
    pub const fn address(&self) -> u64 {
        self.stretch.address
    }

    /// The opcode and the word, where the statement is an instruction.
    #[must_use]
    pub fn instruction(&self) -> Option<(&'static Opcode, u128)> {
        let piece = self.stretch.piece.as_ref()?;
        let (opcode, word) = piece.reading.as_ref().ok().copied().flatten()?;
        Some((self.draft.assembler.set.opcodes.get(opcode)?, word))
    }

    /// What is wrong with the statement; its places count from the start of [`Self::span`].
    #[must_use]
    pub fn error(&self) -> Option<&'d ParseError> {
        self.stretch.piece.as_ref()?.reading.as_ref().err().map(|error| &**error)
    }

    /// The constant that the statement defines, with its place.
    #[must_use]
    pub fn constant(&self) -> Option<(&'d str, Range<usize>)> {
        let constant = self.stretch.constant.as_ref()?;
        let at = self.start + constant.at;
        Some((&constant.name, at..at + constant.name.len()))
    }

    /// The place of the name behind `.section`.
    #[must_use]
    pub fn section(&self) -> Option<Range<usize>> {
        let turn = self.stretch.turn.as_ref()?;
        // `.text` and `.data` are names by themselves.
        let is_behind = self.stretch.piece.as_ref()?.span.start < turn.at.start;
        is_behind.then(|| self.start + turn.at.start..self.start + turn.at.end)
    }

    /// Whether the reading asks labels for their addresses, or constants for their numbers.
    #[must_use]
    pub fn has_labels(&self) -> bool {
        let piece = self.stretch.piece.as_ref();
        piece.is_some_and(|piece| piece.has_labels || piece.has_constants)
    }

    /// Where a text stands that is written in place of the statement, among the labels of the draft.
    #[must_use]
    pub fn site(&self) -> Site<'d> {
        Site::new(self.stretch.address, &self.draft.labels)
    }

    /// The labels of the draft.
    #[must_use]
    pub const fn all_labels(&self) -> &'d LabelMap {
        &self.draft.labels
    }

    /// The word of another text in place of the statement's, at its address; `None` where that is no
    /// instruction, or more than one.
    #[must_use]
    pub fn word_of(&self, text: &str, labels: &dyn Labels) -> Option<u128> {
        let site = Site::new(self.stretch.address, labels);
        let mut cursor = Cursor::at_site(text, &site);
        let (parsed, _) = self.draft.assembler.set.parse_with_numbers(&mut cursor).ok()?;
        match parsed {
            Parsed::Instruction { word, .. } => Some(word),
            Parsed::Word { .. } => None,
        }
    }

    /// The text as it is read: where statements end with their lines, with a `;` at the end, and
    /// without comments.
    #[must_use]
    pub fn read_as(&self) -> &'d str {
        self.draft.read_as(self.start, self.stretch.end)
    }
}
