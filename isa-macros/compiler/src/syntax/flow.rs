//! `flow` sections: the control flow after an instruction.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Result, Token};

use super::ast::{FlowDecl, FlowKind, NodeDecl};
use super::common::{help, parse_field_name};
use super::condition::{eat_word, parse_condition};
use super::split;
use crate::diag::{Diagnostics, did_you_mean};

const FORM: &str = "a row of `flow` is `branch to;`, `branch to or next;`, `branch *to;`, \
                    `call to if rd == 1;`, `return;`, `trap;`, `stop;` or `next;`";

/// Parses all rows into `node`. If a row has an error, it is reported and left out.
pub(crate) fn parse_flow(body: TokenStream, node: &mut NodeDecl, diag: &mut Diagnostics) {
    let rows = node.flow.insert(Vec::new());
    for statement in split::statements(body) {
        match split::parse(statement, parse_row) {
            Ok(row) => rows.push(row),
            Err(error) => {
                diag.syntax(help(error, FORM));
                node.incomplete = true;
            }
        }
    }
}

/// Parses `branch to or next if condition`.
fn parse_row(input: ParseStream<'_>) -> Result<FlowDecl> {
    let keyword = Ident::parse_any(input)?;
    let Some(kind) = FlowKind::ALL.into_iter().find(|kind| keyword == kind.keyword()) else {
        let hint = did_you_mean(&keyword.to_string(), FlowKind::ALL.map(FlowKind::keyword));
        let message = format!("expected a row of `flow`, found `{keyword}`{hint}\nhelp: {FORM}");
        return Err(syn::Error::new(keyword.span(), message));
    };
    let mut or_next = eat_next(input)?;
    let is_named = !or_next && !input.is_empty() && !input.peek(Token![if]);
    let is_indirect = is_named && input.parse::<Option<Token![*]>>()?.is_some();
    let target = if is_named { Some(parse_field_name(input)?) } else { None };
    or_next |= eat_next(input)?;
    if let Some(message) = misfit(kind, target.is_some()) {
        return Err(syn::Error::new(keyword.span(), message));
    }
    if or_next && kind == FlowKind::Next {
        return Err(syn::Error::new(keyword.span(), "write `next` alone"));
    }
    let condition = match input.parse::<Option<Token![if]>>()? {
        Some(_) => Some(parse_condition(input)?),
        None if input.is_empty() => None,
        None => return Err(input.error("expected `or next`, `if` or `;`")),
    };
    Ok(FlowDecl { kind, target, is_indirect, or_next, condition, span: keyword.span() })
}

/// Parses `or next` if these are the next tokens. Returns whether they were.
fn eat_next(input: ParseStream<'_>) -> Result<bool> {
    if !eat_word(input, "or")? {
        return Ok(false);
    }
    match eat_word(input, "next")? {
        true => Ok(true),
        false => Err(input.error("expected `next` after `or`")),
    }
}

/// Returns the error if a row must not have a target, or must have one.
fn misfit(kind: FlowKind, has_target: bool) -> Option<&'static str> {
    match (kind, has_target) {
        (FlowKind::Branch | FlowKind::Call, false) => {
            Some("expected an operand with the target after this: `branch to;`")
        }
        (FlowKind::Next | FlowKind::Stop | FlowKind::Trap, true) => {
            Some("unexpected target: only `branch`, `call` and `return` have a target")
        }
        _ => None,
    }
}
