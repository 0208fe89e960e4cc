//! The search for the opcode that is closest to an invalid word.
//!
//! The search compares fixed fields in order: fields that many opcodes fix come before fields that few
//! opcodes fix. A field that most opcodes fix selects the class of an instruction, and the other fields
//! select an instruction within the class. The closest opcode is the one that agrees with the word in
//! the most fixed bits before the first difference in this order. Of several such opcodes, the search
//! chooses the opcode with the fewest wrong fields. If several remain, it chooses the opcode that
//! agrees with the word in the most bits, or else the first one.

use core::cell::Cell;
use core::cmp::Reverse;

use crate::IS_SMALL;
use crate::table::{Field, Init, Opcode};

/// The opcodes that can explain a word: all opcodes of a set, or only those of one width.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tried {
    pub(super) opcodes: &'static [&'static Opcode],
    pub(super) bits: Option<u8>,
}

impl Tried {
    pub(super) fn has(self, opcode: &Opcode) -> bool {
        self.bits.is_none_or(|bits| opcode.has_width(bits))
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'static Opcode> + Clone {
        self.opcodes.iter().copied().filter(move |opcode| self.has(opcode))
    }
}

/// The order of the fixed fields. It is stored as the number of opcodes that fix each bit of a word.
pub(super) struct Decisions {
    tried: Tried,
    word: u128,
    shares: Counts,
    /// A cache of [`Decisions::share`] by mask, because opcodes of one format query the same masks
    /// again and again.
    found: [Cell<(u128, u32)>; 8],
}

/// A counter for each bit of a word. The counters are bit-sliced: each word of `digits` contains
/// one binary digit of all counters, the lowest digit first. One operation therefore adds to all
/// counters.
struct Counts {
    digits: [u128; Counts::DIGITS],
    /// The number of digits that are not 0 for some bit.
    used: usize,
}

impl Counts {
    /// Sufficient because a set has fewer than 65,536 opcodes.
    const DIGITS: usize = 16;

    /// Counts, for each bit, the masks that contain it.
    fn of(masks: impl Iterator<Item = u128>) -> Self {
        let mut counts = Counts { digits: [0; Counts::DIGITS], used: 0 };
        let mut masks = masks.peekable();
        while let Some(mask) = masks.next() {
            // Consecutive opcodes of one format have the same mask.
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

    /// Adds 1 to the digit `digit` of the counters of the bits in `carry`.
    fn add(&mut self, mut carry: u128, digit: usize) {
        for (digit, place) in self.digits.iter_mut().zip(1..).skip(digit) {
            if carry == 0 {
                break;
            }
            (*digit, carry) = (*digit ^ carry, *digit & carry);
            self.used = self.used.max(place);
        }
    }

    /// Returns the smallest counter of the bits in `bits`. If `bits` is 0, returns a number above
    /// all counters.
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

/// The distance of an opcode. A smaller value is closer.
type Distance = (Reverse<u32>, usize, Reverse<u32>);

impl Decisions {
    pub(super) fn new(tried: Tried, word: u128) -> Self {
        let shares = Counts::of(tried.iter().map(|opcode| opcode.fixed.mask));
        // The initial entry is valid: for an empty mask, [`Counts::least`] also returns `u32::MAX`.
        let found = [const { Cell::new((0, u32::MAX)) }; 8];
        Decisions { tried, word, shares, found }
    }

    /// Returns the closest opcode, and the first of its fixed fields that differs from the word.
    pub(super) fn closest(&self) -> Option<(&'static Opcode, &'static Field)> {
        let mut best: Option<(Distance, &'static Opcode)> = None;
        for opcode in self.tried.iter() {
            // The first element of the distance is at most the number of bits in which the opcode
            // agrees with the word.
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

    /// Returns the number of opcodes that fix all bits of a field.
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

    /// Returns the first fixed field of an opcode that differs from the word, with its rank in the
    /// order of the search: its share and its index.
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

/// Returns the number of fixed fields of an opcode that differ from the word.
pub(super) fn wrong_fields(opcode: &Opcode, word: u128) -> usize {
    opcode.fields.iter().filter(|field| differs(field, word)).count()
}

/// Returns whether the word matches at least one fixed field of an opcode. Fields without bits are not
/// considered.
pub(super) fn has_any(opcode: &Opcode, word: u128) -> bool {
    let mut fixed = opcode.fields.iter().filter(|field| is_fixed(field) && field.width() > 0);
    fixed.any(|field| !differs(field, word))
}

fn is_fixed(field: &Field) -> bool {
    matches!(field.init, Init::Fixed(_))
}

/// Returns whether the opcode fixes `field` to a value that differs from the field's value in
/// `word`.
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
        // Some masks occur several times in a row.
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
