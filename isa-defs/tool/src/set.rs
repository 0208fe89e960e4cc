//! The instruction set that the tool works on. Nothing else in the tool names it.

use isa_core::error::DecodeError;
use isa_core::machine::{Machine, Warp};
use isa_core::table::InstructionSet;

use crate::gpu::Gpu;

/// The size of a word in a binary file, where it stands with its low byte first.
pub(super) const WORD_BYTES: usize = 16;

/// The tables.
pub(super) fn set() -> &'static InstructionSet {
    Gpu::SET
}

/// Executes one instruction.
pub(super) fn execute(word: u128, machine: &mut dyn Machine) -> Result<(), DecodeError> {
    Gpu::decode(word)?.execute(machine);
    Ok(())
}

/// Executes one instruction in all lanes.
pub(super) fn execute_warp<const N: usize>(
    word: u128,
    warp: &mut Warp<'_, N>,
) -> Result<(), DecodeError> {
    Gpu::decode(word)?.execute_warp(warp);
    Ok(())
}
