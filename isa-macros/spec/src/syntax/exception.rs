//! `exception` sections: which combinations of values are illegal, and why.

use proc_macro2::{Ident, TokenStream};
use syn::parse::ParseStream;
use syn::{LitStr, Result, Token, braced, parenthesized, token};

use super::ast::{Condition, ExceptionDecl, NodeDecl};
use super::common::help;
use super::encoding::{parse_field_name, parse_value_ref};
use super::split;
use crate::diag::{Diagnostics, did_you_mean};

const FORM: &str = "an exception is `EncodingError<Class, \"reason\"> = condition;`";

/// Parses all exceptions into `node`; a broken one is reported and left out.
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

/// `EncodingError<Class, "reason"> = condition`
fn parse_exception(input: ParseStream<'_>) -> Result<ExceptionDecl> {
    let keyword: Ident = input.parse()?;
    if keyword != "EncodingError" {
        let hint = did_you_mean(&keyword.to_string(), ["EncodingError"]);
        let message = format!("`{keyword}` starts no exception{hint}\nhelp: {FORM}");
        return Err(syn::Error::new(keyword.span(), message));
    }
    input.parse::<Token![<]>()?;
    if input.peek(LitStr) {
        let message = "a class stands before the reason: `EncodingError<Class, \"reason\">`";
        return Err(input.error(message));
    }
    let class = input.parse()?;
    input.parse::<Token![,]>()?;
    let reason = input.parse::<LitStr>()?.value();
    input.parse::<Token![>]>()?;
    input.parse::<Token![=]>()?;
    let condition = parse_or(input)?;
    if !input.is_empty() {
        return Err(input.error("`and`, `or` or `;` is meant here"));
    }
    Ok(ExceptionDecl { class, reason, condition, span: keyword.span() })
}

fn parse_or(input: ParseStream<'_>) -> Result<Condition> {
    let mut terms = vec![parse_and(input)?];
    while eat_word(input, "or")? || eat_pair::<Token![||]>(input, Token![||])? {
        terms.push(parse_and(input)?);
    }
    Ok(joined(terms, Condition::Or))
}

fn parse_and(input: ParseStream<'_>) -> Result<Condition> {
    let mut terms = vec![parse_not(input)?];
    while eat_word(input, "and")? || eat_pair::<Token![&&]>(input, Token![&&])? {
        terms.push(parse_not(input)?);
    }
    Ok(joined(terms, Condition::And))
}

/// One term as it is, several as a chain.
fn joined(mut terms: Vec<Condition>, join: fn(Vec<Condition>) -> Condition) -> Condition {
    match terms.pop() {
        Some(only) if terms.is_empty() => only,
        last => {
            terms.extend(last);
            join(terms)
        }
    }
}

/// A term with any number of `not` in front, of which two cancel out.
fn parse_not(input: ParseStream<'_>) -> Result<Condition> {
    let mut negated = false;
    while eat_word(input, "not")? || eat_pair::<Token![!]>(input, Token![!])? {
        negated = !negated;
    }
    let term = if input.peek(token::Paren) {
        let inside;
        parenthesized!(inside in input);
        let condition = parse_or(&inside)?;
        if !inside.is_empty() {
            return Err(inside.error("`and`, `or` or `)` is meant here"));
        }
        condition
    } else {
        parse_comparison(input)?
    };
    Ok(if negated { Condition::Not(Box::new(term)) } else { term })
}

/// `field == value`, `field != value` or `field in {value, ...}`
fn parse_comparison(input: ParseStream<'_>) -> Result<Condition> {
    let field = parse_field_name(input)?;
    if input.peek(Token![in]) {
        input.parse::<Token![in]>()?;
        let list;
        braced!(list in input);
        let values = list.parse_terminated(parse_value_ref, Token![,])?.into_iter().collect();
        return Ok(Condition::Is { field, values, negated: false });
    }
    let negated = input.peek(Token![!=]);
    if negated {
        input.parse::<Token![!=]>()?;
    } else if input.peek(Token![==]) {
        input.parse::<Token![==]>()?;
    } else if input.is_empty() {
        let message = "`==`, `!=` or `in` and a value are meant behind this";
        return Err(syn::Error::new(field.span(), message));
    } else {
        return Err(input.error("`==`, `!=` or `in` is meant here"));
    }
    Ok(Condition::Is { field, values: vec![parse_value_ref(input)?], negated })
}

fn eat_word(input: ParseStream<'_>, word: &str) -> Result<bool> {
    let found = input.fork().parse::<Ident>().is_ok_and(|ident| ident == word);
    if found {
        input.parse::<Ident>()?;
    }
    Ok(found)
}

fn eat_pair<T: syn::parse::Parse>(
    input: ParseStream<'_>,
    token: impl syn::parse::Peek,
) -> Result<bool> {
    let found = input.peek(token);
    if found {
        input.parse::<T>()?;
    }
    Ok(found)
}
