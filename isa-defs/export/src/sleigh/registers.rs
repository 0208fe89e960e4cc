//! Which operands are registers, and the registers that they name.

use std::collections::BTreeMap;

use isa_core::table::{Field, InstructionSet, Kind};

use super::rules::Rules;
use super::text::Rule;

/// The widest fields that may name registers.
const WIDEST: u8 = 8;

/// The kinds whose values are registers: by where they stand in memory, the registers of all values.
#[derive(Debug, Default)]
pub(super) struct Registers {
    kinds: BTreeMap<usize, Vec<Option<String>>>,
    /// The names of all, in the order of the kinds and of their values.
    pub(super) names: Vec<String>,
    /// By their names, their sizes in bits.
    pub(super) sizes: BTreeMap<String, u16>,
}

impl Registers {
    /// The registers of a set: an operand kind names them if its values have a size, and texts that are
    /// names.
    pub(super) fn of(set: &InstructionSet, rules: &mut Rules) -> Self {
        let mut all = Registers::default();
        for row in set.opcodes {
            for operand in row.operands {
                let Some(field) = row.fields.get(usize::from(operand.field)) else { continue };
                if operand.bits > 0 {
                    all.add(field.kind, operand.bits, rules);
                }
            }
        }
        all
    }

    /// The size of an address in bits: that of the widest register, as far as SLEIGH has it.
    pub(super) fn address_bits(&self) -> u8 {
        if self.sizes.values().any(|size| *size > 32) { 64 } else { 32 }
    }

    fn add(&mut self, kind: &'static Kind, bits: u16, rules: &mut Rules) {
        if kind.width > WIDEST || kind.text.is_none() {
            return;
        }
        let Some(names) = names(kind, rules) else { return };
        for name in names.iter().flatten() {
            if !self.sizes.contains_key(name) {
                self.names.push(name.clone());
            }
            let size = self.sizes.entry(name.clone()).or_default();
            *size = bits.max(*size);
        }
        self.kinds.insert(std::ptr::from_ref(kind).addr(), names);
    }

    /// The registers that the values of a field name; `None` where it names none.
    pub(super) fn of_field(&self, field: &Field) -> Option<&[Option<String>]> {
        self.kinds.get(&std::ptr::from_ref(field.kind).addr()).map(Vec::as_slice)
    }
}

/// The texts of a kind, if each is a name.
fn names(kind: &'static Kind, rules: &mut Rules) -> Option<Vec<Option<String>>> {
    let raws = 0..1u64 << kind.width;
    let texts: Vec<Option<String>> = match rules.of_kind(kind, kind.width.into())? {
        Rule::Names(names) => names,
        _ => raws.map(|raw| kind.admits(raw).then(|| written(kind, raw))).collect(),
    };
    let is_name = |text: &String| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    texts.iter().flatten().all(is_name).then_some(texts)
}

fn written(kind: &Kind, raw: u64) -> String {
    let mut line = isa_core::asm::Line::new();
    if let Some(text) = kind.text {
        (text.write)(raw, &[], &mut line);
    }
    line.as_str().to_owned()
}
