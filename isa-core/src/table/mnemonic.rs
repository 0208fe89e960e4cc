//! Mnemonics, and how a word leads to one.

/// Leads from a word to the mnemonic that it can be.
#[derive(Debug, Clone, Copy)]
pub struct Finder {
    /// What the word's key is multiplied with.
    pub magic: u64,
    /// How far the product is shifted, leaving the number of an entry.
    pub shift: u8,
    /// Indices of mnemonics, plus 1; empty where mnemonics are searched for.
    pub entries: &'static [u8],
    /// Whether there are mnemonics with dots: where a dot follows a word, they are searched for.
    pub has_dots: bool,
}

impl Finder {
    /// Leads nowhere.
    pub const NONE: Finder = Finder { magic: 0, shift: 0, entries: &[], has_dots: false };

    /// A finder with these fields.
    #[must_use]
    pub const fn new(magic: u64, shift: u8, entries: &'static [u8]) -> Self {
        Finder { magic, shift, entries, has_dots: false }
    }

    /// The finder of a set that has mnemonics with dots too.
    #[must_use]
    pub const fn with_dots(self) -> Self {
        Finder { has_dots: true, ..self }
    }

    /// Whether a word with this byte behind it is a mnemonic only if it is found.
    #[inline]
    pub(crate) const fn decides(&self, behind: u8) -> bool {
        !(self.entries.is_empty() || self.has_dots && behind == b'.')
    }

    /// The number that a word is looked up by: its first eight bytes, its last, and its length.
    #[inline]
    pub(crate) fn key(word: &[u8]) -> u64 {
        let mut first = [0; 8];
        for (to, from) in first.iter_mut().zip(word) {
            *to = *from;
        }
        let last = word.last().copied().unwrap_or_default();
        Finder::mix(u64::from_le_bytes(first), last, word.len())
    }

    #[inline]
    pub(crate) const fn mix(first: u64, last: u8, len: usize) -> u64 {
        first ^ (last as u64) << 13 ^ (len as u64) << 58
    }

    /// The index of the only mnemonic that a key can be of.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> Option<usize> {
        let place = key.wrapping_mul(self.magic) >> (self.shift & 63);
        let number = self.entries.get(place as usize)?;
        usize::from(*number).checked_sub(1)
    }
}

/// The opcodes that one mnemonic stands for.
#[derive(Debug)]
pub struct Mnemonic {
    /// The mnemonic.
    pub text: &'static str,
    /// Its first eight bytes, the first lowest.
    pub head: u64,
    /// The opcodes and aliases, as indices into
    /// [`InstructionSet::spellings`](super::InstructionSet::spellings), in the order of the specification.
    pub opcodes: &'static [u16],
    /// The opcodes and aliases of each call by itself, where several calls have the mnemonic.
    pub calls: &'static [&'static [u16]],
}

impl Mnemonic {
    /// A mnemonic with the numbers of its spellings, and the same for each call by itself where
    /// several have it.
    #[must_use]
    pub const fn new(
        text: &'static str,
        opcodes: &'static [u16],
        calls: &'static [&'static [u16]],
    ) -> Self {
        let (bytes, mut head, mut i) = (text.as_bytes(), 0, 0);
        while i < bytes.len() && i < 8 {
            head |= (bytes[i] as u64) << (8 * i);
            i += 1;
        }
        Mnemonic { text, head, opcodes, calls }
    }
}
