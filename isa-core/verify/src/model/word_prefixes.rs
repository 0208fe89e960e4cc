//! Determines the length of a word from its first bits, without tables.

use isa_core::table::{ByteOrder, InstructionSet};

use super::{OpcodeModel, in_order};
use crate::field_values::bit_positions;

/// The first bits of the words of each opcode. It is empty unless the set has several widths that
/// the fixed bits distinguish.
#[derive(Debug, Default)]
pub(super) struct WordPrefixes {
    /// The length of the narrowest words in bytes.
    narrowest: usize,
    opcodes: Vec<WordPrefix>,
}

/// The first bits of the words of an opcode.
#[derive(Debug)]
struct WordPrefix {
    /// The length of the words in bytes.
    length: usize,
    /// The mask of the fixed bits in the first bytes. The lowest bit of the first byte is bit 0.
    /// `value` contains their values.
    mask: u128,
    value: u128,
}

impl WordPrefixes {
    pub(super) fn of(set: &InstructionSet, rows: &[OpcodeModel]) -> Self {
        let lengths = set.widths.iter().map(|width| usize::from(width.bits) / 8);
        let narrowest = lengths.clone().min().unwrap_or(1);
        // The first bits do not determine the length of an opcode with words of two widths.
        if lengths.count() < 2 || rows.iter().any(|row| row.opcode.short.is_some()) {
            return WordPrefixes::default();
        }
        let opcodes =
            rows.iter().map(|row| WordPrefix::of(row, set.byte_order, narrowest)).collect();
        let prefixes = WordPrefixes { narrowest, opcodes };
        let all = &prefixes.opcodes;
        let are_apart = !all.iter().any(|a| all.iter().any(|b| a.meets(b)));
        if are_apart { prefixes } else { WordPrefixes::default() }
    }

    /// Returns the length of the words of an opcode, if its words begin like the stream.
    pub(super) fn length(&self, stream: &[u8]) -> Option<usize> {
        let start = in_order(ByteOrder::LittleEndian, stream.get(..self.narrowest)?);
        let mut opcodes = self.opcodes.iter();
        opcodes.find(|own| start & own.mask == own.value).map(|own| own.length)
    }
}

impl WordPrefix {
    fn of(row: &OpcodeModel, order: ByteOrder, narrowest: usize) -> Self {
        let mut prefix = WordPrefix { length: usize::from(row.opcode.bits) / 8, mask: 0, value: 0 };
        for at in 0..narrowest * 8 {
            let mut bytes = vec![0; prefix.length];
            bytes[at / 8] = 1 << (at % 8);
            let bit = in_order(order, &bytes).trailing_zeros();
            let fixed = row.fixed().iter().find_map(|(field, raw)| {
                let place = bit_positions(field).into_iter().position(|own| own == bit)?;
                Some(u128::from(raw >> place & 1))
            });
            if let Some(set) = fixed {
                prefix.mask |= 1 << at;
                prefix.value |= set << at;
            }
        }
        prefix
    }

    /// Returns whether the words of an opcode with another width can begin like the words of this
    /// opcode.
    fn meets(&self, other: &WordPrefix) -> bool {
        self.length != other.length && (self.value ^ other.value) & self.mask & other.mask == 0
    }
}
