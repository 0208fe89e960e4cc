//! What a word disassembles to.

use isa_core::asm::{Cursor, Line, Parsed, print_word};
use isa_core::table::InstructionSet;

/// An instruction, or `.word` for a word that is none.
#[must_use]
pub fn disassemble(set: &'static InstructionSet, word: u128) -> Line {
    let mut line = Line::new();
    match set.decode(word) {
        Ok(opcode) => opcode.print(word, &mut line),
        Err(_) => print_word(word, set.bits, &mut line),
    }
    line
}

/// Whether a word disassembles to a text that assembles to the word, and to nothing else.
///
/// # Errors
///
/// What is wrong where it does not.
pub fn round_trip(set: &'static InstructionSet, word: u128) -> Result<(), String> {
    let line = disassemble(set, word);
    let text = line.as_str();
    let parsed = set.parse(text).map_err(|error| format!("{text}: {error}"))?;
    let opcode = match parsed {
        Parsed::Instruction { opcode, .. } => Some(opcode),
        Parsed::Word { .. } => None,
    };
    if parsed.word() != word || opcode != set.index(word).ok() {
        return Err(format!("{text}: assembles to {parsed:x?}"));
    }
    if *parsed.span() != (0..text.len()) {
        return Err(format!("{text}: {:?} was read", parsed.span()));
    }
    Ok(())
}

/// As [`round_trip`], for tests.
///
/// # Panics
///
/// Where something is wrong.
pub fn check_round_trip(set: &'static InstructionSet, word: u128) {
    round_trip(set, word).unwrap_or_else(|wrong| panic!("{word:#034x}: {wrong}"));
}

/// Whether what a legal word is printed as is read without a walk over templates: what it gives
/// then, if so, is the word.
///
/// # Panics
///
/// Where it is another word.
#[must_use]
pub fn is_read_as_printed(set: &'static InstructionSet, word: u128) -> bool {
    let line = disassemble(set, word);
    let text = line.as_str();
    let parsed = set.parse_next_as_printed(&mut Cursor::new(text));
    assert!(parsed.is_none() || parsed == set.parse(text).ok(), "{text}: {parsed:x?}");
    parsed.is_some()
}
