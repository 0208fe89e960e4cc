//! The set of opcodes that match a text up to the current position.

use super::{AT_ONCE, InstructionSet, Opcode, Syntax};
use crate::bits::SetBits;

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
    pub(crate) fn of(rows: &'static [&'static Opcode]) -> Self {
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

    /// Returns the candidates in order, each with its index in the spellings of the set.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = (usize, &'static Opcode)> + Clone {
        SetBits(self.live).filter_map(move |bit| {
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
        for bit in SetBits(self.live) {
            let index = self.stretch.get(bit as usize);
            let opcode = index.and_then(|&index| self.table.get(usize::from(index)));
            live |= u64::from(opcode.is_some_and(|opcode| keep(opcode))) << bit;
        }
        Candidates { live, ..self }
    }

    /// Returns whether two sets are over the same slice.
    #[inline]
    pub(crate) fn is_comparable(self, other: Self) -> bool {
        core::ptr::eq(self.stretch, other.stretch)
    }

    /// Returns the candidates with one syntax.
    #[inline]
    pub(crate) fn with_syntax(self, syntax: &'static Syntax) -> Self {
        self.filtered(|opcode| core::ptr::eq(opcode.syntax, syntax))
    }
}
