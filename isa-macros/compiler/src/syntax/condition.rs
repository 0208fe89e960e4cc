//! Conditions over fields: `imms + 1 == immr and not (rn == rm or funct in {1, 4..=7})`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Path, Result, Token, braced, parenthesized, token};

use super::ast::{FieldName, Number, ValueRef};
use super::common::{help, parse_number};
use super::encoding::{parse_field_name, parse_value_ref};

/// A condition as written.
#[derive(Debug)]
pub(crate) enum Condition {
    /// The terms of a chain are stored in one list, so the depth of the tree does not grow with the
    /// length of the chain.
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
    /// `field == value`, `field != value`, `field in {a, 4..=7}`. If a single name after `==` or
    /// `!=` is not a value, it is the name of a field.
    Is {
        field: FieldName,
        values: Vec<Listed>,
        negated: bool,
    },
    /// `imms + 1 == immr`, `imms < 3`
    Compare(Comparison),
    /// `crate::is_move_wide(imm)`
    Call(Call),
}

/// A call of a Rust function that decides whether a condition holds. The arguments are fields.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) path: TokenStream,
    /// The arguments, at least one.
    pub(crate) fields: Vec<FieldName>,
}

impl Call {
    /// Returns the path without the arguments.
    pub(crate) fn name(&self) -> String {
        // A path from another call begins with `$crate`.
        self.path.to_string().replace([' ', '$'], "")
    }

    pub(crate) fn text(&self) -> String {
        let fields: Vec<String> = self.fields.iter().map(FieldName::dotted).collect();
        format!("{}({})", self.name(), fields.join(", "))
    }
}

/// An element of a list of values.
#[derive(Debug)]
pub(crate) enum Listed {
    One(ValueRef),
    /// `4..=7`: the first and the last number.
    Range(Number, Number),
}

/// A comparison of two sums. At least one of them contains a field.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) left: Sum,
    pub(crate) sign: Sign,
    pub(crate) right: Sum,
    /// The position of the operator.
    pub(crate) span: Span,
}

/// A sum of numbers and at most one field. Numbers may be subtracted.
#[derive(Debug)]
pub(crate) struct Sum {
    terms: Vec<Term>,
}

#[derive(Debug)]
enum Term {
    Field(FieldName),
    /// A number, and whether it is subtracted.
    Number(Number, bool),
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Sign {
    pub(crate) const ALL: [Sign; 6] = [
        Sign::Equal,
        Sign::Unequal,
        Sign::Less,
        Sign::LessOrEqual,
        Sign::Greater,
        Sign::GreaterOrEqual,
    ];

    /// Returns the operator of the negated comparison.
    pub(crate) fn negated(self) -> Sign {
        match self {
            Sign::Equal => Sign::Unequal,
            Sign::Unequal => Sign::Equal,
            Sign::Less => Sign::GreaterOrEqual,
            Sign::LessOrEqual => Sign::Greater,
            Sign::Greater => Sign::LessOrEqual,
            Sign::GreaterOrEqual => Sign::Less,
        }
    }

    /// Returns the operator for the same comparison with exchanged operands.
    pub(crate) fn turned(self) -> Sign {
        match self {
            Sign::Equal | Sign::Unequal => self,
            Sign::Less => Sign::Greater,
            Sign::LessOrEqual => Sign::GreaterOrEqual,
            Sign::Greater => Sign::Less,
            Sign::GreaterOrEqual => Sign::LessOrEqual,
        }
    }

    /// Returns whether the operator compares by order, not only for equality.
    pub(crate) fn is_order(self) -> bool {
        !matches!(self, Sign::Equal | Sign::Unequal)
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            Sign::Equal => "==",
            Sign::Unequal => "!=",
            Sign::Less => "<",
            Sign::LessOrEqual => "<=",
            Sign::Greater => ">",
            Sign::GreaterOrEqual => ">=",
        }
    }
}

impl Sum {
    /// Returns the field, if there is one.
    pub(crate) fn field(&self) -> Option<&FieldName> {
        self.terms.iter().find_map(|term| match term {
            Term::Field(field) => Some(field),
            Term::Number(..) => None,
        })
    }

    /// Returns the sum of the numbers.
    pub(crate) fn number(&self) -> i128 {
        let numbers = self.terms.iter().map(|term| match term {
            Term::Field(_) => 0,
            Term::Number(number, false) => i128::from(number.value),
            Term::Number(number, true) => -i128::from(number.value),
        });
        numbers.sum()
    }

    /// Returns whether the sum is only a field.
    pub(crate) fn is_field(&self) -> bool {
        matches!(&self.terms[..], [Term::Field(_)])
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (place, term) in self.terms.iter().enumerate() {
            let (minus, shown) = match term {
                Term::Field(field) => (false, field.dotted()),
                Term::Number(number, minus) => (*minus, number.value.to_string()),
            };
            if place > 0 {
                text += if minus { " - " } else { " + " };
            }
            text += &shown;
        }
        text
    }
}

impl Condition {
    /// Returns the condition as text.
    pub(crate) fn text(&self) -> String {
        self.shown(false)
    }

    /// Returns the negated condition as text.
    pub(crate) fn opposite(&self) -> String {
        match self {
            Condition::Not(inner) => inner.text(),
            Condition::Is { field, values, negated } if values.len() == 1 => {
                shown_values(field, values, !negated)
            }
            Condition::Compare(comparison) => comparison.shown(comparison.sign.negated()),
            _ => format!("not {}", self.shown(true)),
        }
    }

    /// Returns the text, in parentheses if it needs them inside another condition.
    fn shown(&self, inner: bool) -> String {
        let joined = |terms: &[Condition], between: &str| {
            let terms: Vec<String> = terms.iter().map(|term| term.shown(true)).collect();
            terms.join(between)
        };
        let text = match self {
            Condition::And(terms) => joined(terms, " and "),
            Condition::Or(terms) => joined(terms, " or "),
            Condition::Not(a) => return format!("not {}", a.shown(true)),
            Condition::Is { field, values, negated } => {
                return shown_values(field, values, *negated);
            }
            Condition::Compare(comparison) => return comparison.shown(comparison.sign),
            Condition::Call(call) => return call.text(),
        };
        if inner { format!("({text})") } else { text }
    }
}

impl Comparison {
    fn shown(&self, sign: Sign) -> String {
        format!("{} {} {}", self.left.text(), sign.text(), self.right.text())
    }
}

fn shown_values(field: &FieldName, values: &[Listed], negated: bool) -> String {
    let field = field.dotted();
    if let [Listed::One(value)] = values {
        let sign = if negated { "!=" } else { "==" };
        return format!("{field} {sign} {}", value.text());
    }
    let values = values.iter().map(|value| match value {
        Listed::One(value) => value.text(),
        Listed::Range(first, last) => format!("{}..={}", first.value, last.value),
    });
    let list = values.collect::<Vec<_>>().join(", ");
    if negated { format!("not {field} in {{{list}}}") } else { format!("{field} in {{{list}}}") }
}

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
        false => Err(with_form(input.error(behind(input, "`;`")))),
    }
}

/// Adds the form of conditions to an error of the parser.
pub(super) fn with_form(error: syn::Error) -> syn::Error {
    help(error, FORM)
}

/// Returns the message for unexpected tokens after a complete condition. The message says that
/// `end` is expected there.
pub(super) fn behind(input: ParseStream<'_>, end: &str) -> String {
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
fn joined(mut terms: Vec<Condition>, join: fn(Vec<Condition>) -> Condition) -> Condition {
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
            return Err(inside.error(behind(&inside, "`)`")));
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
fn parse_call(input: ParseStream<'_>) -> Result<Call> {
    const MEANT: &str =
        "expected the names of the fields that the function takes: `crate::is_even(imm)`";
    let call = parse_function(input, MEANT)?;
    if parse_sign(&Sum { terms: Vec::new() }, &input.fork()).is_ok() {
        let message = "a function says whether the condition holds, and is compared with nothing";
        return Err(input.error(message));
    }
    Ok(call)
}

/// Parses a path and the names of fields. If a part is missing, the error is `meant`.
pub(super) fn parse_function(input: ParseStream<'_>, meant: &str) -> Result<Call> {
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
    Ok(Call { path: path.to_token_stream(), fields: fields.into_iter().collect() })
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
        let values = vec![Listed::One(parse_value_ref(input)?)];
        return Ok(Condition::Is { field, values, negated: sign == Sign::Unequal });
    }
    let right = parse_sum(input)?;
    if left.field().or(right.field()).is_none() {
        let message = "one side of a comparison is a field, or a field and a number";
        return Err(syn::Error::new(span, message));
    }
    Ok(Condition::Compare(Comparison { left, sign, right, span }))
}

/// Parses the part of `field in {value, 4..=7}` that begins with `in`.
fn parse_list(left: Sum, input: ParseStream<'_>) -> Result<Condition> {
    let word = input.parse::<Token![in]>()?;
    let Some(field) = left.field().filter(|_| left.is_field()).cloned() else {
        return Err(syn::Error::new(word.span, "a field alone stands before `in`"));
    };
    let list;
    braced!(list in input);
    let values = list.parse_terminated(parse_listed, Token![,])?.into_iter().collect();
    Ok(Condition::Is { field, values, negated: false })
}

fn parse_sign(left: &Sum, input: ParseStream<'_>) -> Result<(Sign, Span)> {
    let span = input.span();
    let found = Sign::ALL.into_iter().find(|sign| match sign {
        Sign::Equal => input.peek(Token![==]),
        Sign::Unequal => input.peek(Token![!=]),
        Sign::Less => input.peek(Token![<]) && !input.peek(Token![<=]),
        Sign::LessOrEqual => input.peek(Token![<=]),
        Sign::Greater => input.peek(Token![>]) && !input.peek(Token![>=]),
        Sign::GreaterOrEqual => input.peek(Token![>=]),
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
        Sign::Equal => drop(input.parse::<Token![==]>()?),
        Sign::Unequal => drop(input.parse::<Token![!=]>()?),
        Sign::Less => drop(input.parse::<Token![<]>()?),
        Sign::LessOrEqual => drop(input.parse::<Token![<=]>()?),
        Sign::Greater => drop(input.parse::<Token![>]>()?),
        Sign::GreaterOrEqual => drop(input.parse::<Token![>=]>()?),
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
fn parse_sum(input: ParseStream<'_>) -> Result<Sum> {
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
                let message = "to a field a number is added, or one subtracted: of two fields each \
                               stands on a side of its own";
                return Err(syn::Error::new(field.span(), message));
            }
            terms.push(Term::Field(field));
        }
        if !is_sum(input) {
            return Ok(Sum { terms });
        }
    }
}

/// Parses `4`, `ADD`, `4..=7` or `4..8`.
fn parse_listed(input: ParseStream<'_>) -> Result<Listed> {
    let value = parse_value_ref(input)?;
    let open = input.peek(Token![..]) && !input.peek(Token![..=]);
    if !open && !input.peek(Token![..=]) {
        return Ok(Listed::One(value));
    }
    let dots = input.span();
    if open {
        input.parse::<Token![..]>()?;
    } else {
        input.parse::<Token![..=]>()?;
    }
    let (ValueRef::Number(first), true) = (value, input.peek(syn::LitInt)) else {
        return Err(syn::Error::new(dots, "a range is between two numbers: `4..=7`"));
    };
    let end = parse_number(input)?;
    let last = end.value.checked_sub(u64::from(open)).filter(|last| first.value <= *last);
    let Some(last) = last else {
        return Err(syn::Error::new(dots, "no number is in this range"));
    };
    Ok(Listed::Range(first, Number { value: last, span: end.span }))
}

pub(super) fn eat_word(input: ParseStream<'_>, word: &str) -> Result<bool> {
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
