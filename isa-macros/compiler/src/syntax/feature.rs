//! Features: `feature SM90: SM89;` declares one, and `requires SM80 and not SM90` is the condition under
//! which an opcode, a value or a field exists.

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Result, Token, parenthesized, token};

use super::ast::{Docs, FeatureCondition, FeatureDecl, Origin};
use super::common::{help, parse_name, parse_type_name};
use super::condition::{eat_pair, eat_word, joined};
use crate::diag::Diagnostics;

/// Parses `SM90: SM89, not LEGACY`, which follows the keyword `feature`. The name is kept even if the rest
/// has an error.
pub(super) fn parse_feature(
    docs: Docs,
    origin: &Origin,
    input: ParseStream<'_>,
    features: &mut Vec<FeatureDecl>,
    diag: &mut Diagnostics,
) -> Result<()> {
    let form = "expected a feature: `feature NAME;`, or with the features that it includes and \
                excludes, `feature NAME: INCLUDED, not EXCLUDED;`";
    let name = parse_type_name(input).map_err(|error| help(error, form))?;
    diag.read_item("feature", &name);
    let (includes, excludes, origin) = (Vec::new(), Vec::new(), origin.clone());
    features.push(FeatureDecl { docs, name, includes, excludes, origin });
    let Some(feature) = features.last_mut() else { return Ok(()) };
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return Ok(());
    }
    loop {
        let is_excluded = eat_not(input)?;
        let others = if is_excluded { &mut feature.excludes } else { &mut feature.includes };
        others.push(parse_name(input).map_err(|error| help(error, form))?);
        if input.parse::<Option<Token![,]>>()?.is_none() {
            return Ok(());
        }
    }
}

/// Parses `requires CONDITION`, if it is next.
pub(super) fn parse_requires(input: ParseStream<'_>) -> Result<Option<FeatureCondition>> {
    match eat_word(input, REQUIRES)? {
        true => parse_condition(input).map(Some),
        false => Ok(None),
    }
}

/// Parses the condition after `requires`.
pub(super) fn parse_condition(input: ParseStream<'_>) -> Result<FeatureCondition> {
    let form = "a requirement names features: `requires SM90`, or several with `and`, `or` and \
                `not`";
    parse_or(input).map_err(|error| help(error, form))
}

/// Returns whether a requirement is next.
pub(super) fn is_requires(input: ParseStream<'_>) -> bool {
    input.fork().parse().is_ok_and(|word: Ident| word == REQUIRES)
}

/// The word before a condition.
pub(super) const REQUIRES: &str = "requires";

fn parse_or(input: ParseStream<'_>) -> Result<FeatureCondition> {
    let mut terms = vec![parse_and(input)?];
    while eat_word(input, "or")? || eat_pair::<Token![||]>(input, Token![||])? {
        terms.push(parse_and(input)?);
    }
    Ok(joined(terms, FeatureCondition::Or))
}

fn parse_and(input: ParseStream<'_>) -> Result<FeatureCondition> {
    let mut terms = vec![parse_not(input)?];
    while eat_word(input, "and")? || eat_pair::<Token![&&]>(input, Token![&&])? {
        terms.push(parse_not(input)?);
    }
    Ok(joined(terms, FeatureCondition::And))
}

/// Parses a term after any number of `not`. Two of them cancel out.
fn parse_not(input: ParseStream<'_>) -> Result<FeatureCondition> {
    let mut is_negated = false;
    while eat_not(input)? {
        is_negated = !is_negated;
    }
    let term = if input.peek(token::Paren) {
        let inside;
        parenthesized!(inside in input);
        let condition = parse_or(&inside)?;
        if !inside.is_empty() {
            return Err(inside.error("expected `and`, `or` or `)`"));
        }
        condition
    } else {
        FeatureCondition::Name(parse_name(input)?)
    };
    Ok(if is_negated { FeatureCondition::Not(Box::new(term)) } else { term })
}

fn eat_not(input: ParseStream<'_>) -> Result<bool> {
    Ok(eat_word(input, "not")? || input.parse::<Option<Token![!]>>()?.is_some())
}
