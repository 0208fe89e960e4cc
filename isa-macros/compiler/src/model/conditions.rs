//! Conditions with resolved names, as the sets of words that satisfy them.

use proc_macro2::Span;

use super::condition_words::{MOST_CUBES, ResolvedCondition};
use super::fields::{Scope, flatten, lower_number};
use super::predicates::{Predicate, PredicateCase, fields_of, lower_call, number, split};
use super::relation::{Relation, bits_of, numbers_between};
use super::{FieldType, FieldTypeKind, Init, Model, ResolvedField};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::model::cube::{self, Cube};
use crate::syntax::ast::{
    Comparison, ComparisonOperator, Condition, FieldName, FieldSum, ListedValue, ValueRef,
};

/// The conditions of a node. They can use its fields and those of its ancestors.
pub(super) struct Conditions<'m> {
    model: &'m Model,
    node: usize,
    fields: Vec<usize>,
}

impl<'m> Conditions<'m> {
    /// Creates the scope of a node. Errors of its fields are reported when opcodes are flattened.
    pub(super) fn of(model: &'m Model, node: usize) -> Self {
        let mut silent = Diagnostics::default();
        let fields = flatten(&model.nodes, &model.lineage[node], &model.fields, &mut silent);
        silent.finish();
        Conditions { model, node, fields }
    }

    pub(super) fn scope(&self) -> Scope<'_> {
        Scope { fields: &self.model.fields, ids: &self.fields }
    }

    /// Returns the words that satisfy a condition: first the words that certainly satisfy it, then
    /// those that satisfy it for some results of functions. With `is_opposite`, returns the words
    /// that do not satisfy it. Returns `None` if an error is reported, for example because the list
    /// of words would be too long. `what` is the name of the condition in this message.
    pub(super) fn lower(
        &self,
        condition: &Condition,
        is_opposite: bool,
        (what, span): (&str, Span),
        predicates: &mut Vec<Predicate>,
        diag: &mut Diagnostics,
    ) -> Option<(Vec<Cube>, Vec<PredicateCase>)> {
        let mut calls = Vec::new();
        let lower = |diag: &mut Diagnostics| {
            lower_condition(condition, &self.scope(), self.model, &mut calls, diag)
        };
        let words = diag.with_error_scope(self.model.is_incomplete(self.node), lower).0?;
        let words = if is_opposite { ResolvedCondition::Not(Box::new(words)) } else { words };
        let Some((mut cubes, mut cases)) = split(&words, calls.len()) else {
            report_too_many(what, span, diag);
            return None;
        };
        cube::simplify(&mut cubes);
        number(&mut cases, calls, predicates);
        Some((cubes, cases))
    }
}

/// Reports a condition whose words need too many cubes.
fn report_too_many(what: &str, span: Span, diag: &mut Diagnostics) {
    let message = format!(
        "this {what} needs more than {MOST_CUBES} patterns of fixed bits\nhelp: `!=` with a \
         field of n bits needs up to n patterns, `==` or `<` between two such fields up to 2 to \
         the power of n, and `and` multiplies them: write the invalid values with `==` or `in`, \
         or declare a separate opcode for each group of valid values"
    );
    diag.error(Code::ExceptionSize, span, message);
}

/// Resolves the names of a condition. Reports all names that do not exist. Functions become indexes
/// into `calls`.
fn lower_condition(
    condition: &Condition,
    scope: &Scope<'_>,
    model: &Model,
    calls: &mut Vec<Predicate>,
    diag: &mut Diagnostics,
) -> Option<ResolvedCondition> {
    let mut all = |terms: &[Condition]| -> Option<Vec<ResolvedCondition>> {
        let lowered = terms.iter().map(|term| lower_condition(term, scope, model, calls, diag));
        let lowered: Vec<Option<ResolvedCondition>> = lowered.collect();
        lowered.into_iter().collect()
    };
    Some(match condition {
        Condition::And(terms) => ResolvedCondition::And(all(terms)?),
        Condition::Or(terms) => ResolvedCondition::Or(all(terms)?),
        Condition::Not(inner) => {
            ResolvedCondition::Not(Box::new(lower_condition(inner, scope, model, calls, diag)?))
        }
        Condition::Call(call) => {
            let fields = fields_of(call, scope, find_field, diag)?;
            ResolvedCondition::Call(lower_call(call, &fields, calls, diag)?)
        }
        Condition::Compare(comparison) => lower_comparison(comparison, scope, model, diag)?,
        Condition::Is { field, values, negated } => {
            let field = find_field(field, scope, diag)?;
            if let Some((other, span)) = as_field(field, values, scope, model, diag) {
                let sign =
                    if *negated { ComparisonOperator::Unequal } else { ComparisonOperator::Equal };
                return relation((field, 0), sign, (other?, 0), span, model, diag);
            }
            let kind = model.type_of(field);
            let cubes: Vec<Option<Vec<Cube>>> =
                values.iter().map(|value| listed(field, kind, value, diag)).collect();
            let cubes = cubes.into_iter().collect::<Option<Vec<_>>>()?.concat();
            match negated {
                true => ResolvedCondition::Not(Box::new(ResolvedCondition::Any(cubes))),
                false => ResolvedCondition::Any(cubes),
            }
        }
    })
}

/// Returns the words in which a field has a listed value.
fn listed(
    field: &ResolvedField,
    kind: &FieldType,
    value: &ListedValue,
    diag: &mut Diagnostics,
) -> Option<Vec<Cube>> {
    match value {
        ListedValue::One(value) => {
            lower_number(value, kind, diag).map(|raw| field.having(raw).into_iter().collect())
        }
        ListedValue::Range(first, last) => {
            if matches!(kind.shape, FieldTypeKind::Unknown) {
                return None;
            }
            if kind.width < 64 && last.value >> kind.width != 0 {
                // A range that does not fit causes the same error as its last number alone.
                return lower_number(&ValueRef::Number(*last), kind, diag).map(|_| Vec::new());
            }
            Some(between(field, first.value, last.value))
        }
    }
}

/// Returns the words in which a field has a number from `first` to `last`.
fn between(field: &ResolvedField, first: u64, last: u64) -> Vec<Cube> {
    match field.init {
        Init::Fixed(raw) if field.pieces.is_empty() => {
            if (first..=last).contains(&raw) {
                vec![Cube::ALL]
            } else {
                Vec::new()
            }
        }
        _ => numbers_between(first, last).into_iter().map(|cube| field.lift(cube)).collect(),
    }
}

/// Returns the field that a single name after `==` refers to, if the name is not a value. If there
/// is no such field, this is reported, and the inner `Option` is `None`.
fn as_field<'m>(
    field: &ResolvedField,
    values: &[ListedValue],
    scope: &Scope<'m>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<(Option<&'m ResolvedField>, Span)> {
    let [ListedValue::One(ValueRef::Name(name, span))] = values else { return None };
    let kind = model.type_of(field);
    if kind.value_named(name).is_some() || matches!(kind.shape, FieldTypeKind::Unknown) {
        return None;
    }
    if let Some(other) = scope.find(name) {
        return Some((Some(other), *span));
    }
    let hint = did_you_mean(name, scope.all().map(|field| field.text.as_str()));
    if kind.is_set() || hint.is_empty() {
        return None;
    }
    let message = format!(
        "the value of `{name}` is unknown here: `{}` is an operand type, so write a number or a \
         field{hint}",
        kind.name
    );
    diag.error(Code::UnknownValue, *span, message);
    Some((None, *span))
}

fn lower_comparison(
    comparison: &Comparison,
    scope: &Scope<'_>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<ResolvedCondition> {
    let Comparison { left, sign, right, span } = comparison;
    let mut field = |sum: &FieldSum| {
        let Some(name) = sum.field() else { return Some(None) };
        let field = find_field(name, scope, diag)?;
        let kind = model.type_of(field);
        if kind.is_set() && (sign.is_order() || !sum.is_field()) {
            report_order(field, kind, *sign, *span, diag);
            return None;
        }
        Some(Some(field))
    };
    let (left_field, right_field) = (field(left)?, field(right)?);
    match (left_field, right_field) {
        (Some(a), Some(b)) => {
            relation((a, left.number()), *sign, (b, right.number()), *span, model, diag)
        }
        (Some(field), None) => numbers(field, *sign, right.number() - left.number(), model),
        (None, Some(field)) => numbers(field, sign.turned(), left.number() - right.number(), model),
        (None, None) => None,
    }
}

/// Reports that names of an `enum` are compared by order or added to numbers, although they are not
/// numbers.
fn report_order(
    field: &ResolvedField,
    kind: &FieldType,
    sign: ComparisonOperator,
    span: Span,
    diag: &mut Diagnostics,
) {
    let (name, set) = (&field.text, &kind.name);
    let why = match sign.is_order() {
        true => format!("`{}` compares numbers", sign.text()),
        false => "a number can only be added to a number".to_owned(),
    };
    let values: Vec<String> = kind.values().iter().take(2).map(|v| v.name.to_string()).collect();
    let message = format!(
        "{why}, but the values of `{name}` are names of the value set `{set}`\nhelp: list the \
         names: `{name} in {{{}}}`",
        values.join(", ")
    );
    diag.error(Code::Comparison, span, message);
}

/// Returns the words in which the comparison of a field with a number holds.
fn numbers(
    field: &ResolvedField,
    sign: ComparisonOperator,
    number: i128,
    model: &Model,
) -> Option<ResolvedCondition> {
    let kind = model.type_of(field);
    if matches!(kind.shape, FieldTypeKind::Unknown) {
        return None;
    }
    let most = i128::from(u64::MAX >> (64 - kind.width));
    let (first, last) = match sign {
        ComparisonOperator::Equal | ComparisonOperator::Unequal => (number, number),
        ComparisonOperator::Less => (0, number - 1),
        ComparisonOperator::LessOrEqual => (0, number),
        ComparisonOperator::Greater => (number + 1, most),
        ComparisonOperator::GreaterOrEqual => (number, most),
    };
    let (first, last) = (first.max(0), last.min(most));
    let cubes = match (u64::try_from(first), u64::try_from(last)) {
        (Ok(first), Ok(last)) if first <= last => between(field, first, last),
        _ => Vec::new(),
    };
    Some(match sign {
        ComparisonOperator::Unequal => {
            ResolvedCondition::Not(Box::new(ResolvedCondition::Any(cubes)))
        }
        _ => ResolvedCondition::Any(cubes),
    })
}

/// Returns the words in which a comparison of two fields holds. Numbers may be added to the fields.
fn relation(
    (left, left_by): (&ResolvedField, i128),
    sign: ComparisonOperator,
    (right, right_by): (&ResolvedField, i128),
    span: Span,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<ResolvedCondition> {
    let [a, b] = [left, right].map(|field| model.type_of(field));
    if [a, b].into_iter().any(|kind| matches!(kind.shape, FieldTypeKind::Unknown)) {
        return None;
    }
    if left.text == right.text {
        let message = format!("`{}` is compared with itself", left.text);
        diag.error(Code::Comparison, span, message);
        return None;
    }
    if left.ty != right.ty && (a.is_set() || b.is_set()) {
        let message = format!(
            "cannot compare `{}` of type `{}` with `{}` of type `{}`\nhelp: only names of the \
             same value set can be compared; compare each field with its own value: `{} == VALUE \
             and {} == VALUE`",
            left.text, a.name, right.text, b.name, left.text, right.text
        );
        diag.error(Code::Comparison, span, message);
        return None;
    }
    let fixed = |field: &ResolvedField| match field.init {
        Init::Fixed(raw) if field.pieces.is_empty() => Some(i128::from(raw)),
        _ => None,
    };
    match (fixed(left), fixed(right)) {
        (_, Some(raw)) => numbers(left, sign, raw + right_by - left_by, model),
        (Some(raw), None) => numbers(right, sign.turned(), raw + left_by - right_by, model),
        (None, None) => Some(ResolvedCondition::Relation(Relation {
            left: bits_of(left),
            by: left_by - right_by,
            sign,
            right: bits_of(right),
        })),
    }
}

fn find_field<'m>(
    name: &FieldName,
    scope: &Scope<'m>,
    diag: &mut Diagnostics,
) -> Option<&'m ResolvedField> {
    let dotted = name.dotted();
    let found = scope.find(&dotted);
    if found.is_none() {
        let hint = did_you_mean(&dotted, scope.all().map(|field| field.text.as_str()));
        let names: Vec<&str> = scope.all().map(|field| field.text.as_str()).collect();
        let help = match names.len() {
            1..=8 => format!("\nhelp: the available fields are `{}`", names.join("`, `")),
            _ => String::new(),
        };
        let message = format!("unknown field `{dotted}`{hint}{help}");
        diag.error(Code::UnknownField, name.span(), message);
    }
    found
}
