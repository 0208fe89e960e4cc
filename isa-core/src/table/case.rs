//! Illegal words of which Rust functions of an author say so.

use super::{Cube, Map};

/// Words of which functions say certain things, in some cubes.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// What each of the functions says.
    pub when: &'static [Said],
    /// The cubes.
    pub cubes: &'static [Cube],
}

/// A function of some fields, and one of the two things that it may say.
#[derive(Debug, Clone, Copy)]
pub struct Said {
    /// The call as the condition has it, `crate::is_move_wide(imm)`.
    pub text: &'static str,
    /// The values of the fields for which it gives `true`.
    pub map: Map,
    /// Which of the two is meant.
    pub said: bool,
}

impl Said {
    /// A function, the values for which it gives `true`, and which of the two is meant.
    #[must_use]
    pub const fn new(text: &'static str, map: Map, said: bool) -> Self {
        Said { text, map, said }
    }

    /// Whether the function says this of a word.
    #[inline]
    #[must_use]
    pub fn holds(&self, word: u128) -> bool {
        self.map.contains(word) == self.said
    }
}

impl Case {
    /// Whether a word is in one of the cubes, and the functions say this of it.
    #[inline]
    #[must_use]
    pub fn contains(&self, word: u128) -> bool {
        self.when.iter().all(|when| when.holds(word))
            && self.cubes.iter().any(|cube| cube.contains(word))
    }
}

/// Whether there is no value of which all tables say what they are to say. Each has a bit for each
/// value.
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
