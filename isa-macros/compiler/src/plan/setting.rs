//! Collects settings for semantic functions: fields that are neither operands nor parts of operands.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;

use super::body::{find, seen_in};
use super::semantics::Given;
use crate::model::{Field, Kind, Model, Opcode};

/// A field that is neither an operand nor a part of one.
#[derive(Debug)]
pub(crate) struct Setting<'m> {
    pub(crate) name: &'m Ident,
    pub(crate) kind: &'m Kind,
    /// The value, if its position is the same in all opcodes that share the semantics.
    pub(crate) alike: Option<Given<'m>>,
    /// The span of the name, with the hygiene of the name in the semantic function.
    pub(crate) in_body: Span,
}

/// Returns the settings that all members have. If an opcode fixes a field, the field is a setting only
/// if the function uses its name. An example is `optype` in semantics that several optypes share.
pub(super) fn settings<'m>(
    model: &'m Model,
    members: &[&'m Opcode],
    body: &TokenStream,
) -> Vec<Setting<'m>> {
    let Some((first, rest)) = members.split_first() else { return Vec::new() };
    let mut found = Vec::new();
    for (place, &id) in first.fields.iter().enumerate() {
        let field = &model.fields[id];
        let fixed = field.is_fixed();
        if field.name.sub.is_some()
            || is_operand(first, place)
            || (fixed && find(body.clone(), &field.text).is_none())
        {
            continue;
        }
        let others: Option<Vec<&Field>> =
            rest.iter().map(|opcode| same_setting(model, opcode, field)).collect();
        let Some(others) = others else { continue };
        let alike = !fixed && others.iter().all(|o| !o.is_fixed() && o.pieces == field.pieces);
        let (name, place) = (&field.name.base, field.name.base.span());
        found.push(Setting {
            name,
            kind: &model.kinds[field.kind],
            alike: alike.then(|| Given::at(model, field)),
            in_body: seen_in(body, &name.unraw().to_string(), place).unwrap_or(place),
        });
    }
    found
}

impl Setting<'_> {
    /// Returns the value that an opcode passes for the setting, if it is not the same in all opcodes.
    pub(super) fn passed<'m>(&self, model: &'m Model, opcode: &Opcode) -> Option<Given<'m>> {
        let place = opcode.field(model, &self.name.to_string());
        let field = &model.fields[opcode.fields[place.filter(|_| self.alike.is_none())?]];
        Some(if field.is_fixed() { Given::init(model, field) } else { Given::at(model, field) })
    }
}

fn is_operand(opcode: &Opcode, place: usize) -> bool {
    opcode.operands.iter().any(|operand| operand.field == place)
}

/// Returns the opcode's field with the same name and type as a setting.
fn same_setting<'m>(model: &'m Model, opcode: &Opcode, setting: &Field) -> Option<&'m Field> {
    let place = opcode.field(model, &setting.text)?;
    let field = &model.fields[opcode.fields[place]];
    (field.kind == setting.kind && !is_operand(opcode, place)).then_some(field)
}
