//! Settings as the semantics see them: the fields that are neither operands nor parts of one.

use proc_macro2::{Ident, TokenStream};

use super::body::find;
use crate::model::{Field, Model, Opcode};

/// A field that is neither an operand nor a part of one.
pub(crate) struct Setting<'m> {
    pub(crate) name: &'m Ident,
    pub(crate) field: &'m Field,
    /// The field, where all members have it alike.
    pub(crate) id: Option<usize>,
}

/// The settings that all members have. What an opcode fixes is one only where the body names
/// it, as `optype` in semantics that several optypes share.
pub(crate) fn settings<'m>(
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
        found.push(Setting { name: &field.name.base, field, id: alike.then_some(id) });
    }
    found
}

fn is_operand(opcode: &Opcode, place: usize) -> bool {
    opcode.operands.iter().any(|operand| operand.field == place)
}

/// The field by which an opcode has a setting of the same name and type.
fn same_setting<'m>(model: &'m Model, opcode: &Opcode, setting: &Field) -> Option<&'m Field> {
    let place = opcode.field(model, &setting.text)?;
    let field = &model.fields[opcode.fields[place]];
    (field.kind == setting.kind && !is_operand(opcode, place)).then_some(field)
}
