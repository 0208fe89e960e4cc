//! Decides which opcodes have the accessor methods of a field.

use std::collections::BTreeMap;

use crate::model::{Field, Model, Opcode};

/// A group of accessors, and the opcodes that have them.
#[derive(Debug)]
pub(crate) struct AccessorTrait<'m> {
    pub(crate) condition: Condition<'m>,
    /// Indexes into [`Model::opcodes`], at least one.
    pub(crate) opcodes: Vec<usize>,
    /// The fields, one for each accessor, as indexes into [`Model::fields`].
    pub(crate) fields: Vec<usize>,
}

/// The property that the opcodes with an accessor trait share.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Condition<'m> {
    /// The opcodes inherit from this node.
    Is(usize),
    /// The opcodes have a field with this name, at the same position in all of them.
    Has(&'m Field),
    /// The opcodes have a field with this name, at different positions or of different types.
    Differs(&'m Field),
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
                (Condition::Is(a), Condition::Is(b)) => a == b,
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
            if !model.kinds[field.kind].is_known() {
                found[place].0 = id;
            }
        }
    }
    found
}

fn condition<'m>(model: &'m Model, field: &'m Field, opcodes: &[usize]) -> Condition<'m> {
    if !model.kinds[field.kind].is_known() {
        return Condition::Has(field);
    }
    let own = |&index: &usize| own_field(model, &model.opcodes[index], &field.text);
    let mut own = opcodes.iter().filter_map(own).map(|id| &model.fields[id]);
    if !own.all(|other| other.pieces == field.pieces && other.kind == field.kind) {
        return Condition::Differs(field);
    }
    let lineage = &model.lineage[model.opcodes[opcodes[0]].node];
    let heirs = |node: usize| {
        let inherits = move |o: &Opcode| model.lineage[o.node].contains(&node);
        model.opcodes.iter().enumerate().filter(move |(_, o)| inherits(o)).map(|(i, _)| i)
    };
    let covers = |node: usize| heirs(node).eq(opcodes.iter().copied());
    let declared = Some(field.node).filter(|&node| covers(node));
    match declared.or_else(|| lineage.iter().copied().find(|&node| covers(node))) {
        Some(node) => Condition::Is(node),
        None => Condition::Has(field),
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
            Condition::Differs(field) => {
                own_field(model, &model.opcodes[index], &field.text).map(Access::Own)
            }
            Condition::Is(_) | Condition::Has(_) => Some(Access::Alike),
        }
    }
}
