//! Fuzz target: decodes code of a set with two word widths.

use core::mem::discriminant;

use super::{reached, shown};
use isa_riscv::Rv64imac;

/// Runs the target on machine code.
///
/// # Panics
///
/// Panics if decoding makes no progress, or if an instruction does not assemble to its bytes.
pub fn target(data: &[u8]) -> u64 {
    let (mut rest, mut first) = (data, None);
    while !rest.is_empty() {
        let length = Rv64imac::SET.length(rest);
        let (code, behind) = rest.split_at(length);
        assert_ne!(length, 0, "{rest:02x?}");
        let outcome = match Rv64imac::decode_first(rest) {
            Ok((instruction, again)) => {
                assert_eq!(again, length, "{rest:02x?}");
                let (opcode, text) = (instruction.opcode(), instruction.to_string());
                let assembled = text.parse::<Rv64imac>().map(|same| same.encode());
                let word = code.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
                let is_same = matches!(assembled, Ok(Ok(found)) if found == word);
                // Ignored bits are never printed.
                assert!(is_same || !opcode.reads_back(word.into()), "{text} {code:02x?}");
                reached(opcode.name)
            }
            Err(error) => {
                assert_ne!(shown(error), 0);
                reached(discriminant(&error.kind()))
            }
        };
        first.get_or_insert(outcome);
        rest = behind;
    }
    reached((first, data.len().min(8)))
}
