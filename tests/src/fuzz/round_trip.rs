//! From any word to its text and back.

use isa_core::table::InstructionSet;
use isa_defs::gpu::Gpu;

use super::{reached, word};
use isa_check::text::round_trip;
use isa_riscv::Rv64imac;

/// Takes a word, of 128 bits and its low 32.
///
/// # Panics
///
/// Where a text does not assemble to the word that it was printed for.
pub fn target(data: &[u8]) -> u64 {
    let word = word(data);
    check(Gpu::SET, word);
    let low = word & u128::from(u32::MAX);
    check(Rv64imac::SET, low);
    reached((Gpu::SET.index(word).ok(), Rv64imac::SET.index(low).ok()))
}

fn check(set: &'static InstructionSet, word: u128) {
    round_trip(set, word).unwrap_or_else(|wrong| panic!("{word:#x}: {wrong}"));
}
