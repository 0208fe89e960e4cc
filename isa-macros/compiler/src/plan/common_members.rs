//! Finds the fields and the properties that all opcodes of a set have, for the accessors of the set's enum.

use std::rc::Rc;

use proc_macro2::TokenStream;

use crate::model::names::{describe_field, kind_type};
use crate::model::{Model, PropertyType};
use crate::syntax::ast::{CommonMember, IncludedSet};

/// Returns the fields without a fixed value that all opcodes of this call have, with the same type and
/// bits.
pub(super) fn own_fields(model: &Model) -> Vec<CommonMember> {
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
        CommonMember { name: field.text.clone(), text, index, ty }
    });
    common.collect()
}

/// Returns the properties of this call's opcodes.
pub(super) fn own_properties(model: &Model) -> Vec<CommonMember> {
    let own = model.properties.iter().enumerate().map(|(index, property)| {
        let ty = match property.ty {
            PropertyType::Set(set) => kind_type(&model.field_types[set]),
            _ => TokenStream::new(),
        };
        let (name, text) = (property.decl.name.to_string(), property.decl.ty.to_string());
        CommonMember { name, text, index, ty }
    });
    own.collect()
}

/// Returns the members that all opcodes of the set have. `own` contains those of this call's opcodes, and
/// `of_set` returns those of an included set. An index refers to the first opcode of the set; opcodes of
/// included sets come first.
pub(super) fn common_members(
    model: &Model,
    own: &[CommonMember],
    of_set: fn(&IncludedSet) -> &[CommonMember],
) -> Vec<CommonMember> {
    let sets = model.included.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set));
    let included = sets.map(|opcodes| of_set(&opcodes[0].set));
    let mut calls = included.chain((!model.opcodes.is_empty()).then_some(own));
    let mut common = calls.next().unwrap_or_default().to_vec();
    for call in calls {
        common.retain(|member| call.iter().any(|other| other.is_same(member)));
    }
    common
}
