//! `flow` sections: the control flow after an instruction.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Result, Token};

use super::ast::{FieldName, NodeDecl};
use super::common::help;
use super::condition::{Condition, eat_word, parse_condition};
use super::encoding::parse_field_name;
use super::split;
use crate::diag::{Diagnostics, did_you_mean};

const FORM: &str = "a row of `flow` is `branch to;`, `branch to or next;`, `branch *to;`, \
                    `call to if rd == 1;`, `return;`, `trap;`, `stop;` or `next;`";

/// `branch to or next if rd == 0;`
#[derive(Debug)]
pub(crate) struct FlowDecl {
    pub(crate) kind: FlowKind,
    /// The operand that contains the target.
    pub(crate) target: Option<FieldName>,
    /// Whether the operand is the address of a memory location, and that location contains the
    /// target: `*to`.
    pub(crate) is_indirect: bool,
    /// Whether execution may continue with the next instruction instead.
    pub(crate) or_next: bool,
    /// The condition that selects the words to which the row applies. `None` if the row applies to
    /// all words.
    pub(crate) condition: Option<Condition>,
    /// The position of the keyword.
    pub(crate) span: Span,
}

/// The keyword of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlowKind {
    Next,
    Branch,
    Call,
    Return,
    Stop,
    Trap,
}

impl FlowKind {
    const ALL: [FlowKind; 6] = [
        FlowKind::Branch,
        FlowKind::Call,
        FlowKind::Return,
        FlowKind::Trap,
        FlowKind::Stop,
        FlowKind::Next,
    ];

    pub(crate) fn keyword(self) -> &'static str {
        match self {
            FlowKind::Next => "next",
            FlowKind::Branch => "branch",
            FlowKind::Call => "call",
            FlowKind::Return => "return",
            FlowKind::Stop => "stop",
            FlowKind::Trap => "trap",
        }
    }

    /// Returns the name of the variant in the tables.
    pub(crate) fn variant(self) -> Ident {
        let mut name = self.keyword().to_owned();
        name[..1].make_ascii_uppercase();
        Ident::new(&name, Span::call_site())
    }

    /// Returns the error if a row must not have a target, or must have one.
    fn misfit(self, has_target: bool) -> Option<&'static str> {
        match (self, has_target) {
            (FlowKind::Branch | FlowKind::Call, false) => {
                Some("expected an operand with the target after this: `branch to;`")
            }
            (FlowKind::Next | FlowKind::Stop | FlowKind::Trap, true) => {
                Some("no operand says where this goes: only `branch`, `call` and `return` have one")
            }
            _ => None,
        }
    }
}

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
        let message = format!("`{keyword}` starts no row of `flow`{hint}\nhelp: {FORM}");
        return Err(syn::Error::new(keyword.span(), message));
    };
    let mut or_next = eat_next(input)?;
    let is_named = !or_next && !input.is_empty() && !input.peek(Token![if]);
    let is_indirect = is_named && input.parse::<Option<Token![*]>>()?.is_some();
    let target = if is_named { Some(parse_field_name(input)?) } else { None };
    or_next |= eat_next(input)?;
    if let Some(message) = kind.misfit(target.is_some()) {
        return Err(syn::Error::new(keyword.span(), message));
    }
    if or_next && kind == FlowKind::Next {
        return Err(syn::Error::new(keyword.span(), "`next` alone says this"));
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
