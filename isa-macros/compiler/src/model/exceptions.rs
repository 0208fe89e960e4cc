//! Exceptions: conditions over fields, as sets of words.

use proc_macro2::Span;

use super::conditions::Conditions;
use super::cube::{self, Cube};
use super::features::{Requirement, opposite, satisfiable};
use super::fields::{Scope, lower_number};
use super::predicates::{Predicate, PredicateCase};
use super::{Model, at_node};
use crate::diag::{Code, Diagnostics};
use crate::syntax::ast::{Condition, FeatureCondition, FieldDecl, NodeDecl, ValueRef};

/// An exception of a node. It applies to some of its opcodes.
#[derive(Debug)]
pub(crate) struct Exception {
    pub(crate) node: usize,
    pub(crate) class: String,
    pub(crate) reason: String,
    pub(crate) condition: String,
    /// The words that are certainly invalid.
    pub(crate) cubes: Vec<Cube>,
    /// The words that are invalid for some results of functions.
    pub(crate) cases: Vec<PredicateCase>,
    pub(crate) span: Span,
    /// If the exception comes from a `where`: the condition of the `where`. `condition` is its
    /// negation.
    pub(crate) unmet: Option<String>,
    /// If the exception excludes the words of a special case: the opcode that these words belong
    /// to.
    pub(crate) special: Option<usize>,
}

/// The class of the exceptions for `where`.
const UNMET: &str = "UnmetCondition";

/// A condition of a node, and the exception that it becomes.
struct Stated<'n> {
    condition: &'n Condition,
    class: String,
    reason: String,
    span: Span,
    /// Whether the condition describes the valid words, as in a `where`, and not the invalid ones.
    is_where: bool,
    /// The features with which the exception applies.
    requires: Option<&'n FeatureCondition>,
}

/// Lowers the exceptions of all nodes.
pub(crate) fn lower_exceptions(model: &mut Model, diag: &mut Diagnostics) {
    let (mut exceptions, mut broken, mut predicates) = (Vec::new(), Vec::new(), Vec::new());
    let mut requirements = Vec::new();
    for node in 0..model.nodes.len() {
        let decl = &model.nodes[node];
        let forbids = decl.fields.iter().any(|field| !field.forbidden.is_empty());
        let stated = stated(decl);
        if stated.is_empty() && !forbids {
            continue;
        }
        at_node(decl, diag);
        let conditions = Conditions::of(model, node);
        let scope = conditions.scope();
        for field in &decl.fields {
            exceptions.extend(forbidden_values(node, field, &scope, model, diag));
        }
        for stated in stated {
            match lower_stated(node, &stated, &conditions, &mut predicates, diag) {
                Some(exception) if exception.cubes.is_empty() && exception.cases.is_empty() => {
                    // A loop may produce conditions that always hold, so these are accepted.
                    if !stated.is_where {
                        report_never(&stated, &scope, diag);
                    }
                }
                Some(exception) => match stated.requires {
                    None => exceptions.push(exception),
                    Some(features) => {
                        requirements.extend(requirement_of(model, exception, features, diag));
                    }
                },
                None => broken.push(node),
            }
        }
    }
    diag.leave_item();
    (model.exceptions, model.predicates) = (exceptions, predicates);
    model.requirements = requirements;
    for node in broken {
        model.nodes[node].incomplete = true;
    }
}

/// Converts an exception that applies only with some features: its words exist only without them.
fn requirement_of(
    model: &Model,
    exception: Exception,
    applies: &FeatureCondition,
    diag: &mut Diagnostics,
) -> Option<Requirement> {
    if !exception.cases.is_empty() {
        let message = "an exception with `requires` cannot call a function\nhelp: write the condition \
                       with comparisons, or declare an opcode for each case";
        diag.error(Code::Feature, applies.span(), message);
        return None;
    }
    let features = opposite(&satisfiable(model, applies, diag)?);
    let Exception { node, reason, condition, cubes, .. } = exception;
    Some(Requirement {
        node,
        words: cubes,
        features,
        subject: format!("`{condition}` ({reason})"),
        condition: applies.opposite(),
    })
}

/// Returns the conditions of a node: first those of `where`, then those of exceptions.
fn stated(node: &NodeDecl) -> Vec<Stated<'_>> {
    let wheres = node.wheres.iter().map(|decl| Stated {
        condition: &decl.condition,
        class: UNMET.to_owned(),
        reason: format!("`{}` is not satisfied", decl.condition.text()),
        span: decl.span,
        is_where: true,
        requires: None,
    });
    let exceptions = node.exceptions.iter().map(|decl| Stated {
        condition: &decl.condition,
        class: decl.class.to_string(),
        reason: decl.reason.clone(),
        span: decl.span,
        is_where: false,
        requires: decl.requires.as_ref(),
    });
    wheres.chain(exceptions).collect()
}

/// Returns the exception for a condition, or `None` if an error is reported.
fn lower_stated(
    node: usize,
    stated: &Stated<'_>,
    conditions: &Conditions<'_>,
    predicates: &mut Vec<Predicate>,
    diag: &mut Diagnostics,
) -> Option<Exception> {
    let Stated { condition, class, reason, span, is_where, requires: _ } = stated;
    let what = if *is_where { "condition" } else { "exception" };
    let (cubes, cases) = conditions.lower(condition, *is_where, (what, *span), predicates, diag)?;
    Some(Exception {
        node,
        class: class.clone(),
        reason: reason.clone(),
        condition: if *is_where { condition.opposite() } else { condition.text() },
        cubes,
        cases,
        span: *span,
        unmet: is_where.then(|| condition.text()),
        special: None,
    })
}

/// Reports an exception that rejects no word of any opcode.
fn report_never(stated: &Stated<'_>, scope: &Scope<'_>, diag: &mut Diagnostics) {
    let message = "this condition is never true, so the exception rejects nothing\nhelp: a field \
                   has only one value at a time; did you mean `or` instead of `and`?";
    let unsure = scope.all().any(|field| field.broken);
    diag.with_error_scope(unsure, |diag| {
        diag.error(Code::ExceptionWithoutEffect, stated.span, message)
    });
}

/// Returns the exception for `!= value` of a field. Numbers that are not values of the field's type
/// are left out.
fn forbidden_values(
    node: usize,
    decl: &FieldDecl,
    scope: &Scope<'_>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<Exception> {
    let first = decl.forbidden.first()?;
    let field = scope.find(&decl.name.dotted())?;
    let kind = model.type_of(field);
    let lowered = decl.forbidden.iter().map(|value| lower_number(value, kind, diag));
    let raws: Vec<Option<u64>> = lowered.collect();
    let raws = raws.into_iter().flatten();
    let mut cubes: Vec<Cube> = raws.filter_map(|raw| field.having(raw)).collect();
    cube::simplify(&mut cubes);
    let values: Vec<String> = decl.forbidden.iter().map(ValueRef::text).collect();
    let (name, all) = (&field.text, values.join(" or "));
    (!cubes.is_empty()).then(|| Exception {
        node,
        class: "ForbiddenValue".to_owned(),
        reason: format!("`{name}` cannot be {all} here"),
        condition: values.iter().map(|v| format!("{name} == {v}")).collect::<Vec<_>>().join(" or "),
        cubes,
        cases: Vec::new(),
        span: first.span(),
        unmet: None,
        special: None,
    })
}
