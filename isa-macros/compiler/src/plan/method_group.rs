//! Groups opcodes with the same methods.
//!
//! Opcodes with the same fields share a type, so `new` and the accessor traits are implemented once for
//! all of them. More opcodes should add rows and not methods. With a method for each opcode and field
//! instead of the traits, rustc took twice as long to check a synthetic set of 260 opcodes in calls of
//! 50.

use proc_macro2::Ident;
use quote::format_ident;

use super::accessor_trait::{Access, AccessorTrait};
use super::row_sharing::alike;
use crate::model::{Init, Model, Opcode};

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
