//! Emits value sets as enums, and the table entries of all operand types.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::literals::emit_cubes;
use super::names::{escape, visibility};
use super::placed_at;
use crate::core_path::{CORE, Core};
use crate::model::names::{has_arguments, hidden_kind, hidden_text};
use crate::model::{FieldType, FieldTypeKind, Model, NamedValue, OperandFormat};
use crate::syntax::ast::ValueName;

/// Emits the operand types and formats that this call declares.
pub(crate) fn emit_kinds(model: &Model) -> TokenStream {
    let own = model.field_types.iter().filter(|kind| kind.origin.is_this_call());
    let kinds = own.map(|kind| {
        let vis = visibility(&kind.vis, model);
        match &kind.shape {
            FieldTypeKind::Set(_) => emit_value_set(kind, kind.values(), &vis),
            FieldTypeKind::Operand(path) => emit_operand(kind, path.as_ref(), &vis),
            FieldTypeKind::Bits | FieldTypeKind::Unknown => TokenStream::new(),
        }
    });
    let formats = model.formats.iter().filter(|format| format.origin.is_this_call());
    let formats = formats.map(|format| emit_format(format, &visibility(&format.vis, model)));
    kinds.chain(formats).collect()
}

fn emit_value_set(kind: &FieldType, values: &[NamedValue], vis: &TokenStream) -> TokenStream {
    let FieldType { docs, name, width, reserved, .. } = kind;
    let attrs = &docs.attrs;
    let fallback = docs.attrs.is_empty().then(|| {
        let text = format!("The value set `{name}`.");
        quote!(#[doc = #text])
    });
    let idents: Vec<_> = values.iter().map(|value| escape(&value.name)).collect();
    let raws: Vec<_> = values.iter().map(|value| Literal::u64_unsuffixed(value.raw)).collect();
    let value_docs = values.iter().map(|value| {
        let also: String =
            value.also.iter().map(|other| format!(", also accepted as `{}`", other.text)).collect();
        let bits = format!("`{}`{also}, the bits `{:#b}`.", value.text, value.raw);
        let attrs = &value.docs.attrs;
        if attrs.is_empty() {
            quote!(#[doc = #bits])
        } else {
            quote!(#attrs #[doc = ""] #[doc = #bits])
        }
    });
    let rows = values.iter().zip(&idents).zip(&raws).map(|((value, ident), raw)| {
        let (text, doc) = (&value.text, value.docs.text.trim());
        let also = value.also.iter().map(|other| &other.text);
        let also = (!value.also.is_empty()).then(|| quote!([#(#also)*]));
        quote!(#ident #raw #text #doc #also)
    });
    let others = values.iter().zip(&idents).flat_map(|(value, ident)| {
        other_names(value).map(move |other| {
            let name = escape(&other.ident);
            quote!(#name #ident)
        })
    });
    let (entry, shown, doc) = (hidden_kind(name), name.to_string(), docs.text.trim());
    let (reserved, switch, head) =
        (emit_cubes(reserved), emit_switch(kind, values), head(vis, name));
    let repr = emit_repr(*width, values);
    let mut variants = Group::new(Delimiter::Brace, quote!(#(#value_docs #idents = #raws,)*));
    variants.set_span(name.span());
    quote! {
        #attrs #fallback
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #repr
        #[allow(non_camel_case_types, clippy::enum_variant_names, clippy::upper_case_acronyms,
            reason = "the names come from the specification")]
        #[allow(dead_code, unreachable_pub, reason = "other sets may use it")]
        #head #name #variants

        #CORE::__private::value_set! {
            #vis #name #entry #shown #doc #width [#reserved] { #(#rows)* } [#switch] #(#others)*
        }
    }
}

/// Returns the other names of a value that become constants. A name is left out if every set already
/// defines an item with this name.
pub(super) fn other_names(value: &NamedValue) -> impl Iterator<Item = &ValueName> {
    let taken = ["ALL", "KIND", "from_bits", "to_bits", "name"];
    value.also.iter().filter(move |other| !taken.iter().any(|taken| other.ident == taken))
}

/// Emits the integer type of the enum. Returns `None` for a set without values, which is an error.
fn emit_repr(width: u8, values: &[NamedValue]) -> Option<TokenStream> {
    let largest = values.iter().map(|value| value.raw).max()?;
    let bits = u32::from(width).max(64 - largest.leading_zeros()).next_power_of_two().max(8);
    let repr = format_ident!("u{bits}");
    Some(quote!(#[repr(#repr)]))
}

/// Emits `pub enum` with the span of the set's name. If the braces have the same span, rustc shows only
/// the name in messages about the enum, and not the whole call.
fn head(vis: &TokenStream, name: &Ident) -> TokenStream {
    let word = quote_spanned!(name.span()=> enum);
    vis.clone().into_iter().map(|tree| placed_at(tree, name.span())).chain(word).collect()
}

/// Returns the names of both values if the set has one bit and two values. Such a set converts from and
/// to `bool`.
fn emit_switch(kind: &FieldType, values: &[NamedValue]) -> Option<TokenStream> {
    let named = |raw: u64| values.iter().find(|v| v.raw == raw).map(|v| escape(&v.name));
    let (off, on) = (named(0)?, named(1)?);
    kind.is_switch().then(|| quote!(#off #on))
}

fn emit_operand(kind: &FieldType, path: Option<&TokenStream>, vis: &TokenStream) -> TokenStream {
    let name = &kind.name;
    let import = path.map(|path| {
        let doc = kind.docs.attrs.clone();
        quote!(#doc #[allow(unused_imports, reason = "other sets may import the operand type from here")] #vis use #path as #name;)
    });
    // An import cannot have generic arguments.
    let import = match path {
        Some(path) if has_arguments(path) => {
            let doc = &kind.docs.attrs;
            Some(
                quote!(#doc #[allow(dead_code, reason = "other sets may import the operand type from here")] #vis type #name = #path;),
            )
        }
        _ => import,
    };
    let (text, entry, width) = (hidden_text(name), hidden_kind(name), kind.width);
    let (shown, doc, reserved) =
        (name.to_string(), kind.docs.text.trim(), emit_cubes(&kind.reserved));
    let core = Core::at(kind.width_span);
    // An impossible width was already reported as an error, and no type can agree with it.
    let agrees = (!kind.broken).then(|| {
        let agrees = quote_spanned!(kind.width_span=>
            #core::operand::assert_agrees::<#name>(#shown, #width, #reserved));
        quote!(const _: () = #agrees;)
    });
    quote! {
        #import
        #CORE::__private::operand! {
            #vis #name #text #entry #shown #doc #width [#reserved]
        }
        #agrees
    }
}

fn emit_format(format: &OperandFormat, vis: &TokenStream) -> TokenStream {
    let (name, text) = (&format.name, hidden_text(&format.name));
    let path = format.path.clone().unwrap_or_else(|| quote!(#name));
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "the names come from the specification")]
        #vis static #text: #CORE::table::Text = #CORE::operand::format_of::<#path>();
    }
}
