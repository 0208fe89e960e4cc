//! The traits that say which opcodes have a field, and the accessors behind them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::names::{Names, describe_field, getter, setter};
use crate::model::paths::kind_type;
use crate::model::{Model, camel, derived};
use crate::plan::{Condition, Gate, Pass};

/// The trait's name: `HaluIsHArith` or `HaluHasRb`.
pub(crate) fn gate_name(model: &Model, gate: &Gate<'_>) -> Ident {
    let set = &model.header.name;
    match gate.condition {
        Condition::Is(node) => {
            let name = &model.nodes[node].name;
            derived(&format!("{set}Is{}", camel(&name.to_string())), name)
        }
        Condition::Has(field) | Condition::Differs(field) => {
            let text = camel(&field.text.replace('.', "_"));
            derived(&format!("{set}Has{text}"), field.name.last())
        }
    }
}

pub(super) fn emit_trait(model: &Model, names: &Names, gate: &Gate<'_>) -> TokenStream {
    let (vis, name, opcode_trait) =
        (&model.header.vis, gate_name(model, gate), &names.opcode_trait);
    match gate.condition {
        Condition::Is(node) => {
            let doc = format!("Opcodes that are a `{}`.", model.nodes[node].name);
            quote!(#[doc = #doc] #vis trait #name: #opcode_trait {})
        }
        Condition::Has(field) => {
            let doc = format!("Opcodes with a field `{}`.", field.text);
            quote!(#[doc = #doc] #vis trait #name: #opcode_trait {})
        }
        Condition::Differs(field) => {
            let doc = format!("Opcodes with a field `{}`, each with its own.", field.text);
            quote! {
                #[doc = #doc]
                #vis trait #name: #opcode_trait {
                    /// The type of the field.
                    type Value: ::isa_core::operand::FieldValue;
                    /// The place of the field.
                    const FIELD: &'static ::isa_core::table::Field;
                }
            }
        }
    }
}

/// What says that the opcodes of a type with these generics are behind a gate.
pub(crate) fn emit_impl(
    model: &Model,
    names: &Names,
    (gate, pass): (&Gate<'_>, Pass),
    (generics, opcode): (&TokenStream, &TokenStream),
) -> TokenStream {
    let (name, table) = (gate_name(model, gate), &names.fields);
    let Pass::Own(id) = pass else { return quote!(impl #generics #name for #opcode {}) };
    let ty = kind_type(&model.kinds[model.fields[id].kind]);
    quote! {
        impl #generics #name for #opcode {
            type Value = #ty;
            const FIELD: &'static ::isa_core::table::Field = &#table[#id];
        }
    }
}

pub(super) fn emit_accessors(model: &Model, names: &Names, gate: &Gate<'_>) -> TokenStream {
    let (name, instruction) = (gate_name(model, gate), &names.instruction);
    let differs = matches!(gate.condition, Condition::Differs(_));
    let accessors = gate.fields.iter().map(|&id| {
        let (vis, field) = (&model.header.vis, &model.fields[id]);
        let (set, get, kind) = (setter(field), getter(field), &model.kinds[field.kind]);
        if !kind.is_known() {
            return emit_unknown(vis, &set, &get);
        }
        let table = &names.fields;
        let (ty, place, text) = if differs {
            let text = format!("`{}`, whose type and place depend on the opcode", field.text);
            (quote!(__O::Value), quote!(__O::FIELD), text)
        } else {
            (kind_type(kind), quote!(&#table[#id]), describe_field(field, kind))
        };
        let (set_doc, get_doc) = (format!("Sets {text}."), format!("Gets {text}."));
        let own = &field.docs.attrs;
        let gap = (!own.is_empty()).then(|| quote!(#[doc = ""]));
        quote! {
            #own #gap
            #[doc = #set_doc]
            #[must_use]
            #[inline]
            #vis fn #set(self, value: impl ::core::convert::Into<#ty>) -> Self {
                self.__with(#place, value.into())
            }
            #[doc = #get_doc]
            #[must_use]
            #[inline]
            #vis fn #get(self) -> #ty { ::isa_core::value_of(#place, self.0 as u128) }
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(dead_code, clippy::should_implement_trait,
            reason = "a private set need not be used whole; fields may be called `not`")]
        impl<__O: #name> #instruction<__O> { #(#accessors)* }
    }
}

/// The accessors of a field of an unknown type, which take and give whatever is asked for.
fn emit_unknown(vis: &TokenStream, set: &Ident, get: &Ident) -> TokenStream {
    quote! {
        /// Nothing yet: the type of the field is not known.
        #[must_use]
        #vis fn #set(self, _value: impl ::core::marker::Sized) -> Self { ::core::unreachable!() }
        /// Nothing yet: the type of the field is not known.
        #[must_use]
        #vis fn #get<T>(self) -> T { ::core::unreachable!() }
    }
}
