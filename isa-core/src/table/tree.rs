//! The tree that leads from a word to its opcode.

use super::texts::Gather;

/// A node of the decode tree: a few bits of the word number an entry.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// The bits.
    gather: Gather,
    /// The first of its entries in [`DecodeTree::entries`].
    base: u32,
}

impl Node {
    /// The numbers of eight bytes that a node is made from.
    const NUMBERS: usize = 4;

    /// Looks at no bits.
    const NONE: Node = Node { gather: Gather::NONE, base: 0 };

    /// A node from its numbers: the masks of the gather, that of the low half first, its multiplier; the
    /// first entry with the shift of the gather above its 32 bits.
    const fn new(masks: [u64; 2], magic: u64, entry: u64) -> Self {
        Node { gather: Gather::new(masks, magic, (entry >> 32) as u8), base: entry as u32 }
    }

    /// The place of the entry that the halves of a word lead to.
    #[inline(always)]
    pub(crate) fn place(&self, halves: [u64; 2]) -> usize {
        (self.base as usize).wrapping_add(self.gather.number(halves) as usize)
    }
}

/// Nodes from their bytes.
///
/// # Panics
///
/// At compile time, where there are fewer.
#[doc(hidden)]
#[must_use]
pub const fn nodes<const N: usize>(bytes: &[u8]) -> [Node; N] {
    let (numbers, mut nodes, mut i) = (bytes.as_chunks().0, [Node::NONE; N], 0);
    while i < N {
        let [low, high, magic, entry] = {
            let first = Node::NUMBERS * i;
            [numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]]
        };
        let masks = [u64::from_le_bytes(low), u64::from_le_bytes(high)];
        nodes[i] = Node::new(masks, u64::from_le_bytes(magic), u64::from_le_bytes(entry));
        i += 1;
    }
    nodes
}

/// The first step into a decode tree: the bits under `mask` of one half of the word, times `magic`,
/// shifted right, number an entry. So bits that lie apart are looked at together, and most sets
/// need no second step.
#[derive(Debug, Clone, Copy)]
pub struct Root {
    /// 1 for the upper half.
    pub half: u8,
    /// The bits that are looked at.
    pub mask: u64,
    /// The number by which the masked bits are multiplied: bits of the product number their values.
    pub magic: u64,
    /// How far the product is shifted, leaving the number.
    pub shift: u8,
}

impl Root {
    /// Leads to the first node.
    pub const NONE: Root = Root { half: 0, mask: 0, magic: 0, shift: 63 };

    /// A first step with these fields.
    #[must_use]
    pub const fn new(half: u8, mask: u64, magic: u64, shift: u8) -> Self {
        Root { half, mask, magic, shift }
    }
}

/// The tree that leads from a word to the only opcode it can be.
///
/// An entry is 0 for none, [`DecodeTree::INNER`] plus a node's number, or an opcode's number
/// plus 1, the lower byte first. The tree only proposes: the opcode's own check of all bits decides, so a poor tree
/// costs time and never decodes wrongly.
#[derive(Debug, Clone, Copy)]
pub struct DecodeTree {
    /// The first step. Its entries are the first ones.
    pub root: Root,
    /// The nodes. Where there is no first step, decoding begins at the first node.
    pub nodes: &'static [Node],
    /// The entries of all nodes.
    pub entries: &'static [[u8; 2]],
    /// For each opcode the more general opcode to try if its check fails, plus 1, or 0. Empty
    /// where no opcode stands inside another.
    pub general: &'static [u16],
}

impl DecodeTree {
    /// Marks an entry that leads to another node.
    pub const INNER: u16 = 0x8000;
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::super::halves;
    use super::*;

    #[test]
    fn bits_of_the_word_number_an_entry() {
        // The lowest two bits and bit 70, and none.
        let magic = 1 << 62 | 1 << 55;
        let numbers = [[3, 1 << 6, magic], [0; 3]];
        let entries = [7 | 61 << 32, 9 | 63 << 32];
        let numbers = numbers.iter().zip(entries).flat_map(|(gather, entry)| {
            gather.iter().copied().chain([entry]).flat_map(u64::to_le_bytes)
        });
        let [some, none] = nodes::<2>(&numbers.collect::<Vec<u8>>());
        let place = |node: Node, word| node.place(halves(word));
        assert_eq!([0, 1, 2, 3].map(|word| place(some, word)), [7, 9, 11, 13]);
        assert_eq!(place(some, 1 << 70), 8);
        assert_eq!(place(none, u128::MAX), 9);
    }
}
