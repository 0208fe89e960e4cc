//! Decides which opcodes have the accessor methods of a field, and groups opcodes with the same methods.
//!
//! Opcodes with the same fields share a type, so `new` and the accessor traits are implemented once for
//! all of them. More opcodes should add rows and not methods. With a method for each opcode and field
//! instead of the traits, rustc took twice as long to check a synthetic set of 260 opcodes in calls of
//! 50.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::format_ident;

use super::row_sharing::alike;
use crate::model::{Init, Model, Opcode, ResolvedField};

/// A group of accessors, and the opcodes that have them.
#[derive(Debug)]
pub(crate) struct AccessorTrait<'m> {
    pub(crate) condition: AccessorCondition<'m>,
    /// Indexes into [`Model::opcodes`], at least one.
    pub(crate) opcodes: Vec<usize>,
    /// The fields, one for each accessor, as indexes into [`Model::fields`].
    pub(crate) fields: Vec<usize>,
}

/// The property that the opcodes with an accessor trait share.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AccessorCondition<'m> {
    /// The opcodes inherit from this node.
    Is(usize),
    /// The opcodes have a field with this name, at the same position in all of them.
    Has(&'m ResolvedField),
    /// The opcodes have a field with this name, at different positions or of different types.
    Differs(&'m ResolvedField),
}

/// The way in which an opcode implements an accessor trait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Access {
    /// The field is the same in all opcodes with the accessor trait.
    Alike,
    /// The opcode has its own field, given as an index into [`Model::fields`].
    Own(usize),
}

/// Returns the accessor traits of the call. Fields that the same opcodes inherit from one node form one
/// group.
pub(super) fn accessor_traits(model: &Model) -> Vec<AccessorTrait<'_>> {
    let mut accessor_traits: Vec<AccessorTrait<'_>> = Vec::new();
    for (first, opcodes) in accessors(model) {
        let field = &model.fields[first];
        let condition = condition(model, field, &opcodes);
        let known =
            accessor_traits.iter_mut().find(|accessor| match (&accessor.condition, &condition) {
                (AccessorCondition::Is(a), AccessorCondition::Is(b)) => a == b,
                _ => false,
            });
        match known {
            Some(accessor) => accessor.fields.push(first),
            None => accessor_traits.push(AccessorTrait { condition, opcodes, fields: vec![first] }),
        }
    }
    accessor_traits
}

/// Returns, for each name that a field without a fixed value has, the first such field and the opcodes
/// that have such a field.
fn accessors(model: &Model) -> Vec<(usize, Vec<usize>)> {
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut places = BTreeMap::new();
    for (index, opcode) in model.opcodes.iter().enumerate() {
        for &id in &opcode.fields {
            let field = &model.fields[id];
            if field.is_fixed() || field.nameless {
                continue;
            }
            let place = *places.entry(field.text.as_str()).or_insert_with(|| {
                found.push((id, Vec::new()));
                found.len() - 1
            });
            found[place].1.push(index);
            if !model.type_of(field).is_known() {
                found[place].0 = id;
            }
        }
    }
    found
}

fn condition<'m>(
    model: &'m Model,
    field: &'m ResolvedField,
    opcodes: &[usize],
) -> AccessorCondition<'m> {
    if !model.type_of(field).is_known() {
        return AccessorCondition::Has(field);
    }
    let own = |&index: &usize| own_field(model, &model.opcodes[index], &field.text);
    let mut own = opcodes.iter().filter_map(own).map(|id| &model.fields[id]);
    if !own.all(|other| other.pieces == field.pieces && other.ty == field.ty) {
        return AccessorCondition::Differs(field);
    }
    let lineage = &model.lineage[model.opcodes[opcodes[0]].node];
    let heirs = |node: usize| {
        let inherits = move |o: &Opcode| model.lineage[o.node].contains(&node);
        model.opcodes.iter().enumerate().filter(move |(_, o)| inherits(o)).map(|(i, _)| i)
    };
    let covers = |node: usize| heirs(node).eq(opcodes.iter().copied());
    let declared = Some(field.node).filter(|&node| covers(node));
    match declared.or_else(|| lineage.iter().copied().find(|&node| covers(node))) {
        Some(node) => AccessorCondition::Is(node),
        None => AccessorCondition::Has(field),
    }
}

/// Returns the opcode's field called `name`.
fn own_field(model: &Model, opcode: &Opcode, name: &str) -> Option<usize> {
    opcode.field(model, name).map(|place| opcode.fields[place])
}

impl AccessorTrait<'_> {
    /// Returns the way in which an opcode implements the accessor trait, or `None` if it does not
    /// implement it.
    pub(super) fn access(&self, model: &Model, index: usize) -> Option<Access> {
        self.opcodes.binary_search(&index).ok()?;
        match self.condition {
            AccessorCondition::Differs(field) => {
                own_field(model, &model.opcodes[index], &field.text).map(Access::Own)
            }
            AccessorCondition::Is(_) | AccessorCondition::Has(_) => Some(Access::Alike),
        }
    }
}

/// Opcodes with the same methods.
#[derive(Debug)]
pub(crate) struct MethodGroup {
    /// The type that the opcodes share. `None` if the group has only one opcode.
    pub(crate) name: Option<Ident>,
    /// The opcodes, as indexes into [`Model::opcodes`].
    pub(crate) members: Vec<usize>,
    /// The accessor traits that the opcodes implement, by index, with the implementation.
    pub(crate) accessor_traits: Vec<(usize, Access)>,
    /// The fields without a default, in the order of the text, as indexes into [`Model::fields`].
    pub(crate) required: Vec<usize>,
}

/// Groups the opcodes of a call by their methods.
pub(super) fn method_groups(
    model: &Model,
    accessor_traits: &[AccessorTrait<'_>],
) -> Vec<MethodGroup> {
    let accesses = |index: usize| -> Vec<(usize, Access)> {
        let accessor_traits = accessor_traits.iter().enumerate();
        accessor_traits
            .filter_map(|(number, accessor)| Some((number, accessor.access(model, index)?)))
            .collect()
    };
    let keys = model.opcodes.iter().enumerate().map(|(index, opcode)| {
        Some((accesses(index), required(model, opcode), opcode.fields.len()))
    });
    let set = &model.header.name;
    let mut numbers = 0..;
    let group = |members: Vec<usize>| {
        let shared = (members.len() > 1).then(|| numbers.next()).flatten();
        let name = |number: usize| format_ident!("{set}Shape{number}", span = set.span());
        let (accessor_traits, required) =
            (accesses(members[0]), required(model, &model.opcodes[members[0]]));
        MethodGroup { name: shared.map(name), members, accessor_traits, required }
    };
    alike(keys).into_iter().map(group).collect()
}

/// Returns the fields without a default, in the order of the text.
fn required(model: &Model, opcode: &Opcode) -> Vec<usize> {
    let mut required: Vec<usize> = Vec::new();
    let places = opcode.bind.iter().flatten().flat_map(|place| opcode.covered(place));
    for id in places.map(|&place| opcode.fields[place]) {
        if model.fields[id].init == Init::Required && !required.contains(&id) {
            required.push(id);
        }
    }
    required
}
