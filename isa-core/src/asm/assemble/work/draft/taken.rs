//! What a comment without an end takes: kept, so that closing the comment reads none of it again.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::cut::Cuts;
use super::{Draft, Stretch};

/// The stretches that an edit took for a comment to the end of the text.
#[derive(Debug, Clone)]
pub(super) struct Taken {
    /// Their ends are where they were then.
    stretches: Vec<Stretch>,
    /// The start of the first of them, as it was then.
    start: usize,
    /// How many bytes longer the text before the stretches is now, modulo 2⁶⁴.
    moved: usize,
    /// The first that begins behind all edits.
    first: usize,
    /// Where statements end with their lines, their text with those ends.
    ended: String,
}

impl Taken {
    /// These stretches, the first of which begins at `start`, and their text with ends of statements.
    pub(super) const fn new(stretches: Vec<Stretch>, start: usize, ended: String) -> Self {
        Taken { stretches, start, moved: 0, first: 0, ended }
    }

    /// The start of a stretch in the text as it is now.
    fn start_of(&self, number: usize) -> usize {
        let before = number.checked_sub(1).and_then(|before| self.stretches.get(before));
        before.map_or(self.start, |stretch| stretch.end).wrapping_add(self.moved)
    }

    /// The first stretch from one on that does not begin before a place.
    fn first_behind(&self, first: usize, place: usize) -> usize {
        let behind = self.stretches.get(first..).unwrap_or_default();
        match self.start_of(first) {
            start if start >= place => first,
            _ => {
                let is_before = |stretch: &Stretch| stretch.end.wrapping_add(self.moved) < place;
                (first + 1 + behind.partition_point(is_before)).min(self.stretches.len())
            }
        }
    }

    /// Notes an edit. A stretch that begins before the end of what it replaces counts no more.
    pub(super) fn edited(&mut self, range: &Range<usize>, new: usize) {
        self.first = self.first_behind(self.first, range.end);
        self.moved = self.moved.wrapping_add(new).wrapping_sub(range.len());
    }

    /// The stretch that begins at a place of the text.
    pub(super) fn at(&self, place: usize) -> Option<usize> {
        let number = self.first_behind(self.first, place);
        (number < self.stretches.len() && self.start_of(number) == place).then_some(number)
    }

    /// The stretches from one on, as the text is now, and their text with ends of statements.
    pub(super) fn behind(mut self, number: usize) -> (Vec<Stretch>, String) {
        let start = self.start_of(number).wrapping_sub(self.moved);
        let mut stretches = self.stretches.split_off(number.min(self.stretches.len()));
        for stretch in &mut stretches {
            stretch.end = stretch.end.wrapping_add(self.moved);
        }
        (stretches, self.ended.split_off((start - self.start).min(self.ended.len())))
    }
}

impl Draft {
    /// Where an edit makes all stretches from one on a part of a comment: their text with ends of
    /// statements, which is empty where statements do not end with their lines. To be asked before
    /// [`Draft::replace`].
    pub(super) fn taken_text(&self, first: usize, cuts: &Cuts) -> Option<String> {
        let is_open = cuts.ends.last().is_some_and(|cut| cut.opened.is_some());
        let is_last = cuts.behind == self.stretches.len();
        // A comment that was there before has what it took.
        let is_new = self.stretches.last().is_some_and(|stretch| stretch.opened.is_none());
        (is_open && is_last && is_new).then(|| {
            let ended = self.ended.as_ref().and_then(|ended| ended.get(self.end_before(first)..));
            ended.unwrap_or_default().into()
        })
    }

    /// The stretches from one on that a comment had taken, which is there no more; none without a number.
    pub(super) fn resume(&mut self, number: Option<usize>) -> Vec<Stretch> {
        let Some(number) = number else { return Vec::new() };
        let Some(taken) = self.taken.take() else { return Vec::new() };
        let (rest, text) = taken.behind(number);
        if let Some(ended) = &mut self.ended {
            ended.push_str(&text);
        }
        rest
    }
}
