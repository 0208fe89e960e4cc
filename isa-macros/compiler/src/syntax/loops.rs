//! Loops: `for $R, $BITS in (W, 32), (X, 64) { ... }` repeats the items in braces for each
//! iteration.

use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use syn::{Error, Result};

use super::split;
use super::substitute::LoopValues;
use crate::diag::Diagnostics;

/// The iterations of a loop, and the items that it repeats.
pub(super) struct Loop {
    pub(super) turns: Vec<LoopIteration>,
    pub(super) items: TokenStream,
}

/// One iteration of a loop.
#[derive(Debug)]
pub(super) struct LoopIteration {
    /// The loop variables and their values.
    pub(super) pairs: Vec<(String, Vec<TokenTree>)>,
    /// The same pairs as text for messages, for example "`R` is `W`".
    pub(super) title: String,
}

/// The maximum number of iterations of all loops of a call. The iterations of an inner loop count
/// once for each iteration of its outer loop.
pub(super) const MAX_ITERATIONS: usize = 1 << 16;

/// The maximum number of tokens, and the maximum number of characters, of a value in a message.
const MOST_SHOWN: usize = 64;

const FORM: &str = "a loop is `for $NAME in VALUE, VALUE { ... }`, or with several names `for $A, \
                    $B in (VALUE, VALUE), (B: VALUE, A: VALUE) { ... }`";

/// Returns whether an item is a loop.
pub(super) fn is_loop(item: &[TokenTree]) -> bool {
    matches!(item.first(), Some(TokenTree::Ident(word)) if word == "for")
}

/// Parses a loop. `outer` contains the values of the loops around it.
pub(super) fn parse(
    item: &[TokenTree],
    outer: &LoopValues,
    diag: &mut Diagnostics,
) -> Result<Loop> {
    let fault = |at: &TokenTree, what: &str| Error::new(at.span(), format!("{what}\nhelp: {FORM}"));
    let (last, head) = item.split_last().ok_or_else(|| Error::new(Span::call_site(), FORM))?;
    let TokenTree::Group(body) = last else {
        return Err(fault(last, "expected the items of this loop in braces"));
    };
    let is_in = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "in");
    let Some(middle) = head.iter().position(is_in) else {
        return Err(fault(&item[0], "expected `in` in this loop"));
    };
    let names = names(&head[1..middle]).map_err(|at| fault(&at, "expected a name, `$NAME`"))?;
    let mut turns = Vec::new();
    let parts = outer.tokens(&head[middle + 1..], diag)?;
    for part in split::by_comma(parts.into_iter().collect()) {
        if turns.len() > MAX_ITERATIONS {
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
                by_name(&names, split::by_comma(group.stream()))?
            }
            _ => vec![part.clone()],
        };
        turns.push(turn(&names, values, &part[0])?);
    }
    match turns.is_empty() {
        true => Err(fault(&head[middle], "expected at least one value")),
        false => Ok(Loop { turns, items: body.stream() }),
    }
}

/// Returns the values of an iteration in the order of the names. The values can have the names of the loop,
/// as in `(B: 1, A: 2)`.
fn by_name(names: &[Ident], values: Vec<Vec<TokenTree>>) -> Result<Vec<Vec<TokenTree>>> {
    let is_colon =
        |tree: &TokenTree| matches!(tree, TokenTree::Punct(mark) if mark.as_char() == ':');
    let place = |value: &[TokenTree]| match value {
        // `a::b` is a path.
        [TokenTree::Ident(word), colon, next, ..] if is_colon(colon) && !is_colon(next) => {
            names.iter().position(|name| name == word)
        }
        _ => None,
    };
    let places: Vec<Option<usize>> = values.iter().map(|value| place(value)).collect();
    if places.iter().all(Option::is_none) {
        return Ok(values);
    }
    let mut sorted = vec![None; names.len()];
    for (value, place) in values.iter().zip(places) {
        let free = place.and_then(|place| sorted.get_mut(place)).filter(|free| free.is_none());
        let Some(free) = free else {
            let message =
                format!("expected each name of the loop once, before its value\nhelp: {FORM}");
            return Err(Error::new(value[0].span(), message));
        };
        *free = Some(value[2..].to_vec());
    }
    let missing = names.iter().zip(&sorted).find(|(_, value)| value.is_none());
    if let (Some((name, _)), Some(value)) = (missing, values.first()) {
        let message = format!("the value of `{name}` is missing\nhelp: {FORM}");
        return Err(Error::new(value[0].span(), message));
    }
    Ok(sorted.into_iter().flatten().collect())
}

/// Parses `$A, $B`. Returns the first unexpected token as an error.
fn names(trees: &[TokenTree]) -> std::result::Result<Vec<Ident>, TokenTree> {
    let parts = split::by_comma(trees.iter().cloned().collect()).into_iter();
    parts
        .map(|part| match &part[..] {
            [mark, TokenTree::Ident(name)] if split::is_dollar(mark) => Ok(name.clone()),
            // Parts between commas are never empty.
            part => Err(part[0].clone()),
        })
        .collect()
}

/// Parses the numbers of `0..4`.
fn range(part: &[TokenTree], outer: &LoopValues) -> Option<Result<std::ops::Range<u64>>> {
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
            0 => Err(Error::new(end.span(), "this range is empty")),
            count if count > MAX_ITERATIONS as u64 => Err(too_many(end.span(), outer)),
            _ => Ok(range),
        }
    };
    Some(range())
}

/// Returns the error for too many iterations. After it, no loop of the call is expanded.
pub(super) fn too_many(span: Span, values: &LoopValues) -> Error {
    values.budget.stop(span, "iterations", MAX_ITERATIONS)
}

/// Returns the contents of `$(VALUE)`, which may be any tokens or none. Returns any other value
/// unchanged.
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

fn turn(names: &[Ident], values: Vec<Vec<TokenTree>>, first: &TokenTree) -> Result<LoopIteration> {
    if values.len() != names.len() {
        let (have, need) = (values.len(), names.len());
        let message = format!(
            "wrong number of values: expected {need}, one for each name of the loop, found \
             {have}\nhelp: {FORM}; write a value that contains commas as `$(VALUE, VALUE)`, and \
             an empty value as `$()`"
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
    Ok(LoopIteration { pairs, title })
}
