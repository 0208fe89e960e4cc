//! Fuzz target: prints any word and parses its text.

use isa_core::table::InstructionSet;
use isa_defs::gpu::Gpu;

use super::{reached, word};
use isa_riscv::Rv64imac;
use isa_verify::text::{disassemble, round_trip};

/// Runs the target on a word of 128 bits, and on its low 32 bits.
///
/// # Panics
///
/// Panics if a printed text does not assemble to its word. Ignored bits, which are never printed,
/// may differ.
pub fn target(data: &[u8]) -> u64 {
    let word = word(data);
    check(Gpu::SET, word);
    let low = word & u128::from(u32::MAX);
    check(Rv64imac::SET, low);
    reached((Gpu::SET.index(word).ok(), Rv64imac::SET.index(low).ok()))
}

fn check(set: &'static InstructionSet, word: u128) {
    let opcode = set.index(word).ok().and_then(|index| set.opcodes.get(index));
    // Ignored bits are never printed. An assembler emits their default values.
    let written = opcode.map_or(word, |opcode| opcode.written(word));
    let text = disassemble(set, word);
    assert_eq!(text.as_str(), disassemble(set, written).as_str(), "{word:#x}");
    round_trip(set, written).unwrap_or_else(|wrong| panic!("{word:#x}: {wrong}"));
}
