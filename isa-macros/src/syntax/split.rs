//! Cutting a token stream into items and statements, so that each is parsed by itself and a
//! broken one costs only itself.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::Result;
use syn::parse::{ParseStream, Parser};

/// Parses one part to its end. Where it ends too early the fault is at its last token; `syn`
/// itself would blame the whole call.
pub(crate) fn parse<T>(
    tokens: TokenStream,
    parser: impl FnOnce(ParseStream<'_>) -> Result<T>,
) -> Result<T> {
    let last = tokens.clone().into_iter().last().map(|tree| match tree {
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    });
    parser.parse2(tokens).map_err(|error| match last {
        Some(last) if same_place(error.span(), Span::call_site()) => {
            syn::Error::new(last, format!("{error} behind this"))
        }
        _ => error,
    })
}

fn same_place(a: Span, b: Span) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

/// Items end with a `;` or with the first `{...}`.
pub(crate) fn items(input: TokenStream) -> Vec<TokenStream> {
    cut(input, |tree| is_semicolon(tree) || is_braces(tree))
}

/// Statements end with a `;`, which is left out.
pub(crate) fn statements(input: TokenStream) -> Vec<TokenStream> {
    let mut parts = cut(input, is_semicolon);
    for part in &mut parts {
        let mut trees: Vec<TokenTree> = part.clone().into_iter().collect();
        if trees.last().is_some_and(is_semicolon) {
            trees.pop();
            *part = trees.into_iter().collect();
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Comma-separated parts, the commas left out.
pub(crate) fn by_comma(input: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for tree in input {
        match &tree {
            TokenTree::Punct(punct) if punct.as_char() == ',' => parts.push(TokenStream::new()),
            _ => parts.last_mut().expect("starts with one part").extend([tree]),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn cut(input: TokenStream, ends: impl Fn(&TokenTree) -> bool) -> Vec<TokenStream> {
    let mut parts = Vec::new();
    let mut part = Vec::new();
    for tree in input {
        let end = ends(&tree);
        part.push(tree);
        if end {
            parts.push(part.drain(..).collect());
        }
    }
    if !part.is_empty() {
        parts.push(part.into_iter().collect());
    }
    parts
}

pub(crate) fn is_semicolon(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ';')
}

fn is_braces(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}
