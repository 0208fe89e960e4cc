//! What each opcode adds: the name of its type, its `new`, its place behind the gates.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::docs;
use super::family::Gate;
use super::names::{Names, kind_type, marker, setter};
use super::shape::{Shape, required};
use crate::model::{Field, Model, Opcode, derived};

/// The types of all opcodes of the call.
pub(crate) fn emit_instructions(
    model: &Model,
    names: &Names,
    gates: &[Gate<'_>],
    shapes: &[Shape],
) -> TokenStream {
    let mut opcodes: Vec<TokenStream> = vec![TokenStream::new(); model.opcodes.len()];
    for shape in shapes {
        for &index in &shape.members {
            opcodes[index] = emit_opcode(model, names, index, shape);
        }
    }
    let shapes = shapes.iter().map(|shape| emit_shape(model, names, gates, shape));
    shapes.chain(opcodes).collect()
}

/// What opcodes of one shape have alike; for one opcode alone, what it has.
fn emit_shape(model: &Model, names: &Names, gates: &[Gate<'_>], shape: &Shape) -> TokenStream {
    let Names { instruction, opcode_trait, .. } = names;
    let (vis, first) = (&model.header.vis, shape.members[0]);
    let opcode = &model.opcodes[first];
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
    let gates =
        gates.iter().filter_map(|gate| gate.emit_impl(model, names, first, (&generics, &ty)));
    let new = emit_new(model, names, opcode, shape);
    quote! {
        #shared
        #(#gates)*
        #[automatically_derived]
        #[allow(dead_code, reason = "a private set need not be used whole")]
        impl #generics #instruction<#ty> { #new }
    }
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

/// `new`, with a parameter for each field that has no default, in the order of the text.
fn emit_new(model: &Model, names: &Names, opcode: &Opcode, shape: &Shape) -> TokenStream {
    let (vis, table) = (&model.header.vis, &names.fields);
    let required = required(model, opcode);
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
    // In an editor it is the opcode's, where it is one opcode's alone.
    let new = match shape.name {
        Some(_) => Ident::new("new", Span::call_site()),
        None => derived("new", &opcode.name),
    };
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
