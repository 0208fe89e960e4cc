//! The phases in their order.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;

use crate::diag::Diagnostics;
use crate::syntax::find_import;
use crate::{check, emit, model, syntax};

/// Expands `[path of isa_core] specification`.
pub(crate) fn expand_call(input: TokenStream) -> TokenStream {
    let mut trees = input.into_iter();
    match trees.next() {
        Some(TokenTree::Group(path)) if path.delimiter() == Delimiter::Bracket => {
            let path: Vec<TokenTree> = path.stream().into_iter().collect();
            name_core(expand(trees.collect()), &path)
        }
        first => expand(first.into_iter().chain(trees).collect()),
    }
}

/// Writes `path` wherever it says `::isa_core`. The crate may be known under another name where
/// the call stands, or not at all.
fn name_core(tokens: TokenStream, path: &[TokenTree]) -> TokenStream {
    let mut output: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(name) if name == "isa_core" && ends_with_root(&output) => {
                output.truncate(output.len() - 2);
                output.extend(path.iter().map(|tree| placed_at(tree.clone(), name.span())));
            }
            TokenTree::Group(group) => {
                let mut copy = Group::new(group.delimiter(), name_core(group.stream(), path));
                copy.set_span(group.span());
                output.push(copy.into());
            }
            other => output.push(other),
        }
    }
    output.into_iter().collect()
}

/// The token, with a meaning as it has, shown in messages as being at `place`.
pub(crate) fn placed_at(mut tree: TokenTree, place: Span) -> TokenTree {
    tree.set_span(tree.span().located_at(place));
    tree
}

/// Whether the tokens end with the `::` that starts a path, and not with one inside a path.
fn ends_with_root(tokens: &[TokenTree]) -> bool {
    let is_colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
    let [before @ .., first, second] = tokens else {
        return false;
    };
    let is_segment = match before.last() {
        Some(TokenTree::Ident(word)) => {
            let is_keyword = syn::parse2::<Ident>(word.to_token_stream()).is_err();
            !is_keyword || matches!(word.to_string().as_str(), "self" | "Self" | "super" | "crate")
        }
        _ => false,
    };
    is_colon(first) && is_colon(second) && !is_segment
}

/// Expands one call. Faults become `compile_error!` items beside whatever could be made.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    if let Some(import) = find_import(&input) {
        return import.expand();
    }
    let mut diag = Diagnostics::default();
    let spec = syntax::parse_spec(input, &mut diag);
    let model = model::lower(spec, &mut diag);
    let claims = check::check(&model, &mut diag);
    let mut output = diag.finish();
    output.extend(emit::emit(&model, &claims));
    output
}

#[cfg(test)]
mod tests {
    use proc_macro2::{TokenStream, TokenTree};
    use quote::quote;

    use super::name_core;
    use crate::diag::Diagnostics;
    use crate::{check, model, syntax};

    const README: &str = include_str!("../../README.md");

    /// The input of the first call of the macro in the tokens.
    fn first_call(tokens: TokenStream) -> TokenStream {
        let mut trees =
            tokens.into_iter().skip_while(|tree| tree.to_string() != "define_isa").skip(2);
        let Some(TokenTree::Group(input)) = trees.next() else {
            panic!("the README has no call");
        };
        input.stream()
    }

    #[test]
    fn the_path_of_the_core_crate_is_the_callers() {
        let path: Vec<TokenTree> = quote!(renamed::core).into_iter().collect();
        for (from, to) in [
            (
                quote!(impl ::isa_core::A for ::isa_core::B),
                quote!(impl renamed::core::A for renamed::core::B),
            ),
            (
                quote!(f(&::isa_core::C, <T as ::isa_core::D>::E)),
                quote!(f(&renamed::core::C, <T as renamed::core::D>::E)),
            ),
            (
                quote!(a::isa_core::F, isa_core::G, crate::isa_core),
                quote!(a::isa_core::F, isa_core::G, crate::isa_core),
            ),
        ] {
            assert_eq!(name_core(from, &path).to_string(), to.to_string());
        }
    }

    #[test]
    fn the_mistake_in_the_readme_is_reported_as_shown_there() {
        let block = README.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
        let wrong = block.unwrap().replace("op == SUB", "op == ADD");
        let mut diag = Diagnostics::default();
        let spec = syntax::parse_spec(first_call(wrong.parse().unwrap()), &mut diag);
        let model = model::lower(spec, &mut diag);
        check::check(&model, &mut diag);
        let messages = diag.messages();
        assert_eq!(messages.len(), 2, "{messages:#?}");
        for line in messages[0].lines() {
            assert!(README.contains(line), "the README lacks {line}");
        }
    }
}
