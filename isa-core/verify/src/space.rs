//! Generates valid and invalid words from the fields of a specification.

use std::sync::Arc;

use isa_core::table::{Field, Init, InstructionSet};

use crate::model::{Model, Row, Wrong, bits};
use crate::random::Random;

/// A generator of the words of a set.
#[derive(Debug)]
pub struct Space {
    /// The reference implementation of validity.
    pub model: Arc<Model>,
    /// The source of random numbers.
    pub random: Random,
}

/// The number of purely random attempts.
const TRIES: usize = 100;
/// The number of attempts to generate a valid word.
const ROUNDS: usize = TRIES + 24;
/// The maximum number of changes that are made to a word to make it valid.
const STEPS: usize = 64;

/// Returns the boundary values of a field. For a field of up to 8 bits these are all values. For a
/// wider field they are the first and the last values, each single bit and its complement, runs of
/// ones, and the named values. Some of them may be reserved.
#[must_use]
pub fn boundaries(field: &Field) -> Vec<u64> {
    let width = field.width();
    let last = last(field);
    if width <= 8 {
        return (0..=last).collect();
    }
    let mut values = vec![0, 1, 2, 3, last, last - 1, last - 2, last - 3, last / 3, last / 3 * 2];
    for bit in 0..width {
        let one = 1 << bit;
        values.extend([one, one - 1, last ^ one]);
    }
    values.extend(field.kind.values.iter().map(|value| value.raw));
    values.sort_unstable();
    values.dedup();
    values
}

/// Returns the largest value of a field, or 0 for a field without bits.
#[must_use]
pub fn last(field: &Field) -> u64 {
    u64::MAX.unbounded_shr(64 - field.width())
}

/// Returns the word with another value in one field, computed bit by bit.
#[must_use]
pub fn with(field: &Field, word: u128, raw: u64) -> u128 {
    let mut places = field.pieces.iter().rev().flat_map(|piece| {
        let low = u32::from(piece.position);
        low..low + u32::from(piece.width)
    });
    (0..field.width()).fold(word, |word, i| match places.next() {
        Some(place) => word & !(1 << place) | u128::from(raw >> i & 1) << place,
        None => word,
    })
}

impl Space {
    /// Creates a generator with a seed.
    #[must_use]
    pub fn new(set: &'static InstructionSet, seed: u64) -> Self {
        Space::of(&Arc::new(Model::new(set)), seed)
    }

    /// Creates a generator with a seed that shares a model.
    #[must_use]
    pub fn of(model: &Arc<Model>, seed: u64) -> Self {
        Space { model: Arc::clone(model), random: Random::new(seed) }
    }

    /// Returns the number of opcodes.
    #[must_use]
    pub fn opcodes(&self) -> usize {
        self.model.rows.len()
    }

    /// Returns the row of an opcode.
    #[must_use]
    pub fn row(&self, opcode: usize) -> &Row {
        &self.model.rows[opcode]
    }

    /// Returns a field of an opcode.
    #[must_use]
    pub fn field(&self, opcode: usize, field: usize) -> &'static Field {
        self.row(opcode).opcode.fields[field]
    }

    /// Returns a random number that fits a field, often a boundary value.
    #[must_use]
    pub fn raw(&mut self, field: &Field) -> u64 {
        match self.random.below(4) {
            0 => self.edge(field),
            _ => self.random.bits().unbounded_shr(64 - field.width()),
        }
    }

    /// Returns a boundary value of a field.
    fn edge(&mut self, field: &Field) -> u64 {
        let last = last(field);
        let one = 1 << self.random.below(field.width().into());
        let raw = match self.random.below(5) {
            0 => self.random.below(4),
            1 => last.wrapping_sub(self.random.below(4)),
            2 => one,
            3 => one - 1,
            _ => !one,
        };
        raw & last
    }

    /// Returns a random value that a field of an opcode can have, or 0 if no such value is found.
    #[must_use]
    pub fn existing(&mut self, opcode: usize, index: usize) -> u64 {
        let field = self.field(opcode, index);
        for _ in 0..TRIES {
            let raw = self.raw(field);
            if self.row(opcode).exists(index, raw) {
                return raw;
            }
        }
        // Only few of the field's values exist: returns a named value, or changes bits until no
        // pattern of reserved values matches.
        if !field.kind.values.is_empty() {
            return self.random.pick(field.kind.values).raw;
        }
        let mut raw = self.raw(field);
        for _ in 0..STEPS {
            let Some(cube) = field.kind.reserved.iter().find(|cube| cube.contains(raw.into()))
            else {
                return raw;
            };
            raw ^= self.one_of(cube.mask) as u64;
        }
        0
    }

    /// Returns one of the bits of a mask, or 0 for an empty mask.
    fn one_of(&mut self, mask: u128) -> u128 {
        let mut left = mask;
        for _ in 0..self.random.below(mask.count_ones().max(1).into()) {
            left &= left.wrapping_sub(1);
        }
        left & left.wrapping_neg()
    }

    /// Returns a random valid word of an opcode.
    ///
    /// # Panics
    ///
    /// Panics if no valid word is found.
    #[must_use]
    pub fn legal(&mut self, opcode: usize) -> u128 {
        self.legal_with(opcode, &[])
    }

    /// Returns a random valid word of an opcode. All words are equally likely.
    ///
    /// # Panics
    ///
    /// Panics if no valid word is found.
    #[must_use]
    pub fn uniform(&mut self, opcode: usize) -> u128 {
        for _ in 0..100 * STEPS {
            let row = &self.model.rows[opcode];
            let mut word = row.fixed().iter().fold(0, |word, (field, raw)| with(field, word, *raw));
            let mut exist = true;
            for index in row.free() {
                let field = row.opcode.fields[index];
                let mut raw = self.random.bits().unbounded_shr(64 - field.width());
                for _ in 0..STEPS {
                    if row.exists(index, raw) {
                        break;
                    }
                    raw = self.random.bits().unbounded_shr(64 - field.width());
                }
                exist &= row.exists(index, raw);
                word = with(field, word, raw);
            }
            if exist && row.is_legal(word) {
                return word;
            }
        }
        // Random values found no valid word, because only few words are valid.
        self.legal(opcode)
    }

    /// Returns a random valid word of `opcode`. `given` contains pairs of a field's index and the
    /// value that the field must have.
    ///
    /// # Panics
    ///
    /// Panics if no such word is found.
    #[must_use]
    pub fn legal_with(&mut self, opcode: usize, given: &[(usize, u64)]) -> u128 {
        self.find_legal_with(opcode, given).unwrap_or_else(|| {
            panic!("no legal word of {} with {given:?}", self.row(opcode).opcode.name)
        })
    }

    /// Does the same as [`Space::legal_with`], but returns `None` if no such word is found.
    #[must_use]
    pub fn find_legal_with(&mut self, opcode: usize, given: &[(usize, u64)]) -> Option<u128> {
        for round in 0..ROUNDS {
            let mut word = self.filled(opcode, given);
            // The first rounds try random words, so that no valid word is preferred. The later
            // rounds change a word step by step.
            let steps = if round < TRIES { 1 } else { STEPS };
            for _ in 0..steps {
                match self.row(opcode).wrong(word) {
                    None => return Some(word),
                    Some(Wrong::Exception(index)) => word = self.step(opcode, word, index, given),
                    Some(_) => break,
                }
            }
        }
        None
    }

    /// Returns a random valid word of an opcode that belongs to one of its aliases, by index. Returns
    /// `None` if no such word is found.
    #[must_use]
    pub fn aliased(&mut self, opcode: usize, alias: usize) -> Option<u128> {
        let own = self.row(opcode).opcode;
        let row = own.aliases.get(alias)?.row;
        let fixed = row.fields.iter().filter_map(|field| match field.init {
            Init::Fixed(raw) => {
                Some((own.fields.iter().position(|own| own.name == field.name)?, raw))
            }
            _ => None,
        });
        let given: Vec<(usize, u64)> = fixed.collect();
        let mut tries = (0..TRIES).map_while(|_| self.find_legal_with(opcode, &given));
        tries.find(|word| row.check(*word))
    }

    /// Changes one field of a word that an exception rejects: one bit that the exception uses, or
    /// the whole value.
    fn step(
        &mut self,
        opcode: usize,
        word: u128,
        exception: usize,
        given: &[(usize, u64)],
    ) -> u128 {
        let row = &self.model.rows[opcode];
        let free = |index: &usize| {
            row.free().any(|free| free == *index) && given.iter().all(|(known, _)| known != index)
        };
        let fields: Vec<usize> =
            row.conditions[exception].fields().into_iter().filter(free).collect();
        if fields.is_empty() {
            return word;
        }
        let cubes = row.opcode.exceptions[exception].cubes.iter();
        let asked = cubes.filter(|cube| cube.contains(word)).map(|cube| cube.mask).next();
        let index = *self.random.pick(&fields);
        let field = self.field(opcode, index);
        if let (Some(mask), 1..) = (asked, self.random.below(4)) {
            let bit = self.one_of(mask & field.mask());
            let changed = word ^ bit;
            let exists = self.row(opcode).exists(index, crate::model::value(field, changed));
            return if exists { changed } else { word };
        }
        let raw = self.existing(opcode, index);
        with(field, word, raw)
    }

    /// Returns a word of `opcode`. `given` contains pairs of a field's index and its value; all
    /// other fields have random existing values. An exception may reject it.
    #[must_use]
    pub fn filled(&mut self, opcode: usize, given: &[(usize, u64)]) -> u128 {
        let fixed = self.row(opcode).fixed().iter();
        let mut word = fixed.fold(0, |word, (field, raw)| with(field, word, *raw));
        let free: Vec<usize> = self.row(opcode).free().collect();
        // Some words are plain: most of their fields have their defaults.
        let plain = self.random.below(3) == 0;
        for index in free {
            let field = self.field(opcode, index);
            let default = match field.init {
                Init::Default(raw) => Some(raw),
                _ => None,
            };
            let given = given.iter().find(|(known, _)| *known == index).map(|(_, raw)| *raw);
            let default = default.filter(|_| plain && self.random.below(4) != 0);
            let raw = given.or(default).unwrap_or_else(|| self.existing(opcode, index));
            word = with(field, word, raw);
        }
        word
    }

    /// Returns a random word with the fixed fields of an opcode. The other fields have any values,
    /// including reserved ones. Occasionally bits that no field covers are set.
    #[must_use]
    pub fn plausible(&mut self, opcode: usize) -> u128 {
        let stray = match self.random.below(4) {
            0 => self.random.word() & self.random.word() & self.random.word(),
            _ => 0,
        };
        let random = self.random.word();
        let row = self.row(opcode);
        let word = random & !row.uncovered | stray & row.uncovered;
        row.fixed().iter().fold(word, |word, (field, raw)| with(field, word, *raw))
    }

    /// Returns valid words of an opcode that contain every existing boundary value of every field,
    /// if such words are found, and random pairs of such values for every pair of fields.
    #[must_use]
    pub fn legal_boundaries(&mut self, opcode: usize) -> Vec<u128> {
        let free: Vec<usize> = self.row(opcode).free().collect();
        let mut words = Vec::new();
        for &one in &free {
            for raw in boundaries(self.field(opcode, one)) {
                if self.row(opcode).exists(one, raw) {
                    words.extend(self.find_legal_with(opcode, &[(one, raw)]));
                }
            }
        }
        for (place, &one) in free.iter().enumerate() {
            for &other in &free[..place] {
                for _ in 0..4 {
                    let a = (one, self.existing(opcode, one));
                    let b = (other, self.existing(opcode, other));
                    let word = self.filled(opcode, &[a, b]);
                    words.extend(self.row(opcode).wrong(word).is_none().then_some(word));
                }
            }
        }
        words
    }

    /// Returns a valid word of an opcode, changed to each boundary value of each field, including
    /// reserved values and fixed fields.
    #[must_use]
    pub fn field_boundaries(&mut self, opcode: usize) -> Vec<u128> {
        let mut words = Vec::new();
        for &field in self.row(opcode).opcode.fields {
            for raw in boundaries(field) {
                words.push(with(field, self.legal(opcode), raw));
            }
        }
        words
    }

    /// Returns the bits of a word that no field of an opcode covers.
    #[must_use]
    pub fn uncovered(&self, opcode: usize) -> Vec<u32> {
        let fields = self.row(opcode).opcode.fields;
        let covered: Vec<u32> = fields.iter().flat_map(|field| bits(field)).collect();
        (0..self.row(opcode).opcode.bits.into()).filter(|bit| !covered.contains(bit)).collect()
    }
}
