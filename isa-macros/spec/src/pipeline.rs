//! The phases in their order.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::diag::Diagnostics;
use crate::emit::placed_at;
use crate::syntax::{as_part, find_import, in_batches};
use crate::{check, emit, model, plan, syntax};

/// Expands `[path of isa_core] specification`.
pub(crate) fn expand_call(input: TokenStream) -> TokenStream {
    let mut trees = input.clone().into_iter();
    let (path, input) = match trees.next() {
        Some(TokenTree::Group(path)) if path.delimiter() == Delimiter::Bracket => {
            (Some(path.stream()), trees.collect())
        }
        _ => (None, input),
    };
    let core = path.clone().unwrap_or_else(|| quote!(::isa_core));
    if let Some(calls) = in_batches(&input, &core) {
        return calls;
    }
    // What the other call hands on comes back here, so that the path is not needed yet.
    if let Some(import) = find_import(&input) {
        return import.expand();
    }
    if let Some(part) = as_part(&input, &core) {
        return part;
    }
    let output = expand(input);
    let path: Option<Vec<TokenTree>> = path.map(|path| path.into_iter().collect());
    path.and_then(|path| with_core_named(output.clone(), &path)).unwrap_or(output)
}

/// The tokens with `path` wherever they say `::isa_core`; nothing where they never do. The crate
/// may be known under another name where the call stands, or not at all.
///
/// In a compiler each group is a message to it and back, so that those without a change are kept.
fn with_core_named(tokens: TokenStream, path: &[TokenTree]) -> Option<TokenStream> {
    let mut output: Vec<TokenTree> = Vec::new();
    let (mut changed, mut colons) = (false, 0);
    for tree in tokens {
        let is_colon = is_colon(&tree);
        match tree {
            // The spelling of a word is looked up in a table of the compiler: last.
            TokenTree::Ident(name)
                if colons >= 2 && name == "isa_core" && is_root(&output[..output.len() - 2]) =>
            {
                output.truncate(output.len() - 2);
                output.extend(path.iter().map(|tree| placed_at(tree.clone(), name.span())));
                changed = true;
            }
            TokenTree::Group(group) => output.push(match with_core_named(group.stream(), path) {
                Some(inside) => {
                    let mut copy = Group::new(group.delimiter(), inside);
                    copy.set_span(group.span());
                    changed = true;
                    copy.into()
                }
                None => group.into(),
            }),
            other => output.push(other),
        }
        colons = if is_colon { colons + 1 } else { 0 };
    }
    changed.then(|| output.into_iter().collect())
}

fn is_colon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ':')
}

/// Whether a `::` behind the tokens starts a path, and is not one inside a path.
fn is_root(before: &[TokenTree]) -> bool {
    let Some(TokenTree::Ident(word)) = before.last() else {
        return true;
    };
    let is_keyword = syn::parse2::<Ident>(word.to_token_stream()).is_err();
    is_keyword && !matches!(word.to_string().as_str(), "self" | "Self" | "super" | "crate")
}

/// Expands one call without imports. Faults become `compile_error!` items beside whatever could be
/// made.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut diag = Diagnostics::default();
    let spec = syntax::parse_spec(input, &mut diag);
    let model = model::lower(spec, &mut diag);
    let checked = check::check(&model, &mut diag);
    let mut output = diag.finish();
    output.extend(emit::emit(&plan::plan(&model), &checked));
    output
}

#[cfg(test)]
mod tests {
    use proc_macro2::{TokenStream, TokenTree};
    use quote::quote;

    use super::with_core_named;
    use crate::diag::Diagnostics;
    use crate::{check, model, syntax};

    const README: &str = include_str!("../../../README.md");

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
            let named = with_core_named(from.clone(), &path).unwrap_or(from);
            assert_eq!(named.to_string(), to.to_string());
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
