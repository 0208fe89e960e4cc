//! Random words of the set.

use isa_core::table::Opcode;

use crate::set::Rdna3;

/// A generator of words. Literals, constants and modifiers are more frequent than in random bits.
pub(crate) struct Sample(u64);

impl Sample {
    pub(crate) fn new(seed: u64) -> Self {
        Sample(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() >> 33) as usize % most
    }

    /// Returns the value of a source.
    fn source(&mut self) -> u64 {
        match self.below(8) {
            0 | 1 => 255,
            2 => 128 + self.next() % 81,
            3 => 240 + self.next() % 9,
            4 => self.next() % 512,
            5 => self.next() % 128,
            _ => 256 + self.next() % 256,
        }
    }

    /// Returns a literal. A few have the value of a constant.
    fn literal(&mut self) -> u64 {
        const SOME: [u64; 8] = [0, 5, 64, 65, 0xffff_fff0, 0xfff0, 0x3c00, 0x3f80_0000];
        match self.below(8) {
            0 => SOME[self.below(SOME.len())],
            1..=4 => self.next() & 0xffff,
            _ => self.next() & 0xffff_ffff,
        }
    }

    /// Returns a word of an opcode that may be invalid.
    fn word(&mut self, opcode: &'static Opcode) -> u128 {
        let mut word = opcode.initial();
        for field in opcode.fields.iter().filter(|field| opcode.fixed.mask & field.mask() == 0) {
            let is_default = field.name != "vdst" && self.below(2) == 0;
            let value = match field.name {
                "src0" | "src1" | "src2" => self.source(),
                "literal" => self.literal(),
                "upper" if self.below(4) != 0 => 0,
                "op_sel_hi2" if self.below(4) != 0 => 1,
                _ if is_default => continue,
                _ => self.next(),
            };
            let value = value & (u64::MAX >> (64 - field.width()));
            word = field.set(word, value);
        }
        let bits = opcode.width_of(word);
        // A short word has no literal.
        if bits < opcode.bits { word & (u128::MAX >> (128 - bits)) } else { word }
    }

    /// Returns a word of any opcode, and whether it is valid.
    fn any(&mut self) -> (&'static Opcode, u128) {
        let opcodes = Rdna3::SET.opcodes;
        let opcode = opcodes[self.below(opcodes.len())];
        (opcode, self.word(opcode))
    }

    /// Returns `count` valid words, and invalid words that were found next to them.
    pub(crate) fn words(&mut self, count: usize) -> [Vec<(&'static Opcode, u128)>; 2] {
        let [mut valid, mut invalid] = [Vec::new(), Vec::new()];
        while valid.len() < count {
            let (opcode, word) = self.any();
            if opcode.check(word) { &mut valid } else { &mut invalid }.push((opcode, word));
        }
        [valid, invalid]
    }
}

/// Returns the bytes of a word in memory.
pub(crate) fn bytes(opcode: &Opcode, word: u128) -> Vec<u8> {
    word.to_le_bytes()[..usize::from(opcode.width_of(word)) / 8].to_vec()
}
