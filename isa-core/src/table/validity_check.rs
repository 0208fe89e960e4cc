//! Checks whether a word is valid for an opcode, without a branch for each possible error.

use super::{ConditionCase, FunctionResult, TruthTable};
use crate::bits::{Cube, halves};

/// The validity check of an opcode: the set of its valid words.
///
/// It combines exact checks, which together implement the fields and exceptions of the opcode. Every
/// word is checked against the bits that are the same in all valid words, and against two
/// [`ValidityTable`]s. Conditions on more bits than these tables can check use [`TruthTable`]s and
/// masked patterns of invalid words. Conditions that call functions use [`ConditionCase`]s. Most opcodes do not
/// need these additional checks.
// The parts that every check needs come first and fill two cache lines, because there are many rows
// and the words arrive in random order.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct ValidityCheck {
    mask: [u64; 2],
    value: [u64; 2],
    validity_tables: [ValidityTable; 2],
    /// Whether all following fields of this type are empty.
    is_plain: bool,
    maps: &'static [TruthTable],
    rest: &'static [Cube],
    told: &'static [FunctionResult],
    cases: &'static [&'static [ConditionCase]],
}

/// A lookup table of the valid values of up to six bits of a word. The two halves of the word are
/// masked and combined by a bitwise or.
///
/// A perfect-hash multiply with `magic` gathers the bits under `mask` in the top six bits of the
/// product, which are the index of a bit in `legal`. The macro checks all values of the bits, so a
/// valid and an invalid value never have the same index.
#[derive(Debug, Clone, Copy)]
pub struct ValidityTable {
    /// The bits that are checked, the low half first.
    pub mask: [u64; 2],
    /// The multiplier of the masked bits. The top six bits of the product distinguish valid values
    /// from invalid ones.
    pub magic: u64,
    /// One bit for each index: 1 if the word is valid.
    pub legal: u64,
}

impl ValidityTable {
    /// The maximum number of bits that are checked.
    pub(super) const BITS: u32 = 6;

    /// Accepts every word.
    pub const ALL: ValidityTable = ValidityTable { mask: [0; 2], magic: 0, legal: u64::MAX };

    /// Creates a lookup table from its mask, its multiplier and its valid values.
    #[must_use]
    pub const fn new(mask: u128, magic: u64, legal: u64) -> Self {
        ValidityTable { mask: halves(mask), magic, legal }
    }

    /// Returns in bit 0 whether the word is valid.
    #[inline]
    const fn pass(&self, halves: [u64; 2]) -> u64 {
        let bits = halves[0] & self.mask[0] | halves[1] & self.mask[1];
        self.legal >> (bits.wrapping_mul(self.magic) >> (u64::BITS - Self::BITS))
    }
}

impl ValidityCheck {
    /// Accepts the words that match `plain`, pass both lookup tables, and match no pattern of
    /// `rest`.
    #[must_use]
    pub const fn new(
        plain: Cube,
        validity_tables: [ValidityTable; 2],
        rest: &'static [Cube],
    ) -> Self {
        let (mask, value) = (halves(plain.mask), halves(plain.value));
        let is_plain = rest.is_empty();
        ValidityCheck {
            mask,
            value,
            validity_tables,
            maps: &[],
            rest,
            told: &[],
            cases: &[],
            is_plain,
        }
    }

    /// Adds tables of invalid words.
    #[must_use]
    pub const fn with_maps(self, maps: &'static [TruthTable]) -> Self {
        ValidityCheck { maps, is_plain: self.is_plain && maps.is_empty(), ..self }
    }

    /// Also rejects a word if one of the functions in `told` returns the given result, or if a case
    /// in `cases` contains the word.
    #[must_use]
    pub const fn with_functions(
        self,
        told: &'static [FunctionResult],
        cases: &'static [&'static [ConditionCase]],
    ) -> Self {
        let is_plain = self.is_plain && told.is_empty() && cases.is_empty();
        ValidityCheck { told, cases, is_plain, ..self }
    }

    /// Also rejects the words in these masked patterns.
    #[cfg(feature = "alloc")]
    pub(super) fn without(self, words: impl Iterator<Item = Cube>) -> Self {
        let rest = self.rest.iter().copied().chain(words).collect::<alloc::vec::Vec<_>>();
        ValidityCheck { is_plain: self.is_plain && rest.is_empty(), rest: rest.leak(), ..self }
    }

    /// Requires the bits `ones` to be 1. They must be bits that were required to be 0.
    pub(crate) const fn with_ones(mut self, ones: u128) -> Self {
        let [low, high] = halves(ones);
        self.value = [self.value[0] | low, self.value[1] | high];
        self
    }

    /// Accepts the words of `bits` bits that have the fixed bits, contain 0 in the unused bits, and
    /// match no pattern of `illegal`.
    #[must_use]
    pub const fn of(bits: u8, fixed: Cube, unused: u128, illegal: &'static [Cube]) -> Self {
        let above = u128::MAX.unbounded_shl(bits as u32);
        let plain = Cube { mask: fixed.mask | unused | above, value: fixed.value };
        ValidityCheck::new(plain, [ValidityTable::ALL; 2], illegal)
    }

    /// Returns whether the word is valid.
    #[inline(always)]
    #[must_use]
    pub fn passes(&self, word: u128) -> bool {
        let word_halves = halves(word);
        let [low, high] = word_halves;
        let wrong = low & self.mask[0] ^ self.value[0] | high & self.mask[1] ^ self.value[1];
        let [first, second] = &self.validity_tables;
        let pass = first.pass(word_halves) & second.pass(word_halves) & 1 == 1;
        (wrong == 0) & pass && (self.is_plain || self.is_free(word))
    }

    #[inline(never)]
    fn is_free(&self, word: u128) -> bool {
        !self.maps.iter().any(|map| map.contains(word))
            && !self.told.iter().any(|told| told.holds(word))
            && !self.rest.iter().any(|cube| cube.contains(word))
            && !self.cases.iter().copied().flatten().any(|case| case.contains(word))
    }
}
