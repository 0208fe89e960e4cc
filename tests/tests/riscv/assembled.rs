//! Our texts under the GNU assembler: the same bytes.

use isa_tests::riscv::Rv64imac;

use crate::sample::Sample;
use crate::tools;

/// The text as the GNU assembler takes it: it wants targets where we have distances, and knows no
/// way to write a fence that orders nothing.
fn for_gnu(word: u32) -> Option<String> {
    let text = Rv64imac::decode(word).ok()?.to_string();
    if text.contains("unknown") {
        return None;
    }
    let mnemonic = text.split([' ', ';']).next().unwrap_or_default();
    let jumps = ["beq", "bne", "blt", "bge", "bltu", "bgeu", "jal", "c.j", "c.beqz", "c.bnez"];
    if !jumps.contains(&mnemonic) {
        return Some(text);
    }
    let at = text.rfind(' ')? + 1;
    let (rest, distance) = text.split_at(at);
    Some(format!("{rest}.+({}", distance.replace(';', ");")))
}

fn assembles_to_itself(words: impl Iterator<Item = u32>, len: usize) -> usize {
    let taken: Vec<(u32, String)> =
        words.filter_map(|word| for_gnu(word).map(|text| (word, text))).collect();
    let text: Vec<&str> = taken.iter().map(|(_, text)| text.as_str()).collect();
    let code = tools::assemble(&format!("{}\n", text.join("\n")), len == 2);
    assert_eq!(code.len(), taken.len() * len);
    for ((word, text), bytes) in taken.iter().zip(code.chunks(len)) {
        assert_eq!(&word.to_le_bytes()[..len], bytes, "{text}");
    }
    taken.len()
}

const PROGRAMS: &[&str] = &["riscv64-linux-gnu-as"];

#[test]
fn every_16_bit_instruction() {
    if tools::are_here(PROGRAMS) {
        let words = (0..0x1_0000).filter(|word| word & 3 != 3);
        // Without those of floating point and the reserved ones.
        assert_eq!(assembles_to_itself(words, 2), 49_152 - 8_192 - 2_408);
    }
}

#[test]
fn instructions_of_32_bits() {
    if tools::are_here(PROGRAMS) {
        assert!(assembles_to_itself(Sample::new(3).take(200_000), 4) > 50_000);
    }
}
