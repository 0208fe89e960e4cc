//! The decode tree, which maps a word to the only opcode that it can be.

use super::text_pool::BitGather;

/// A node of the decode tree: a few bits of the word select an entry.
#[derive(Debug, Clone, Copy)]
pub struct DecodeNode {
    /// The bits.
    gather: BitGather,
    /// The index of its first entry in [`DecodeTree::entries`].
    base: u32,
}

impl DecodeNode {
    /// The number of 8-byte numbers from which a node is created.
    const NUMBERS: usize = 4;

    /// Uses no bits.
    const NONE: DecodeNode = DecodeNode { gather: BitGather::NONE, base: 0 };

    /// Creates a node from its numbers: the masks of the gather (low half first), its multiplier,
    /// and the index of the first entry in 32 bits with the shift of the gather above them.
    const fn new(masks: [u64; 2], magic: u64, entry: u64) -> Self {
        DecodeNode { gather: BitGather::new(masks, magic, (entry >> 32) as u8), base: entry as u32 }
    }

    /// Returns the index of the entry for the halves of a word.
    #[inline(always)]
    pub(crate) fn place(&self, halves: [u64; 2]) -> usize {
        (self.base as usize).wrapping_add(self.gather.number(halves) as usize)
    }
}

/// Creates nodes from their bytes.
///
/// # Panics
///
/// Panics at compile time if there are not enough bytes.
#[doc(hidden)]
#[must_use]
pub const fn nodes<const N: usize>(bytes: &[u8]) -> [DecodeNode; N] {
    let (numbers, mut nodes, mut i) = (bytes.as_chunks().0, [DecodeNode::NONE; N], 0);
    while i < N {
        let [low, high, magic, entry] = {
            let first = DecodeNode::NUMBERS * i;
            [numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]]
        };
        let masks = [u64::from_le_bytes(low), u64::from_le_bytes(high)];
        nodes[i] = DecodeNode::new(masks, u64::from_le_bytes(magic), u64::from_le_bytes(entry));
        i += 1;
    }
    nodes
}

/// The first step of a decode tree. The bits under `mask` in one half of the word, multiplied by
/// `magic` and shifted right, are the index of an entry. One multiplication gathers bits from different
/// positions, so most sets need only this step.
#[derive(Debug, Clone, Copy)]
pub struct DecodeRoot {
    /// 1 for the upper half, or else 0.
    pub half: u8,
    /// The bits that are used.
    pub mask: u64,
    /// The multiplier of the masked bits.
    pub magic: u64,
    /// The number of bits by which the product is shifted to get the index.
    pub shift: u8,
}

impl DecodeRoot {
    /// Begins at the first node.
    pub const NONE: DecodeRoot = DecodeRoot { half: 0, mask: 0, magic: 0, shift: 63 };

    /// Creates a first step from its fields.
    #[must_use]
    pub const fn new(half: u8, mask: u64, magic: u64, shift: u8) -> Self {
        DecodeRoot { half, mask, magic, shift }
    }
}

/// The tree that maps a word to the only opcode that it can be.
///
/// An entry has two bytes, the lower first: 0 for no opcode, [`DecodeTree::INNER`] plus the index
/// of a node, or the index of an opcode plus 1. The opcode's own check of all bits confirms the
/// result, so a bad tree costs time, but never decodes a word incorrectly.
#[derive(Debug, Clone, Copy)]
pub struct DecodeTree {
    /// The first step. Its entries come first.
    pub root: DecodeRoot,
    /// The nodes. If there is no first step, decoding begins at the first node.
    pub nodes: &'static [DecodeNode],
    /// The entries of all nodes.
    pub entries: &'static [[u8; 2]],
    /// For each opcode, the index plus 1 of the more general opcode that is tried if the check of the
    /// opcode fails, or 0. Empty if no opcode is inside another.
    pub general: &'static [u16],
}

impl DecodeTree {
    /// Marks an entry that refers to another node.
    pub const INNER: u16 = 0x8000;
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use crate::bits::halves;

    #[test]
    fn bits_of_the_word_number_an_entry() {
        // The lowest two bits and bit 70; and no bits.
        let magic = 1 << 62 | 1 << 55;
        let numbers = [[3, 1 << 6, magic], [0; 3]];
        let entries = [7 | 61 << 32, 9 | 63 << 32];
        let numbers = numbers.iter().zip(entries).flat_map(|(gather, entry)| {
            gather.iter().copied().chain([entry]).flat_map(u64::to_le_bytes)
        });
        let [some, none] = nodes::<2>(&numbers.collect::<Vec<u8>>());
        let place = |node: DecodeNode, word| node.place(halves(word));
        assert_eq!([0, 1, 2, 3].map(|word| place(some, word)), [7, 9, 11, 13]);
        assert_eq!(place(some, 1 << 70), 8);
        assert_eq!(place(none, u128::MAX), 9);
    }
}
