//! Fuzz target: decodes a word, and prints, explains, encodes and executes the result.

use core::mem::discriminant;

use isa_core::machine::State;
use isa_core::table::InstructionSet;
use isa_core::text::Line;
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;

use super::{reached, shown, word};

/// Runs the target on a word of 128 bits.
///
/// # Panics
///
/// Panics if a decoded word does not encode to itself, if the decoder of its family returns another
/// result than the decoder of the whole set, or if the result cannot be printed.
pub fn target(data: &[u8]) -> u64 {
    let word = word(data);
    let own = describe(Gpu::SET, word);
    describe(Halu::SET, word);
    if let Ok(instruction) = Halu::decode(word) {
        let opcode = instruction.opcode();
        assert!(core::ptr::eq(opcode, Gpu::SET.decode(word).expect("Gpu has all of Halu")));
    }
    if let Ok(instruction) = Gpu::decode(word) {
        assert_eq!(instruction.encode().ok(), Some(word));
        instruction.execute(&mut State::new());
    }
    own
}

fn describe(set: &'static InstructionSet, word: u128) -> u64 {
    let mut line = Line::new();
    match set.decode(word) {
        Ok(opcode) => {
            opcode.print(word, &mut line);
            assert!(line.as_str().ends_with(';'), "{line}");
            for part in opcode.explain(word) {
                assert!(part.is_legal(), "{line}");
            }
            reached(opcode.name)
        }
        Err(error) => {
            assert_eq!(error.word(), word);
            assert_ne!(shown(error), 0);
            reached((discriminant(&error.kind()), set.opcodes.len()))
        }
    }
}
