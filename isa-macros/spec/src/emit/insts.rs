//! What each opcode adds: the name of its type, its `new`, its place behind the gates.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::docs;
use super::gates::emit_impl;
use super::names::{Names, marker, setter};
use crate::model::paths::kind_type;
use crate::model::{Model, Opcode, derived};
use crate::plan::{Plan, Shape};

/// The types of all opcodes of the call.
pub(crate) fn emit_instructions(plan: &Plan<'_>, names: &Names) -> TokenStream {
    let Plan { model, shapes, .. } = plan;
    let mut opcodes: Vec<TokenStream> = vec![TokenStream::new(); model.opcodes.len()];
    for shape in shapes {
        for &index in &shape.members {
            opcodes[index] = emit_opcode(model, names, index, shape);
        }
    }
    let for_editors = emit_news(model, names, shapes);
    let shapes = shapes.iter().map(|shape| emit_shape(plan, names, shape));
    shapes.chain(opcodes).chain([for_editors]).collect()
}

/// In an editor each opcode has a `new` of its own, which leads to where the opcode is declared.
fn emit_news(model: &Model, names: &Names, shapes: &[Shape]) -> TokenStream {
    let (vis, instruction) = (&model.header.vis, &names.instruction);
    let shared = shapes.iter().filter(|shape| shape.name.is_some());
    let members = shared.flat_map(|shape| shape.members.iter().map(move |&index| (shape, index)));
    let opcodes = members.map(|(shape, index)| {
        let opcode = &model.opcodes[index];
        let (ty, new) = (names.opcode_type(opcode), derived("new", &opcode.name));
        let (params, types) = params(model, shape);
        quote!([#vis] #instruction<#ty>: #new(#(#params: #types),*);)
    });
    let opcodes: Vec<TokenStream> = opcodes.collect();
    if opcodes.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[allow(unexpected_cfgs, reason = "an editor sets it")]
        const _: () = {
            #[cfg(rust_analyzer)]
            ::isa_core::__news! { #(#opcodes)* }
        };
    }
}

/// What opcodes of one shape have alike; for one opcode alone, what it has.
fn emit_shape(Plan { model, gates, .. }: &Plan<'_>, names: &Names, shape: &Shape) -> TokenStream {
    let Names { instruction, opcode_trait, .. } = names;
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
    let new = emit_new(model, names, opcode, shape);
    let new = quote! {
        #[automatically_derived]
        #[allow(dead_code, reason = "a private set need not be used whole")]
        impl #generics #instruction<#ty> { #new }
    };
    let new = match shape.name {
        Some(_) => quote! {
            #[allow(unexpected_cfgs, reason = "an editor sets it")]
            const _: () = {
                #[cfg(not(rust_analyzer))]
                #new
            };
        },
        None => new,
    };
    quote!(#shared #(#gates)* #new)
}

/// The names of an opcode.
fn emit_opcode(model: &Model, names: &Names, index: usize, shape: &Shape) -> TokenStream {
    let Names { instruction, opcode_trait, .. } = names;
    let opcode = &model.opcodes[index];
    let (ty, vis, marker) = (&opcode.type_name, &model.header.vis, marker(opcode));
    let (doc, own) = (docs::opcode_doc(model, names, opcode, shape), names.opcode_type(opcode));
    let attrs = &model.nodes[opcode.node].docs.attrs;
    let marker_doc = format!("Names the opcode `{}`; see [`{ty}`].", opcode.name);
    let index = Literal::usize_unsuffixed(index);
    quote! {
        #attrs
        #[doc = #doc]
        #vis type #ty = #instruction<#own>;
        #[doc = #marker_doc]
        #vis enum #marker {}
        impl #opcode_trait for #marker {
            const INDEX: usize = #index;
        }
    }
}

/// The parameters of `new` with their types.
fn params(model: &Model, shape: &Shape) -> (Vec<Ident>, Vec<TokenStream>) {
    let param = |&id: &usize| {
        let field = &model.fields[id];
        let mut name = setter(field);
        name.set_span(Span::call_site());
        let kind = &model.kinds[field.kind];
        let ty = kind_type(kind);
        match kind.is_known() {
            true => (name, quote!(impl ::core::convert::Into<#ty>)),
            false => (name, quote!(impl ::core::marker::Sized)),
        }
    };
    shape.required.iter().map(param).unzip()
}

/// `new`, with a parameter for each field that has no default, in the order of the text.
fn emit_new(model: &Model, names: &Names, opcode: &Opcode, shape: &Shape) -> TokenStream {
    let (vis, table) = (&model.header.vis, &names.fields);
    let (params, types) = params(model, shape);
    let values = shape.required.iter().zip(&params).map(|(id, param)| {
        let kind = &model.kinds[model.fields[*id].kind];
        let ty = kind_type(kind);
        kind.is_known().then(|| quote!(.__with::<#ty>(&#table[#id], #param.into())))
    });
    // In an editor it is the opcode's, where it is one opcode's alone.
    let new = match shape.name {
        Some(_) => Ident::new("new", Span::call_site()),
        None => derived("new", &opcode.name),
    };
    let doc = match &shape.required[..] {
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
