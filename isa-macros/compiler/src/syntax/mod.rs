//! Parsing: tokens to [`ast`], item by item, each fault reported and the rest read on.
//!
//! Nothing here looks a name up; that is the business of `model`.

pub(crate) mod ast;
mod body;
mod budget;
pub(crate) mod byte_order;
mod common;
pub(crate) mod condition;
mod const_expr;
mod encoding;
mod exception;
pub(crate) mod flow;
mod fragment;
mod import;
mod imported;
mod item;
mod keyword;
pub(crate) mod lanes;
mod node;
pub(crate) mod operands;
mod relative;
mod repeat;
mod split;
mod substitute;
mod summary;
mod template;
mod text;

use std::hash::Hasher;

use crate::diag::{Code, Diagnostics};
use ast::{Origin, Spec};
use isa_bdd::Quick;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use repeat::{Loop, Turn};
use substitute::Values;

pub(crate) use common::rust_name;
pub use fragment::{Fragment, similar};
pub(crate) use import::{expand_chunks, expand_fragment, find_import};
pub(crate) use keyword::is_reserved;
pub(crate) use summary::included_tokens;
pub(crate) use text::parts;

/// Parses one call. What cannot be read is reported and left out.
pub(crate) fn parse_spec(input: TokenStream, diag: &mut Diagnostics) -> Spec {
    let start = input.clone().into_iter().next().map(|tree| tree.span());
    let (fingerprint, depth) = hashed(input.clone());
    let mut spec =
        Spec { start, fingerprint, is_deep: depth > split::MOST_NESTED, ..Spec::default() };
    let values = Values::default();
    parse_items(input, &values, &None, &mut spec, diag);
    if values.budget.is_spent() {
        // What the other items refer to may be missing, so that only the header is of use.
        let Spec { start, fingerprint, header, .. } = spec;
        return Spec { start, fingerprint, header, ..Spec::default() };
    }
    spec
}

/// The hash of tokens, which is the same with each compiler and wherever they stand, and the most
/// groups of them inside each other.
fn hashed(tokens: TokenStream) -> (u64, usize) {
    let mut hash = Quick::default();
    // No token has a byte of all ones: it ends each.
    let mut add = |text: &str| {
        hash.write(text.as_bytes());
        hash.write_u8(0xff);
    };
    // Not by recursion: how deep the tokens are nested is not known yet.
    let (mut open, mut deepest) = (vec![tokens.into_iter()], 0);
    while let Some(trees) = open.last_mut() {
        match trees.next() {
            Some(TokenTree::Group(group)) => {
                add(match group.delimiter() {
                    Delimiter::Brace => "{",
                    Delimiter::Bracket => "[",
                    Delimiter::Parenthesis => "(",
                    Delimiter::None => "",
                });
                open.push(group.stream().into_iter());
                deepest = deepest.max(open.len() - 1);
            }
            Some(TokenTree::Punct(mark)) => add(mark.as_char().encode_utf8(&mut [0; 4])),
            Some(other) => add(&other.to_string()),
            None => {
                add("end");
                open.pop();
            }
        }
    }
    (hash.finish(), deepest)
}

/// Parses items into `spec`; `values` are those of the loops around them, and `origin` says whose the
/// items are.
fn parse_items(
    input: TokenStream,
    values: &Values,
    origin: &Origin,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) {
    for item in split::items(input) {
        if values.budget.is_spent() && (values.is_in_loop() || repeat::is_loop(&item)) {
            continue;
        }
        // What another call hands on has been measured item by item.
        let imported = matches!(item.first(), Some(TokenTree::Ident(word)) if word == "__imported");
        let too_deep = if spec.is_deep { split::nested_too_deep(&item) } else { None };
        match too_deep {
            Some(span) if !imported => {
                let most = split::MOST_NESTED;
                let message = format!(
                    "this item has brackets nested more than {most} deep, and is not read\nhelp: \
                     write it with fewer brackets inside each other"
                );
                diag.error(Code::Unreadable, span, message);
            }
            _ if repeat::is_loop(&item) => parse_loop(&item, values, origin, spec, diag),
            _ => match values.item(item, diag) {
                Ok(item) => {
                    item::parse_item(item, origin, spec, diag);
                    diag.leave_item();
                }
                Err(error) => report(error, values, diag),
            },
        }
    }
}

/// Reports an error of an item in loops, or of a loop.
fn report(error: syn::Error, values: &Values, diag: &mut Diagnostics) {
    match values.budget.is_spent() {
        true => diag.error(Code::TooLong, error.span(), error.to_string()),
        false => diag.syntax(error),
    }
}

/// Parses the items of a loop, turn by turn. A fault of every turn is reported once.
fn parse_loop(
    item: &[TokenTree],
    outer: &Values,
    origin: &Origin,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) {
    let Loop { turns, items } = match repeat::parse(item, outer, diag) {
        Ok(parsed) => parsed,
        Err(error) => return report(error, outer, diag),
    };
    spec.turns += turns.len();
    if spec.turns > repeat::MOST_TURNS {
        return report(repeat::too_many(item[0].span(), outer), outer, diag);
    }
    let count = turns.len();
    for Turn { pairs, title } in turns {
        if outer.budget.is_spent() {
            return;
        }
        let values = outer.and(pairs);
        let items = items.clone();
        diag.in_turn(title, count, |diag| parse_items(items, &values, origin, spec, diag));
    }
}
