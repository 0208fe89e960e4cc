//! Emits the properties of opcodes: their tables, and their typed accessors on the set's enum.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::names::GeneratedNames;
use crate::core_path::CORE;
use crate::model::names::kind_static;
use crate::model::{Model, Opcode, PropertyType, ResolvedProperty, derived};
use crate::plan::PropertyValues;
use crate::syntax::ast::CommonMember;

/// Emits the declarations of properties and the lists of their values, or nothing if the call has no
/// properties.
pub(super) fn emit_properties(
    model: &Model,
    names: &GeneratedNames,
    values: &PropertyValues,
) -> TokenStream {
    if model.properties.is_empty() {
        return TokenStream::new();
    }
    let (table, value_table) = (&names.properties, &names.property_values);
    let (count, lists) = (model.properties.len(), values.lists.len());
    let properties = model.properties.iter().map(|ResolvedProperty { decl, ty }| {
        let (name, doc) = (decl.name.to_string(), decl.docs.text.trim());
        let ty = match *ty {
            PropertyType::Bool => quote!(Bool),
            PropertyType::Unsigned(bits) => quote!(Unsigned(#bits)),
            PropertyType::Signed(bits) => quote!(Signed(#bits)),
            PropertyType::Set(set) => {
                let kind = kind_static(&model.field_types[set]);
                quote!(Named(&#kind))
            }
        };
        quote!(#CORE::table::Property {
            name: #name, doc: #CORE::table::described_doc(#doc), ty: #CORE::table::PropertyType::#ty,
        })
    });
    let rows = values.lists.iter().map(|list| {
        let list = list.iter().map(|&value| Literal::i64_unsuffixed(value));
        quote!(#CORE::table::PropertyList::new(&#table, &[#(#list),*]))
    });
    quote! {
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #table: [#CORE::table::Property; #count] = [#(#properties),*];
        #[allow(non_upper_case_globals, reason = "named after the set")]
        static #value_table: [#CORE::table::PropertyList; #lists] = [#(#rows),*];
    }
}

/// Adds the properties of `opcodes` to the expression `rows`, which contains their rows in this order.
pub(super) fn add_properties<'m>(
    rows: TokenStream,
    names: &GeneratedNames,
    values: &PropertyValues,
    opcodes: impl Iterator<Item = &'m Opcode>,
) -> TokenStream {
    if values.lists.is_empty() {
        return rows;
    }
    let value_table = &names.property_values;
    let own = opcodes.map(|opcode| Literal::usize_unsuffixed(values.index_of(opcode)));
    quote!(#CORE::table::with_properties(#rows, &#value_table, [#(#own),*]))
}

/// Emits the typed accessors of properties, for the macro `accessors!`.
pub(super) fn emit_accessors(properties: &[CommonMember], set: &Ident) -> TokenStream {
    let accessors = properties.iter().map(|CommonMember { name, index, text, ty }| {
        let doc = format!("Returns the property `{name}` of the instruction's opcode.");
        let method = super::names::escape(&derived(name, set));
        let index = Literal::usize_unsuffixed(*index);
        let ty = if ty.is_empty() {
            let primitive = derived(text, set);
            quote!(::core::primitive::#primitive)
        } else {
            ty.clone()
        };
        quote!(#[doc = #doc] #method #name #index [#ty])
    });
    accessors.collect()
}
