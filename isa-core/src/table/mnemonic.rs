//! Describes mnemonics, and the hash table that finds them.

/// A hash table that maps a word to the only mnemonic that it can be.
#[derive(Debug, Clone, Copy)]
pub struct Finder {
    /// The multiplier of the word's key.
    pub magic: u64,
    /// The number of bits by which the product is shifted to get the index of an entry.
    pub shift: u8,
    /// Indexes of mnemonics plus 1, or 0; empty if mnemonics are found by a search instead.
    pub entries: &'static [u8],
    /// Whether some mnemonics contain dots. If a dot follows a word, the mnemonic is found by a
    /// search.
    pub has_dots: bool,
}

impl Finder {
    /// An empty table.
    pub const NONE: Finder = Finder { magic: 0, shift: 0, entries: &[], has_dots: false };

    /// Creates a table from its fields.
    #[must_use]
    pub const fn new(magic: u64, shift: u8, entries: &'static [u8]) -> Self {
        Finder { magic, shift, entries, has_dots: false }
    }

    /// Declares that the set has mnemonics with dots.
    #[must_use]
    pub const fn with_dots(self) -> Self {
        Finder { has_dots: true, ..self }
    }

    /// Returns whether the table alone decides if a word is a mnemonic. `behind` is the byte after the
    /// word. If it returns false, the mnemonics must be searched.
    #[inline]
    pub(crate) const fn decides(&self, behind: u8) -> bool {
        !(self.entries.is_empty() || self.has_dots && behind == b'.')
    }

    /// Returns the key of a word, which combines its first eight bytes, its last byte and its
    /// length.
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

    /// Returns the index of the only mnemonic that can have the key `key`.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> Option<usize> {
        let place = key.wrapping_mul(self.magic) >> (self.shift & 63);
        let number = self.entries.get(place as usize)?;
        usize::from(*number).checked_sub(1)
    }
}

/// A mnemonic and its opcodes.
#[derive(Debug)]
pub struct Mnemonic {
    /// The mnemonic.
    pub text: &'static str,
    /// Its first eight bytes, the first in the lowest bits.
    pub head: u64,
    /// The opcodes and aliases, as indexes into
    /// [`InstructionSet::spellings`](super::InstructionSet::spellings), in the order of the
    /// specification.
    pub opcodes: &'static [u16],
    /// The opcodes and aliases of each call separately, if several calls have the mnemonic.
    pub calls: &'static [&'static [u16]],
}

impl Mnemonic {
    /// Creates a mnemonic from the indexes of its opcodes and aliases. `calls` contains the same
    /// indexes separately for each call, if several calls have the mnemonic.
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
