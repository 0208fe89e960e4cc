//! Splits the body of an item in braces into sections or values. A regular body is split without a
//! parser.
//!
//! A parser that enters a group copies the tokens of the group out of rustc and back. To recognize
//! a regular body, its outermost tokens are sufficient, so the tokens inside its sections are
//! passed on unparsed.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use super::ast::{Docs, Number, ValueDecl};
use super::common::{nameable, plain_value_name};
use super::split::by_comma;

/// The body of an item.
pub(super) enum Body {
    /// Sections, each with a keyword and braces.
    Sections(Vec<Section>),
    /// Values, each `NAME = NUMBER`.
    Values(Vec<ValueDecl>),
    /// Any other body, or no body. It still has to be parsed.
    Unread,
}

/// `semantics(hart: path::Memory) { ... }`
pub(super) struct Section {
    pub(super) keyword: Ident,
    /// The tokens in parentheses between the keyword and the braces.
    pub(super) handle: Option<TokenStream>,
    pub(super) body: TokenStream,
    /// The position of the braces and everything between them.
    pub(super) braces: Span,
}

impl Body {
    /// Returns the body of an item, and the item. If the body was recognized, it is removed from
    /// the braces of the returned item.
    pub(super) fn take(mut item: Vec<TokenTree>) -> (Body, TokenStream) {
        let word = item.iter().find_map(|tree| match tree {
            TokenTree::Ident(word) if word != "pub" => Some(word.to_string()),
            _ => None,
        });
        let body = match (word.as_deref(), item.last()) {
            (Some(word), Some(TokenTree::Group(group)))
                if group.delimiter() == Delimiter::Brace =>
            {
                // Messages about something missing before the braces point at the opening brace.
                Body::of(word, group.stream()).map(|body| (body, group.span_open()))
            }
            _ => None,
        };
        let Some((body, span)) = body else {
            return (Body::Unread, item.into_iter().collect());
        };
        let mut empty = Group::new(Delimiter::Brace, TokenStream::new());
        empty.set_span(span);
        item.pop();
        item.push(empty.into());
        (body, item.into_iter().collect())
    }

    /// Returns the body of an item that begins with `word`, if the body is regular.
    fn of(word: &str, tokens: TokenStream) -> Option<Body> {
        match word {
            "enum" => values(tokens).map(Body::Values),
            "group" | "optype" | "opcode" | "alias" | "synonym" => {
                sections(tokens).map(Body::Sections)
            }
            _ => None,
        }
    }
}

/// Returns the sections of a body that contains nothing else.
fn sections(tokens: TokenStream) -> Option<Vec<Section>> {
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
        sections.push(Section { keyword, handle, body: group.stream(), braces: group.span() });
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
    let raw = Number { value: digits.parse().ok()?, span: number.span() };
    let name = plain_value_name(nameable(name).ok()?);
    Some(ValueDecl { docs: Docs::default(), name, also: Vec::new(), raw: Some(raw) })
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn kind(item: TokenStream) -> &'static str {
        let trees: Vec<TokenTree> = item.clone().into_iter().collect();
        let (body, rest) = Body::take(trees);
        let is_whole = rest.to_string() == item.to_string();
        assert_eq!(is_whole, matches!(body, Body::Unread), "{item}");
        match body {
            Body::Sections(_) => "sections",
            Body::Values(_) => "values",
            Body::Unread => "unread",
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
