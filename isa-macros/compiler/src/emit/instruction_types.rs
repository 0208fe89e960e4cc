//! Emits the types of a call's instructions: their generic struct with its typed accessors, and for
//! each opcode the name of its type, its `new`, and its accessor traits.
//!
//! A call has one generic struct, and each field has its accessors once, regardless of the number of
//! opcodes with the field. Traits determine which accessors an opcode has:
//!
//! ```text
//! pub struct HaluInstruction<O>(u128, PhantomData<fn() -> O>);
//! impl<O: HaluIsHArith> HaluInstruction<O> { pub fn ftz(self, ..) -> Self; .. }  // one group's
//! impl<O: HaluHasRb> HaluInstruction<O> { pub fn rb(self, ..) -> Self; .. }      // differs
//! ```

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

use super::accessor_traits::{emit_accessors, emit_impl, emit_trait};
use super::docs::{Docs, OpcodeDoc, method_group_doc};
use super::exec::{errors_doc, machine_trait};
use super::names::{GeneratedNames, marker, set_bits, setter, word_type};
use crate::core_path::CORE;
use crate::model::names::kind_type;
use crate::model::{Model, derived};
use crate::plan::{Guards, MethodGroup, Plan};

/// Emits the types of all opcodes of the call.
pub(crate) fn emit_instructions(plan: &Plan<'_>, names: &GeneratedNames) -> TokenStream {
    let Plan { model, method_groups, .. } = plan;
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let (markers, pages) = (emit_markers(model, names), emit_pages(model, names));
    let method_groups = method_groups.iter().map(|group| emit_method_group(plan, names, group));
    method_groups.chain([pages, markers]).collect()
}

/// Emits the type and the methods that opcodes of one method group share, or the methods of a single
/// opcode.
fn emit_method_group(
    Plan { model, accessor_traits, .. }: &Plan<'_>,
    names: &GeneratedNames,
    group: &MethodGroup,
) -> TokenStream {
    let GeneratedNames { opcode_trait, .. } = names;
    let (vis, opcode) = (&model.header.vis, &model.opcodes[group.members[0]]);
    let (generics, ty) = match &group.name {
        Some(name) => (quote!(<__O: #opcode_trait>), quote!(#name<__O>)),
        None => (TokenStream::new(), names.opcode_type(opcode).clone()),
    };
    let shared = group.name.as_ref().map(|name| {
        let doc = method_group_doc(model, group);
        quote! {
            #[doc = #doc]
            #[allow(dead_code, reason = "a private set may be used only in part")]
            #vis struct #name<O>(::core::marker::PhantomData<O>);
            impl #generics #opcode_trait for #ty {
                const INDEX: usize = __O::INDEX;
            }
        }
    });
    let accessor_traits = group.accessor_traits.iter().map(|&(accessor, access)| {
        emit_impl(model, names, (&accessor_traits[accessor], access), (&generics, &ty))
    });
    let new = emit_new(model, names, group);
    quote!(#shared #(#accessor_traits)* #new)
}

/// Emits `new`, with a parameter for each field without a default, in the order of the text. For an
/// editor, each opcode has its own `new`, so that the editor can jump to the declaration of the opcode.
fn emit_new(model: &Model, names: &GeneratedNames, group: &MethodGroup) -> TokenStream {
    let GeneratedNames { instruction, opcode_trait, fields, .. } = names;
    let vis = &model.header.vis;
    let params = group.required.iter().map(|&id| {
        let (mut param, kind) =
            (setter(&model.fields[id]), &model.field_types[model.fields[id].ty]);
        param.set_span(Span::call_site());
        let (ty, id) = (kind_type(kind), Literal::usize_unsuffixed(id));
        if kind.is_known() { quote!(#param [#ty] #id) } else { quote!(#param ? Sized) }
    });
    let doc = match &group.required[..] {
        [] => "The instruction, every field at its default.",
        _ => "The instruction with these operands, every other field at its default.",
    };
    let members = group.members.iter().map(|&index| {
        let opcode = &model.opcodes[index];
        let (new, ty) = (derived("new", &opcode.name), names.opcode_type(opcode));
        quote!([] #new [#ty])
    });
    let head = quote!(#vis #instruction #fields #doc (#(#params),*));
    let own = quote!(#CORE::__private::new! { #head #(#members)* });
    let Some(group) = &group.name else { return own };
    quote! {
        #[allow(unexpected_cfgs, reason = "only editors set it")]
        const _: () = {
            // An editor resolves names in a disabled macro call, but not in a disabled constant.
            #[cfg(not(rust_analyzer))]
            const _: () = {
                #CORE::__private::new! { #head [<__O: #opcode_trait>] new [#group<__O>] }
            };
            #[cfg(rust_analyzer)]
            #own
        };
    }
}

/// Emits the documentation page of each opcode, at the name of its type. Long parts, and parts that
/// need a browser, are only for rustdoc: rustc drops them unparsed, and an editor shows one line
/// instead.
fn emit_pages(model: &Model, names: &GeneratedNames) -> TokenStream {
    let (vis, instruction, docs) = (&model.header.vis, &names.instruction, Docs::new(model, names));
    let pages = model.opcodes.iter().map(|opcode| {
        let (attrs, ty) = (&model.nodes[opcode.node].docs.attrs, &opcode.type_name);
        let (own, OpcodeDoc { text, line, page }) =
            (names.opcode_type(opcode), docs.opcode(opcode));
        quote!(#attrs #text #line #page #ty [#own])
    });
    quote!(#CORE::__private::pages! { #vis #instruction #(#pages)* })
}

/// Emits the types that name opcodes.
fn emit_markers(model: &Model, names: &GeneratedNames) -> TokenStream {
    let (vis, opcode_trait) = (&model.header.vis, &names.opcode_trait);
    let opcodes = model.opcodes.iter().enumerate().map(|(index, opcode)| {
        let (marker, index) = (marker(opcode), Literal::usize_unsuffixed(index));
        let doc = format!("Names the opcode `{}`; see [`{}`].", opcode.name, opcode.type_name);
        quote!(#[doc = #doc] #marker #index)
    });
    quote!(#CORE::__private::opcodes! { #vis #opcode_trait #(#opcodes)* })
}

/// Emits the struct, the traits and the accessors, or nothing if the call has no opcodes.
pub(crate) fn emit_family(
    plan @ Plan { model, accessor_traits, .. }: &Plan<'_>,
    names: &GeneratedNames,
) -> TokenStream {
    if model.opcodes.is_empty() {
        return TokenStream::new();
    }
    let base = emit_base(plan, names);
    let gate_traits = accessor_traits.iter().map(|accessor| emit_trait(model, names, accessor));
    let accessors = accessor_traits.iter().map(|accessor| emit_accessors(model, names, accessor));
    quote!(#base #(#gate_traits)* #(#accessors)*)
}

/// Emits the items that all instructions of the call share.
fn emit_base(Plan { model, semantics, .. }: &Plan<'_>, names: &GeneratedNames) -> TokenStream {
    let GeneratedNames { opcodes, instruction, opcode_trait, execute_trait, .. } = names;
    let (vis, set, word) = (&model.header.vis, &model.header.name, word_type(set_bits(model)));
    let (machine, trap, errors) = (machine_trait(model), &model.trap, errors_doc(model));
    let lanes = trap.is_none().then(|| quote!(__N: #machine));
    let types = model.opcodes.iter().map(|opcode| opcode.type_name.to_string());
    let doc = format!("An instruction of [`{set}`] with the opcode `O`, stored as its word.");
    let opcode_doc = format!("An opcode of [`{set}`].");
    let Guards { groups, unread } = &semantics.guards;
    let guarded = (!groups.is_empty()).then_some(&names.guarded);
    let unread = unread.iter().copied().map(Literal::usize_unsuffixed);
    quote! {
        #CORE::__private::family! {
            #vis #set #word #opcodes [#(#types)*]
            #[doc = #doc] #instruction #[doc = #opcode_doc] #opcode_trait
            [#machine] [#guarded] [#(#unread)*]
        }
        #CORE::__private::execute! {
            #vis #instruction #opcode_trait #execute_trait [#machine]
            [#trap] [#errors] [#lanes]
        }
    }
}
