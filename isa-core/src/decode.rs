//! From a word to its opcode.

use crate::error::{DecodeError, DecodeErrorKind};
use crate::table::{DecodeTree, InstructionSet, Opcode, Root, halves};

impl DecodeTree {
    /// The entry that the bits of the word lead to: an opcode's number plus 1, or 0.
    #[inline(always)]
    fn propose(&self, word: u128) -> u16 {
        match self.first(word) {
            entry if entry & Self::INNER == 0 => entry,
            entry => self.descend(entry, word),
        }
    }

    /// The entry that the nodes lead to, from one of them on.
    #[inline(never)]
    fn descend(&self, mut entry: u16, word: u128) -> u16 {
        // A path visits no node twice, so that longer ones are wrong tables.
        for _ in 0..self.nodes.len() {
            let Some(node) = self.nodes.get(usize::from(entry & !Self::INNER)) else {
                return 0;
            };
            let bits = word.unbounded_shr(node.position.into()) as u64;
            let choice = bits & 1u64.unbounded_shl(node.width.into()).wrapping_sub(1);
            let place = node.base as usize + choice as usize;
            entry = self.entries.get(place).copied().unwrap_or(0);
            if entry & Self::INNER == 0 {
                return entry;
            }
        }
        0
    }

    #[inline(always)]
    fn first(&self, word: u128) -> u16 {
        let Root { half, mask, magic, shift } = self.root;
        if mask == 0 {
            return Self::INNER;
        }
        let [low, high] = halves(word);
        let bits = if half & 1 == 0 { low } else { high } & mask;
        let place = bits.wrapping_mul(magic) >> (shift & 63);
        self.entries.get(place as usize).copied().unwrap_or(0)
    }

    /// The entry to try after `entry`.
    fn more_general(&self, entry: u16) -> u16 {
        let place = usize::from(entry).wrapping_sub(1);
        self.general.get(place).copied().unwrap_or(0)
    }
}

impl InstructionSet {
    /// The opcode of a word.
    ///
    /// # Errors
    ///
    /// A word that is no instruction, with the reason.
    #[inline]
    pub fn decode(&self, word: u128) -> Result<&'static Opcode, DecodeError> {
        self.find(&self.tree, &self.opcodes, word).map(|(_, opcode)| opcode)
    }

    /// The number of a word's opcode, an index into [`InstructionSet::opcodes`].
    ///
    /// # Errors
    ///
    /// A word that is no instruction, with the reason.
    #[inline]
    pub fn index(&self, word: u128) -> Result<usize, DecodeError> {
        self.find(&self.tree, &self.opcodes, word).map(|(index, _)| index)
    }

    /// As [`InstructionSet::index`], with the set's own tree and opcodes given again: generated
    /// code has them as constants, but the tables of another crate are none to the optimiser.
    ///
    /// # Errors
    ///
    /// A word that is no instruction, with the reason.
    #[doc(hidden)]
    #[inline]
    pub fn index_by(
        &self,
        tree: DecodeTree,
        opcodes: &'static [&'static Opcode],
        word: u128,
    ) -> Result<usize, DecodeError> {
        self.find(&tree, &opcodes, word).map(|(index, _)| index)
    }

    // Always inlined, for those constants. What is no constant is read where it is looked at.
    #[inline(always)]
    fn find(
        &self,
        tree: &DecodeTree,
        opcodes: &&'static [&'static Opcode],
        word: u128,
    ) -> Result<(usize, &'static Opcode), DecodeError> {
        let index = usize::from(tree.propose(word)).wrapping_sub(1);
        match opcodes.get(index) {
            Some(opcode) if opcode.check(word) => Ok((index, opcode)),
            _ => self.find_general(word),
        }
    }

    /// Goes on where the proposed opcode does not fit.
    #[cold]
    #[inline(never)]
    fn find_general(&self, word: u128) -> Result<(usize, &'static Opcode), DecodeError> {
        let proposed = usize::from(self.tree.propose(word)).wrapping_sub(1);
        let mut index = proposed;
        for _ in 0..self.tree.general.len() {
            let entry = self.tree.more_general(index.wrapping_add(1) as u16);
            index = usize::from(entry).wrapping_sub(1);
            match self.opcodes.get(index) {
                Some(opcode) if opcode.check(word) => return Ok((index, opcode)),
                Some(_) => {}
                None => break,
            }
        }
        Err(self.refuse(word, proposed))
    }

    /// Why no opcode fits. The opcode that the tree proposes explains best; where it does not
    /// have the word's fixed bits, any other that has.
    fn refuse(&self, word: u128, proposed: usize) -> DecodeError {
        let opcodes = self.opcodes;
        let related = |opcode: &&&'static Opcode| opcode.fixed.contains(word);
        let proposed = opcodes.get(proposed).filter(related);
        let best = proposed.or_else(|| opcodes.iter().find(related));
        match best.map(|opcode| opcode.validate(word)) {
            Some(Err(error)) => error,
            // An opcode fits that the tree does not lead to: a wrong table. Refusing is safe.
            Some(Ok(())) | None => {
                DecodeError::new(word, DecodeErrorKind::NoSuchOpcode { opcodes })
            }
        }
    }
}

impl Opcode {
    /// The bits that belong to no field, those above the opcode's word included.
    #[inline]
    pub(crate) const fn zeros(&self) -> u128 {
        self.unused | u128::MAX.unbounded_shl(self.bits as u32)
    }

    /// Whether a word is a legal instruction of this opcode.
    #[inline]
    #[must_use]
    pub fn check(&self, word: u128) -> bool {
        self.screen.passes(word)
    }

    /// As [`Opcode::check`], with the reason.
    ///
    /// # Errors
    ///
    /// A word that is no legal instruction of this opcode.
    #[inline]
    pub fn validate(&'static self, word: u128) -> Result<(), DecodeError> {
        if self.check(word) { Ok(()) } else { Err(DecodeError::new(word, self.reason(word))) }
    }

    /// Why a word fails the check: the wrong value before the wrong combination, and bits that
    /// mean nothing last.
    #[cold]
    fn reason(&'static self, word: u128) -> DecodeErrorKind {
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
