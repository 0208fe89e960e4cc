//! Describes sets of words that depend on the results of the author's Rust functions.

use super::{Cube, TruthTable};

/// The words that match one of the masked patterns and for which all functions in `when` return the
/// required results.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The required results of the functions.
    pub when: &'static [Said],
    /// The masked patterns.
    pub cubes: &'static [Cube],
}

/// A function of some fields, and one of its two results.
#[derive(Debug, Clone, Copy)]
pub struct Said {
    /// The call as it is written in the condition, for example `crate::is_move_wide(imm)`.
    pub text: &'static str,
    /// The values of the fields for which the function returns true.
    pub map: TruthTable,
    /// The required result.
    pub said: bool,
}

impl Said {
    /// Creates the requirement that a function returns `said`. `map` contains the values for which
    /// it returns true.
    #[must_use]
    pub const fn new(text: &'static str, map: TruthTable, said: bool) -> Self {
        Said { text, map, said }
    }

    /// Returns whether the function returns the required result for a word.
    #[inline]
    #[must_use]
    pub fn holds(&self, word: u128) -> bool {
        self.map.contains(word) == self.said
    }
}

impl Case {
    /// Returns whether a word matches one of the patterns, and the functions return the required
    /// results.
    #[inline]
    #[must_use]
    pub fn contains(&self, word: u128) -> bool {
        self.when.iter().all(|when| when.holds(word))
            && self.cubes.iter().any(|cube| cube.contains(word))
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
