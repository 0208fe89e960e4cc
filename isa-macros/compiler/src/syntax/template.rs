//! `syntax` sections: the template, and the value lists under it.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use std::iter::Peekable;
use std::vec::IntoIter;

use syn::ext::IdentExt;

use super::ast::{Template, TemplatePiece, ValueLine, ValueName};
use super::common::{is_value_name, nameable, rust_name};
use super::split::{by_comma, is_semicolon};
use crate::diag::{Code, Diagnostics};

type Trees = Peekable<IntoIter<TokenTree>>;

/// Parses a `syntax` section: a template up to its `;`, and after it lines such as `.rnd = {...}`.
pub(crate) fn parse_template(
    body: TokenStream,
    span: Span,
    diag: &mut Diagnostics,
) -> Option<Template> {
    let mut trees: Vec<TokenTree> = body.into_iter().collect();
    let end = trees.iter().position(is_semicolon).map_or(trees.len(), |i| i + 1);
    let rest = trees.split_off(end);
    if trees.is_empty() {
        diag.error(
            Code::InvalidTemplate,
            span,
            "the syntax is empty; write `MNEMONIC{.mod} Rd, Ra;`",
        );
        return None;
    }
    let (pieces, suffixes) = parse_pieces(trees, diag);
    let values = parse_value_lines(rest, diag);
    Some(Template { pieces, suffixes, values, span })
}

/// Returns the pieces, and the fixed suffixes among them with their indices.
fn parse_pieces(
    trees: Vec<TokenTree>,
    diag: &mut Diagnostics,
) -> (Vec<TemplatePiece>, Vec<(usize, ValueName)>) {
    let (mut pieces, mut suffixes) = (Vec::new(), Vec::new());
    let mut trees: Trees = trees.into_iter().peekable();
    while let Some(tree) = trees.next() {
        if let (true, Some(TokenTree::Literal(literal))) = (is_dot(&tree), trees.peek())
            && let Some(suffix) = suffix(literal)
        {
            suffixes.push((pieces.len(), suffix));
        }
        let piece = match tree {
            TokenTree::Ident(word) if word == "_" => TemplatePiece::Nothing,
            TokenTree::Ident(word) => match nameable(&word) {
                Ok(word) => TemplatePiece::Word(word),
                Err(error) => {
                    diag.syntax(error);
                    TemplatePiece::Text(String::new())
                }
            },
            TokenTree::Literal(literal) => TemplatePiece::Text(unquote(&literal.to_string())),
            TokenTree::Group(group) => parse_group(&group, diag),
            TokenTree::Punct(punct) => parse_mark(punct.as_char(), &mut trees),
        };
        pieces.push(piece);
    }
    (pieces, suffixes)
}

fn is_dot(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(mark) if mark.as_char() == '.')
}

fn parse_group(group: &proc_macro2::Group, diag: &mut Diagnostics) -> TemplatePiece {
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    if group.delimiter() == Delimiter::Brace {
        return TemplatePiece::Optional(parse_pieces(inside, diag).0, group.span());
    }
    let modifier = match (group.delimiter(), &inside[..]) {
        (Delimiter::Bracket, [TokenTree::Punct(dot), TokenTree::Ident(name)])
            if dot.as_char() == '.' =>
        {
            format!("; write an optional modifier as `{{.{name}}}`")
        }
        _ => String::new(),
    };
    let [open, close] = match group.delimiter() {
        Delimiter::Parenthesis => ["(", ")"],
        _ => ["[", "]"],
    };
    let message = format!(
        "write brackets in a template as text: `\"{open}\"`, and `\"{close}\"` after the \
         operand{modifier}"
    );
    diag.error(Code::InvalidTemplate, group.span(), message);
    TemplatePiece::Text(String::new())
}

/// Parses `.name`, `$name` or `..`. Any other punctuation mark is kept as it is.
fn parse_mark(mark: char, trees: &mut Trees) -> TemplatePiece {
    if mark == '.'
        && let Some(name) = trees.peek().and_then(literal_name)
    {
        trees.next();
        return TemplatePiece::Dot(name);
    }
    match (mark, trees.peek()) {
        ('.', Some(TokenTree::Punct(next))) if next.as_char() == '.' => {
            trees.next();
            TemplatePiece::Rest
        }
        ('.', Some(TokenTree::Ident(name))) => {
            let name = name.unraw();
            trees.next();
            TemplatePiece::Dot(name)
        }
        ('$', Some(TokenTree::Ident(name))) => {
            let name = name.unraw();
            trees.next();
            TemplatePiece::Tag(name)
        }
        (',', _) => TemplatePiece::Comma,
        _ => TemplatePiece::Text(mark.to_string()),
    }
}

/// Returns the name in Rust of a value whose text is not an identifier, such as `8b` or `"8b"`.
fn literal_name(tree: &TokenTree) -> Option<Ident> {
    let TokenTree::Literal(literal) = tree else { return None };
    let written = literal.to_string();
    let text = unquote(&written);
    let is_quoted = text != written;
    let is_name = is_value_name(&text) && (is_quoted || !text.contains('.'));
    is_name.then(|| rust_name(&text, literal.span().resolved_at(Span::call_site())))
}

/// Returns the text of a fixed suffix, which is a value name in quotes.
fn suffix(literal: &Literal) -> Option<ValueName> {
    let ident = literal_name(&literal.clone().into())?;
    let text = unquote(&literal.to_string());
    (text != literal.to_string()).then_some(ValueName { ident, text })
}

fn unquote(literal: &str) -> String {
    syn::parse_str::<syn::LitStr>(literal).map_or_else(|_| literal.to_owned(), |s| s.value())
}

/// Parses lines of the form `.field = {.VALUE*, .VALUE}`.
fn parse_value_lines(trees: Vec<TokenTree>, diag: &mut Diagnostics) -> Vec<ValueLine> {
    let mut lines = Vec::new();
    let mut trees: Trees = trees.into_iter().peekable();
    while let Some(first) = trees.next() {
        match parse_value_line(&first, &mut trees) {
            Some(line) => lines.push(line),
            None => {
                let message = "expected a value list after the template: `.field = {.DEFAULT*, \
                               .OTHER}`";
                diag.error(Code::InvalidTemplate, first.span(), message);
                return lines;
            }
        }
    }
    lines
}

fn parse_value_line(first: &TokenTree, trees: &mut Trees) -> Option<ValueLine> {
    let TokenTree::Punct(dot) = first else {
        return None;
    };
    let Some(TokenTree::Ident(field)) = trees.next() else {
        return None;
    };
    let Some(TokenTree::Punct(equals)) = trees.next() else {
        return None;
    };
    let Some(TokenTree::Group(list)) = trees.next() else {
        return None;
    };
    if dot.as_char() != '.' || equals.as_char() != '=' {
        return None;
    }
    let values = by_comma(list.stream()).into_iter().map(parse_listed).collect::<Option<_>>()?;
    Some(ValueLine { field: field.unraw(), values })
}

/// Parses `.NAME` or `.NAME*`.
fn parse_listed(trees: Vec<TokenTree>) -> Option<(Ident, bool)> {
    let mut trees = trees.into_iter();
    let (Some(TokenTree::Punct(_)), Some(name)) = (trees.next(), trees.next()) else {
        return None;
    };
    let name = match name {
        TokenTree::Ident(name) => name.unraw(),
        other => literal_name(&other)?,
    };
    Some((name, trees.next().is_some()))
}
