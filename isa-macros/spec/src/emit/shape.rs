//! Opcodes that have the same methods.
//!
//! Those with the same fields share a type, which has `new` and stands behind the gates once, and
//! in which the opcode's own type says which one it is:
//!
//! ```text
//! pub struct HaluShape0<O>(PhantomData<O>);
//! impl<O: HaluOpcode> HaluIsHArith for HaluShape0<O> {}
//! impl<O: HaluOpcode> HaluInstruction<HaluShape0<O>> { pub fn new(..) -> Self; }
//! pub type Hadd2Rr = HaluInstruction<HaluShape0<Hadd2RrOpcode>>;
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::family::Gate;
use super::names::marker;
use super::tables::alike;
use crate::model::{Field, Init, Model, Opcode};

/// Opcodes with the same methods.
pub(crate) struct Shape {
    /// The type that they share; none where it would be one opcode's.
    pub(crate) name: Option<Ident>,
    /// The opcodes, as indices into [`Model::opcodes`].
    pub(crate) members: Vec<usize>,
}

/// The opcodes of a call by shape.
pub(crate) fn shapes(model: &Model, gates: &[Gate<'_>]) -> Vec<Shape> {
    let keys = model.opcodes.iter().enumerate().map(|(index, opcode)| {
        let gates: Vec<_> = gates.iter().map(|gate| gate.key(model, index)).collect();
        let required: Vec<usize> = required(model, opcode).iter().map(|(id, _)| *id).collect();
        Some((gates, required, opcode.fields.len()))
    });
    let set = &model.header.name;
    let mut numbers = 0..;
    let shape = |members: Vec<usize>| {
        let shared = (members.len() > 1).then(|| numbers.next()).flatten();
        let name = |number: usize| format_ident!("{set}Shape{number}", span = set.span());
        Shape { name: shared.map(name), members }
    };
    alike(keys).into_iter().map(shape).collect()
}

impl Shape {
    /// The type that an instruction of an opcode is generic over.
    pub(crate) fn opcode_type(&self, opcode: &Opcode) -> TokenStream {
        let marker = marker(opcode);
        match &self.name {
            Some(shape) => quote!(#shape<#marker>),
            None => quote!(#marker),
        }
    }

    /// Whether all members have this one of something.
    pub(crate) fn all_have(&self, model: &Model, has: impl Fn(&Opcode) -> bool) -> bool {
        self.name.is_some() && self.members.iter().all(|&index| has(&model.opcodes[index]))
    }
}

/// The fields that have no default, in the order of the text.
pub(crate) fn required<'m>(model: &'m Model, opcode: &Opcode) -> Vec<(usize, &'m Field)> {
    let mut required: Vec<(usize, &Field)> = Vec::new();
    for place in opcode.bind.iter().flatten() {
        let id = opcode.fields[*place];
        let field = &model.fields[id];
        if field.init == Init::Required && !required.iter().any(|(known, _)| *known == id) {
            required.push((id, field));
        }
    }
    required
}
