//! Asserts that the macro and this crate agree on the layout of tables, such as the number of bytes of
//! a step.

use super::{ABSENT, DecodeTree, Finder, ParseAffix, PrintStep, ValidityTable};
use crate::operand::Chunk;
use crate::text::ShortText;

/// The maximum number of fields that one text format may depend on.
pub const MAX_ARGS: usize = 8;

/// The maximum number of placeholders in one syntax.
pub const MAX_SYMBOLS: usize = 64;

/// The maximum number of opcodes in a set of candidates.
pub(crate) const AT_ONCE: usize = 64;

/// The numbers, in the order in which the macro passes them.
const LAYOUT: [u64; 15] = [
    PrintStep::BYTES as u64,
    PrintStep::WHOLE as u64,
    PrintStep::SKIP as u64,
    ShortText::SIZE as u64,
    ABSENT as u64,
    ValidityTable::BITS as u64,
    DecodeTree::INNER as u64,
    AT_ONCE as u64,
    ParseAffix::NONE.symbol as u64,
    Chunk::MOST as u64,
    MAX_ARGS as u64,
    ABSENT as u64 - 1,
    MAX_SYMBOLS as u64,
    Chunk::new("ABSDIFF4").key(),
    Finder::mix(Chunk::new("ABSDIFF4").key(), b'2', "ABSDIFF4_V2".len()),
];

/// Asserts at compile time that the macro lays out tables as this crate reads them. A macro of another
/// version then causes an error instead of wrong results.
///
/// # Panics
///
/// Panics if a number differs.
pub const fn assert_layout(numbers: &[u64]) {
    let mut same = numbers.len() == LAYOUT.len();
    let mut i = 0;
    while same && i < LAYOUT.len() {
        same = numbers[i] == LAYOUT[i];
        i += 1;
    }
    assert!(same, "isa-core and its macro must have the same version");
}
