//! Emits the enum of all instructions of the set.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::effects::{errors_doc, outcome, success};
use super::exec::machine_trait;
use super::names::{Names, set_bits, word_type};
use super::tables::emit_option;
use crate::core_path::CORE;
use crate::model::Model;
use crate::plan::{Example, Member, Plan, Set};

/// Emits the enum with its methods, and the test of its examples, or nothing if the set has no opcodes.
pub(crate) fn emit_set(Plan { model, set, .. }: &Plan<'_>, names: &Names) -> TokenStream {
    if set.members.is_empty() {
        return TokenStream::new();
    }
    let (types, methods) = (emit_enum(model, &set.members), emit_methods(model, names, set));
    let execute = emit_execute(model, &set.members);
    let examples = emit_examples(model, &set.examples);
    quote!(#types #methods #execute #examples)
}

fn emit_enum(model: &Model, members: &[Member<'_>]) -> TokenStream {
    let (name, vis, attrs) = (&model.header.name, &model.header.vis, &model.header.docs.attrs);
    let fallback = attrs.is_empty().then(|| {
        let text = format!("An instruction of the set `{name}`.");
        quote!(#[doc = #text])
    });
    let variants = members.iter().map(|member| &member.variant);
    let paths = members.iter().map(|member| &member.path);
    let docs = members.iter().map(|m| {
        let path = m.path.to_string().replace(' ', "");
        match m.mnemonic {
            "" => format!("The opcode [`{path}`]."),
            mnemonic => format!("`{mnemonic}`, the opcode [`{path}`]."),
        }
    });
    quote! {
        #attrs #fallback
        #[derive(Copy)]
        #[allow(clippy::enum_variant_names, reason = "named after the opcodes")]
        #vis enum #name { #(#[doc = #docs] #variants(#paths),)* }
    }
}

/// Emits the methods of the enum that depend on the names of its variants.
fn emit_methods(
    model: &Model,
    names: &Names,
    Set { members, families, .. }: &Set<'_>,
) -> TokenStream {
    let (name, vis, table) = (&model.header.name, &model.header.vis, &names.set);
    let word = word_type(set_bits(model));
    let variants = members.iter().enumerate().map(|(index, Member { variant, path, .. })| {
        let index = Literal::usize_unsuffixed(index);
        quote!(#index #variant [#path])
    });
    let included = families.iter().map(|(first, [instruction, opcode])| {
        let first = Literal::usize_unsuffixed(*first);
        quote!(#first [#instruction] [#opcode])
    });
    let own = (!model.opcodes.is_empty()).then(|| {
        let first = Literal::usize_unsuffixed(model.included.len());
        let Names { instruction, opcode_trait, .. } = names;
        quote!(#first [#instruction] [#opcode_trait])
    });
    quote! {
        #CORE::__private::set! {
            #vis #name #word #table { #(#variants)* } { #(#included)* #own }
        }
    }
}

/// Emits `execute` of the set, if all its opcodes have semantics.
fn emit_execute(model: &Model, members: &[Member<'_>]) -> TokenStream {
    if !members.iter().all(|member| member.executes) {
        return TokenStream::new();
    }
    let (name, vis, bound) = (&model.header.name, &model.header.vis, machine_trait(model));
    let variants: Vec<_> = members.iter().map(|member| &member.variant).collect();
    let calls = members.iter().map(|member| {
        let place = member.at;
        match (member.traps, &model.trap) {
            (true, Some(_)) => quote_spanned!(place=> i.execute(machine)?),
            // This was already reported as an error.
            (true, None) => quote_spanned!(place=> { let _ = i.execute(machine); }),
            (false, _) => quote_spanned!(place=> i.execute(machine)),
        }
    });
    let warp_calls =
        members.iter().map(|member| quote_spanned!(member.at=> i.execute_warp(machine)));
    let (outcome, success, errors) = (outcome(model), success(model), errors_doc(model));
    let traps = model.trap.is_some() || members.iter().any(|member| member.traps);
    let warp = (!traps).then(|| {
        quote! {
            /// Executes the instruction on all active lanes of a warp for which its guard is true.
            #vis fn execute_warp<const __N: usize>(
                self, machine: &mut #CORE::machine::Warp<'_, __N>,
            ) where for<'w> #CORE::machine::Lane<'w, __N>: #bound {
                match self { #(Self::#variants(i) => #warp_calls,)* }
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #name {
            /// Executes the instruction on a machine: fetches its input operands, computes the
            /// results, and stores them. If the guard of the instruction is false, nothing happens.
            #errors
            #vis fn execute<__M: #bound + ?::core::marker::Sized>(
                self, machine: &mut __M,
            ) #outcome {
                match self { #(Self::#variants(i) => #calls,)* }
                #success
            }

            #warp
        }
    }
}

/// Emits a test for the examples: each must assemble to an opcode that inherits from the node of the
/// example, and must be printed as the same text, or as its canonical text if it declares one.
fn emit_examples(model: &Model, examples: &[Example<'_>]) -> TokenStream {
    if examples.is_empty() {
        return TokenStream::new();
    }
    let set = &model.header.name;
    let rows = examples.iter().map(|Example { text, canonical, members }| {
        let canonical = emit_option(canonical.map(|text| quote!(#text)));
        quote!((#text, #canonical, &[#(#members),*]))
    });
    let name = format_ident!("__{set}_examples");
    quote!(#CORE::__private::examples! { #name #set [#(#rows),*] })
}
