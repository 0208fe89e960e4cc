//! Rewrites paths from one module for another module.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// Rewrites a path of a call for use in another call, which refers to the first call's module as
/// `module`. The path must be rewritten, because `super` and `self` have another meaning there.
pub(super) fn seen_from(module: &TokenStream, path: TokenStream) -> TokenStream {
    let mut names = segments(&path);
    let is_relative = |name: &TokenTree| ["self", "super"].iter().any(|word| is(name, word));
    if !names.first().is_some_and(is_relative) {
        return path;
    }
    let mut all = segments(module);
    while let Some(first) = names.first() {
        let is_up = is(first, "super");
        let is_named = all.last().is_some_and(|last| !is_relative(last) && !is(last, "crate"));
        match (is_up, is_named) {
            (false, _) if is(first, "self") => {}
            (false, _) => break,
            (true, true) => {
                all.pop();
            }
            // An empty path, or `self`, is the module of the call.
            (true, false) => {
                if all.last().is_some_and(|last| is(last, "self")) {
                    all.pop();
                }
                all.push(first.clone());
            }
        }
        names.remove(0);
    }
    if all.is_empty() {
        all.extend(quote!(self));
    }
    all.extend(names);
    quote!(#(#all)::*)
}

/// Returns the names between the `::` of a path. A `$` is part of the name after it.
fn segments(path: &TokenStream) -> Vec<TokenTree> {
    let trees = path.to_token_stream().into_iter();
    trees.filter(|tree| !matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ':')).collect()
}

fn is(tree: &TokenTree, word: &str) -> bool {
    matches!(tree, TokenTree::Ident(name) if name == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_are_seen_from_elsewhere() {
        let cases = [
            ("crate::sums", "crate::base", "crate::base"),
            ("crate::sums", "isa_core::Reg", "isa_core::Reg"),
            ("crate::sums", "super::base", "crate::base"),
            ("crate::sums", "self::base", "crate::sums::base"),
            ("crate::a::b", "super::super::base::__isa_text_Reg", "crate::base::__isa_text_Reg"),
            ("self::sums", "super::base", "self::base"),
            ("sums", "super::base", "self::base"),
            ("sums::inner", "super::base", "sums::base"),
            ("super::sums", "super::base", "super::base"),
            ("super", "super::base", "super::super::base"),
            ("super::super", "super", "super::super::super"),
            ("self", "super::base", "super::base"),
            ("self", "self::base", "self::base"),
            ("::families::sums", "super::base", "families::base"),
        ];
        for (module, path, expected) in cases {
            let [module, path, expected] =
                [module, path, expected].map(|text| text.parse::<TokenStream>().unwrap());
            let seen = seen_from(&module, path).to_string();
            assert_eq!(seen, expected.to_string());
        }
    }
}
