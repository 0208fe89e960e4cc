//! Names that a body of Rust and the code around it must share.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// The name of a variable such that `body` sees it. A body that another call declares has come
/// through a macro, and a name in it means a variable only if that went the same way.
pub(super) fn local(name: &Ident, body: &TokenStream) -> Ident {
    let mut name = name.clone();
    if let Some(used) = find(body.clone(), &name.to_string()) {
        name.set_span(name.span().resolved_at(used));
    }
    name
}

/// The place at which a name first occurs in the tokens.
pub(super) fn find(tokens: TokenStream, name: &str) -> Option<Span> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) => (ident == name).then(|| ident.span()),
        TokenTree::Group(group) => find(group.stream(), name),
        _ => None,
    })
}
