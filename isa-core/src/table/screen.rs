//! The check of a word against an opcode, without a branch for each thing that can be wrong.

use super::{Case, Cube, Piece, Said};

/// Which words are legal instructions of an opcode.
///
/// Five parts, each exact, together what the fields and exceptions of the opcode say: bits that
/// every legal word has alike; two [`Sieve`]s; and for what is too wide for those, which most opcodes
/// do without, [`Map`]s and cubes of illegal words, and [`Case`]s in which functions say so.
// What every check looks at comes first and fills two lines of the cache, as rows are many and words
// come in no order.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub struct Screen {
    mask: [u64; 2],
    value: [u64; 2],
    sieves: [Sieve; 2],
    /// Whether there is nothing of what follows.
    is_plain: bool,
    maps: &'static [Map],
    rest: &'static [Cube],
    told: &'static [Said],
    cases: &'static [&'static [Case]],
}

/// Some values of some bits of a word, such as the illegal ones of two fields that are to be equal.
#[derive(Debug, Clone, Copy)]
pub struct Map {
    /// The bits, the most significant first.
    pieces: &'static [Piece],
    /// A bit for each value, the lowest bit of the first byte for 0.
    values: &'static [u8],
}

impl Map {
    /// A table over some bits, the most significant first, with a bit for each of their values.
    #[must_use]
    pub const fn new(pieces: &'static [Piece], values: &'static [u8]) -> Self {
        Map { pieces, values }
    }

    /// The bits, the most significant first.
    #[must_use]
    pub const fn pieces(&self) -> &'static [Piece] {
        self.pieces
    }

    /// A bit for each value, the lowest bit of the first byte for 0.
    #[must_use]
    pub const fn values(&self) -> &'static [u8] {
        self.values
    }

    /// Whether the bits of the word are one of the values.
    #[inline]
    #[must_use]
    pub fn contains(&self, word: u128) -> bool {
        let number = self.pieces.iter().fold(0, |number: usize, piece| {
            let bits = (word >> (piece.position & 127)) as usize;
            number << (piece.width & 31) | bits & ((1 << (piece.width & 31)) - 1)
        });
        self.values.get(number / 8).is_some_and(|byte| byte >> (number % 8) & 1 == 1)
    }
}

/// The legal values of up to six bits of a word, taken from its two halves laid over one another.
///
/// The product with `magic` gathers the bits under `mask` in its top six bits, which number a bit
/// of `legal`. The macro has tried all values of the bits: none of two that are not both legal
/// get one number.
#[derive(Debug, Clone, Copy)]
pub struct Sieve {
    /// The bits that are looked at, the low half first.
    pub mask: [u64; 2],
    /// The number by which the masked bits are multiplied: the top six bits of the product tell their
    /// values apart, as far as legality asks.
    pub magic: u64,
    /// By the top six bits of the product, whether the word is legal.
    pub legal: u64,
}

impl Sieve {
    /// The most bits that are looked at.
    pub(super) const BITS: u32 = 6;

    /// Lets every word through.
    pub const ALL: Sieve = Sieve { mask: [0; 2], magic: 0, legal: u64::MAX };

    /// A sieve from its mask, its multiplier and its table of legal values.
    #[must_use]
    pub const fn new(mask: u128, magic: u64, legal: u64) -> Self {
        Sieve { mask: halves(mask), magic, legal }
    }

    /// In bit 0, whether the word is legal.
    #[inline]
    const fn pass(&self, halves: [u64; 2]) -> u64 {
        let bits = halves[0] & self.mask[0] | halves[1] & self.mask[1];
        self.legal >> (bits.wrapping_mul(self.magic) >> (u64::BITS - Self::BITS))
    }
}

impl Screen {
    /// The words that have `plain`, pass both sieves, and are in no cube of `rest`.
    #[must_use]
    pub const fn new(plain: Cube, sieves: [Sieve; 2], rest: &'static [Cube]) -> Self {
        let (mask, value) = (halves(plain.mask), halves(plain.value));
        let is_plain = rest.is_empty();
        Screen { mask, value, sieves, maps: &[], rest, told: &[], cases: &[], is_plain }
    }

    /// The screen with these tables of illegal words.
    #[must_use]
    pub const fn with_maps(self, maps: &'static [Map]) -> Self {
        Screen { maps, is_plain: self.is_plain && maps.is_empty(), ..self }
    }

    /// The screen where a word is illegal of which one of the functions says this, and in one of the
    /// cases.
    #[must_use]
    pub const fn with_functions(
        self,
        told: &'static [Said],
        cases: &'static [&'static [Case]],
    ) -> Self {
        let is_plain = self.is_plain && told.is_empty() && cases.is_empty();
        Screen { told, cases, is_plain, ..self }
    }

    /// The screen with `ones` among the bits that every legal word has, where these bits were 0.
    pub(crate) const fn with_ones(mut self, ones: u128) -> Self {
        let [low, high] = halves(ones);
        self.value = [self.value[0] | low, self.value[1] | high];
        self
    }

    /// The words of `bits` bits that have the fixed bits, 0 in the unused ones, and are in no cube
    /// of `illegal`.
    #[must_use]
    pub const fn of(bits: u8, fixed: Cube, unused: u128, illegal: &'static [Cube]) -> Self {
        let above = u128::MAX.unbounded_shl(bits as u32);
        let plain = Cube { mask: fixed.mask | unused | above, value: fixed.value };
        Screen::new(plain, [Sieve::ALL; 2], illegal)
    }

    /// Whether the word is legal.
    #[inline(always)]
    #[must_use]
    pub fn passes(&self, word: u128) -> bool {
        let word_halves = halves(word);
        let [low, high] = word_halves;
        let wrong = low & self.mask[0] ^ self.value[0] | high & self.mask[1] ^ self.value[1];
        let [first, second] = &self.sieves;
        let pass = first.pass(word_halves) & second.pass(word_halves) & 1 == 1;
        (wrong == 0) & pass && (self.is_plain || self.is_free(word))
    }

    #[inline(never)]
    fn is_free(&self, word: u128) -> bool {
        !self.maps.iter().any(|map| map.contains(word))
            && !self.told.iter().any(|told| told.holds(word))
            && !self.rest.iter().any(|cube| cube.contains(word))
            && !self.cases.iter().copied().flatten().any(|case| case.contains(word))
    }
}

/// The low half first.
#[inline]
pub(crate) const fn halves(word: u128) -> [u64; 2] {
    [word as u64, (word >> 64) as u64]
}
