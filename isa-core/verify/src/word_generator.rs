//! Generates valid and invalid words from the fields of a specification.

use std::sync::Arc;

use isa_core::table::{Field, Init, InstructionSet};

use crate::field_values::{bit_positions, boundary_values, field_value, max_value, with_value};
use crate::model::{InvalidReason, Model, OpcodeModel};
use crate::random::SplitMix64;

/// A generator of the words of a set.
#[derive(Debug)]
pub struct WordGenerator {
    /// The reference implementation of validity.
    pub model: Arc<Model>,
    /// The source of random numbers.
    pub random: SplitMix64,
}

/// The number of purely random attempts.
const TRIES: usize = 100;
/// The number of attempts to generate a valid word.
const ROUNDS: usize = TRIES + 24;
/// The maximum number of changes that are made to a word to make it valid.
const STEPS: usize = 64;

impl WordGenerator {
    /// Creates a generator with a seed.
    #[must_use]
    pub fn new(set: &'static InstructionSet, seed: u64) -> Self {
        WordGenerator::of(&Arc::new(Model::new(set)), seed)
    }

    /// Creates a generator with a seed that shares a model.
    #[must_use]
    pub fn of(model: &Arc<Model>, seed: u64) -> Self {
        WordGenerator { model: Arc::clone(model), random: SplitMix64::new(seed) }
    }

    /// Returns the number of opcodes.
    #[must_use]
    pub fn opcode_count(&self) -> usize {
        self.model.opcodes.len()
    }

    /// Returns the model of an opcode.
    #[must_use]
    pub fn opcode(&self, opcode: usize) -> &OpcodeModel {
        &self.model.opcodes[opcode]
    }

    /// Returns a field of an opcode.
    #[must_use]
    pub fn field(&self, opcode: usize, field: usize) -> &'static Field {
        self.opcode(opcode).opcode.fields[field]
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
        let last = max_value(field);
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
            if self.opcode(opcode).has_value(index, raw) {
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
            let row = &self.model.opcodes[opcode];
            let mut word =
                row.fixed().iter().fold(0, |word, (field, raw)| with_value(field, word, *raw));
            let mut exist = true;
            for index in row.free() {
                let field = row.opcode.fields[index];
                let mut raw = self.random.bits().unbounded_shr(64 - field.width());
                for _ in 0..STEPS {
                    if row.has_value(index, raw) {
                        break;
                    }
                    raw = self.random.bits().unbounded_shr(64 - field.width());
                }
                exist &= row.has_value(index, raw);
                word = with_value(field, word, raw);
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
            panic!("no valid word of {} with {given:?}", self.opcode(opcode).opcode.name)
        })
    }

    /// Does the same as [`WordGenerator::legal_with`], but returns `None` if no such word is found.
    #[must_use]
    pub fn find_legal_with(&mut self, opcode: usize, given: &[(usize, u64)]) -> Option<u128> {
        for round in 0..ROUNDS {
            let mut word = self.filled(opcode, given);
            // The first rounds try random words, so that no valid word is preferred. The later
            // rounds change a word step by step.
            let steps = if round < TRIES { 1 } else { STEPS };
            for _ in 0..steps {
                match self.opcode(opcode).invalid_reason(word) {
                    None => return Some(word),
                    Some(InvalidReason::Exception(index)) => {
                        word = self.step(opcode, word, index, given)
                    }
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
        let own = self.opcode(opcode).opcode;
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
        let row = &self.model.opcodes[opcode];
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
            let exists = self.opcode(opcode).has_value(index, field_value(field, changed));
            return if exists { changed } else { word };
        }
        let raw = self.existing(opcode, index);
        with_value(field, word, raw)
    }

    /// Returns a word of `opcode`. `given` contains pairs of a field's index and its value; all
    /// other fields have random existing values. An exception may reject it.
    #[must_use]
    pub fn filled(&mut self, opcode: usize, given: &[(usize, u64)]) -> u128 {
        let fixed = self.opcode(opcode).fixed().iter();
        let mut word = fixed.fold(0, |word, (field, raw)| with_value(field, word, *raw));
        let free: Vec<usize> = self.opcode(opcode).free().collect();
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
            word = with_value(field, word, raw);
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
        let row = self.opcode(opcode);
        let word = random & !row.uncovered | stray & row.uncovered;
        row.fixed().iter().fold(word, |word, (field, raw)| with_value(field, word, *raw))
    }

    /// Returns valid words of an opcode that contain every existing boundary value of every field,
    /// if such words are found, and random pairs of such values for every pair of fields.
    #[must_use]
    pub fn legal_boundaries(&mut self, opcode: usize) -> Vec<u128> {
        let free: Vec<usize> = self.opcode(opcode).free().collect();
        let mut words = Vec::new();
        for &one in &free {
            for raw in boundary_values(self.field(opcode, one)) {
                if self.opcode(opcode).has_value(one, raw) {
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
                    words
                        .extend(self.opcode(opcode).invalid_reason(word).is_none().then_some(word));
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
        for &field in self.opcode(opcode).opcode.fields {
            for raw in boundary_values(field) {
                words.push(with_value(field, self.legal(opcode), raw));
            }
        }
        words
    }

    /// Returns the bits of a word that no field of an opcode covers.
    #[must_use]
    pub fn uncovered(&self, opcode: usize) -> Vec<u32> {
        let fields = self.opcode(opcode).opcode.fields;
        let covered: Vec<u32> = fields.iter().flat_map(|field| bit_positions(field)).collect();
        (0..self.opcode(opcode).opcode.bits.into()).filter(|bit| !covered.contains(bit)).collect()
    }
}
