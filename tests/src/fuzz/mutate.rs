//! Creates new inputs from existing ones.

use super::Target;
use isa_verify::garble::{SCRAPS, tokens};
use isa_verify::random::SplitMix64;

/// Bytes that are often limits.
const EDGES: [u8; 8] = [0, 1, 0x7f, 0x80, 0xff, b'\n', b' ', b';'];

/// Mutates inputs.
#[derive(Debug)]
pub struct Mutator {
    /// The source of random numbers.
    pub random: SplitMix64,
    /// Tokens that have a meaning for the target.
    dictionary: Vec<String>,
    is_text: bool,
    longest: usize,
}

impl Mutator {
    /// Creates a mutator for a target. The dictionary contains the tokens of these inputs, the
    /// names of all values, and scraps.
    #[must_use]
    pub fn new(seed: u64, target: &Target, inputs: &[Vec<u8>]) -> Self {
        let mut dictionary: Vec<String> = SCRAPS.map(str::to_owned).into();
        if target.is_text {
            for input in inputs {
                dictionary
                    .extend(tokens(&String::from_utf8_lossy(input)).into_iter().map(str::to_owned));
            }
            let kinds = isa_defs::gpu::Gpu::SET.opcodes.iter().flat_map(|opcode| opcode.fields);
            let values = kinds.flat_map(|field| field.kind.values);
            dictionary.extend(values.map(|value| value.name.to_owned()));
        }
        dictionary.sort_unstable();
        dictionary.dedup();
        let Target { is_text, longest, .. } = *target;
        Mutator { random: SplitMix64::new(seed), dictionary, is_text, longest }
    }

    /// Applies one to eight mutations to an input. Some of them copy parts of `other`.
    pub fn mutate(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        // The number is usually small, because many mutations would make most inputs invalid.
        let changes = 1 + self.random.bits().trailing_zeros().min(7);
        for _ in 0..changes {
            let choices = if self.is_text { 16 } else { 10 };
            // An empty input can only grow.
            let choice = if input.is_empty() { 8 } else { self.random.below(choices) };
            match choice {
                0..=2 => self.flip(input),
                3 => self.replace(input),
                4 => self.remove(input),
                5 => self.double(input),
                6 => self.splice(input, other),
                7 => self.add(input),
                8 => self.insert_bytes(input),
                // If only a small part of an input is left, the result is rarely interesting.
                9 => match self.at(input.len()) {
                    length if length < input.len() / 2 => self.flip(input),
                    length => input.truncate(length),
                },
                10..=12 => self.insert_token(input),
                13 | 14 => self.replace_token(input),
                _ => self.borrow_token(input, other),
            }
        }
        input.truncate(self.longest);
    }

    fn at(&mut self, limit: usize) -> usize {
        self.random.below(limit.max(1) as u64) as usize
    }

    /// Returns a short range within the length.
    fn range(&mut self, length: usize, longest: usize) -> core::ops::Range<usize> {
        let start = self.at(length + 1);
        let end = (start + 1 + self.at(longest)).min(length);
        start.min(end)..end
    }

    fn flip(&mut self, input: &mut [u8]) {
        let bit = self.at(input.len() * 8);
        if let Some(byte) = input.get_mut(bit / 8) {
            *byte ^= 1 << (bit % 8);
        }
    }

    fn replace(&mut self, input: &mut [u8]) {
        let at = self.at(input.len());
        let byte = match self.random.below(2) {
            0 => *self.random.pick(&EDGES),
            _ => self.random.bits() as u8,
        };
        input.iter_mut().skip(at).take(1).for_each(|place| *place = byte);
    }

    fn add(&mut self, input: &mut [u8]) {
        let (at, sum) = (self.at(input.len()), self.random.below(9).wrapping_sub(4) as u8);
        input.iter_mut().skip(at).take(1).for_each(|place| *place = place.wrapping_add(sum));
    }

    fn remove(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input.len(), 8);
        input.drain(range);
    }

    fn double(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input.len(), 32);
        let at = self.at(input.len() + 1);
        let copy = input[range].to_vec();
        input.splice(at..at, copy);
    }

    fn splice(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let (to, from) = (self.range(input.len(), 16), self.range(other.len(), 64));
        input.splice(to, other[from].iter().copied());
    }

    fn insert_bytes(&mut self, input: &mut Vec<u8>) {
        let (at, bytes) = (self.at(input.len() + 1), self.random.bits().to_le_bytes());
        let count = 1 + self.at(bytes.len());
        input.splice(at..at, bytes.into_iter().take(count));
    }

    fn insert_token(&mut self, input: &mut Vec<u8>) {
        let at = self.at(input.len() + 1);
        let token = self.random.pick(&self.dictionary);
        input.splice(at..at, token.bytes());
    }

    /// Returns the range of the token around a random position.
    fn token(&mut self, input: &[u8]) -> core::ops::Range<usize> {
        let at = self.at(input.len());
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let before = input[..at].iter().rev().take_while(|byte| is_word(byte)).count();
        let behind = input[at..].iter().take_while(|byte| is_word(byte)).count();
        at - before..(at + behind.max(1)).min(input.len())
    }

    fn replace_token(&mut self, input: &mut Vec<u8>) {
        let range = self.token(input);
        let token = self.random.pick(&self.dictionary);
        input.splice(range, token.bytes());
    }

    fn borrow_token(&mut self, input: &mut Vec<u8>, other: &[u8]) {
        let (to, from) = (self.token(input), self.token(other));
        input.splice(to, other[from].iter().copied());
    }
}
