//! Stores the stretches that an unclosed comment replaces, so that they need no new parse when the
//! comment is closed.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::segments::Cuts;
use super::{Draft, DraftSegment};

/// The stretches that an edit made part of a comment up to the end of the text.
#[derive(Debug, Clone)]
pub(super) struct UnterminatedComment {
    /// The stretches. Their ends are positions in the text at the time when they were stored.
    stretches: Vec<DraftSegment>,
    /// The start of the first stretch at the time when it was stored.
    start: usize,
    /// The number of bytes by which the text before the stretches has grown since they were stored,
    /// modulo 2⁶⁴.
    moved: usize,
    /// The first stretch that begins after all edits.
    first: usize,
    /// Their text with a `;` at the end of each statement, if statements end with their lines.
    ended: String,
}

impl UnterminatedComment {
    /// Stores `stretches`, the first of which begins at `start`. `ended` is their text with a `;`
    /// at the end of each statement.
    pub(super) const fn new(stretches: Vec<DraftSegment>, start: usize, ended: String) -> Self {
        UnterminatedComment { stretches, start, moved: 0, first: 0, ended }
    }

    /// Returns the start of a stretch in the current text.
    fn start_of(&self, number: usize) -> usize {
        let before = number.checked_sub(1).and_then(|before| self.stretches.get(before));
        before.map_or(self.start, |stretch| stretch.end).wrapping_add(self.moved)
    }

    /// Returns the first stretch, starting the search at `first`, that begins at or after a position.
    fn first_after(&self, first: usize, place: usize) -> usize {
        let behind = self.stretches.get(first..).unwrap_or_default();
        match self.start_of(first) {
            start if start >= place => first,
            _ => {
                let is_before =
                    |stretch: &DraftSegment| stretch.end.wrapping_add(self.moved) < place;
                (first + 1 + behind.partition_point(is_before)).min(self.stretches.len())
            }
        }
    }

    /// Records an edit. Stretches that begin before the end of the replaced range become invalid.
    pub(super) fn edited(&mut self, range: &Range<usize>, new: usize) {
        self.first = self.first_after(self.first, range.end);
        self.moved = self.moved.wrapping_add(new).wrapping_sub(range.len());
    }

    /// Returns the stretch that begins at a position of the text.
    pub(super) fn at(&self, place: usize) -> Option<usize> {
        let number = self.first_after(self.first, place);
        (number < self.stretches.len() && self.start_of(number) == place).then_some(number)
    }

    /// Returns stretch `number` and all later stretches, with their ends in the current text, and their
    /// text with a `;` at the end of each statement.
    pub(super) fn segments_from(mut self, number: usize) -> (Vec<DraftSegment>, String) {
        let start = self.start_of(number).wrapping_sub(self.moved);
        let mut stretches = self.stretches.split_off(number.min(self.stretches.len()));
        for stretch in &mut stretches {
            stretch.end = stretch.end.wrapping_add(self.moved);
        }
        (stretches, self.ended.split_off((start - self.start).min(self.ended.len())))
    }
}

impl Draft {
    /// If an edit turns stretch `first` and all later stretches into a part of an unclosed comment,
    /// returns their text with a `;` at the end of each statement. The text is empty if statements do
    /// not end with their lines. Must be called before [`Draft::replace`].
    pub(super) fn taken_text(&self, first: usize, cuts: &Cuts) -> Option<String> {
        let is_open = cuts.ends.last().is_some_and(|cut| cut.opened.is_some());
        let is_last = cuts.behind == self.stretches.len();
        // If the text already had an unclosed comment, its stretches are already stored.
        let is_new = self.stretches.last().is_some_and(|stretch| stretch.opened.is_none());
        (is_open && is_last && is_new).then(|| {
            let ended = self.ended.as_ref().and_then(|ended| ended.get(self.end_before(first)..));
            ended.unwrap_or_default().into()
        })
    }

    /// After a comment was closed, returns the stretches that the comment had replaced, starting at
    /// `number`. Returns an empty list if `number` is `None`.
    pub(super) fn resume(&mut self, number: Option<usize>) -> Vec<DraftSegment> {
        let Some(number) = number else { return Vec::new() };
        let Some(taken) = self.taken.take() else { return Vec::new() };
        let (rest, text) = taken.segments_from(number);
        if let Some(ended) = &mut self.ended {
            ended.push_str(&text);
        }
        rest
    }
}
