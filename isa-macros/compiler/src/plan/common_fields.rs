//! Finds the fields that all opcodes of a set have, for the accessors of the set's enum.

use std::rc::Rc;

use crate::model::Model;
use crate::model::names::{describe_field, kind_type};
use crate::syntax::ast::CommonField;

/// Returns the fields without a fixed value that all opcodes of this call have, with the same type and
/// bits.
pub(super) fn own_common_fields(model: &Model) -> Vec<CommonField> {
    let Some((first, rest)) = model.opcodes.split_first() else { return Vec::new() };
    let fields = first.fields.iter().enumerate().filter(|&(_, &id)| {
        let field = &model.fields[id];
        !field.is_fixed()
            && !field.nameless
            && model.type_of(field).is_known()
            && rest.iter().all(|opcode| {
                opcode.field(model, &field.text).is_some_and(|place| {
                    let other = &model.fields[opcode.fields[place]];
                    let same = other.pieces == field.pieces && other.ty == field.ty;
                    same && !other.is_fixed() && !other.nameless
                })
            })
    });
    let common = fields.map(|(index, &id)| {
        let field = &model.fields[id];
        let kind = model.type_of(field);
        let (text, ty) = (describe_field(field, kind), kind_type(kind));
        CommonField { name: field.text.clone(), text, index, ty }
    });
    common.collect()
}

/// Returns the fields that all opcodes of the set have. `own` contains the fields that all opcodes of
/// this call have. An index refers to the first opcode of the set; opcodes of included sets come first.
pub(super) fn common_fields(model: &Model, own: &[CommonField]) -> Vec<CommonField> {
    let sets = model.included.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set));
    let included = sets.map(|opcodes| &opcodes[0].set.fields[..]);
    let mut calls = included.chain((!model.opcodes.is_empty()).then_some(own));
    let mut common = calls.next().unwrap_or_default().to_vec();
    for call in calls {
        common.retain(|field| call.iter().any(|other| is_same(field, other)));
    }
    common
}

fn is_same(field: &CommonField, other: &CommonField) -> bool {
    let ty = |field: &CommonField| field.ty.to_string();
    field.name == other.name && field.text == other.text && ty(field) == ty(other)
}
