//! Splits a token stream into items and statements. Each is parsed by itself, so an error affects
//! only one of them.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::Result;
use syn::parse::{ParseStream, Parser};

use super::const_expr;
use crate::diag::place_of;

/// Parses one part to its end. If the part ends too early, the error is at its last token, because
/// `syn` alone would report it at the whole call.
pub(crate) fn parse<T>(
    tokens: TokenStream,
    parser: impl FnOnce(ParseStream<'_>) -> Result<T>,
) -> Result<T> {
    let all = tokens.clone();
    parser.parse2(tokens).map_err(|error| match all.into_iter().last() {
        Some(last) if place_of(error.span()) == place_of(Span::call_site()) => {
            let end = match last {
                TokenTree::Group(group) => group.span_close(),
                other => other.span(),
            };
            syn::Error::new(end, format!("{error} behind this"))
        }
        _ => error,
    })
}

/// Splits items, which end with a `;` or with the first `{...}`. The `${NAME}` of a loop does not
/// end an item.
pub(crate) fn items(input: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut items = Vec::new();
    let mut item = Vec::new();
    for tree in input {
        let ends = is_semicolon(&tree) || is_braces(&tree) && !is_value(&item, &tree);
        item.push(tree);
        if ends {
            items.push(std::mem::take(&mut item));
        }
    }
    if !item.is_empty() {
        items.push(item);
    }
    items
}

/// The maximum nesting depth of groups in an item. It is limited because recursive functions
/// process the groups on the stack of the compiler.
pub(crate) const MOST_NESTED: usize = 64;

/// Returns the position of the first group of an item that is nested too deeply. The function
/// itself is not recursive.
pub(crate) fn nested_too_deep(item: &[TokenTree]) -> Option<Span> {
    let mut outer = Vec::new();
    let mut inside = item.iter().cloned().collect::<TokenStream>().into_iter();
    loop {
        match inside.next() {
            Some(TokenTree::Group(group)) if outer.len() >= MOST_NESTED => {
                return Some(group.span_open());
            }
            Some(TokenTree::Group(group)) => {
                outer.push(std::mem::replace(&mut inside, group.stream().into_iter()));
            }
            Some(_) => {}
            None => inside = outer.pop()?,
        }
    }
}

/// Splits statements, which end with a `;`. The result does not contain the `;`.
pub(crate) fn statements(input: TokenStream) -> Vec<TokenStream> {
    let parts = parts(input, is_semicolon).into_iter();
    parts.map(|part| part.into_iter().collect()).collect()
}

/// Splits parts separated by commas. The result does not contain the commas.
pub(crate) fn by_comma(input: TokenStream) -> Vec<Vec<TokenTree>> {
    parts(input, |tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ','))
}

/// Returns all parts of `input` between the tokens for which `is_mark` returns true, except empty
/// parts.
fn parts(input: TokenStream, is_mark: fn(&TokenTree) -> bool) -> Vec<Vec<TokenTree>> {
    let mut parts = Vec::new();
    let mut part = Vec::new();
    for tree in input {
        match is_mark(&tree) {
            true if part.is_empty() => {}
            true => parts.push(std::mem::take(&mut part)),
            false => part.push(tree),
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

pub(crate) fn is_semicolon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';')
}

pub(super) fn is_dollar(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '$')
}

/// Returns whether `group` may be part of `${NAME}` or `${NAME + 1}`, given the tokens before it.
fn is_value(before: &[TokenTree], group: &TokenTree) -> bool {
    match group {
        TokenTree::Group(group) => {
            before.last().is_some_and(is_dollar) && const_expr::is_arithmetic(group.stream())
        }
        _ => false,
    }
}

fn is_braces(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}
