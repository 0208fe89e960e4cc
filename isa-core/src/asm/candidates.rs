//! The set of opcodes that match a text up to the current position.

use core::cmp::Ordering;

use super::Cursor;
use super::walk::{Statement, Walk};
use crate::error::ParseError;
use crate::table::{IS_SMALL, InstructionSet, Opcode, Syntax};

/// The maximum number of opcodes in a set of candidates.
pub(crate) const AT_ONCE: usize = 64;

/// A set of opcodes of one mnemonic that match a text up to some position.
///
/// Errors contain this set, so that messages can list the alternatives.
// A bit set over a slice of at most `AT_ONCE` opcodes.
#[derive(Debug, Clone, Copy)]
pub struct Candidates {
    table: &'static [&'static Opcode],
    stretch: &'static [u16],
    live: u64,
}

impl Candidates {
    /// Creates the set of all opcodes of a slice.
    pub(crate) fn new(set: &InstructionSet, stretch: &'static [u16]) -> Self {
        Candidates::among(set.spellings, stretch)
    }

    /// Creates a set of at most `AT_ONCE` rows, which are numbered by their positions.
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

    /// Parses a statement with the candidates, one syntax after another. Returns the index of the first
    /// candidate that accepts the statement, and the word. If no candidate accepts it, adds all errors
    /// to `furthest`.
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

    /// Returns the candidates in order, each with its index in the spellings of the set.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = (usize, &'static Opcode)> + Clone {
        Bits(self.live).filter_map(move |bit| {
            let index = usize::from(*self.stretch.get(bit as usize)?);
            Some((index, *self.table.get(index)?))
        })
    }

    /// Returns the opcodes, in the order of the specification.
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

    /// Returns the empty set over the same slice.
    #[inline]
    pub(crate) const fn none(self) -> Self {
        Candidates { live: 0, ..self }
    }

    /// Returns the candidates in `self` that are not in `other`, a set over the same slice.
    #[inline]
    pub(crate) const fn without(self, other: Self) -> Self {
        Candidates { live: self.live & !other.live, ..self }
    }

    /// Returns the candidates that are in `self` or in `other`, a set over the same slice.
    #[inline]
    pub(crate) const fn with(self, other: Self) -> Self {
        Candidates { live: self.live | other.live, ..self }
    }

    /// Returns the candidates for which `keep` is true.
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

    /// Returns the candidates with one syntax.
    #[inline]
    pub(crate) fn with_syntax(self, syntax: &'static Syntax) -> Self {
        self.filtered(|opcode| core::ptr::eq(opcode.syntax, syntax))
    }
}

impl Opcode {
    /// Finds a row that takes precedence over this row and accepts the same statement. Returns the row
    /// that it finds and its word, and moves the cursor to the end of the statement. The precedence is
    /// transitive: other rows may take precedence over the row that was found. Rows with a different
    /// mnemonic are skipped, because they cannot accept the statement.
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

    /// Returns whether two rows have the same mnemonic. The comparison ignores letter case, because
    /// some sets accept any letter case.
    pub(super) fn has_mnemonic_of(&self, other: &Opcode) -> bool {
        self.syntax.mnemonic.eq_ignore_ascii_case(other.syntax.mnemonic)
    }
}

/// The furthest error of several parses, and the opcodes that match the text up to its position.
#[derive(Default)]
pub(super) struct Furthest {
    error: Option<ParseError>,
    opcodes: Option<Candidates>,
    /// Whether the opcodes have different errors at this position.
    differs: bool,
}

impl Furthest {
    #[cold]
    fn add(&mut self, error: ParseError, opcodes: Candidates) {
        let order = match &self.error {
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

    /// Returns the error. If the opcodes have different errors, returns an error that lists the forms
    /// of the opcodes.
    pub(super) fn into_error(self) -> Option<ParseError> {
        let error = self.error?;
        // Small builds do not contain the message that lists all forms.
        match self.opcodes.filter(|_| !IS_SMALL && self.differs) {
            Some(opcodes) => Some(error.of_forms(opcodes)),
            None => Some(error),
        }
    }
}

/// An iterator over the indexes of the set bits, from the lowest.
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
