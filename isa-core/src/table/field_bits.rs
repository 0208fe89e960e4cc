//! Describes the bits of a word that contain the fields of a template.

use super::{Field, Init};

/// The bits of a field that occupies one run of bits.
#[derive(Debug, Clone, Copy)]
pub struct FieldBits {
    /// The bits of the field in the low half and in the high half of the word. At least one mask
    /// is 0. Both are 0 if the opcode does not have the field, or if the field is split.
    pub(crate) masks: [u64; 2],
    /// The position in that half.
    pub(crate) turn: u32,
    /// Whether the field occupies several runs, or appears in the template twice.
    is_split: bool,
}

impl FieldBits {
    const NONE: FieldBits = FieldBits { masks: [0; 2], turn: 0, is_split: false };

    /// Returns the place of a field that occupies one run of at most 64 bits within one half of the
    /// word.
    const fn of(position: u8, width: u8) -> Self {
        let mut place = FieldBits { turn: position as u32 & 63, ..Self::NONE };
        if width > 0 {
            let mask = u64::MAX >> (64 - width as u32);
            place.masks[position as usize / 64] = mask << place.turn;
        }
        place
    }

    /// Returns the value of the field in a word.
    #[inline]
    pub(crate) const fn get(self, halves: [u64; 2]) -> u64 {
        (halves[0] & self.masks[0] | halves[1] & self.masks[1]).rotate_right(self.turn)
    }

    /// Returns whether the field exists.
    #[inline]
    pub(crate) const fn is_there(self) -> bool {
        self.masks[0] | self.masks[1] != 0
    }
}

/// Creates places from two bytes each: position and width, or 255 for a split field.
///
/// # Panics
///
/// Panics at compile time if there are not enough bytes.
#[doc(hidden)]
#[must_use]
pub const fn places<const N: usize>(bytes: &[u8]) -> [FieldBits; N] {
    let (mut places, mut i) = ([FieldBits::NONE; N], 0);
    while i < N {
        let (position, width) = (bytes[2 * i], bytes[2 * i + 1]);
        if width > 64 {
            places[i].is_split = true;
        } else {
            places[i] = FieldBits::of(position, width);
        }
        i += 1;
    }
    places
}

/// Returns the placeholders whose fields are split, as a bit set. `places` has an entry for each
/// placeholder of a syntax.
pub(super) const fn split(places: &[FieldBits]) -> u64 {
    let (mut symbols, mut i) = (0, 0);
    while i < places.len() && i < 64 {
        symbols |= (places[i].is_split as u64) << i;
        i += 1;
    }
    symbols
}

/// The bits in which the fast parser stores the values of placeholders (called `symbols` in the code).
/// It contains only placeholders whose bits are the same in all opcodes of a syntax.
#[derive(Debug, Clone, Copy)]
pub struct ValueLayout {
    /// The placeholders that have such bits, as a bit set.
    pub(crate) symbols: u64,
    places: &'static [ValueBits],
}

impl ValueLayout {
    /// No placeholder has such bits.
    pub const NONE: ValueLayout = ValueLayout { symbols: 0, places: &[] };

    /// Creates the list from `places`, which is in the order of the placeholders.
    #[must_use]
    pub const fn new(places: &'static [ValueBits]) -> Self {
        let (mut symbols, mut i) = (0, 0);
        while i < places.len() && i < 64 {
            symbols |= (places[i].place.is_there() as u64) << i;
            i += 1;
        }
        ValueLayout { symbols, places }
    }

    /// Stores `value` for the placeholder `symbol`, if the placeholder has such bits. A value that
    /// is equal to the default changes nothing.
    #[inline(always)]
    pub(crate) fn put(self, symbol: u8, value: u64, changes: &mut Changes) {
        if let Some(ValueBits { place, default, outside }) = self.places.get(usize::from(symbol)) {
            let bits = (value ^ default).rotate_left(place.turn);
            changes.halves[0] ^= bits & place.masks[0];
            changes.halves[1] ^= bits & place.masks[1];
            changes.excess |= value & outside;
        }
    }
}

/// The bits in which the value of a placeholder is stored.
#[derive(Debug, Clone, Copy)]
pub struct ValueBits {
    place: FieldBits,
    /// The value of the field in the initial word of each opcode.
    default: u64,
    /// The bits of a value that do not fit the field.
    outside: u64,
}

/// The differences between a parsed word and the initial word of an opcode.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Changes {
    /// The bits that differ, the low half first.
    pub(crate) halves: [u64; 2],
    /// Bits of values that do not fit their fields.
    pub(crate) excess: u64,
}

/// Creates places from three bytes each: position, width and default. The width is 0 if there is no
/// place. The defaults of the places in `named` are replaced by the default of a field.
///
/// # Panics
///
/// Panics at compile time if there are not enough bytes.
#[doc(hidden)]
#[must_use]
pub const fn read_places<const N: usize>(bytes: &[u8], named: &[(u8, &Field)]) -> [ValueBits; N] {
    let none = ValueBits { place: FieldBits::NONE, default: 0, outside: 0 };
    let (mut read, mut i) = ([none; N], 0);
    while i < N {
        let (width, default) = (bytes[3 * i + 1], bytes[3 * i + 2] as u64);
        if width > 0 {
            let place = FieldBits::of(bytes[3 * i], width);
            read[i] = ValueBits { place, default, outside: u64::MAX.unbounded_shl(width as u32) };
        }
        i += 1;
    }
    i = 0;
    while i < named.len() {
        let (symbol, field) = named[i];
        if let Init::Default(raw) = field.init {
            read[symbol as usize].default = raw;
        }
        i += 1;
    }
    read
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec;

    use super::*;
    use crate::bits::halves;
    use crate::operand::Kind;

    #[test]
    fn places_of_fields() {
        let [low, high, several, bit, none] = places::<5>(&[4, 8, 70, 4, 0, 255, 63, 1, 0, 0]);
        let word = halves(0xabc0 | 0x9 << 70 | 1 << 63);
        assert_eq!((low.get(word), high.get(word), bit.get(word)), (0xbc, 0x9, 1));
        assert!(low.is_there() && high.is_there() && bit.is_there());
        assert!(!several.is_there() && !none.is_there());
        assert_eq!([several, none].map(|place| place.is_split), [true, false]);
        assert_eq!(split(&[low, high, several, bit, several]), 0b1_0100);
        let [whole] = places::<1>(&[64, 64]);
        assert_eq!(whole.get([1, u64::MAX]), u64::MAX);
        assert_eq!(split(&[several; 70]), u64::MAX);
    }

    #[test]
    fn values_change_the_word_that_an_opcode_begins_with() {
        let field = Field {
            name: "",
            doc: "",
            declared_in: "",
            pieces: &[],
            kind: &Kind { name: "", doc: "", width: 4, values: &[], reserved: &[], text: None },
            init: Init::Default(5),
        };
        let read = read_places::<4>(&[4, 8, 3, 0, 0, 0, 70, 4, 0, 0, 64, 0], &[(2, &field)]);
        let places = ValueLayout::new(vec![read[0], read[1], read[2], read[3]].leak());
        assert_eq!(places.symbols, 0b1101);
        let changed = |symbol, value| {
            let mut changes = Changes::default();
            places.put(symbol, value, &mut changes);
            (changes.halves, changes.excess)
        };
        assert_eq!(changed(0, 3), ([0, 0], 0), "the default");
        assert_eq!(changed(0, 0xa5), ([0xa60, 0], 0));
        assert_eq!(changed(0, 0x1a5), ([0xa60, 0], 0x100), "a bit too much");
        assert_eq!(changed(2, 4), ([0, 1 << 6], 0), "the default of the field is 5");
        assert_eq!(changed(3, u64::MAX), ([u64::MAX, 0], 0));
        assert_eq!((changed(1, 7), changed(4, 7)), (([0, 0], 0), ([0, 0], 0)), "no such place");
    }
}
