//! Ignored bits, which a machine does not check: `field<12, 4> Bits z = 0, ignored;`.

use crate::random::Random;
use crate::spec::{Field, Init, Line, Spec};

/// The number of bits that distinguish opcodes.
const OP_BITS: u32 = 4;

/// Adds a field that no text shows to some opcodes, after the bits of all other fields.
pub(crate) fn choose(random: &mut Random, spec: &mut Spec, end: &mut u32) {
    if !random.chance(25) {
        return;
    }
    let start = (*end).max(OP_BITS);
    let around: Vec<String> =
        spec.opcodes.iter().flat_map(|opcode| opcode.inside.clone()).collect();
    for opcode in &mut spec.opcodes {
        // A special case must contain all words of its form.
        let is_special = !opcode.inside.is_empty() || around.contains(&opcode.name);
        if is_special || !random.chance(50) {
            continue;
        }
        // The first operand type has as many values as there are opcodes, so it is not used.
        let kind = 1 + random.below(spec.kinds.len() - 1);
        let width = spec.kinds[kind].width;
        let raw = *random.pick(&spec.kinds[kind].sample());
        let (name, init) = ("z".to_owned(), Init::Default(raw));
        opcode.ignored.push(name.clone());
        opcode.lines.push(Line::Declare(Field { name, pieces: vec![(start, width)], kind, init }));
        *end = (*end).max(start + width);
    }
}
