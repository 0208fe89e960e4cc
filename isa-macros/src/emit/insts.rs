//! What each opcode adds: the name of its type, its `new`, its place behind the gates.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::docs;
use super::family::{Gate, gates};
use super::names::{Names, kind_type, marker};
use crate::model::{Field, Init, Model, Opcode};

/// The types of all opcodes of the call.
pub(crate) fn emit_instructions(model: &Model, names: &Names) -> TokenStream {
    let gates = gates(model);
    let opcodes = model.opcodes.iter().enumerate();
    opcodes.map(|(index, opcode)| emit_opcode(model, names, &gates, index, opcode)).collect()
}

fn emit_opcode(
    model: &Model,
    names: &Names,
    gates: &[Gate<'_>],
    index: usize,
    opcode: &Opcode,
) -> TokenStream {
    let Names { instruction, opcode_trait, .. } = names;
    let (ty, vis, marker) = (&opcode.type_name, &model.header.vis, marker(opcode));
    let (doc, name) = (docs::opcode_doc(model, opcode), ty.to_string());
    let attrs = &model.nodes[opcode.node].docs.attrs;
    let new = emit_new(model, names, opcode);
    let gates = gates.iter().filter_map(|gate| gate.emit_impl(model, names, index, &marker));
    let marker_doc = format!("Names the opcode `{}`; see [`{name}`].", opcode.name);
    quote! {
        #attrs
        #[doc = #doc]
        #vis type #ty = #instruction<#marker>;
        #[doc = #marker_doc]
        #vis enum #marker {}
        impl #opcode_trait for #marker {
            const INDEX: usize = #index;
            const NAME: &'static str = #name;
        }
        #(#gates)*
        #[automatically_derived]
        #[allow(dead_code, reason = "a private set need not be used whole")]
        impl #instruction<#marker> { #new }
    }
}

/// `new`, with a parameter for each field that has no default, in the order of the text.
fn emit_new(model: &Model, names: &Names, opcode: &Opcode) -> TokenStream {
    let (vis, table) = (&model.header.vis, &names.fields);
    let mut required: Vec<(usize, &Field)> = Vec::new();
    for place in opcode.bind.iter().flatten() {
        let id = opcode.fields[*place];
        let field = &model.fields[id];
        if field.init == Init::Required && !required.iter().any(|(known, _)| *known == id) {
            required.push((id, field));
        }
    }
    let params: Vec<Ident> =
        required.iter().map(|(_, f)| format_ident!("{}", f.text.replace('.', "_"))).collect();
    let types: Vec<TokenStream> =
        required.iter().map(|(_, field)| kind_type(&model.kinds[field.kind])).collect();
    let ids = required.iter().map(|(id, _)| id);
    let doc = match &required[..] {
        [] => "The instruction, every field at its default.",
        _ => "The instruction with these operands, every other field at its default.",
    };
    quote! {
        #[doc = #doc]
        #[must_use]
        #[allow(clippy::too_many_arguments, clippy::new_without_default, reason = "as the syntax has it")]
        #vis fn new(#(#params: impl ::core::convert::Into<#types>),*) -> Self {
            Self(Self::INITIAL, ::core::marker::PhantomData)
                #(.__with::<#types>(&#table[#ids], #params.into()))*
        }
    }
}
