//! Defines the numbers that the planner and `isa-core` share, because `isa-core` reads the tables.
//!
//! Each call asserts at compile time that both crates define the same numbers
//! (`isa_core::table::assert_layout`).

use crate::model::{MOST_FIELDS, MOST_NAMES};
use crate::syntax::operands::MOST_ARGS;

/// The size of a print step in bytes.
pub(crate) const STEP: usize = 8;

/// The maximum number of bytes of fixed text that a step prints before a field.
pub(crate) const BEFORE: usize = 7;

/// The maximum width of a field whose value a step gathers, in bits.
pub(crate) const VALUE_BITS: u8 = 32;

/// The first byte of a step that prints a whole optional part. If the first byte is smaller, it is the
/// index of a table of texts.
pub(crate) const WHOLE: u8 = 0xfd;

/// The first byte of a step that prints a field by its text functions. `isa-core` treats every index
/// for which there is no table in the same way.
pub(crate) const FIELD: u8 = 0xfe;

/// The first byte of a step that skips the steps of an optional part.
pub(crate) const SKIP: u8 = 0xff;

/// The size of a short text in bytes, including one byte for its length.
pub(crate) const SHORT_TEXT: usize = 32;

/// Represents the position of a field if the opcode has no such field, or if the field is not a single
/// run of bits.
pub(crate) const ABSENT: u8 = 255;

/// The maximum number of bits that a validity table checks: they select one bit of 64.
pub(crate) const INDEX_BITS: u32 = 6;

/// The bit that marks an entry of the decode tree as the index of another node.
pub(crate) const INNER: u16 = 0x8000;

/// The maximum number of opcodes of a syntax that the fast parser accepts: each is one bit of a set.
pub(crate) const MOST_HEIRS: usize = 64;

/// The maximum number of templates with one mnemonic that are merged for the fast parser.
pub(crate) const MOST_FORMS: usize = 1024;

/// The maximum number of placeholders in a syntax that the fast parser accepts. The index after the
/// last placeholder represents a missing operator.
pub(crate) const MOST_SYMBOLS: usize = 31;

/// The maximum number of bytes of text that the fast parser compares at once.
pub(crate) const CHUNK: usize = 8;

/// Returns the numbers of the layout in the order of `isa_core::table::assert_layout`. For each key
/// function, the list contains the key of one word.
pub(crate) fn layout() -> [u64; 15] {
    [
        STEP as u64,
        WHOLE.into(),
        SKIP.into(),
        SHORT_TEXT as u64,
        ABSENT.into(),
        INDEX_BITS.into(),
        INNER.into(),
        MOST_HEIRS as u64,
        MOST_SYMBOLS as u64,
        CHUNK as u64,
        MOST_ARGS as u64,
        MOST_FIELDS as u64,
        MOST_NAMES as u64,
        chunk_key("ABSDIFF4"),
        mnemonic_key("ABSDIFF4_V2"),
    ]
}

/// Returns the first eight bytes of a text as one number, with the first byte lowest.
pub(crate) fn chunk_key(text: &str) -> u64 {
    text.bytes().take(CHUNK).rev().fold(0, |key, byte| key << 8 | u64::from(byte))
}

/// Returns the key of a mnemonic for its look-up. It combines the first eight bytes, the last byte and
/// the length.
pub(crate) fn mnemonic_key(text: &str) -> u64 {
    let last = text.bytes().last().unwrap_or_default();
    chunk_key(text) ^ u64::from(last) << 13 ^ (text.len() as u64) << 58
}
