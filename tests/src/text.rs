//! What a word disassembles to.

use isa_core::asm::{Line, Parsed, print_word};
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

/// Checks that a word disassembles to a text that assembles to the word, and to nothing else.
///
/// # Panics
///
/// Where it does not.
pub fn check_round_trip(set: &'static InstructionSet, word: u128) {
    let line = disassemble(set, word);
    let text = line.as_str();
    let parsed = set.parse(text).unwrap_or_else(|e| panic!("{word:#034x}: {text}: {e}"));
    assert_eq!(parsed.word(), word, "{text}");
    assert_eq!(*parsed.span(), 0..text.len(), "{text}");
    let opcode = match parsed {
        Parsed::Instruction { opcode, .. } => Some(opcode),
        Parsed::Word { .. } => None,
    };
    assert_eq!(opcode, set.index(word).ok(), "{text}");
}
