//! Emits the accessor traits, which mark the opcodes that have a field, and the accessor methods.
//!
//! Getters have the prefix `get_`, as in `get_ftz`, because the builder's method has the plain name:
//! `add.ftz(true)`.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::names::{GeneratedNames, getter, setter};
use crate::core_path::CORE;
use crate::model::names::{describe_field, kind_type};
use crate::model::{Model, ResolvedField, camel, derived};
use crate::plan::{Access, AccessorCondition, AccessorTrait};

/// Returns the trait's name: `HaluIsHArith` or `HaluHasRb`.
pub(crate) fn accessor_trait_name(model: &Model, accessor: &AccessorTrait<'_>) -> Ident {
    let set = &model.header.name;
    match accessor.condition {
        AccessorCondition::Is(node) => {
            let name = &model.nodes[node].name;
            derived(&format!("{set}Is{}", camel(&name.to_string())), name)
        }
        AccessorCondition::Has(field) | AccessorCondition::Differs(field) => {
            let text = camel(&field.text.replace('.', "_"));
            derived(&format!("{set}Has{text}"), field.name.last())
        }
    }
}

pub(super) fn emit_trait(
    model: &Model,
    names: &GeneratedNames,
    accessor: &AccessorTrait<'_>,
) -> TokenStream {
    let (vis, name, opcode_trait) =
        (&model.header.vis, accessor_trait_name(model, accessor), &names.opcode_trait);
    match accessor.condition {
        AccessorCondition::Is(node) => {
            let doc = format!("Opcodes that are a `{}`.", model.nodes[node].name);
            quote!(#[doc = #doc] #vis trait #name: #opcode_trait {})
        }
        AccessorCondition::Has(field) => {
            let doc = format!("Opcodes with a field `{}`.", field.text);
            quote!(#[doc = #doc] #vis trait #name: #opcode_trait {})
        }
        AccessorCondition::Differs(field) => {
            let doc = format!(
                "Opcodes with a field `{}` whose type or bits depend on the opcode.",
                field.text
            );
            quote! {
                #[doc = #doc]
                #vis trait #name: #opcode_trait {
                    /// The type of the field.
                    type Value: #CORE::operand::FieldValue;
                    /// The name, type and bits of the field.
                    const FIELD: &'static #CORE::table::Field;
                }
            }
        }
    }
}

/// Emits the implementation of an accessor trait for the type `opcode` with the generics
/// `generics`.
pub(crate) fn emit_impl(
    model: &Model,
    names: &GeneratedNames,
    (accessor, access): (&AccessorTrait<'_>, Access),
    (generics, opcode): (&TokenStream, &TokenStream),
) -> TokenStream {
    let (name, table) = (accessor_trait_name(model, accessor), &names.fields);
    let Access::Own(id) = access else { return quote!(impl #generics #name for #opcode {}) };
    let ty = kind_type(&model.field_types[model.fields[id].ty]);
    quote! {
        impl #generics #name for #opcode {
            type Value = #ty;
            const FIELD: &'static #CORE::table::Field = &#table[#id];
        }
    }
}

/// Emits the accessors of the fields of an accessor trait. An unknown field type was already reported as
/// an error; its accessors accept and return any type.
pub(super) fn emit_accessors(
    model: &Model,
    names: &GeneratedNames,
    accessor: &AccessorTrait<'_>,
) -> TokenStream {
    let (vis, name, instruction) =
        (&model.header.vis, accessor_trait_name(model, accessor), &names.instruction);
    let fields = accessor.fields.iter().map(|&id| (id, &model.fields[id]));
    let (known, unknown): (Vec<_>, Vec<_>) =
        fields.partition(|(_, field)| model.type_of(field).is_known());
    let unknown = unknown
        .iter()
        .map(|(_, field)| (setter(field), getter(field)))
        .map(|(set, get)| quote!(#CORE::__private::unknown! { #vis #instruction #name #set #get }));
    let known = known.iter().map(|&(id, field)| emit_accessor(model, names, accessor, (id, field)));
    let doc = format!(
        "Methods of the opcodes that implement [`{name}`]. Other opcodes do not have these methods, \
         although rustdoc lists them on the pages of all opcodes."
    );
    quote! {
        #CORE::__private::accessors! {
            #[cfg_attr(doc, doc = #doc)] #vis [<__O: #name>] [#instruction<__O>] #(#known)*
        }
        #(#unknown)*
    }
}

/// Emits the documentation, the names, the type and the position of a field's accessors.
fn emit_accessor(
    model: &Model,
    names: &GeneratedNames,
    accessor: &AccessorTrait<'_>,
    (id, field): (usize, &ResolvedField),
) -> TokenStream {
    let (set, get, kind, table) =
        (setter(field), getter(field), model.type_of(field), &names.fields);
    let (ty, place, text) = if matches!(accessor.condition, AccessorCondition::Differs(_)) {
        let text = format!("`{}`, whose type and bits depend on the opcode", field.text);
        (quote!(__O::Value), quote!(__O::FIELD), text)
    } else {
        let id = Literal::usize_unsuffixed(id);
        (kind_type(kind), quote!(&#table[#id]), describe_field(field, kind))
    };
    let (set_doc, get_doc) = (format!("Sets {text}."), format!("Gets {text}."));
    let own = &field.docs.attrs;
    let gap = (!own.is_empty()).then(|| quote!(#[doc = ""]));
    quote!(#own #gap #[doc = #set_doc] #set #[doc = #get_doc] #get [#ty] [#place])
}
