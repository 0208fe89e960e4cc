//! Finds the values that prefix and suffix operators in a template set: in each opcode, the value
//! of the operator's field that is not the default.

use super::{Affix, Model, Opcode, Syntax, TemplateItem};
use crate::diag::{Code, Diagnostics};

/// The knowledge about an operator of a template in one opcode.
#[derive(Clone, Copy, PartialEq)]
enum AffixValue {
    /// The opcode has no such field.
    Absent,
    /// The field has no default that determines the value.
    Open,
    /// The operator sets the field to this value.
    Value(u64),
}

/// Returns the values of the operators for each of the opcodes that share a template. Each opcode
/// is paired with the index of its field for each placeholder. If an opcode does not determine a
/// value, it uses the value of the other opcodes.
pub(super) fn affix_values(
    syntax: &Syntax,
    opcodes: &[(&Opcode, &[Option<usize>])],
    model: &Model,
    diag: &mut Diagnostics,
) -> Vec<Vec<u64>> {
    let mut values = vec![Vec::new(); opcodes.len()];
    for affix in affixes(syntax) {
        let known = opcodes.iter().map(|(opcode, bind)| known(affix, opcode, bind, model));
        let known: Vec<AffixValue> = known.collect();
        let said = |value| known.contains(&AffixValue::Value(value));
        let unsaid = if said(0) && !said(1) { 0 } else { 1 };
        for (((opcode, _), known), values) in opcodes.iter().zip(&known).zip(&mut values) {
            if *known == AffixValue::Open && said(0) && said(1) {
                let (name, symbol) = (&opcode.name, &syntax.placeholders[affix.symbol]);
                let message = format!(
                    "the value of the affix `{{{}}}` is ambiguous: `{name}` has no default for \
                     `{}`, and the defaults of the other opcodes of this template differ\nhelp: \
                     write a separate template for `{name}`, or add a default to the field",
                    affix.open, symbol.name
                );
                diag.error(Code::InvalidTemplate, name.span(), message);
            }
            values.push(if let AffixValue::Value(value) = known { *value } else { unsaid });
        }
    }
    values
}

fn known(affix: &Affix, opcode: &Opcode, bind: &[Option<usize>], model: &Model) -> AffixValue {
    let Some(place) = bind[affix.symbol] else {
        return AffixValue::Absent;
    };
    match opcode.field_at(model, place).default_number() {
        Some(default) => AffixValue::Value(default ^ 1),
        None => AffixValue::Open,
    }
}

/// Returns the template with `values` as the values of its operators.
pub(super) fn with_affix_values(mut syntax: Syntax, values: &[u64]) -> Syntax {
    let mut values = values.iter();
    for items in [&mut syntax.before, &mut syntax.after] {
        set_values(items, &mut values);
    }
    syntax
}

fn set_values<'v>(items: &mut [TemplateItem], values: &mut impl Iterator<Item = &'v u64>) {
    for item in items {
        match item {
            TemplateItem::Slot { affixes, .. } => {
                for (affix, value) in affixes.iter_mut().zip(values.by_ref()) {
                    affix.present = *value;
                }
            }
            TemplateItem::Optional(inner) => set_values(inner, values),
            TemplateItem::Text(_) | TemplateItem::Tags(_) => {}
        }
    }
}

/// Returns the operators of a template in the order of the text.
fn affixes(syntax: &Syntax) -> Vec<&Affix> {
    let mut all = Vec::new();
    for items in [&syntax.before, &syntax.after] {
        collect(items, &mut all);
    }
    all
}

fn collect<'s>(items: &'s [TemplateItem], all: &mut Vec<&'s Affix>) {
    for item in items {
        match item {
            TemplateItem::Slot { affixes, .. } => all.extend(affixes),
            TemplateItem::Optional(inner) => collect(inner, all),
            TemplateItem::Text(_) | TemplateItem::Tags(_) => {}
        }
    }
}
