//! The opcodes that a text can still be.

use core::cmp::Ordering;

use super::Cursor;
use super::walk::{Statement, Walk};
use crate::error::ParseError;
use crate::table::{IS_SMALL, InstructionSet, Opcode, Syntax};

/// How many opcodes are looked at together.
pub(crate) const AT_ONCE: usize = 64;

/// Some of the opcodes of one mnemonic: those that a text can still be.
///
/// Errors carry them to say which opcodes an alternative was looked for in.
// A set of bits over a stretch of at most `AT_ONCE` opcodes.
#[derive(Debug, Clone, Copy)]
pub struct Candidates {
    table: &'static [&'static Opcode],
    stretch: &'static [u16],
    live: u64,
}

impl Candidates {
    /// All opcodes of a stretch.
    pub(crate) fn new(set: &InstructionSet, stretch: &'static [u16]) -> Self {
        Candidates::among(set.spellings, stretch)
    }

    /// Some rows by themselves, at most `AT_ONCE` of them, with their places as numbers.
    fn of(rows: &'static [&'static Opcode]) -> Self {
        static PLACES: [u16; AT_ONCE] = {
            let (mut places, mut i) = ([0; AT_ONCE], 0);
            while i < AT_ONCE {
                places[i] = i as u16;
                i += 1;
            }
            places
        };
        Candidates::among(rows, PLACES.get(..rows.len()).unwrap_or(&PLACES))
    }

    fn among(table: &'static [&'static Opcode], stretch: &'static [u16]) -> Self {
        let dead = AT_ONCE.saturating_sub(stretch.len()) as u32;
        Candidates { table, stretch, live: u64::MAX.unbounded_shr(dead) }
    }

    /// Reads a statement by the candidates, one syntax after another; gives the number of the first
    /// that takes it and the word. Without one, adds the errors of all to `furthest`.
    pub(super) fn read(
        self,
        cursor: &mut Cursor<'_>,
        statement: &Statement,
        furthest: &mut Furthest,
    ) -> Option<(usize, u128)> {
        let mut rest = self;
        while let Some(first) = rest.first() {
            let all = rest.with_syntax(first.syntax);
            rest = rest.without(all);
            let mut live = all;
            while !live.is_empty() {
                let mut walk = Walk::new(cursor, statement, first.syntax, all, live);
                match walk.run() {
                    Ok(read) => return Some(read),
                    Err(error) => {
                        live = walk.deferred();
                        furthest.add(error, walk.live());
                    }
                }
            }
        }
        None
    }

    /// The candidates in order, each with its number among the spellings of the set.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = (usize, &'static Opcode)> + Clone {
        Bits(self.live).filter_map(move |bit| {
            let index = usize::from(*self.stretch.get(bit as usize)?);
            Some((index, *self.table.get(index)?))
        })
    }

    /// The opcodes, in the order of the specification.
    #[inline]
    pub fn opcodes(self) -> impl Iterator<Item = &'static Opcode> + Clone {
        self.iter().map(|(_, opcode)| opcode)
    }

    #[inline]
    pub(crate) fn first(self) -> Option<&'static Opcode> {
        self.opcodes().next()
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.live == 0
    }

    /// No candidates of the same stretch, for others to be added to.
    #[inline]
    pub(crate) const fn none(self) -> Self {
        Candidates { live: 0, ..self }
    }

    /// The candidates that are in `self` and not in `other`, a part of the same stretch.
    #[inline]
    pub(crate) const fn without(self, other: Self) -> Self {
        Candidates { live: self.live & !other.live, ..self }
    }

    /// The candidates that are in `self` or in `other`, a part of the same stretch.
    #[inline]
    pub(crate) const fn with(self, other: Self) -> Self {
        Candidates { live: self.live | other.live, ..self }
    }

    /// The candidates that `keep` holds for.
    #[inline]
    pub(crate) fn filtered(self, mut keep: impl FnMut(&'static Opcode) -> bool) -> Self {
        let mut live = 0;
        for bit in Bits(self.live) {
            let index = self.stretch.get(bit as usize);
            let opcode = index.and_then(|&index| self.table.get(usize::from(index)));
            live |= u64::from(opcode.is_some_and(|opcode| keep(opcode))) << bit;
        }
        Candidates { live, ..self }
    }

    /// The candidates with one syntax.
    #[inline]
    pub(crate) fn with_syntax(self, syntax: &'static Syntax) -> Self {
        self.filtered(|opcode| core::ptr::eq(opcode.syntax, syntax))
    }
}

impl Opcode {
    /// The row by which a statement is read that this row takes too, and the word, where one of those
    /// that are read first takes it; each of them may itself stand behind others. Those with another
    /// mnemonic take no statement with this one. The cursor is left behind the statement of that row.
    #[cold]
    pub(super) fn read_first(
        &self,
        cursor: &mut Cursor<'_>,
        statement: &Statement,
    ) -> Option<(&'static Opcode, u128)> {
        let (mut after, mut first, mut end) = (self.after, None, cursor.position());
        while let Some((row, word)) = after.chunks(AT_ONCE).find_map(|rows| {
            let rows_of_it = Candidates::of(rows).filtered(|row| self.has_mnemonic_of(row));
            let (place, word) = rows_of_it.read(cursor, statement, &mut Furthest::default())?;
            Some((*rows.get(place)?, word))
        }) {
            (first, end, after) = (Some((row, word)), cursor.position(), row.after);
        }
        cursor.seek(end);
        first
    }

    /// Whether a statement of another row may be one of this: some sets read any letter case.
    pub(super) fn has_mnemonic_of(&self, other: &Opcode) -> bool {
        self.syntax.mnemonic.eq_ignore_ascii_case(other.syntax.mnemonic)
    }
}

/// The error at the furthest place of several readings, and the opcodes that fit the text up to there.
#[derive(Default)]
pub(super) struct Furthest {
    error: Option<ParseError>,
    opcodes: Option<Candidates>,
    /// Whether opcodes have different errors at that place.
    differs: bool,
}

impl Furthest {
    #[cold]
    fn add(&mut self, error: ParseError, opcodes: Candidates) {
        let order = match &self.error {
            Some(known) if IS_SMALL => known.reach.cmp(&error.reach),
            Some(known) => known.reach.cmp(&error.reach).then_with(|| known.compared(&error)),
            None => Ordering::Less,
        };
        match (order, self.opcodes) {
            (Ordering::Greater, _) => {}
            (Ordering::Equal, Some(others)) => {
                self.differs |=
                    !IS_SMALL && self.error.as_ref().is_some_and(|known| !known.is_like(&error));
                if core::ptr::eq(others.stretch, opcodes.stretch) {
                    self.opcodes = Some(others.with(opcodes));
                }
            }
            _ => *self = Furthest { error: Some(error), opcodes: Some(opcodes), differs: false },
        }
    }

    /// The error; of several that differ one that names the forms of the opcodes.
    pub(super) fn into_error(self) -> Option<ParseError> {
        let error = self.error?;
        // Small builds have the messages without those of all forms.
        match self.opcodes.filter(|_| !IS_SMALL && self.differs) {
            Some(opcodes) => Some(error.of_forms(opcodes)),
            None => Some(error),
        }
    }
}

/// The numbers of the set bits, from the lowest.
#[derive(Clone)]
pub(crate) struct Bits(pub(crate) u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}
