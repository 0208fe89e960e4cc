//! The words of a set, for colours.

use std::collections::BTreeSet;

use isa_core::table::InstructionSet;

/// The words of a set that are no mnemonics.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    /// Names of operands, such as registers.
    pub(crate) operands: BTreeSet<String>,
    /// Names of values.
    pub(crate) values: BTreeSet<&'static str>,
    /// Operands whose names are a prefix with a number: the prefix, and how many there are.
    pub(crate) numbered: BTreeSet<(&'static str, u8)>,
}

impl Vocabulary {
    pub(crate) fn of(set: &'static InstructionSet) -> Self {
        let mut vocabulary = Vocabulary::default();
        let mut known = BTreeSet::new();
        for opcode in set.spellings {
            for (place, field) in opcode.fields.iter().chain(opcode.views).enumerate() {
                for value in field.kind.values {
                    vocabulary.values.insert(value.name);
                    vocabulary.values.extend(value.also);
                }
                let mut formats = opcode.formats.iter();
                let format = formats.find(|format| usize::from(format.field) == place);
                let text = format.map(|format| format.text).or(field.kind.text);
                let is_new = known.insert((field.kind.name, format.map(|format| format.name)));
                let Some(text) = text.filter(|_| is_new) else { continue };
                if let Some(names) = text.numbered {
                    vocabulary.numbered.insert((names.prefix, names.count));
                }
                vocabulary.operands.extend(opcode.names(place));
            }
        }
        vocabulary
    }
}
