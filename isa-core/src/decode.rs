//! Finds the opcode of a word.

use crate::IS_SMALL;
use crate::bits::halves;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::table::{DecodeRoot, DecodeTree, FeatureSet, InstructionSet, Opcode};

// Entries are handled as 32-bit numbers. A 16-bit load would change only a part of a register, so the
// processor would have to wait for the other part, which depends on the previous word.
impl DecodeTree {
    const NODE: u32 = Self::INNER as u32;

    /// Returns the entry for the bits of the word: the index of an opcode plus 1, or 0.
    #[inline(always)]
    fn propose(&self, word: u128) -> u32 {
        match self.first(word) {
            entry if entry & Self::NODE == 0 => entry,
            entry => self.descend(entry, halves(word)),
        }
    }

    #[inline(always)]
    fn first(&self, word: u128) -> u32 {
        let DecodeRoot { half, mask, magic, shift } = self.root;
        if mask == 0 {
            return Self::NODE;
        }
        let [low, high] = halves(word);
        let bits = if half & 1 == 0 { low } else { high } & mask;
        self.entry((bits.wrapping_mul(magic) >> (shift & 63)) as usize)
    }

    /// Returns the entry that is reached from a node. Most words need two steps.
    #[inline(always)]
    fn descend(&self, entry: u32, halves: [u64; 2]) -> u32 {
        if IS_SMALL {
            return self.descend_further(entry, halves);
        }
        let entry = self.step(self.step(entry, halves), halves);
        if entry & Self::NODE == 0 { entry } else { self.descend_further(entry, halves) }
    }

    #[cold]
    #[inline(never)]
    fn descend_further(&self, mut entry: u32, halves: [u64; 2]) -> u32 {
        // A path visits no node twice, so a longer path means that the tables are invalid.
        for _ in 0..self.nodes.len() {
            entry = self.step(entry, halves);
            if entry & Self::NODE == 0 {
                return entry;
            }
        }
        0
    }

    /// Returns the entry that a node selects. An entry that does not refer to a node is returned
    /// unchanged.
    #[inline(always)]
    fn step(&self, entry: u32, halves: [u64; 2]) -> u32 {
        if entry & Self::NODE == 0 {
            return entry;
        }
        let node = self.nodes.get((entry & !Self::NODE) as usize);
        node.map_or(0, |node| self.entry(node.place(halves)))
    }

    #[inline(always)]
    fn entry(&self, place: usize) -> u32 {
        self.entries.get(place).map_or(0, |bytes| u16::from_le_bytes(*bytes).into())
    }

    /// Returns the entry to try after `entry`.
    fn more_general(&self, entry: u16) -> u16 {
        let place = usize::from(entry).wrapping_sub(1);
        self.general.get(place).copied().unwrap_or(0)
    }
}

impl InstructionSet {
    /// Returns the opcode of a word.
    ///
    /// # Errors
    ///
    /// Returns the reason if the word is not a valid instruction.
    #[inline]
    pub fn decode(&self, word: u128) -> Result<&'static Opcode, DecodeError> {
        self.find_own(self.choice(), word).map(|(_, opcode)| opcode)
    }

    /// Returns the index of a word's opcode in [`InstructionSet::opcodes`].
    ///
    /// # Errors
    ///
    /// Returns the reason if the word is not a valid instruction.
    #[inline]
    pub fn index(&self, word: u128) -> Result<usize, DecodeError> {
        self.find_own(self.choice(), word).map(|(index, _)| index)
    }

    /// Does the same as [`InstructionSet::index`], with the tree and the opcodes of the set as
    /// arguments. Generated code passes constants, because the optimiser does not know the contents
    /// of tables in another crate.
    ///
    /// # Errors
    ///
    /// Returns the reason if the word is not a valid instruction.
    #[doc(hidden)]
    #[inline]
    pub fn index_by(
        &self,
        tree: DecodeTree,
        opcodes: &'static [&'static Opcode],
        features: Option<FeatureSet>,
        word: u128,
    ) -> Result<usize, DecodeError> {
        self.find(&tree, &opcodes, features, word).map(|(index, _)| index)
    }

    /// Returns the features that are on, or `None` if the set has no features.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub const fn choice(&self) -> Option<FeatureSet> {
        if self.features.is_empty() { None } else { Some(self.enabled) }
    }

    /// Finds the opcode of a word in the tables of the set. Small builds contain this function once.
    #[cfg_attr(not(target_family = "wasm"), inline)]
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(crate) fn find_own(
        &self,
        features: Option<FeatureSet>,
        word: u128,
    ) -> Result<(usize, &'static Opcode), DecodeError> {
        self.find(&self.tree, &self.opcodes, features, word)
    }

    // Always inlined, so that the optimiser sees these constants. Arguments that are not constants are
    // loaded only when they are needed.
    #[inline(always)]
    fn find(
        &self,
        tree: &DecodeTree,
        opcodes: &&'static [&'static Opcode],
        features: Option<FeatureSet>,
        word: u128,
    ) -> Result<(usize, &'static Opcode), DecodeError> {
        let index = (tree.propose(word) as usize).wrapping_sub(1);
        match opcodes.get(index) {
            Some(opcode) if opcode.check(word) && opcode.is_on(word, features) => {
                Ok((index, opcode))
            }
            _ => self.find_general(features, word, index),
        }
    }

    /// Continues the search if the proposed opcode does not match.
    #[cold]
    #[inline(never)]
    fn find_general(
        &self,
        features: Option<FeatureSet>,
        word: u128,
        proposed: usize,
    ) -> Result<(usize, &'static Opcode), DecodeError> {
        let (mut index, mut is_off) = (proposed, None);
        for _ in 0..=self.tree.general.len() {
            let Some(opcode) = self.opcodes.get(index) else { break };
            if opcode.check(word) {
                if opcode.is_on(word, features) {
                    return Ok((index, opcode));
                }
                is_off = is_off.or(Some(*opcode));
            }
            let entry = self.tree.more_general(index.wrapping_add(1) as u16);
            index = usize::from(entry).wrapping_sub(1);
        }
        Err(match (is_off, features) {
            (Some(opcode), Some(features)) => DecodeError::unavailable(word, opcode, features),
            _ => DecodeError::refused(word, self.opcodes, Some(proposed)),
        })
    }
}

impl Opcode {
    /// Returns the bits that belong to no field, including the bits above the width of the opcode's
    /// word.
    #[inline]
    pub(crate) const fn zeros(&self) -> u128 {
        self.unused | u128::MAX.unbounded_shl(self.bits as u32)
    }

    /// Returns whether a word is a valid instruction of this opcode.
    #[inline]
    #[must_use]
    pub fn check(&self, word: u128) -> bool {
        self.screen.passes(word)
    }

    /// Returns whether a valid word exists with these features, if the set has features.
    #[inline(always)]
    pub(crate) fn is_on(&self, word: u128, features: Option<FeatureSet>) -> bool {
        features.is_none_or(|on| self.requires.is_empty() || self.unmet(word, on).is_none())
    }

    /// Checks a word like [`Opcode::check`], but returns the reason if the word is invalid.
    ///
    /// # Errors
    ///
    /// Returns the reason if the word is not a valid instruction of this opcode.
    #[inline]
    pub fn validate(&'static self, word: u128) -> Result<(), DecodeError> {
        if self.check(word) { Ok(()) } else { Err(DecodeError::of(word, self)) }
    }

    /// Returns the reason why a word fails the check. If there are several reasons, a wrong value takes
    /// precedence over a wrong combination, and unused bits come last.
    #[cold]
    pub(crate) fn reason(&'static self, word: u128) -> DecodeErrorKind {
        let opcode = self;
        let fixed = opcode.fixed.contains(word);
        let reserved = opcode.fields.iter().find(|field| !field.kind.admits(field.get(word)));
        let broken = opcode.broken(word).next();
        let bits = word & opcode.zeros();
        match (fixed, reserved, broken, bits) {
            (true, Some(field), _, _) => {
                DecodeErrorKind::ReservedValue { opcode, field, raw: field.get(word) }
            }
            (true, None, Some(exception), _) => DecodeErrorKind::Illegal { opcode, exception },
            (true, None, None, 1..) => DecodeErrorKind::UnusedBits { opcode },
            _ => DecodeErrorKind::OtherOpcode { opcode },
        }
    }
}
