//! How long a word is, as the bits say that stand first, found the slow way.

use isa_core::table::{ByteOrder, InstructionSet};

use super::{Row, bits, in_order};

/// What the words of opcodes begin with, of sets of several widths that fixed bits tell apart.
#[derive(Debug, Default)]
pub(super) struct Starts {
    /// The length of the narrowest words in bytes.
    narrowest: usize,
    opcodes: Vec<Start>,
}

/// What the words of an opcode begin with.
#[derive(Debug)]
struct Start {
    /// The length of the words in bytes.
    length: usize,
    /// The fixed bits in the first bytes, the lowest bit of the first byte being the lowest.
    mask: u128,
    value: u128,
}

impl Starts {
    pub(super) fn of(set: &InstructionSet, rows: &[Row]) -> Self {
        let lengths = set.widths.iter().map(|width| usize::from(width.bits) / 8);
        let narrowest = lengths.clone().min().unwrap_or(1);
        if lengths.count() < 2 {
            return Starts::default();
        }
        let opcodes = rows.iter().map(|row| Start::of(row, set.byte_order, narrowest)).collect();
        let starts = Starts { narrowest, opcodes };
        let all = &starts.opcodes;
        let are_apart = !all.iter().any(|a| all.iter().any(|b| a.meets(b)));
        if are_apart { starts } else { Starts::default() }
    }

    /// The length of the words of the opcodes that a stream begins like.
    pub(super) fn length(&self, stream: &[u8]) -> Option<usize> {
        let start = in_order(ByteOrder::LittleEndian, stream.get(..self.narrowest)?);
        let mut opcodes = self.opcodes.iter();
        opcodes.find(|own| start & own.mask == own.value).map(|own| own.length)
    }
}

impl Start {
    fn of(row: &Row, order: ByteOrder, narrowest: usize) -> Self {
        let mut start = Start { length: usize::from(row.opcode.bits) / 8, mask: 0, value: 0 };
        for at in 0..narrowest * 8 {
            let mut bytes = vec![0; start.length];
            bytes[at / 8] = 1 << (at % 8);
            let bit = in_order(order, &bytes).trailing_zeros();
            let fixed = row.fixed().iter().find_map(|(field, raw)| {
                let place = bits(field).into_iter().position(|own| own == bit)?;
                Some(u128::from(raw >> place & 1))
            });
            if let Some(set) = fixed {
                start.mask |= 1 << at;
                start.value |= set << at;
            }
        }
        start
    }

    /// Whether a word of another width may begin as those of this opcode do.
    fn meets(&self, other: &Start) -> bool {
        self.length != other.length && (self.value ^ other.value) & self.mask & other.mask == 0
    }
}
