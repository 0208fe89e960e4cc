//! Numbers that stand on both sides: in what is planned here, and in `isa-core`, which reads it.
//!
//! Each call asserts at compile time that the two sides have the same ones
//! (`isa_core::table::assert_layout`).

use crate::model::{MOST_FIELDS, MOST_NAMES};
use crate::syntax::operands::MOST_ARGS;

/// The bytes of a step of printing.
pub(crate) const STEP: usize = 8;

/// The most bytes of fixed text that a step prints before a field.
pub(crate) const BEFORE: usize = 7;

/// The most bits of a field whose value a step gathers.
pub(crate) const VALUE_BITS: u8 = 32;

/// The first byte of a step that prints an optional part whole. A step with a lower one takes a
/// text from the table of that number.
pub(crate) const WHOLE: u8 = 0xfd;

/// The first byte of a step that prints a field by its text functions. To `isa-core` that is any
/// number that no table has.
pub(crate) const FIELD: u8 = 0xfe;

/// The first byte of a step that goes over some others.
pub(crate) const SKIP: u8 = 0xff;

/// The bytes of a short text: as many as text, and one for the length.
pub(crate) const SHORT_TEXT: usize = 32;

/// Stands for the place of a field where the opcode has no such field, or the field is no run of
/// bits.
pub(crate) const ABSENT: u8 = 255;

/// The most bits that a validity table looks at: as many number a bit of 64.
pub(crate) const SIEVE_BITS: u32 = 6;

/// Marks an entry of the decode tree that leads to another node.
pub(crate) const INNER: u16 = 0x8000;

/// The most opcodes of a syntax that is read by steps: each is a bit.
pub(crate) const MOST_HEIRS: usize = 64;

/// The most templates of a mnemonic that are read together.
pub(crate) const MOST_FORMS: usize = 1024;

/// The most symbols of a syntax that is read by steps. A mark that is not there has the number
/// behind theirs.
pub(crate) const MOST_SYMBOLS: usize = 31;

/// The most bytes of text that reading compares at once.
pub(crate) const CHUNK: usize = 8;

/// The numbers of the layout in the order in which `isa_core::table::assert_layout` has them, the
/// keys by that of a word.
pub(crate) fn layout() -> [u64; 15] {
    [
        STEP as u64,
        WHOLE.into(),
        SKIP.into(),
        SHORT_TEXT as u64,
        ABSENT.into(),
        SIEVE_BITS.into(),
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

/// The first eight bytes of a text as one number, the first byte lowest.
pub(crate) fn chunk_key(text: &str) -> u64 {
    text.bytes().take(CHUNK).rev().fold(0, |key, byte| key << 8 | u64::from(byte))
}

/// The number that a mnemonic is looked up by: its first eight bytes, its last, and its length.
pub(crate) fn mnemonic_key(text: &str) -> u64 {
    let last = text.bytes().last().unwrap_or_default();
    chunk_key(text) ^ u64::from(last) << 13 ^ (text.len() as u64) << 58
}
