//! Creates names that cannot conflict with names of a specification, and tokens that messages show at
//! another span.

use proc_macro2::{Ident, Span, TokenTree};

/// Returns the name of the executed word in the generated functions. Its hygiene makes it different from
/// every name of a specification, even with the same spelling.
pub(super) fn word() -> Ident {
    Ident::new("word", Span::mixed_site())
}

/// Returns the name of the machine that executes a word. It cannot conflict with a name of a
/// specification.
pub(super) fn machine() -> Ident {
    Ident::new("machine", Span::mixed_site())
}

/// Returns the token with unchanged hygiene, reported at `place` in messages.
pub(super) fn placed_at(mut tree: TokenTree, place: Span) -> TokenTree {
    tree.set_span(tree.span().located_at(place));
    tree
}
