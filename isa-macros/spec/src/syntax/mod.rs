//! Parsing: tokens to [`ast`], item by item, each fault reported and the rest read on.
//!
//! Nothing here looks a name up; that is the business of `model`.

pub(crate) mod ast;
mod body;
mod common;
mod encoding;
mod exception;
mod import;
mod imported;
mod item;
mod node;
mod operands;
mod repeat;
mod split;
mod summary;
mod template;
mod text;

use crate::diag::{Code, Diagnostics};
use ast::{Origin, Spec};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use repeat::Turn;

pub(crate) use common::rust_name;
pub(crate) use import::{as_part, find_import, in_batches};
pub(crate) use summary::included_tokens;
pub(crate) use text::parts;

/// Parses one call. What cannot be read is reported and left out.
pub(crate) fn parse_spec(input: TokenStream, diag: &mut Diagnostics) -> Spec {
    let start = input.clone().into_iter().next().map(|tree| tree.span());
    let fingerprint = hashed(input.clone());
    let mut spec = Spec { start, fingerprint, ..Spec::default() };
    parse_items(input, &None, &mut spec, diag);
    spec
}

/// The FNV-1a hash of tokens: the same with each compiler and wherever they stand.
fn hashed(tokens: TokenStream) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut add = |text: &str| {
        // No token has a zero byte: it ends each.
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    // Not by recursion: how deep the tokens are nested is not known yet.
    let mut open = vec![tokens.into_iter()];
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
            }
            Some(other) => add(&other.to_string()),
            None => {
                add("end");
                open.pop();
            }
        }
    }
    hash
}

/// Parses items into `spec`; `origin` says whose they are.
fn parse_items(input: TokenStream, origin: &Origin, spec: &mut Spec, diag: &mut Diagnostics) {
    for item in split::items(input) {
        // What another call hands on has been measured item by item.
        let imported = matches!(item.first(), Some(TokenTree::Ident(word)) if word == "__imported");
        match split::nested_too_deep(&item) {
            Some(span) if !imported => {
                let most = split::MOST_NESTED;
                let message = format!(
                    "this item has brackets nested more than {most} deep, and is not read\nhelp: \
                     write it with fewer brackets inside each other"
                );
                diag.error(Code::Unreadable, span, message);
            }
            _ if repeat::is_loop(&item) => parse_loop(&item, origin, spec, diag),
            _ => item::parse_item(item, origin, spec, diag),
        }
    }
}

/// Parses the items of a loop, turn by turn. A fault of every turn is reported once.
fn parse_loop(item: &[TokenTree], origin: &Origin, spec: &mut Spec, diag: &mut Diagnostics) {
    let turns = match repeat::turns(item) {
        Ok(turns) => turns,
        Err(error) => return diag.syntax(error),
    };
    spec.turns += turns.len();
    if spec.turns > repeat::MOST_TURNS {
        let span = item[0].span();
        return diag.error(Code::Unreadable, span, repeat::too_many());
    }
    let count = turns.len();
    for Turn { items, title } in turns {
        diag.in_turn(title, count, |diag| parse_items(items, origin, spec, diag));
    }
}
