//! Names and places of tokens: names that no specification has, and tokens shown elsewhere.

use proc_macro2::{Ident, Span, TokenTree};

/// The word that is executed, in the generated functions. No name of a specification is this one,
/// not even one of the same spelling.
pub(super) fn word() -> Ident {
    Ident::new("word", Span::mixed_site())
}

/// The machine that a word is executed on, as a name that no specification has.
pub(super) fn machine() -> Ident {
    Ident::new("machine", Span::mixed_site())
}

/// The token, with a meaning as it has, shown in messages as being at `place`.
pub(super) fn placed_at(mut tree: TokenTree, place: Span) -> TokenTree {
    tree.set_span(tree.span().located_at(place));
    tree
}
