//! Exceptions: conditions over fields, as sets of words.

use proc_macro2::Span;

use super::cube::{self, Cube};
use super::fields::{Scope, flatten, lower_number};
use super::words::{MOST_CUBES, Words};
use super::{Exception, Field, Model};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{Condition, FieldDecl, FieldName, ValueRef};

/// Lowers the exceptions of all nodes.
pub(crate) fn lower_exceptions(model: &mut Model, diag: &mut Diagnostics) {
    let (mut exceptions, mut broken) = (Vec::new(), Vec::new());
    for node in 0..model.nodes.len() {
        let decl = &model.nodes[node];
        let forbids = decl.fields.iter().any(|field| !field.forbidden.is_empty());
        if decl.exceptions.is_empty() && !forbids {
            continue;
        }
        // Faults of the fields themselves are reported where opcodes are flattened.
        let mut silent = Diagnostics::default();
        let ids = flatten(&model.nodes, &model.lineage[node], &model.fields, &mut silent);
        silent.finish();
        let scope = Scope { fields: &model.fields, ids: &ids };
        let incomplete = model.is_incomplete(node);
        for field in &model.nodes[node].fields {
            exceptions.extend(forbidden_values(node, field, &scope, model, diag));
        }
        for decl in &model.nodes[node].exceptions {
            let lower =
                |diag: &mut Diagnostics| lower_condition(&decl.condition, &scope, model, diag);
            let (Some(words), _) = diag.forgive(incomplete, lower) else {
                broken.push(node);
                continue;
            };
            let Some(mut cubes) = words.cubes() else {
                report_too_many(decl.span, diag);
                broken.push(node);
                continue;
            };
            cube::simplify(&mut cubes);
            if cubes.is_empty() {
                let message = "this condition never holds, so the exception excludes nothing\n\
                               help: a field has one value at a time; is `or` meant for `and`?";
                let unsure = scope.all().any(|field| field.broken);
                diag.forgive(unsure, |diag| diag.error(Code::ExceptionNever, decl.span, message));
                continue;
            }
            exceptions.push(Exception {
                node,
                class: decl.class.to_string(),
                reason: decl.reason.clone(),
                condition: show_condition(&decl.condition, false),
                cubes,
                span: decl.span,
                special: None,
            });
        }
    }
    model.exceptions = exceptions;
    for node in broken {
        model.nodes[node].incomplete = true;
    }
}

/// `!= value` of a field, as an exception. The numbers that its type does not have are no part of
/// it.
fn forbidden_values(
    node: usize,
    decl: &FieldDecl,
    scope: &Scope<'_>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<Exception> {
    let first = decl.forbidden.first()?;
    let field = scope.find(&decl.name.dotted())?;
    let kind = &model.kinds[field.kind];
    let lowered = decl.forbidden.iter().map(|value| lower_number(value, kind, diag));
    let raws: Vec<Option<u64>> = lowered.collect();
    let raws = raws.into_iter().flatten();
    let mut cubes: Vec<Cube> = raws.filter_map(|raw| field.having(raw)).collect();
    cube::simplify(&mut cubes);
    let values: Vec<String> = decl.forbidden.iter().map(show_value).collect();
    let (name, all) = (&field.text, values.join(" or "));
    (!cubes.is_empty()).then(|| Exception {
        node,
        class: "ForbiddenValue".to_owned(),
        reason: format!("`{name}` cannot be {all} here"),
        condition: values.iter().map(|v| format!("{name} == {v}")).collect::<Vec<_>>().join(" or "),
        cubes,
        span: first.span(),
        special: None,
    })
}

/// Reports an exception whose words would be too many cubes.
fn report_too_many(span: Span, diag: &mut Diagnostics) {
    let message = format!(
        "the words of this exception cannot be listed: they are more than {MOST_CUBES} patterns of \
         fixed bits\nhelp: each `!=` of a field of n bits is up to n patterns, and `and` multiplies \
         them: write the illegal values with `==` or `in`, or make an opcode of its own of each \
         group of legal values"
    );
    diag.error(Code::ExceptionSize, span, message);
}

/// The condition without names. All names that do not exist are reported.
fn lower_condition(
    condition: &Condition,
    scope: &Scope<'_>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<Words> {
    let mut all = |terms: &[Condition]| -> Option<Vec<Words>> {
        let lowered = terms.iter().map(|term| lower_condition(term, scope, model, diag));
        let lowered: Vec<Option<Words>> = lowered.collect();
        lowered.into_iter().collect()
    };
    Some(match condition {
        Condition::And(terms) => Words::And(all(terms)?),
        Condition::Or(terms) => Words::Or(all(terms)?),
        Condition::Not(inner) => Words::Not(Box::new(lower_condition(inner, scope, model, diag)?)),
        Condition::Is { field, values, negated } => {
            let field = find_field(field, scope, diag)?;
            let kind = &model.kinds[field.kind];
            let raws: Vec<Option<u64>> =
                values.iter().map(|value| lower_number(value, kind, diag)).collect();
            let raws: Vec<u64> = raws.into_iter().collect::<Option<_>>()?;
            let cubes = raws.into_iter().filter_map(|raw| field.having(raw)).collect();
            match negated {
                true => Words::Not(Box::new(Words::Any(cubes))),
                false => Words::Any(cubes),
            }
        }
    })
}

fn find_field<'m>(
    name: &FieldName,
    scope: &Scope<'m>,
    diag: &mut Diagnostics,
) -> Option<&'m Field> {
    let dotted = name.dotted();
    let found = scope.find(&dotted);
    if found.is_none() {
        let hint = did_you_mean(&dotted, scope.all().map(|field| field.text.as_str()));
        let names: Vec<&str> = scope.all().map(|field| field.text.as_str()).collect();
        let help = match names.len() {
            1..=8 => format!("\nhelp: the fields here are `{}`", names.join("`, `")),
            _ => String::new(),
        };
        let message = format!("no field is called `{dotted}` here{hint}{help}");
        diag.error(Code::UnknownField, name.span(), message);
    }
    found
}

/// The condition as text; in parentheses where that needs them inside another.
fn show_condition(condition: &Condition, inner: bool) -> String {
    let joined = |terms: &[Condition], between: &str| {
        let terms: Vec<String> = terms.iter().map(|term| show_condition(term, true)).collect();
        terms.join(between)
    };
    let text = match condition {
        Condition::And(terms) => joined(terms, " and "),
        Condition::Or(terms) => joined(terms, " or "),
        Condition::Not(a) => return format!("not {}", show_condition(a, true)),
        Condition::Is { field, values, negated } => {
            let values: Vec<String> = values.iter().map(show_value).collect();
            return match (&values[..], negated) {
                ([value], false) => format!("{} == {value}", field.dotted()),
                ([value], true) => format!("{} != {value}", field.dotted()),
                _ => format!("{} in {{{}}}", field.dotted(), values.join(", ")),
            };
        }
    };
    if inner { format!("({text})") } else { text }
}

fn show_value(value: &ValueRef) -> String {
    match value {
        ValueRef::Name(name, _) => name.clone(),
        ValueRef::Number(number) => number.value.to_string(),
    }
}
