//! The opcode that a word without one comes closest to.
//!
//! What most opcodes fix is decided first: a word is of a class before it is of a kind of that class.
//! So the closest opcode is the one that agrees with the word the longest, in fixed bits, when the
//! fields are looked at in this order; of equals the one of which the fewest fields differ, then the
//! one that agrees in the most bits, then the first.

use core::cmp::Reverse;

use crate::table::{Field, Init, Opcode};

/// Which fixed fields are decided before which: by how many opcodes fix each bit of a word.
pub(super) struct Decisions {
    opcodes: &'static [&'static Opcode],
    word: u128,
    shares: [u32; 128],
}

/// How close an opcode comes, the smaller the closer.
type Distance = (Reverse<u32>, usize, Reverse<u32>);

impl Decisions {
    pub(super) fn new(opcodes: &'static [&'static Opcode], word: u128) -> Self {
        let mut shares = [0; 128];
        for opcode in opcodes {
            for (position, share) in shares.iter_mut().enumerate() {
                *share += (opcode.fixed.mask >> position & 1) as u32;
            }
        }
        Decisions { opcodes, word, shares }
    }

    /// The closest opcode, and the first of its fixed fields that the word has not.
    pub(super) fn closest(&self) -> Option<(&'static Opcode, &'static Field)> {
        let opcode = self.opcodes.iter().copied().min_by_key(|opcode| self.distance(opcode))?;
        Some((opcode, self.first_wrong(opcode)?.1))
    }

    /// How many opcodes fix all bits of a field.
    fn share(&self, field: &Field) -> u32 {
        let (mut mask, mut least) = (field.mask(), u32::MAX);
        while mask != 0 {
            let share = self.shares.get(mask.trailing_zeros() as usize);
            least = least.min(share.copied().unwrap_or(0));
            mask &= mask - 1;
        }
        least
    }

    /// The first of an opcode's fixed fields that the word has not, with its place and its share.
    fn first_wrong(&self, opcode: &Opcode) -> Option<((Reverse<u32>, usize), &'static Field)> {
        let fields = opcode.fields.iter().enumerate();
        let wrong = fields.filter(|(_, field)| differs(field, self.word));
        wrong
            .map(|(place, field)| ((Reverse(self.share(field)), place), *field))
            .min_by_key(|(rank, _)| *rank)
    }

    fn distance(&self, opcode: &Opcode) -> Distance {
        let wrong = self.first_wrong(opcode).map(|(rank, _)| rank);
        let (mut before, mut agreed) = (0, 0);
        for (place, field) in opcode.fields.iter().enumerate() {
            if is_fixed(field) && !differs(field, self.word) {
                agreed += field.width();
                let is_first =
                    wrong.is_none_or(|wrong| (Reverse(self.share(field)), place) < wrong);
                before += if is_first { field.width() } else { 0 };
            }
        }
        (Reverse(before), wrong_fields(opcode, self.word), Reverse(agreed))
    }
}

/// How many of an opcode's fixed fields the word has not.
pub(super) fn wrong_fields(opcode: &Opcode, word: u128) -> usize {
    opcode.fields.iter().filter(|field| differs(field, word)).count()
}

/// Whether the word has one of an opcode's fixed fields that has bits.
pub(super) fn has_any(opcode: &Opcode, word: u128) -> bool {
    let mut fixed = opcode.fields.iter().filter(|field| is_fixed(field) && field.width() > 0);
    fixed.any(|field| !differs(field, word))
}

fn is_fixed(field: &Field) -> bool {
    matches!(field.init, Init::Fixed(_))
}

/// Whether the word lacks the value that the field is fixed to.
pub(super) fn differs(field: &Field, word: u128) -> bool {
    !field.can_be(field.get(word))
}
