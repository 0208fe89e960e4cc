//! What each opcode adds: the name of its type, its `new`, its place behind the gates.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

use super::docs;
use super::gates::emit_impl;
use super::names::{Names, marker, setter};
use crate::core_path::CORE;
use crate::model::paths::kind_type;
use crate::model::{Model, derived};
use crate::plan::{Plan, Shape};

/// The types of all opcodes of the call.
pub(crate) fn emit_instructions(plan: &Plan<'_>, names: &Names) -> TokenStream {
    let Plan { model, shapes, .. } = plan;
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let mut pages: Vec<TokenStream> = vec![TokenStream::new(); model.opcodes.len()];
    for shape in shapes {
        for &index in &shape.members {
            pages[index] = emit_page(model, names, index, shape);
        }
    }
    let markers = emit_markers(model, names);
    let shapes = shapes.iter().map(|shape| emit_shape(plan, names, shape));
    shapes.chain(pages).chain([markers]).collect()
}

/// What opcodes of one shape have alike; for one opcode alone, what it has.
fn emit_shape(Plan { model, gates, .. }: &Plan<'_>, names: &Names, shape: &Shape) -> TokenStream {
    let Names { opcode_trait, .. } = names;
    let (vis, opcode) = (&model.header.vis, &model.opcodes[shape.members[0]]);
    let (generics, ty) = match &shape.name {
        Some(name) => (quote!(<__O: #opcode_trait>), quote!(#name<__O>)),
        None => (TokenStream::new(), names.opcode_type(opcode).clone()),
    };
    let shared = shape.name.as_ref().map(|name| {
        let doc = docs::shape_doc(model, names, shape);
        quote! {
            #[doc = #doc]
            #[allow(dead_code, reason = "a private set need not be used whole")]
            #vis struct #name<O>(::core::marker::PhantomData<O>);
            impl #generics #opcode_trait for #ty {
                const INDEX: usize = __O::INDEX;
            }
        }
    });
    let gates = shape
        .gates
        .iter()
        .map(|&(gate, pass)| emit_impl(model, names, (&gates[gate], pass), (&generics, &ty)));
    let new = emit_new(model, names, shape);
    quote!(#shared #(#gates)* #new)
}

/// `new`, with a parameter for each field that has no default, in the order of the text. In an
/// editor it is each opcode's own, and leads to where the opcode is declared.
fn emit_new(model: &Model, names: &Names, shape: &Shape) -> TokenStream {
    let Names { instruction, opcode_trait, fields, .. } = names;
    let vis = &model.header.vis;
    let params = shape.required.iter().map(|&id| {
        let (mut param, kind) = (setter(&model.fields[id]), &model.kinds[model.fields[id].kind]);
        param.set_span(Span::call_site());
        let (ty, id) = (kind_type(kind), Literal::usize_unsuffixed(id));
        if kind.is_known() { quote!(#param [#ty] #id) } else { quote!(#param ? Sized) }
    });
    let doc = match &shape.required[..] {
        [] => "The instruction, every field at its default.",
        _ => "The instruction with these operands, every other field at its default.",
    };
    let members = shape.members.iter().map(|&index| {
        let opcode = &model.opcodes[index];
        let (new, ty) = (derived("new", &opcode.name), names.opcode_type(opcode));
        quote!([] #new [#ty])
    });
    let head = quote!(#vis #instruction #fields #doc (#(#params),*));
    let own = quote!(#CORE::__private::new! { #head #(#members)* });
    let Some(shape) = &shape.name else { return own };
    quote! {
        #[allow(unexpected_cfgs, reason = "an editor sets it")]
        const _: () = {
            // Editors look into a macro call that is left out, though not into a constant.
            #[cfg(not(rust_analyzer))]
            const _: () = {
                #CORE::__private::new! { #head [<__O: #opcode_trait>] new [#shape<__O>] }
            };
            #[cfg(rust_analyzer)]
            #own
        };
    }
}

/// The page of an opcode, at the name of its type.
fn emit_page(model: &Model, names: &Names, index: usize, shape: &Shape) -> TokenStream {
    let (instruction, opcode) = (&names.instruction, &model.opcodes[index]);
    let (ty, vis) = (&opcode.type_name, &model.header.vis);
    let (doc, own) = (docs::opcode_doc(model, names, opcode, shape), names.opcode_type(opcode));
    let attrs = &model.nodes[opcode.node].docs.attrs;
    quote!(#attrs #[doc = #doc] #vis type #ty = #instruction<#own>;)
}

/// The types that name opcodes.
fn emit_markers(model: &Model, names: &Names) -> TokenStream {
    let (vis, opcode_trait) = (&model.header.vis, &names.opcode_trait);
    let opcodes = model.opcodes.iter().enumerate().map(|(index, opcode)| {
        let (marker, index) = (marker(opcode), Literal::usize_unsuffixed(index));
        let doc = format!("Names the opcode `{}`; see [`{}`].", opcode.name, opcode.type_name);
        quote!(#[doc = #doc] #marker #index)
    });
    quote!(#CORE::__private::opcodes! { #vis #opcode_trait #(#opcodes)* })
}
