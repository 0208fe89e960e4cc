//! Examines the tokens of semantic functions.
//!
//! A semantic function is passed on as raw tokens, so that editors complete names in it and the errors
//! of rustc point into it. If the function comes from another call, its tokens have the hygiene of the
//! other call's macro, so each variable gets the hygiene of its first use in the function. The tokens
//! also show whether a function can trap: it contains `?`, or `return` with a value.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt;

/// Returns the span at which a name first occurs in the tokens.
pub(crate) fn find(tokens: TokenStream, name: &str) -> Option<Span> {
    tokens.into_iter().find_map(|tree| match tree {
        TokenTree::Ident(ident) => (ident.unraw() == name).then(|| ident.span()),
        TokenTree::Group(group) => find(group.stream(), name),
        _ => None,
    })
}

/// Returns the span of a name with the hygiene of its first use in `body`, or `None` if `body` does not
/// use the name. The function of another call was passed through a macro. A name in it refers to a
/// variable only if the variable has the hygiene of the same macro.
pub(super) fn seen_in(body: &TokenStream, name: &str, place: Span) -> Option<Span> {
    find(body.clone(), name).map(|used| place.resolved_at(used))
}

/// Returns whether a function contains `?`, or a `return` with a value.
pub(super) fn can_trap(body: TokenStream) -> bool {
    let mut trees = body.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let found = match tree {
            TokenTree::Punct(mark) => mark.as_char() == '?',
            TokenTree::Ident(word) if word == "return" => trees.peek().is_some_and(|next| {
                !matches!(next, TokenTree::Punct(mark) if matches!(mark.as_char(), ';' | ','))
            }),
            TokenTree::Group(group) => can_trap(group.stream()),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::can_trap;

    #[test]
    fn a_question_mark_or_a_return_with_a_value_can_trap() {
        assert!(can_trap(quote!(Rd = hart.load(Ra.value)?;)));
        assert!(can_trap(quote!(if x { return Err(Trap::Zero); } Rd = 1;)));
        assert!(can_trap(quote!(match x {
            0 => return Err(Trap::Zero),
            _ => {}
        })));
        assert!(!can_trap(quote!(if x { return; } match y { 0 => return, _ => { return } })));
        assert!(!can_trap(quote!(Rd = Ra.value;)));
    }
}
