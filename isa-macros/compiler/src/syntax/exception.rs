//! `exception` sections: invalid combinations of values, each with the reason why it is invalid.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{LitStr, Result, Token};

use super::ast::{ExceptionDecl, NodeDecl};
use super::common::help;
use super::condition::parse_condition_until;
use super::feature::{is_requires, parse_requires};
use super::split;
use crate::diag::{Diagnostics, did_you_mean};

const FORM: &str = "an exception is `EncodingError<Class, \"reason\"> = condition;`";

/// Parses all exceptions into `node`. If an exception has an error, it is reported and left out.
pub(crate) fn parse_exceptions(body: TokenStream, node: &mut NodeDecl, diag: &mut Diagnostics) {
    for statement in split::statements(body) {
        match split::parse(statement, parse_exception) {
            Ok(exception) => node.exceptions.push(exception),
            Err(error) => {
                diag.syntax(help(error, FORM));
                node.incomplete = true;
            }
        }
    }
}

/// Parses `EncodingError<Class, "reason"> = condition`, optionally followed by `requires FEATURE`.
fn parse_exception(input: ParseStream<'_>) -> Result<ExceptionDecl> {
    if input.peek(Token![where]) {
        let message = "`where` is only allowed in `encoding`, where its condition is true for \
                       valid encodings; an exception has a reason, and its condition is true for \
                       invalid encodings: `EncodingError<Class, \"reason\"> = condition;`";
        return Err(input.error(message));
    }
    let keyword: Ident = input.parse()?;
    if keyword != "EncodingError" {
        let hint = did_you_mean(&keyword.to_string(), ["EncodingError"]);
        let message = format!("expected an exception, found `{keyword}`{hint}\nhelp: {FORM}");
        return Err(syn::Error::new(keyword.span(), message));
    }
    input.parse::<Token![<]>()?;
    if input.peek(LitStr) {
        let message = "expected a class before the reason: `EncodingError<Class, \"reason\">`";
        return Err(input.error(message));
    }
    let class = input.parse()?;
    input.parse::<Token![,]>()?;
    let reason = input.parse::<LitStr>()?.value();
    input.parse::<Token![>]>()?;
    input.parse::<Token![=]>()?;
    let condition = parse_condition_until(input, is_requires)?;
    let requires = parse_requires(input)?;
    Ok(ExceptionDecl { class, reason, condition, requires, span: keyword.span() })
}
