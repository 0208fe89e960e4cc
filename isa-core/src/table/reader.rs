//! What assembly text is read by where it is written as it is printed: the template of a syntax,
//! laid out for all opcodes that share it at once.
//!
//! Sets of opcodes are bits: bit i is the i-th opcode of the mnemonic.

use super::Text;

/// A step of reading.
#[derive(Debug)]
pub enum Read {
    /// Fixed text.
    Text(&'static str),
    /// A part that is there if this text is, and else some steps to go over.
    Optional(&'static str, u8),
    /// The mnemonic.
    Mnemonic,
    /// Modifiers, and the symbols that must have a value behind them.
    Names(&'static [ReadName], u64),
    /// An operand: its symbol, the marks around it, the ways to read it.
    Operand(u8, &'static [ReadMark], &'static [ReadKind]),
    /// The marks behind an operand, the last first.
    Close(&'static [ReadMark]),
    /// A modifier that is read as an operand is.
    Dotted(u8, &'static [ReadKind]),
    /// Settings behind a space each, in any order.
    Tags(&'static [(u8, ReadKind)]),
}

/// A modifier's name.
#[derive(Debug)]
pub struct ReadName {
    /// Its bytes, the first lowest.
    pub key: u64,
    /// The opcodes that take it.
    pub takes: u64,
    /// Those of them with room for the value.
    pub fits: u64,
    /// The symbol that it is a value of.
    pub symbol: u8,
    /// The value.
    pub raw: u64,
}

impl ReadName {
    /// As the fields are named.
    #[must_use]
    pub const fn new(key: u64, takes: u64, fits: u64, symbol: u8, raw: u64) -> Self {
        ReadName { key, takes, fits, symbol, raw }
    }
}

/// A mark at an operand.
#[derive(Debug)]
pub struct ReadMark {
    /// The text before the operand.
    pub open: &'static str,
    /// The text behind it; empty for a prefix.
    pub close: &'static str,
    /// The symbol of its field.
    pub symbol: u8,
    /// The value that it stands for.
    pub present: u64,
    /// The opcodes that have the field.
    pub bound: u64,
}

impl ReadMark {
    /// As the fields are named.
    #[must_use]
    pub const fn new(
        open: &'static str,
        close: &'static str,
        symbol: u8,
        present: u64,
        bound: u64,
    ) -> Self {
        ReadMark { open, close, symbol, present, bound }
    }
}

/// A way to read an operand.
#[derive(Debug)]
pub struct ReadKind {
    /// The opcodes that read it so.
    pub takes: u64,
    /// The text functions.
    pub text: &'static Text,
    /// The symbols of the fields that the text depends on.
    pub args: &'static [u8],
}

impl ReadKind {
    /// As the fields are named.
    #[must_use]
    pub const fn new(takes: u64, text: &'static Text, args: &'static [u8]) -> Self {
        ReadKind { takes, text, args }
    }
}
