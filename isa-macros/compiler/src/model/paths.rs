//! The paths of field types, formats and their data in generated code.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::{Format, Kind, Shape};
use crate::core_path::CORE;
use crate::syntax::ast::Origin;

/// Returns the path of a name in the module that declares it.
fn at_origin(origin: &Origin, name: &Ident) -> TokenStream {
    match origin {
        Some(module) => quote!(#module::#name),
        None => quote!(#name),
    }
}

/// Returns whether a path has generic arguments: `Signed<12>`.
pub(crate) fn has_arguments(path: &TokenStream) -> bool {
    path.clone().into_iter().any(|tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '<'))
}

/// Returns the path of the Rust type of a field type. It is the name under which the type is
/// imported, so rustc reports an invalid path only once, at the import.
pub(crate) fn kind_type(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &kind.name)
}

/// Returns the path of the table entry of a field type.
pub(crate) fn kind_static(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &hidden_kind(&kind.name))
}

/// Returns the path of the text functions of an operand type.
pub(crate) fn text_static(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &hidden_text(&kind.name))
}

/// Returns the path of the text functions of a format.
pub(crate) fn format_static(format: &Format) -> TokenStream {
    at_origin(&format.origin, &hidden_text(&format.name))
}

/// Returns the name of the table entry in the module of the field type.
pub(crate) fn hidden_kind(name: &Ident) -> Ident {
    format_ident!("__isa_kind_{name}")
}

/// Returns the name of the text functions in the module of the operand type or format.
pub(crate) fn hidden_text(name: &Ident) -> Ident {
    format_ident!("__isa_text_{name}")
}

/// Returns the text functions of an operand type, for assertions. Types from `isa_core` have the
/// same path in all sets.
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

/// Returns the text functions of a format, for assertions.
pub(crate) fn format_text(format: &Format) -> TokenStream {
    match format.path.as_ref().and_then(in_core) {
        Some(path) => quote!(#CORE::operand::format_of::<#CORE #path>()),
        None => format_static(format),
    }
}

/// Returns the rest of a path into `isa_core`, without the name of that crate.
fn in_core(path: &TokenStream) -> Option<TokenStream> {
    let mut trees = path.clone().into_iter();
    let first = trees.next();
    let is_core = matches!(first, Some(TokenTree::Ident(first)) if first == "isa_core");
    is_core.then(|| trees.collect())
}
