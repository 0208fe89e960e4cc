//! Splits a token stream into items and statements, and the body of an item in braces into sections or
//! values. Each is parsed by itself, so an error affects only one of them.
//!
//! A regular body is split without a parser. A parser that enters a group copies the tokens of the group
//! out of rustc and back. To recognize a regular body, its outermost tokens are sufficient, so the
//! tokens inside its sections are passed on unparsed.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::Result;
use syn::parse::{ParseStream, Parser};

use super::ast::{Docs, NumberLiteral, ValueDecl};
use super::common::{nameable, plain_value_name};
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
            syn::Error::new(end, format!("{error} after this"))
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

/// The body of an item.
pub(super) enum ItemBody {
    /// Sections, each with a keyword and braces.
    Sections(Vec<BodySection>),
    /// Values, each `NAME = NUMBER`.
    Values(Vec<ValueDecl>),
    /// Any other body, or no body. It still has to be parsed.
    Unread,
}

/// `semantics(hart: path::Memory) { ... }`
pub(super) struct BodySection {
    pub(super) keyword: Ident,
    /// The tokens in parentheses between the keyword and the braces.
    pub(super) handle: Option<TokenStream>,
    pub(super) body: TokenStream,
    /// The position of the braces and everything between them.
    pub(super) braces: Span,
}

impl ItemBody {
    /// Returns the body of an item, and the item. If the body was recognized, it is removed from
    /// the braces of the returned item.
    pub(super) fn take(mut item: Vec<TokenTree>) -> (ItemBody, TokenStream) {
        let word = item.iter().find_map(|tree| match tree {
            TokenTree::Ident(word) if word != "pub" => Some(word.to_string()),
            _ => None,
        });
        let body = match (word.as_deref(), item.last()) {
            (Some(word), Some(TokenTree::Group(group)))
                if group.delimiter() == Delimiter::Brace =>
            {
                // Messages about something missing before the braces point at the opening brace.
                ItemBody::of(word, group.stream()).map(|body| (body, group.span_open()))
            }
            _ => None,
        };
        let Some((body, span)) = body else {
            return (ItemBody::Unread, item.into_iter().collect());
        };
        let mut empty = Group::new(Delimiter::Brace, TokenStream::new());
        empty.set_span(span);
        item.pop();
        item.push(empty.into());
        (body, item.into_iter().collect())
    }

    /// Returns the body of an item that begins with `word`, if the body is regular.
    fn of(word: &str, tokens: TokenStream) -> Option<ItemBody> {
        match word {
            "enum" => values(tokens).map(ItemBody::Values),
            "group" | "optype" | "opcode" | "alias" | "synonym" => {
                sections(tokens).map(ItemBody::Sections)
            }
            _ => None,
        }
    }
}

/// Returns the sections of a body that contains nothing else.
fn sections(tokens: TokenStream) -> Option<Vec<BodySection>> {
    let mut sections = Vec::new();
    let mut trees = tokens.into_iter();
    while let Some(tree) = trees.next() {
        let TokenTree::Ident(keyword) = tree else { return None };
        let TokenTree::Group(mut group) = trees.next()? else { return None };
        let mut handle = None;
        if group.delimiter() == Delimiter::Parenthesis && keyword == "semantics" {
            handle = Some(group.stream());
            let TokenTree::Group(next) = trees.next()? else { return None };
            group = next;
        }
        if group.delimiter() != Delimiter::Brace {
            return None;
        }
        sections.push(BodySection { keyword, handle, body: group.stream(), braces: group.span() });
    }
    Some(sections)
}

/// Returns the values of a body, if all of them are plain. An `enum` may contain hundreds of
/// values, and each call that imports it parses them again.
fn values(tokens: TokenStream) -> Option<Vec<ValueDecl>> {
    by_comma(tokens).iter().map(|value| plain_value(value)).collect()
}

fn plain_value(trees: &[TokenTree]) -> Option<ValueDecl> {
    let [TokenTree::Ident(name), TokenTree::Punct(equals), TokenTree::Literal(number)] = trees
    else {
        return None;
    };
    let digits = number.to_string();
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    if equals.as_char() != '=' || !is_plain {
        return None;
    }
    let raw = NumberLiteral { value: digits.parse().ok()?, span: number.span() };
    let name = plain_value_name(nameable(name).ok()?);
    Some(ValueDecl {
        docs: Docs::default(),
        name,
        also: Vec::new(),
        raw: Some(raw),
        requires: None,
    })
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn kind(item: TokenStream) -> &'static str {
        let trees: Vec<TokenTree> = item.clone().into_iter().collect();
        let (body, rest) = ItemBody::take(trees);
        let is_whole = rest.to_string() == item.to_string();
        assert_eq!(is_whole, matches!(body, ItemBody::Unread), "{item}");
        match body {
            ItemBody::Sections(_) => "sections",
            ItemBody::Values(_) => "values",
            ItemBody::Unread => "unread",
        }
    }

    #[test]
    fn what_is_irregular_is_left_to_the_parser() {
        for (item, expected) in [
            (quote!(pub(crate) enum A: 1 { A = 0, B = 1, }), "values"),
            (quote!(#[doc = "A set."] enum A: 1 { A = 0 }), "values"),
            (quote!(enum A: 1 { #[doc = "One."] A = 0 }), "unread"),
            (quote!(enum A: 1 { A = 0x1 }), "unread"),
            (quote!(enum A: 1 { self = 1 }), "unread"),
            (quote!(enum A: 1 { A {} }), "unread"),
            (quote!(opcode A : [B] { encoding { a == 1; } semantics(m: M) { } }), "sections"),
            (quote!(opcode A { A = 0 }), "unread"),
            (quote!(opcode A { encoding { a == 1; } encoding }), "unread"),
            (quote!(opcode A { encoding(m: M) { a == 1; } }), "unread"),
            (quote!(opcode A { encoding { } ; }), "unread"),
            (quote!(operand A: 3;), "unread"),
        ] {
            assert_eq!(kind(item.clone()), expected, "{item}");
        }
    }
}
