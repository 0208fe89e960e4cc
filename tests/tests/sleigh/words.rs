//! Test words, and the results of a set for them.

use isa_core::table::{FlowKind, FlowTarget, InstructionSet, Opcode};
use isa_core::text::Line;
use isa_verify::Generator;
use isa_verify::random::SplitMix64;
use isa_verify::text::bytes_of;

/// A sequence of words, in the bytes of the widest word. They are valid words with extreme field
/// values, such words with up to three inverted bits, the fixed bits of an opcode with any other
/// bits, and random bits.
pub(crate) struct Words {
    set: &'static InstructionSet,
    legal: Generator,
    random: SplitMix64,
}

impl Words {
    pub(crate) fn new(set: &'static InstructionSet, seed: u64) -> Self {
        Words { set, legal: Generator::new(set, seed), random: SplitMix64::new(seed) }
    }
}

impl Iterator for Words {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let random = &mut self.random;
        let (any, kind) = (random.word(), random.below(8));
        let legal = self.legal.next()?;
        let own = u128::MAX >> (128 - legal.opcode.bits);
        let word = match kind {
            0..4 => legal.word,
            4..6 => {
                let turned = (0..=random.below(3))
                    .map(|_| 1u128 << random.below(legal.opcode.bits.into()))
                    .fold(0, |all, bit| all | bit);
                legal.word ^ turned
            }
            6 => {
                let opcode = legal.opcode;
                any & own & !opcode.fixed.mask & !opcode.unused | opcode.fixed.value
            }
            _ => any & own,
        };
        // After a narrow word, the remaining bytes are random.
        let mut bytes = bytes_of(self.set, legal.opcode, word);
        let behind = any.to_be_bytes().into_iter();
        bytes.extend(behind.take(usize::from(self.set.bits) / 8 - bytes.len()));
        Some(bytes)
    }
}

/// Returns the length of an instruction in bytes and its text without the `;`, or `-`.
pub(crate) fn said(set: &InstructionSet, bytes: &[u8]) -> String {
    let Ok((index, word, length)) = set.first(bytes) else { return "-".to_owned() };
    let mut line = Line::new();
    set.opcodes[index].print(word, &mut line);
    format!("{length} {}", line.as_str().trim_end_matches(';'))
}

/// Returns the control flow of a word at an address in the format of the SLEIGH tools.
pub(crate) fn goes_on(opcode: &'static Opcode, word: u128, address: u64) -> String {
    let (flow, behind) = (opcode.flow(word, address), address + u64::from(opcode.bits / 8));
    let word = match (flow.kind, flow.target) {
        (FlowKind::Next | FlowKind::Trap, _) => return "-".to_owned(),
        (FlowKind::Stop, _) => format!("branch {address:#x}"),
        (FlowKind::Branch, FlowTarget::Address(to)) if flow.falls_through => {
            return format!("if {to:#x}");
        }
        (kind, FlowTarget::Address(to)) => format!("{} {to:#x}", kind.name()),
        (kind, _) => kind.name().to_owned(),
    };
    if flow.falls_through { format!("if {behind:#x}, {word}") } else { word }
}
