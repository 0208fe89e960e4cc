//! Lays out the properties of opcodes: a table of their values without duplicates, and the properties
//! that all opcodes of a set have.

use std::rc::Rc;

use proc_macro2::TokenStream;

use crate::model::names::kind_type;
use crate::model::{Model, Opcode, PropertyType};
use crate::syntax::ast::{CommonProperty, Included};

/// The values of the properties of opcodes and aliases.
#[derive(Debug, Default)]
pub(crate) struct PropertyValues {
    /// The lists of values, each once and sorted.
    pub(crate) lists: Vec<Vec<i64>>,
}

impl PropertyValues {
    pub(super) fn of(model: &Model) -> Self {
        let mut lists: Vec<Vec<i64>> = match model.properties.is_empty() {
            true => Vec::new(),
            false => model.opcodes.iter().map(|opcode| opcode.properties.clone()).collect(),
        };
        lists.sort_unstable();
        lists.dedup();
        PropertyValues { lists }
    }

    /// Returns the index of the opcode's list of values.
    pub(crate) fn index_of(&self, opcode: &Opcode) -> usize {
        self.lists.binary_search(&opcode.properties).unwrap_or_default()
    }
}

/// Returns the properties of this call's opcodes.
pub(super) fn own_properties(model: &Model) -> Vec<CommonProperty> {
    let own = model.properties.iter().enumerate().map(|(index, property)| {
        let ty = match property.ty {
            PropertyType::Set(set) => kind_type(&model.field_types[set]),
            _ => TokenStream::new(),
        };
        let (name, type_name) = (property.decl.name.to_string(), property.decl.ty.to_string());
        CommonProperty { name, index, type_name, ty }
    });
    own.collect()
}

/// Returns the properties that all opcodes of the set have, with the same type. An index refers to the
/// properties of the first opcode; opcodes of included sets come first.
pub(super) fn common_properties(model: &Model, own: &[CommonProperty]) -> Vec<CommonProperty> {
    let sets = model.included.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set));
    let included = sets.map(|opcodes: &[Included]| &opcodes[0].set.properties[..]);
    let mut calls = included.chain((!model.opcodes.is_empty()).then_some(own));
    let mut common = calls.next().unwrap_or_default().to_vec();
    for call in calls {
        common.retain(|property| call.iter().any(|other| other.is_same(property)));
    }
    common
}
