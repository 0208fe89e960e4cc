//! Finds the operands that are registers, and the names of the registers.

use std::collections::BTreeMap;

use isa_core::table::{Field, InstructionSet, Kind};

use super::print_rule::PrintRule;
use super::rule_cache::RuleCache;

/// The maximum width of a field that can name registers.
const WIDEST: u8 = 8;

/// The operand types whose values are registers. The key is the address of the type in memory, and
/// the entry contains the register for each value of the type.
#[derive(Debug, Default)]
pub(super) struct RegisterOperands {
    kinds: BTreeMap<usize, Vec<Option<String>>>,
    /// The names of all registers, in the order of the types and of their values.
    pub(super) names: Vec<String>,
    /// The sizes of the registers in bits, by name.
    pub(super) sizes: BTreeMap<String, u16>,
}

impl RegisterOperands {
    /// Finds the registers of a set. An operand type names registers if its values have a size and
    /// its texts are names.
    pub(super) fn of(set: &InstructionSet, rules: &mut RuleCache) -> Self {
        let mut all = RegisterOperands::default();
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

    /// Returns the size of an address in bits: 64 if a register has more than 32 bits,
    /// otherwise 32.
    pub(super) fn address_bits(&self) -> u8 {
        if self.sizes.values().any(|size| *size > 32) { 64 } else { 32 }
    }

    fn add(&mut self, kind: &'static Kind, bits: u16, rules: &mut RuleCache) {
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

    /// Returns the registers that the values of a field name, or `None` if they are not registers.
    pub(super) fn of_field(&self, field: &Field) -> Option<&[Option<String>]> {
        self.kinds.get(&std::ptr::from_ref(field.kind).addr()).map(Vec::as_slice)
    }
}

/// Returns the texts of an operand type, if each of them is a name.
fn names(kind: &'static Kind, rules: &mut RuleCache) -> Option<Vec<Option<String>>> {
    let raws = 0..1u64 << kind.width;
    let texts: Vec<Option<String>> = match rules.of_kind(kind, kind.width.into())? {
        PrintRule::Names(names) => names,
        _ => raws.map(|raw| kind.admits(raw).then(|| written(kind, raw))).collect(),
    };
    let is_name = |text: &String| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    texts.iter().flatten().all(is_name).then_some(texts)
}

fn written(kind: &Kind, raw: u64) -> String {
    let mut line = isa_core::text::Line::new();
    if let Some(text) = kind.text {
        (text.write)(raw, &[], &mut line);
    }
    line.as_str().to_owned()
}
