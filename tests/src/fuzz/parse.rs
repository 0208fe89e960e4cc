//! Fuzz target: parses assembly.

use isa_defs::gpu::Gpu;

use super::reached;
use isa_riscv::Rv64imac;
use isa_verify::parse_check::parse_whole;

/// Runs the target on a text, whose first character selects the set.
///
/// # Panics
///
/// Panics if the parser makes no progress, if an accepted statement does not round-trip, or if two
/// ways to parse a text differ.
pub fn target(data: &[u8]) -> u64 {
    let Some((choice, text)) = data.split_first() else { return 0 };
    let text = String::from_utf8_lossy(text);
    let set = if choice.is_multiple_of(2) { Gpu::SET } else { Rv64imac::SET };
    let summary = parse_whole(set, &text);
    let summary = summary.unwrap_or_else(|wrong| panic!("{text:?}: {wrong}"));
    reached((choice % 2, summary.first, summary.accepted.min(4), summary.errors.min(4)))
}
