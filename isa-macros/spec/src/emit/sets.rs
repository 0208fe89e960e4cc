//! Value sets as enums, and the table entries of all kinds.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::names::{escape, visibility};
use super::placed_at;
use crate::model::cube::Cube;
use crate::model::paths::{has_arguments, hidden_kind, hidden_text};
use crate::model::{Format, Kind, Model, Shape, Value};

/// The kinds and formats that this call declares.
pub(crate) fn emit_kinds(model: &Model) -> TokenStream {
    let own = model.kinds.iter().filter(|kind| kind.origin.is_none());
    let kinds = own.map(|kind| {
        let vis = visibility(&kind.vis, model);
        match &kind.shape {
            Shape::Set(_) => emit_value_set(kind, kind.values(), &vis),
            Shape::Operand(path) => emit_operand(kind, path.as_ref(), &vis),
            Shape::Unknown => TokenStream::new(),
        }
    });
    let formats = model.formats.iter().filter(|format| format.origin.is_none());
    let formats = formats.map(|format| emit_format(format, &visibility(&format.vis, model)));
    kinds.chain(formats).collect()
}

fn emit_value_set(kind: &Kind, values: &[Value], vis: &TokenStream) -> TokenStream {
    if values.is_empty() {
        return emit_empty_set(kind, vis);
    }
    let Kind { docs, name, width, .. } = kind;
    let attrs = &docs.attrs;
    let fallback = docs.attrs.is_empty().then(|| {
        let text = format!("The set of values `{name}`.");
        quote!(#[doc = #text])
    });
    let idents: Vec<_> = values.iter().map(|value| escape(&value.name)).collect();
    let raws: Vec<_> = values.iter().map(|value| Literal::u64_unsuffixed(value.raw)).collect();
    let docs = values.iter().map(|value| {
        let bits = format!("`{}`, the bits `{:#b}`.", value.name, value.raw);
        let attrs = &value.docs.attrs;
        if attrs.is_empty() {
            quote!(#[doc = #bits])
        } else {
            quote!(#attrs #[doc = ""] #[doc = #bits])
        }
    });
    let texts = values.iter().map(|value| value.name.to_string());
    let largest = values.iter().map(|value| value.raw).max().unwrap_or(0);
    let repr = u32::from(*width).max(64 - largest.leading_zeros()).next_power_of_two().max(8);
    let repr = format_ident!("u{repr}");
    let entry = hidden_kind(name);
    let table = emit_entry(kind, &emit_values(values), &quote!(::core::option::Option::None), vis);
    let (switch, head) = (emit_switch(kind, values), head(vis, name));
    let mut variants = Group::new(Delimiter::Brace, quote!(#(#docs #idents = #raws,)*));
    variants.set_span(name.span());
    quote! {
        #attrs #fallback
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(#repr)]
        #[allow(non_camel_case_types, clippy::enum_variant_names, clippy::upper_case_acronyms,
            reason = "the names are the specification's")]
        #[allow(dead_code, unreachable_pub, reason = "other sets may use it")]
        #head #name #variants

        #table

        #[automatically_derived]
        impl #name {
            /// All values, in the order of the specification.
            #vis const ALL: &'static [Self] = &[#(Self::#idents),*];
            /// The table entry of the set.
            #vis const KIND: &'static ::isa_core::table::Kind = &#entry;
            /// The value with these bits; `None` for bits that are reserved.
            #[must_use]
            #vis const fn from_bits(raw: u64) -> ::core::option::Option<Self> {
                match raw { #(#raws => ::core::option::Option::Some(Self::#idents),)* _ => ::core::option::Option::None }
            }
            /// The bits of the value.
            #[must_use]
            #vis const fn to_bits(self) -> u64 { self as u64 }
            /// The name, as assembly text has it.
            #[must_use]
            #vis const fn name(self) -> &'static str {
                match self { #(Self::#idents => #texts,)* }
            }
        }

        #[automatically_derived]
        impl ::isa_core::operand::FieldValue for #name {
            #[inline]
            fn from_raw(raw: u64) -> Self { Self::from_bits(raw).unwrap_or(Self::ALL[0]) }
            #[inline]
            fn to_raw(self) -> u64 { self.to_bits() }
        }

        #[automatically_derived]
        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }
        #switch
    }
}

/// `pub enum`. Where rustc shows the head of a set it shows the name, and not all of the call, if
/// the braces are placed there too.
fn head(vis: &TokenStream, name: &Ident) -> TokenStream {
    let word = quote_spanned!(name.span()=> enum);
    vis.clone().into_iter().map(|tree| placed_at(tree, name.span())).chain(word).collect()
}

/// A set without a value, which is a fault: an enum of no values with the same interface.
fn emit_empty_set(kind: &Kind, vis: &TokenStream) -> TokenStream {
    let Kind { docs, name, .. } = kind;
    let (attrs, entry) = (&docs.attrs, hidden_kind(name));
    let table = emit_entry(kind, &quote!(&[]), &quote!(::core::option::Option::None), vis);
    quote! {
        #attrs
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #vis enum #name {}

        #table

        #[automatically_derived]
        impl #name {
            /// Nothing.
            #vis const ALL: &'static [Self] = &[];
            /// The table entry of the set.
            #vis const KIND: &'static ::isa_core::table::Kind = &#entry;
            /// Nothing.
            #[must_use]
            #vis const fn from_bits(_raw: u64) -> ::core::option::Option<Self> { ::core::option::Option::None }
            /// Nothing.
            #[must_use]
            #vis const fn to_bits(self) -> u64 { 0 }
            /// Nothing.
            #[must_use]
            #vis const fn name(self) -> &'static str { "" }
        }

        #[automatically_derived]
        impl ::isa_core::operand::FieldValue for #name {
            fn from_raw(_raw: u64) -> Self { ::core::unreachable!() }
            fn to_raw(self) -> u64 { 0 }
        }
    }
}

/// A one-bit set of two values converts from and to `bool`.
fn emit_switch(kind: &Kind, values: &[Value]) -> TokenStream {
    let named = |raw: u64| values.iter().find(|v| v.raw == raw).map(|v| escape(&v.name));
    let (true, Some(off), Some(on)) = (kind.is_switch(), named(0), named(1)) else {
        return TokenStream::new();
    };
    let name = &kind.name;
    quote! {
        #[automatically_derived]
        impl ::core::convert::From<bool> for #name {
            fn from(on: bool) -> Self { if on { Self::#on } else { Self::#off } }
        }
        #[automatically_derived]
        impl ::core::convert::From<#name> for bool {
            fn from(value: #name) -> Self { ::core::matches!(value, #name::#on) }
        }
    }
}

fn emit_values(values: &[Value]) -> TokenStream {
    let rows = values.iter().map(|value| {
        let (name, raw) = (value.name.to_string(), value.raw);
        let doc = value.docs.text.trim();
        quote!(::isa_core::table::Value { name: #name, raw: #raw, doc: #doc })
    });
    quote!(&[#(#rows),*])
}

fn emit_operand(kind: &Kind, path: Option<&TokenStream>, vis: &TokenStream) -> TokenStream {
    let name = &kind.name;
    let import = path.map(|path| {
        let doc = kind.docs.attrs.clone();
        quote!(#doc #[allow(unused_imports, reason = "other sets may import the kind from here")] #vis use #path as #name;)
    });
    // An import cannot have generic arguments.
    let import = match path {
        Some(path) if has_arguments(path) => {
            let doc = &kind.docs.attrs;
            Some(
                quote!(#doc #[allow(dead_code, reason = "other sets may import the kind from here")] #vis type #name = #path;),
            )
        }
        _ => import,
    };
    let (text, width, shown) = (hidden_text(name), kind.width, name.to_string());
    let reserved = emit_cubes(&kind.reserved);
    let entry = emit_entry(kind, &quote!(&[]), &quote!(::core::option::Option::Some(&#text)), vis);
    let agrees = quote_spanned!(kind.width_span=>
        ::isa_core::operand::assert_agrees::<#name>(#shown, #width, #reserved));
    quote! {
        #import
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "the names are the specification's")]
        #vis static #text: ::isa_core::table::Text = ::isa_core::operand::text_of::<#name>();
        #entry
        const _: () = #agrees;
    }
}

fn emit_format(format: &Format, vis: &TokenStream) -> TokenStream {
    let (name, text) = (&format.name, hidden_text(&format.name));
    let path = format.path.clone().unwrap_or_else(|| quote!(#name));
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "the names are the specification's")]
        #vis static #text: ::isa_core::table::Text = ::isa_core::operand::format_of::<#path>();
    }
}

fn emit_entry(
    kind: &Kind,
    values: &TokenStream,
    text: &TokenStream,
    vis: &TokenStream,
) -> TokenStream {
    let (entry, name, width) = (hidden_kind(&kind.name), kind.name.to_string(), kind.width);
    let doc = kind.docs.text.trim();
    let reserved = emit_cubes(&kind.reserved);
    quote! {
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "the names are the specification's")]
        #vis static #entry: ::isa_core::table::Kind = ::isa_core::table::Kind {
            name: #name, doc: #doc, width: #width, values: #values, reserved: #reserved, text: #text,
        };
    }
}

/// Cubes as a slice.
pub(crate) fn emit_cubes(cubes: &[Cube]) -> TokenStream {
    let cubes = cubes.iter().map(emit_cube);
    quote!(&[#(#cubes),*])
}

/// One cube.
pub(crate) fn emit_cube(cube: &Cube) -> TokenStream {
    let (mask, value) = (hex(cube.mask), hex(cube.value));
    quote!(::isa_core::table::Cube::new(#mask, #value))
}

/// A word in hexadecimal.
pub(crate) fn hex(word: u128) -> Literal {
    format!("{word:#x}").parse().unwrap_or_else(|_| Literal::u128_unsuffixed(word))
}
