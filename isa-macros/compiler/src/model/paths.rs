//! Where generated code finds what belongs to kinds, formats and semantics.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::{Format, Kind, Shape};
use crate::core_path::CORE;
use crate::syntax::ast::Origin;

/// A name at the place where a kind is declared.
fn at_origin(origin: &Origin, name: &Ident) -> TokenStream {
    match origin {
        Some(module) => quote!(#module::#name),
        None => quote!(#name),
    }
}

/// Whether a path has generic arguments: `Signed<12>`.
pub(crate) fn has_arguments(path: &TokenStream) -> bool {
    path.clone().into_iter().any(|tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '<'))
}

/// The Rust type of a kind. Of a path that leads nowhere rustc speaks once, where it is imported
/// under the kind's name.
pub(crate) fn kind_type(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &kind.name)
}

/// The table entry of a kind.
pub(crate) fn kind_static(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &hidden_kind(&kind.name))
}

/// The text functions of an operand kind.
pub(crate) fn text_static(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &hidden_text(&kind.name))
}

/// The text functions of a format.
pub(crate) fn format_static(format: &Format) -> TokenStream {
    at_origin(&format.origin, &hidden_text(&format.name))
}

/// The name of the table entry, where the kind is declared.
pub(crate) fn hidden_kind(name: &Ident) -> Ident {
    format_ident!("__isa_kind_{name}")
}

/// The name of the text functions, where the kind is declared.
pub(crate) fn hidden_text(name: &Ident) -> Ident {
    format_ident!("__isa_text_{name}")
}

/// The text functions of an operand kind, for assertions. Those of `isa_core` have one path in
/// all sets.
pub(crate) fn kind_text(kind: &Kind) -> TokenStream {
    let path = match &kind.shape {
        Shape::Operand(path) => path.as_ref().and_then(in_core),
        _ => None,
    };
    match path {
        Some(path) => quote!(#CORE::operand::text_of::<#CORE #path>()),
        None => text_static(kind),
    }
}

/// The text functions of a format, for assertions.
pub(crate) fn format_text(format: &Format) -> TokenStream {
    match format.path.as_ref().and_then(in_core) {
        Some(path) => quote!(#CORE::operand::format_of::<#CORE #path>()),
        None => format_static(format),
    }
}

/// A path into `isa_core` without the name of that.
fn in_core(path: &TokenStream) -> Option<TokenStream> {
    let mut trees = path.clone().into_iter();
    let first = trees.next();
    let is_core = matches!(first, Some(TokenTree::Ident(first)) if first == "isa_core");
    is_core.then(|| trees.collect())
}
