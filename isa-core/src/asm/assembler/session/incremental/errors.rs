//! The errors of a draft, which are the errors that the assembler reports for the same text.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;

use super::super::{StatementBytes, TOO_MUCH, beyond, have_lengths, name_in};
use super::{Constant, Draft, DraftSegment, SectionChange, lost_in};
use crate::asm::error::{AssembleError, AssembleErrorKind, AssembleErrors};
use crate::error::{ParseError, ParseErrorKind};
use crate::text::{Cursor, Labels};

/// Errors with their positions.
type Faults = Vec<(Range<usize>, AssembleErrorKind)>;

impl Draft {
    /// Returns all errors in the order of the text. They are the errors that
    /// [`Assembler::assemble`](crate::asm::Assembler::assemble) reports.
    #[must_use]
    pub fn errors(&self) -> Vec<AssembleError> {
        let mut faults = Faults::new();
        self.between(&mut faults);
        for (start, stretch) in self.with_starts() {
            let constant = stretch.constant.as_deref();
            if let Some(Constant { at, name, error: Some(kind), .. }) = constant {
                faults.push((start + at..start + at + name.len(), kind.clone()));
            }
            if let Some(SectionChange { at, error: Some(kind) }) = stretch.turn.as_deref() {
                faults.push((shifted(at, start), kind.clone()));
            }
        }
        let before = faults.len();
        self.of_room(&mut faults);
        self.of_statements_alone(&mut faults);
        if self.is_program {
            self.of_the_whole(before, &mut faults);
        }
        if faults.is_empty() {
            return Vec::new();
        }
        AssembleErrors::new(&self.text, faults, &self.labels).into_vec()
    }

    /// Returns the stretches with their starts.
    pub(super) fn with_starts(&self) -> impl Iterator<Item = (usize, &DraftSegment)> + Clone {
        let starts = core::iter::once(0).chain(self.stretches.iter().map(|stretch| stretch.end));
        starts.zip(&self.stretches)
    }

    /// Reports errors between statements: names that are defined twice, and unclosed comments.
    fn between(&self, faults: &mut Faults) {
        let names =
            |stretch: &DraftSegment| stretch.labels.len() + usize::from(stretch.constant.is_some());
        let count: usize = self.stretches.iter().map(names).sum();
        let has_twice = count + self.assembler.outside.count() > self.labels.count();
        let mut known: BTreeMap<&str, Range<usize>> = BTreeMap::new();
        for (start, stretch) in self.with_starts() {
            let labels = stretch.labels.iter().map(|(at, name)| (at, name));
            let names = labels.chain(stretch.constant.as_ref().map(|it| (&it.at, &it.name)));
            for (at, name) in names.filter(|_| has_twice) {
                let span = start + at..start + at + name.len();
                let first = known.get(name.as_str()).cloned();
                if first.is_none() && self.assembler.outside.address(name).is_none() {
                    known.insert(name, span);
                } else {
                    let name = name.clone();
                    faults.push((span, AssembleErrorKind::LabelTwice { name, first }));
                }
            }
            match (&stretch.unfinished, stretch.opened) {
                (Some(error), _) => faults.push(moved(error, start)),
                (None, Some(at)) if !self.is_program => {
                    let cursor = Cursor::new(self.read_as(start, stretch.end));
                    let kind = ParseErrorKind::UnfinishedComment;
                    faults.push(moved(&ParseError::new(&cursor, at..at + 2, kind), start));
                }
                _ => {}
            }
        }
    }

    /// Reports that the statements together reserve too many bytes.
    fn of_room(&self, faults: &mut Faults) {
        let pieces = self.with_starts().filter_map(|(start, stretch)| {
            let piece = stretch.piece.as_ref()?;
            Some((piece.length, (start, stretch.end, piece)))
        });
        let is_room = |&(start, end, piece): &(usize, usize, &StatementBytes)| {
            self.assembler.dialect.is_room(self.read_as(start, end), piece.span.start)
        };
        if let Some((start, _, piece)) = beyond(pieces, is_room) {
            faults.push((shifted(&piece.span, start), TOO_MUCH));
        }
    }

    /// Reports errors in statements, except for errors that may only be consequences of other errors.
    fn of_statements_alone(&self, faults: &mut Faults) {
        let pieces = self.stretches.iter().filter_map(|stretch| stretch.piece.as_ref());
        let has_lengths = have_lengths(pieces);
        let lost = lost_in(&self.stretches);
        let constants = self.stretches.iter().filter_map(|stretch| stretch.constant.as_ref());
        let without_value: BTreeSet<&str> =
            constants.filter(|it| !it.has_value).map(|it| it.name.as_str()).collect();
        for (start, stretch) in self.with_starts() {
            let Some(piece) = &stretch.piece else { continue };
            let Err(error) = &piece.reading else { continue };
            let name = name_in(self.read_as(start, stretch.end), error);
            if !piece.fault_follows(has_lengths, lost.contains(name))
                && !without_value.contains(name)
            {
                faults.push(moved(error, start));
            }
        }
    }

    /// Reports errors of the program as a whole.
    fn of_the_whole(&self, before: usize, faults: &mut Faults) {
        let mut pieces = self.with_starts().filter_map(|(start, stretch)| {
            stretch.piece.as_ref().filter(|piece| piece.has_labels).map(|piece| (start, piece))
        });
        let with_labels = pieces.next();
        if !self.has_targets
            && with_labels.is_none()
            && let Some((name, at)) = self.first_own_label()
        {
            let kind = AssembleErrorKind::NoTargets { set: self.assembler.set.name };
            faults.push((at..at + name.len(), kind));
        }
        if !self.is_settled && faults.len() == before {
            let span = with_labels.map_or(0..0, |(start, piece)| shifted(&piece.span, start));
            faults.push((span, AssembleErrorKind::Unsettled));
        }
    }

    /// Returns the alphabetically first label that the program itself defines, and its position. It
    /// ignores labels from outside, and labels that are defined after a constant of the same name.
    fn first_own_label(&self) -> Option<(&str, usize)> {
        let (mut constants, mut first) = (BTreeSet::new(), None);
        for (start, stretch) in self.with_starts() {
            let labels = stretch.labels.iter().map(|(at, name)| (name.as_str(), start + at));
            let own = labels.filter(|(name, _)| {
                !constants.contains(name) && self.assembler.outside.address(name).is_none()
            });
            first = own.chain(first).min();
            constants.extend(stretch.constant.as_ref().map(|it| it.name.as_str()));
        }
        first
    }
}

/// Returns an error of a stretch with its position in the whole text.
fn moved(error: &ParseError, start: usize) -> (Range<usize>, AssembleErrorKind) {
    let error = error.clone().shifted(start);
    (error.span.clone(), error.into())
}

fn shifted(span: &Range<usize>, by: usize) -> Range<usize> {
    span.start + by..span.end + by
}
