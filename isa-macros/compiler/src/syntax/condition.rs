//! Conditions over fields: `imms + 1 == immr and not (rn == rm or funct in {1, 4..=7})`.

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Path, Result, Token, braced, parenthesized, token};

use super::ast::{
    Comparison, ComparisonOperator, Condition, FieldSum, FunctionCall, ListedValue, NumberLiteral,
    Term, ValueRef,
};
use super::common::{help, parse_field_name, parse_number, parse_value_ref};

const FORM: &str = "a condition is `rd != 0`, `imms + 1 == immr` or `op in {ADD, SUB}`, or several of these \
                    with `and`, `or` and `not`";

/// Parses a condition up to the end of the input.
pub(crate) fn parse_condition(input: ParseStream<'_>) -> Result<Condition> {
    parse_condition_until(input, |_| false)
}

/// Parses a condition up to the end of the input, or to a place where `is_end` returns true.
pub(super) fn parse_condition_until(
    input: ParseStream<'_>,
    is_end: impl Fn(ParseStream<'_>) -> bool,
) -> Result<Condition> {
    let condition = parse_or(input).map_err(with_form)?;
    match input.is_empty() || is_end(input) {
        true => Ok(condition),
        false => Err(with_form(input.error(unexpected_after_condition(input, "`;`")))),
    }
}

/// Adds the form of conditions to an error of the parser.
pub(super) fn with_form(error: syn::Error) -> syn::Error {
    help(error, FORM)
}

/// Returns the message for unexpected tokens after a complete condition. The message says that
/// `end` is expected there.
pub(super) fn unexpected_after_condition(input: ParseStream<'_>, end: &str) -> String {
    if input.peek(Token![<]) || input.peek(Token![>]) || input.peek(Token![==]) {
        return "a comparison has two sides; join two of them with `and`".to_owned();
    }
    format!("expected `and`, `or` or {end}")
}

pub(super) fn parse_or(input: ParseStream<'_>) -> Result<Condition> {
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

/// Returns a single term as it is, and several terms as a chain.
pub(super) fn joined<C>(mut terms: Vec<C>, join: fn(Vec<C>) -> C) -> C {
    match terms.pop() {
        Some(only) if terms.is_empty() => only,
        last => {
            terms.extend(last);
            join(terms)
        }
    }
}

/// Parses a term after any number of `not`. Two of them cancel out.
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
            return Err(inside.error(unexpected_after_condition(&inside, "`)`")));
        }
        condition
    } else if is_call(input) {
        Condition::Call(parse_call(input)?)
    } else {
        parse_comparison(input)?
    };
    Ok(if negated { Condition::Not(Box::new(term)) } else { term })
}

/// Returns whether a path with parentheses is next.
fn is_call(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.call(Path::parse_mod_style).is_ok() && ahead.peek(token::Paren)
}

/// Parses `crate::is_move_wide(imm, hw)`.
fn parse_call(input: ParseStream<'_>) -> Result<FunctionCall> {
    const MEANT: &str =
        "expected the names of the fields that the function takes: `crate::is_even(imm)`";
    let call = parse_function(input, MEANT)?;
    if parse_sign(&FieldSum { terms: Vec::new() }, &input.fork()).is_ok() {
        let message = "the result of a function cannot be compared, because it is already true \
                       or false";
        return Err(input.error(message));
    }
    Ok(call)
}

/// Parses a path and the names of fields. If a part is missing, the error is `meant`.
pub(super) fn parse_function(input: ParseStream<'_>, meant: &str) -> Result<FunctionCall> {
    let path = input.call(Path::parse_mod_style)?;
    if !input.peek(token::Paren) {
        return Err(syn::Error::new_spanned(path, meant));
    }
    let inside;
    let parentheses = parenthesized!(inside in input);
    let fields = inside.parse_terminated(parse_field_name, Token![,]);
    let fields = fields.map_err(|error| syn::Error::new(error.span(), meant))?;
    if fields.is_empty() {
        return Err(syn::Error::new(parentheses.span.join(), meant));
    }
    Ok(FunctionCall { path: path.to_token_stream(), fields: fields.into_iter().collect() })
}

/// Parses `field in {value, ...}`, `field == value`, or two sums and an operator.
fn parse_comparison(input: ParseStream<'_>) -> Result<Condition> {
    let left = parse_sum(input)?;
    if input.peek(Token![in]) {
        return parse_list(left, input);
    }
    let (sign, span) = parse_sign(&left, input)?;
    if let (Some(field), true, false) = (left.field(), left.is_field(), sign.is_order())
        && is_value(input)
    {
        let field = field.clone();
        let values = vec![ListedValue::One(parse_value_ref(input)?)];
        return Ok(Condition::Is { field, values, negated: sign == ComparisonOperator::Unequal });
    }
    let right = parse_sum(input)?;
    if left.field().or(right.field()).is_none() {
        let message = "expected a field on at least one side of a comparison";
        return Err(syn::Error::new(span, message));
    }
    Ok(Condition::Compare(Comparison { left, sign, right, span }))
}

/// Parses the part of `field in {value, 4..=7}` that begins with `in`.
fn parse_list(left: FieldSum, input: ParseStream<'_>) -> Result<Condition> {
    let word = input.parse::<Token![in]>()?;
    let Some(field) = left.field().filter(|_| left.is_field()).cloned() else {
        return Err(syn::Error::new(word.span, "expected a single field before `in`"));
    };
    let list;
    braced!(list in input);
    let values = list.parse_terminated(parse_listed, Token![,])?.into_iter().collect();
    Ok(Condition::Is { field, values, negated: false })
}

fn parse_sign(left: &FieldSum, input: ParseStream<'_>) -> Result<(ComparisonOperator, Span)> {
    let span = input.span();
    let found = ComparisonOperator::ALL.into_iter().find(|sign| match sign {
        ComparisonOperator::Equal => input.peek(Token![==]),
        ComparisonOperator::Unequal => input.peek(Token![!=]),
        ComparisonOperator::Less => input.peek(Token![<]) && !input.peek(Token![<=]),
        ComparisonOperator::LessOrEqual => input.peek(Token![<=]),
        ComparisonOperator::Greater => input.peek(Token![>]) && !input.peek(Token![>=]),
        ComparisonOperator::GreaterOrEqual => input.peek(Token![>=]),
    });
    let Some(sign) = found else {
        const SIGNS: &str = "`==`, `!=`, `<`, `<=`, `>`, `>=` or `in`";
        return Err(match (input.is_empty(), left.field()) {
            (true, Some(field)) => {
                let message = format!("expected {SIGNS} and a value after this");
                syn::Error::new(field.span(), message)
            }
            _ => input.error(format!("expected {SIGNS}")),
        });
    };
    match sign {
        ComparisonOperator::Equal => drop(input.parse::<Token![==]>()?),
        ComparisonOperator::Unequal => drop(input.parse::<Token![!=]>()?),
        ComparisonOperator::Less => drop(input.parse::<Token![<]>()?),
        ComparisonOperator::LessOrEqual => drop(input.parse::<Token![<=]>()?),
        ComparisonOperator::Greater => drop(input.parse::<Token![>]>()?),
        ComparisonOperator::GreaterOrEqual => drop(input.parse::<Token![>=]>()?),
    }
    Ok((sign, span))
}

/// Returns whether the next tokens are a value. A field with a dot and a sum are not values.
fn is_value(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    match parse_field_name(&ahead) {
        Ok(name) => name.sub.is_none() && !is_sum(&ahead),
        Err(_) => parse_number(&ahead).is_err() || !is_sum(&ahead),
    }
}

fn is_sum(input: ParseStream<'_>) -> bool {
    input.peek(Token![+]) || input.peek(Token![-])
}

/// Parses `field`, `3`, `field + 1`, `1 + field - 2`.
fn parse_sum(input: ParseStream<'_>) -> Result<FieldSum> {
    let mut terms: Vec<Term> = Vec::new();
    loop {
        let minus = !terms.is_empty() && input.parse::<Option<Token![-]>>()?.is_some();
        if !terms.is_empty() && !minus {
            input.parse::<Token![+]>()?;
        }
        if input.peek(syn::Lit) {
            terms.push(Term::Number(parse_number(input)?, minus));
        } else {
            let field = parse_field_name(input)?;
            let is_second = terms.iter().any(|term| matches!(term, Term::Field(_)));
            if minus || is_second {
                let message = "expected a number: only a number can be added to or subtracted \
                               from a field; write two fields on different sides of the \
                               comparison";
                return Err(syn::Error::new(field.span(), message));
            }
            terms.push(Term::Field(field));
        }
        if !is_sum(input) {
            return Ok(FieldSum { terms });
        }
    }
}

/// Parses `4`, `ADD`, `4..=7` or `4..8`.
fn parse_listed(input: ParseStream<'_>) -> Result<ListedValue> {
    let value = parse_value_ref(input)?;
    let open = input.peek(Token![..]) && !input.peek(Token![..=]);
    if !open && !input.peek(Token![..=]) {
        return Ok(ListedValue::One(value));
    }
    let dots = input.span();
    if open {
        input.parse::<Token![..]>()?;
    } else {
        input.parse::<Token![..=]>()?;
    }
    let (ValueRef::Number(first), true) = (value, input.peek(syn::LitInt)) else {
        return Err(syn::Error::new(dots, "expected a range between two numbers: `4..=7`"));
    };
    let end = parse_number(input)?;
    let last = end.value.checked_sub(u64::from(open)).filter(|last| first.value <= *last);
    let Some(last) = last else {
        return Err(syn::Error::new(dots, "this range is empty"));
    };
    Ok(ListedValue::Range(first, NumberLiteral { value: last, span: end.span }))
}

pub(super) fn eat_word(input: ParseStream<'_>, word: &str) -> Result<bool> {
    let found = input.fork().parse::<Ident>().is_ok_and(|ident| ident == word);
    if found {
        input.parse::<Ident>()?;
    }
    Ok(found)
}

pub(super) fn eat_pair<T: syn::parse::Parse>(
    input: ParseStream<'_>,
    token: impl syn::parse::Peek,
) -> Result<bool> {
    let found = input.peek(token);
    if found {
        input.parse::<T>()?;
    }
    Ok(found)
}
