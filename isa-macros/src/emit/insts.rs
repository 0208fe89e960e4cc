//! What each opcode adds: the name of its type, its `new`, its place behind the gates.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::docs;
use super::family::Gate;
use super::names::{Names, kind_type, marker, setter};
use crate::model::{Field, Init, Model, Opcode, derived};

/// The types of all opcodes of the call.
pub(crate) fn emit_instructions(model: &Model, names: &Names, gates: &[Gate<'_>]) -> TokenStream {
    let opcodes = model.opcodes.iter().enumerate();
    opcodes.map(|(index, opcode)| emit_opcode(model, names, gates, index, opcode)).collect()
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
    let param = |field: &Field| {
        let mut name = setter(field);
        name.set_span(Span::call_site());
        name
    };
    let params: Vec<Ident> = required.iter().map(|(_, field)| param(field)).collect();
    let types = required.iter().map(|(_, field)| match &model.kinds[field.kind] {
        kind if kind.is_known() => {
            let ty = kind_type(kind);
            quote!(impl ::core::convert::Into<#ty>)
        }
        _ => quote!(impl ::core::marker::Sized),
    });
    let values = required.iter().zip(&params).map(|((id, field), param)| {
        let kind = &model.kinds[field.kind];
        let ty = kind_type(kind);
        kind.is_known().then(|| quote!(.__with::<#ty>(&#table[#id], #param.into())))
    });
    let new = derived("new", &opcode.name);
    let doc = match &required[..] {
        [] => "The instruction, every field at its default.",
        _ => "The instruction with these operands, every other field at its default.",
    };
    quote! {
        #[doc = #doc]
        #[must_use]
        #[allow(clippy::too_many_arguments, clippy::new_without_default, reason = "as the syntax has it")]
        #vis fn #new(#(#params: #types),*) -> Self {
            Self(Self::INITIAL, ::core::marker::PhantomData) #(#values)*
        }
    }
}
