//! The opcode that a word without one comes closest to.
//!
//! What most opcodes fix is decided first: a word is of a class before it is of a kind of that class.
//! So the closest opcode is the one that agrees with the word the longest, in fixed bits, when the
//! fields are looked at in this order; of equals the one of which the fewest fields differ, then the
//! one that agrees in the most bits, then the first.

use core::cell::Cell;
use core::cmp::Reverse;

use crate::table::{Field, IS_SMALL, Init, Opcode};

/// The opcodes that may explain a word: those of a set, or of them those of one width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tried {
    pub(super) opcodes: &'static [&'static Opcode],
    pub(super) bits: Option<u8>,
}

impl Tried {
    pub(super) fn has(self, opcode: &Opcode) -> bool {
        self.bits.is_none_or(|bits| opcode.bits == bits)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'static Opcode> + Clone {
        self.opcodes.iter().copied().filter(move |opcode| self.has(opcode))
    }
}

/// Which fixed fields are decided before which: by how many opcodes fix each bit of a word.
pub(super) struct Decisions {
    tried: Tried,
    word: u128,
    shares: Counts,
    /// What [`Decisions::share`] found for bits: opcodes of one form ask for the same again and again.
    found: [Cell<(u128, u32)>; 8],
}

/// A count for each bit of a word, as digits in base two: of each count the digits stand at its bit in these
/// words, the lowest first. So all are counted at once.
struct Counts {
    digits: [u128; Counts::DIGITS],
    /// How many of the digits are not 0 for some bit.
    used: usize,
}

impl Counts {
    /// A set has fewer than 65,536 opcodes.
    const DIGITS: usize = 16;

    /// How many of these masks have each bit.
    fn of(masks: impl Iterator<Item = u128>) -> Self {
        let mut counts = Counts { digits: [0; Counts::DIGITS], used: 0 };
        let mut masks = masks.peekable();
        while let Some(mask) = masks.next() {
            // Opcodes of one form stand together and have one mask.
            let mut times = 1_usize;
            while !IS_SMALL && masks.next_if_eq(&mask).is_some() {
                times += 1;
            }
            while times != 0 {
                counts.add(mask, times.trailing_zeros() as usize);
                times &= times - 1;
            }
        }
        counts
    }

    /// Adds 1 to a digit of the count of each of these bits.
    fn add(&mut self, mut carry: u128, digit: usize) {
        for (digit, place) in self.digits.iter_mut().zip(1..).skip(digit) {
            if carry == 0 {
                break;
            }
            (*digit, carry) = (*digit ^ carry, *digit & carry);
            self.used = self.used.max(place);
        }
    }

    /// The least count of some bits; of none a count that is above all.
    fn least(&self, mut bits: u128) -> u32 {
        if bits == 0 {
            return u32::MAX;
        }
        self.digits.iter().take(self.used).rev().fold(0, |least, digit| {
            let zeros = bits & !digit;
            bits = if zeros == 0 { bits } else { zeros };
            least << 1 | u32::from(zeros == 0)
        })
    }
}

/// How close an opcode comes, the smaller the closer.
type Distance = (Reverse<u32>, usize, Reverse<u32>);

impl Decisions {
    pub(super) fn new(tried: Tried, word: u128) -> Self {
        let shares = Counts::of(tried.iter().map(|opcode| opcode.fixed.mask));
        // No bits are in no field, of which [`Counts::least`] says the same.
        let found = [const { Cell::new((0, u32::MAX)) }; 8];
        Decisions { tried, word, shares, found }
    }

    /// The closest opcode, and the first of its fixed fields that the word has not.
    pub(super) fn closest(&self) -> Option<(&'static Opcode, &'static Field)> {
        let mut best: Option<(Distance, &'static Opcode)> = None;
        for opcode in self.tried.iter() {
            // Fields that the word has take no more bits than those in which it agrees.
            let agreed = opcode.fixed.mask & !(self.word ^ opcode.fixed.value);
            let is_far = |(distance, _): &(Distance, _)| agreed.count_ones() < distance.0.0;
            if !best.as_ref().is_some_and(is_far) {
                let distance = self.distance(opcode);
                if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                    best = Some((distance, opcode));
                }
            }
        }
        let (_, opcode) = best?;
        Some((opcode, self.first_wrong(opcode)?.1))
    }

    /// How many opcodes fix all bits of a field.
    fn share(&self, field: &Field) -> u32 {
        let mask = field.mask();
        if IS_SMALL {
            return self.shares.least(mask);
        }
        let Some(found) = self.found.get(mask.trailing_zeros() as usize / 4 % 8) else {
            return self.shares.least(mask);
        };
        if found.get().0 != mask {
            found.set((mask, self.shares.least(mask)));
        }
        found.get().1
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

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::vec::Vec;

    use super::Counts;

    #[test]
    fn counts_are_those_of_each_bit() {
        let masks =
            (0..3000u128).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15 << 17 | 1));
        // Some stand several times, one behind the other.
        let masks = masks.flat_map(|mask| core::iter::repeat_n(mask, (mask >> 90) as usize % 9));
        let counts = Counts::of(masks.clone());
        let each: Vec<u32> =
            (0..128).map(|at| masks.clone().map(|mask| (mask >> at & 1) as u32).sum()).collect();
        for bits in masks.clone().chain((0..128).map(|at| 1 << at)) {
            let own = (0..128).filter(|at| bits >> at & 1 == 1).map(|at| each[at]);
            assert_eq!(counts.least(bits), own.min().unwrap_or(u32::MAX), "{bits:#x}");
        }
    }
}
