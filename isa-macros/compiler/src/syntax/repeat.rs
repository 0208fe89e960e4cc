//! Loops: `for $R, $BITS in (W, 32), (X, 64) { ... }`, the items in braces once for each turn.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use syn::{Error, Result};

use super::split;
use super::substitute::Values;
use crate::diag::Diagnostics;

/// The turns of a loop and the items that stand once for each.
pub(super) struct Loop {
    pub(super) turns: Vec<Turn>,
    pub(super) items: TokenStream,
}

/// One turn of a loop.
#[derive(Debug)]
pub(super) struct Turn {
    /// The names of the loop, and what each stands for.
    pub(super) pairs: Vec<(String, Vec<TokenTree>)>,
    /// The same for messages: "`R` is `W`".
    pub(super) title: String,
}

/// The most turns that the loops of a call have, those inside of others counted for each turn.
pub(super) const MOST_TURNS: usize = 1 << 16;

/// The most tokens and characters of a value that a message shows.
const MOST_SHOWN: usize = 64;

const FORM: &str = "a loop is `for $NAME in VALUE, VALUE { ... }`, or with several names `for $A, \
                    $B in (VALUE, VALUE), (VALUE, VALUE) { ... }`";

/// Whether an item is a loop.
pub(super) fn is_loop(item: &[TokenTree]) -> bool {
    matches!(item.first(), Some(TokenTree::Ident(word)) if word == "for")
}

/// A loop inside of others, which have these values.
pub(super) fn parse(item: &[TokenTree], outer: &Values, diag: &mut Diagnostics) -> Result<Loop> {
    let fault = |at: &TokenTree, what: &str| Error::new(at.span(), format!("{what}\nhelp: {FORM}"));
    let (last, head) = item.split_last().ok_or_else(|| Error::new(Span::call_site(), FORM))?;
    let TokenTree::Group(body) = last else {
        return Err(fault(last, "the items of this loop are missing"));
    };
    let is_in = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "in");
    let Some(middle) = head.iter().position(is_in) else {
        return Err(fault(&item[0], "this loop has no `in`"));
    };
    let names =
        names(&head[1..middle]).map_err(|at| fault(&at, "a name is meant here, `$NAME`"))?;
    let mut turns = Vec::new();
    let parts = outer.tokens(&head[middle + 1..], diag)?;
    for part in split::by_comma(parts.into_iter().collect()) {
        if turns.len() > MOST_TURNS {
            return Err(too_many(part[0].span(), outer));
        }
        if let Some(numbers) = range(&part, outer) {
            for number in numbers? {
                let number = TokenTree::from(Literal::u64_unsuffixed(number));
                turns.push(turn(&names, vec![vec![number]], &part[0])?);
            }
            continue;
        }
        let values = match &part[..] {
            [TokenTree::Group(group)]
                if group.delimiter() == Delimiter::Parenthesis && names.len() > 1 =>
            {
                split::by_comma(group.stream())
            }
            _ => vec![part.clone()],
        };
        turns.push(turn(&names, values, &part[0])?);
    }
    match turns.is_empty() {
        true => Err(fault(&head[middle], "this loop has no values")),
        false => Ok(Loop { turns, items: body.stream() }),
    }
}

/// `$A, $B`; where that is not so, the token at which it ends.
fn names(trees: &[TokenTree]) -> std::result::Result<Vec<Ident>, TokenTree> {
    let parts = split::by_comma(trees.iter().cloned().collect()).into_iter();
    parts
        .map(|part| match &part[..] {
            [mark, TokenTree::Ident(name)] if split::is_dollar(mark) => Ok(name.clone()),
            // No part between commas is empty.
            part => Err(part[0].clone()),
        })
        .collect()
}

/// The numbers of `0..4`.
fn range(part: &[TokenTree], outer: &Values) -> Option<Result<std::ops::Range<u64>>> {
    let [
        TokenTree::Literal(first),
        TokenTree::Punct(a),
        TokenTree::Punct(b),
        TokenTree::Literal(end),
    ] = part
    else {
        return None;
    };
    if (a.as_char(), b.as_char()) != ('.', '.') {
        return None;
    }
    let number = |literal: &Literal| {
        let number = syn::parse2::<syn::LitInt>(TokenTree::from(literal.clone()).into())?;
        number.base10_parse::<u64>()
    };
    let range = || {
        let range = number(first)?..number(end)?;
        match range.end.saturating_sub(range.start) {
            0 => Err(Error::new(end.span(), "no number is in this range")),
            count if count > MOST_TURNS as u64 => Err(too_many(end.span(), outer)),
            _ => Ok(range),
        }
    };
    Some(range())
}

/// The error of a call whose loops have too many iterations, after which no loop is expanded.
pub(super) fn too_many(span: Span, values: &Values) -> Error {
    values.budget.stop(span, "iterations", MOST_TURNS)
}

/// The value that `$(VALUE)` is: any tokens, or none.
fn unwrapped(value: Vec<TokenTree>) -> Vec<TokenTree> {
    match &value[..] {
        [mark, TokenTree::Group(group)]
            if split::is_dollar(mark) && group.delimiter() == Delimiter::Parenthesis =>
        {
            group.stream().into_iter().collect()
        }
        _ => value,
    }
}

fn turn(names: &[Ident], values: Vec<Vec<TokenTree>>, first: &TokenTree) -> Result<Turn> {
    if values.len() != names.len() {
        let (have, need) = (values.len(), names.len());
        let message = format!(
            "the values of this turn are {have}, the names of the loop {need}\nhelp: {FORM}; a value with commas stands \
             as `$(VALUE, VALUE)`, one without tokens as `$()`"
        );
        return Err(Error::new(first.span(), message));
    }
    let values: Vec<_> = values.into_iter().map(unwrapped).collect();
    let shown = |value: &[TokenTree]| {
        let tokens: TokenStream = value.iter().take(MOST_SHOWN).cloned().collect();
        let mut text = tokens.to_string();
        if value.len() > MOST_SHOWN || text.chars().nth(MOST_SHOWN).is_some() {
            text = text.chars().take(MOST_SHOWN).collect::<String>() + " ..";
        }
        text
    };
    let title =
        names.iter().zip(&values).map(|(name, value)| format!("`{name}` is `{}`", shown(value)));
    let title = title.collect::<Vec<_>>().join(" and ");
    let pairs = names.iter().map(Ident::to_string).zip(values).collect();
    Ok(Turn { pairs, title })
}
