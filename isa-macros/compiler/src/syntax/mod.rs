//! The parser, which turns tokens into an [`ast`], item by item. It reports each error and
//! continues with the rest.
//!
//! It does not look up names; `model` does.

mod assembly_text;
pub(crate) mod ast;
mod common;
mod condition;
mod const_expr;
mod encoding;
mod exception;
mod feature;
mod flow;
mod fragment;
mod import;
mod item;
mod loops;
mod machine;
mod node;
pub(crate) mod operands;
mod properties;
mod relative_path;
mod split;
mod substitute;
mod suffix;
mod summary;
mod template;

use std::hash::Hasher;

use crate::diag::{Code, Diagnostics};
use ast::{Origin, Spec};
use isa_bdd::FastHasher;
use loops::{Loop, LoopIteration};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use substitute::LoopValues;

pub(crate) use assembly_text::parts;
pub(crate) use common::{is_reserved, rust_name};
pub use fragment::{Fragment, similar};
pub(crate) use import::{expand_chunks, expand_fragment, find_import};
pub(crate) use summary::included_tokens;

/// Parses one call. A part that cannot be parsed is reported and left out.
pub(crate) fn parse_spec(input: TokenStream, diag: &mut Diagnostics) -> Spec {
    let start = input.clone().into_iter().next().map(|tree| tree.span());
    let (fingerprint, depth) = hashed(input.clone());
    let mut spec =
        Spec { start, fingerprint, is_deep: depth > split::MOST_NESTED, ..Spec::default() };
    let values = LoopValues::default();
    parse_items(input, &values, &Origin::ThisCall, &mut spec, diag);
    if values.budget.is_spent() {
        // Declarations that the other items refer to may be missing, so only the header can be
        // used.
        let Spec { start, fingerprint, header, .. } = spec;
        return Spec { start, fingerprint, header, ..Spec::default() };
    }
    spec
}

/// Returns the hash of tokens and their maximum nesting depth. The hash does not depend on the
/// compiler or on the position of the tokens.
fn hashed(tokens: TokenStream) -> (u64, usize) {
    let mut hash = FastHasher::default();
    // This byte ends each token. It does not occur in a token, because text never contains a byte
    // of all ones.
    let mut add = |text: &str| {
        hash.write(text.as_bytes());
        hash.write_u8(0xff);
    };
    // This is not recursive, because the nesting depth of the tokens is not known yet.
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

/// Parses items into `spec`. `values` contains the values of the loops around the items, and
/// `origin` is the call that declares the items.
fn parse_items(
    input: TokenStream,
    values: &LoopValues,
    origin: &Origin,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) {
    for item in split::items(input) {
        if values.budget.is_spent() && (values.is_in_loop() || loops::is_loop(&item)) {
            continue;
        }
        // The nesting of imported declarations is checked item by item.
        let imported = matches!(item.first(), Some(TokenTree::Ident(word)) if word == "__imported");
        let too_deep = if spec.is_deep { split::nested_too_deep(&item) } else { None };
        match too_deep {
            Some(span) if !imported => {
                let most = split::MOST_NESTED;
                let message = format!(
                    "this item contains brackets nested more than {most} deep, so it is not \
                     parsed\nhelp: reduce the nesting of brackets"
                );
                diag.error(Code::UnexpectedTokens, span, message);
            }
            _ if loops::is_loop(&item) => parse_loop(&item, values, origin, spec, diag),
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

/// Reports an error of a loop, or of an item inside loops.
fn report(error: syn::Error, values: &LoopValues, diag: &mut Diagnostics) {
    match values.budget.is_spent() {
        true => diag.error(Code::LoopLimit, error.span(), error.to_string()),
        false => diag.syntax(error),
    }
}

/// Parses the items of a loop, iteration by iteration. If every iteration has the same error, it is
/// reported once.
fn parse_loop(
    item: &[TokenTree],
    outer: &LoopValues,
    origin: &Origin,
    spec: &mut Spec,
    diag: &mut Diagnostics,
) {
    let Loop { turns, items } = match loops::parse(item, outer, diag) {
        Ok(parsed) => parsed,
        Err(error) => return report(error, outer, diag),
    };
    spec.iterations += turns.len();
    if spec.iterations > loops::MAX_ITERATIONS {
        return report(loops::too_many(item[0].span(), outer), outer, diag);
    }
    let count = turns.len();
    for LoopIteration { pairs, title } in turns {
        if outer.budget.is_spent() {
            return;
        }
        let values = outer.and(pairs);
        let items = items.clone();
        diag.in_iteration(title, count, |diag| parse_items(items, &values, origin, spec, diag));
    }
}
