//! Describes sets of words that depend on the results of the author's Rust functions.

use super::Piece;
use crate::bits::Cube;

/// The words that match one of the masked patterns and for which all functions in `when` return the
/// required results.
#[derive(Debug, Clone, Copy)]
pub struct ConditionCase {
    /// The required results of the functions.
    pub when: &'static [FunctionResult],
    /// The masked patterns.
    pub cubes: &'static [Cube],
}

/// A function of some fields, and one of its two results.
#[derive(Debug, Clone, Copy)]
pub struct FunctionResult {
    /// The call as it is written in the condition, for example `crate::is_move_wide(imm)`.
    pub text: &'static str,
    /// The values of the fields for which the function returns true.
    pub map: TruthTable,
    /// The required result.
    pub said: bool,
}

impl FunctionResult {
    /// Creates the requirement that a function returns `said`. `map` contains the values for which
    /// it returns true.
    #[must_use]
    pub const fn new(text: &'static str, map: TruthTable, said: bool) -> Self {
        FunctionResult { text, map, said }
    }

    /// Returns whether the function returns the required result for a word.
    #[inline]
    #[must_use]
    pub fn holds(&self, word: u128) -> bool {
        self.map.contains(word) == self.said
    }
}

impl ConditionCase {
    /// Returns whether a word matches one of the patterns, and the functions return the required
    /// results.
    #[inline]
    #[must_use]
    pub fn contains(&self, word: u128) -> bool {
        self.when.iter().all(|when| when.holds(word))
            && self.cubes.iter().any(|cube| cube.contains(word))
    }
}

/// A set of values of some bits of a word, for example the invalid values of two fields that must
/// be equal.
#[derive(Debug, Clone, Copy)]
pub struct TruthTable {
    /// The bits, the most significant piece first.
    pieces: &'static [Piece],
    /// One bit for each value. Value 0 is the lowest bit of the first byte.
    values: &'static [u8],
}

impl TruthTable {
    /// Creates a table for the bits in `pieces`, the most significant piece first. `values`
    /// contains one bit for each value of these bits.
    #[must_use]
    pub const fn new(pieces: &'static [Piece], values: &'static [u8]) -> Self {
        TruthTable { pieces, values }
    }

    /// Returns the bits, the most significant piece first.
    #[must_use]
    pub const fn pieces(&self) -> &'static [Piece] {
        self.pieces
    }

    /// Returns one bit for each value. Value 0 is the lowest bit of the first byte.
    #[must_use]
    pub const fn values(&self) -> &'static [u8] {
        self.values
    }

    /// Returns whether the bits of the word have one of the values.
    #[inline]
    #[must_use]
    pub fn contains(&self, word: u128) -> bool {
        let number = self.pieces.iter().fold(0, |number: usize, piece| {
            let bits = (word >> (piece.position & 127)) as usize;
            number << (piece.width & 31) | bits & ((1 << (piece.width & 31)) - 1)
        });
        self.values.get(number / 8).is_some_and(|byte| byte >> (number % 8) & 1 == 1)
    }
}

/// Returns whether there is no value for which all functions return the required results. Each
/// table contains one bit for each value.
#[doc(hidden)]
#[must_use]
pub const fn are_disjoint(said: &[(&[u8], bool)]) -> bool {
    let (mut disjoint, mut place) = (true, 0);
    while !said.is_empty() && place < said[0].0.len() {
        let (mut all, mut i) = (u8::MAX, 0);
        while i < said.len() {
            let (table, is) = said[i];
            all &= if is { table[place] } else { !table[place] };
            i += 1;
        }
        disjoint &= all == 0;
        place += 1;
    }
    disjoint
}
