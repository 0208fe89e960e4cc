//! Fields and exceptions: places, types and values checked where they are made.

use std::collections::BTreeMap;

use super::cube::{self, Cube};
use super::{DefaultValue, Exception, Field, Init, Kind, Model, describe};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{Condition, FieldDecl, FieldName, InitDecl, NodeDecl, ValueRef};

/// The fields of one node with its ancestors.
pub(crate) struct Scope<'m> {
    pub(crate) fields: &'m [Field],
    pub(crate) ids: &'m [usize],
}

impl<'m> Scope<'m> {
    pub(crate) fn all(&self) -> impl Iterator<Item = &'m Field> + '_ {
        self.ids.iter().map(|&id| &self.fields[id])
    }

    fn find(&self, name: &str) -> Option<&'m Field> {
        self.all().find(|field| field.text == name)
    }

    /// The bits that fields fix.
    pub(crate) fn fixed(&self) -> Cube {
        self.all().fold(Cube::ALL, |fixed, field| match field.init {
            Init::Fixed(raw) => {
                let own = field.equals(raw);
                Cube { mask: fixed.mask | own.mask, value: fixed.value | own.value }
            }
            _ => fixed,
        })
    }

    /// The bits of a word that no field covers.
    pub(crate) fn unused(&self, bits: u8) -> u128 {
        let word = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        word & !self.all().fold(0, |covered, field| covered | field.mask())
    }
}

/// Lowers the fields of all nodes, one after another.
pub(crate) fn lower_fields(
    nodes: &[NodeDecl],
    kinds: &[Kind],
    bits: u8,
    diag: &mut Diagnostics,
) -> Vec<Field> {
    let by_name: BTreeMap<String, usize> =
        kinds.iter().enumerate().map(|(i, kind)| (kind.name.to_string(), i)).collect();
    let mut fields = Vec::new();
    for (node, decl) in nodes.iter().enumerate() {
        for field in &decl.fields {
            let Some(&kind) = by_name.get(&field.ty.to_string()) else {
                report_unknown_type(field, &by_name, diag);
                continue;
            };
            fields.extend(lower_field(field, node, kind, &kinds[kind], bits, diag));
        }
    }
    fields
}

fn report_unknown_type(field: &FieldDecl, known: &BTreeMap<String, usize>, diag: &mut Diagnostics) {
    let ty = &field.ty;
    let hint = did_you_mean(&ty.to_string(), known.keys().map(String::as_str));
    let message = format!(
        "no type is called `{ty}`{hint}\nhelp: declare it with `enum {ty}: WIDTH {{ NAME = 0, \
         ... }}` or `operand {ty}: WIDTH = path;`, or `use` a set that has it"
    );
    diag.error(Code::UnknownType, ty.span(), message);
}

fn lower_field(
    decl: &FieldDecl,
    node: usize,
    kind_id: usize,
    kind: &Kind,
    bits: u8,
    diag: &mut Diagnostics,
) -> Option<Field> {
    let pieces = lower_pieces(decl, bits, diag)?;
    let width: u64 = pieces.iter().map(|&(_, width)| u64::from(width)).sum();
    if width != u64::from(kind.width) {
        let message = format!(
            "`{}` has {width} bits here, but a `{}` has {}",
            decl.name.dotted(),
            kind.name,
            kind.width
        );
        diag.error(Code::FieldWidth, decl.pieces[0].1.span, message);
        return None;
    }
    let init = match &decl.init {
        InitDecl::Required => Init::Required,
        InitDecl::Fixed(value) => Init::Fixed(lower_number(value, kind, diag)?),
        InitDecl::Default(value) => Init::Default(lower_default(value, kind, diag)?),
    };
    let (docs, name) = (decl.docs.clone(), decl.name.clone());
    Some(Field { docs, text: name.dotted(), name, node, pieces, kind: kind_id, init })
}

fn lower_pieces(decl: &FieldDecl, bits: u8, diag: &mut Diagnostics) -> Option<Vec<(u8, u8)>> {
    let mut pieces = Vec::new();
    let mut covered = 0u128;
    for (position, width) in &decl.pieces {
        let (p, w) = (position.value, width.value);
        if w == 0 || w > 64 {
            diag.error(
                Code::FieldWidth,
                width.span,
                format!("a field of {w} bits; 1 to 64 can be"),
            );
            return None;
        }
        if p.saturating_add(w) > bits.into() {
            let message = format!(
                "`{}` ends at bit {}, but the word has bits 0 to {}",
                decl.name.dotted(),
                p.saturating_add(w - 1),
                bits - 1
            );
            diag.error(Code::FieldOutsideWord, position.span, message);
            return None;
        }
        let mask = ((1u128 << w) - 1) << p;
        if covered & mask != 0 {
            let message = format!("two pieces of `{}` have a bit in common", decl.name.dotted());
            diag.error(Code::FieldOverlap, position.span, message);
            return None;
        }
        covered |= mask;
        pieces.push((p as u8, w as u8));
    }
    Some(pieces)
}

fn lower_default(value: &ValueRef, kind: &Kind, diag: &mut Diagnostics) -> Option<DefaultValue> {
    match value {
        ValueRef::Name(name, span) if !kind.is_set() => {
            Some(DefaultValue::Named(name.clone(), *span))
        }
        _ => lower_number(value, kind, diag).map(DefaultValue::Number),
    }
}

/// The bits of a value of this kind.
fn lower_number(value: &ValueRef, kind: &Kind, diag: &mut Diagnostics) -> Option<u64> {
    match value {
        ValueRef::Name(name, span) => match kind.value_named(name) {
            Some(value) => Some(value.raw),
            None if kind.is_set() => {
                let names: Vec<String> = kind.values().iter().map(|v| v.name.to_string()).collect();
                let hint = did_you_mean(name, names.iter().map(String::as_str));
                let message = format!(
                    "`{}` has no value `{name}`{hint}\nhelp: its values are `{}`",
                    kind.name,
                    names.join("`, `")
                );
                diag.error(Code::UnknownValue, *span, message);
                None
            }
            None => {
                let message = format!(
                    "the bits of `{name}` must be known here: `{}` is an operand kind, so write \
                     the number",
                    kind.name
                );
                diag.error(Code::UnknownValue, *span, message);
                None
            }
        },
        ValueRef::Number(number) => {
            let raw = number.value;
            if kind.width < 64 && raw >> kind.width != 0 {
                let message =
                    format!("{raw} does not fit the {} bits of `{}`", kind.width, kind.name);
                diag.error(Code::ValueTooWide, number.span, message);
                return None;
            }
            let exists = Cube { mask: u128::MAX, value: raw.into() };
            if kind.reserved.iter().any(|cube| cube.covers(exists)) {
                let message = format!("{raw} is no value of `{}`", kind.name);
                diag.error(Code::UnknownValue, number.span, message);
                return None;
            }
            Some(raw)
        }
    }
}

/// The fields of a node and its ancestors; a child may fix or default what a parent left open.
pub(crate) fn flatten(
    nodes: &[NodeDecl],
    lineage: &[usize],
    fields: &[Field],
    diag: &mut Diagnostics,
) -> Vec<usize> {
    let mut flat: Vec<usize> = Vec::new();
    for &node in lineage {
        for (id, field) in fields.iter().enumerate().filter(|(_, field)| field.node == node) {
            match flat.iter().position(|&other| fields[other].text == field.text) {
                Some(place) if may_replace(&fields[flat[place]], field) => flat[place] = id,
                Some(place) => report_changed(nodes, &fields[flat[place]], field, diag),
                None => {
                    report_overlaps(nodes, fields, &flat, field, diag);
                    flat.push(id);
                }
            }
        }
    }
    flat
}

/// Whether a child's field is the parent's with no more freedom.
fn may_replace(parent: &Field, child: &Field) -> bool {
    parent.node != child.node
        && parent.pieces == child.pieces
        && parent.kind == child.kind
        && (!parent.is_fixed() || parent.init == child.init)
}

fn report_changed(nodes: &[NodeDecl], parent: &Field, child: &Field, diag: &mut Diagnostics) {
    let name = &child.text;
    if parent.node == child.node {
        diag.error_with(
            Code::DuplicateName,
            child.name.span(),
            format!("`{name}` is declared twice in {}", describe(&nodes[child.node])),
            parent.name.span(),
            format!("`{name}` is first declared here"),
        );
        return;
    }
    diag.error_with(
        Code::FieldChanged,
        child.name.span(),
        format!(
            "`{name}` changes the field that {} declares; a child may fix it or give it a \
             default, at the same place and of the same type",
            describe(&nodes[parent.node])
        ),
        parent.name.span(),
        format!("`{name}` is inherited from here"),
    );
}

fn report_overlaps(
    nodes: &[NodeDecl],
    fields: &[Field],
    flat: &[usize],
    field: &Field,
    diag: &mut Diagnostics,
) {
    for &other in flat {
        let other = &fields[other];
        let common = other.mask() & field.mask();
        if common == 0 {
            continue;
        }
        let bit = common.trailing_zeros();
        diag.error_with(
            Code::FieldOverlap,
            field.name.span(),
            format!(
                "`{}` of {} and `{}` of {} both have bit {bit}",
                field.text,
                describe(&nodes[field.node]),
                other.text,
                describe(&nodes[other.node])
            ),
            other.name.span(),
            format!("`{}` has bit {bit} from here", other.text),
        );
    }
}

/// Lowers the exceptions of all nodes.
pub(crate) fn lower_exceptions(model: &mut Model, diag: &mut Diagnostics) {
    let mut exceptions = Vec::new();
    for node in 0..model.nodes.len() {
        if model.nodes[node].exceptions.is_empty() {
            continue;
        }
        // Faults of the fields themselves are reported where opcodes are flattened.
        let mut silent = Diagnostics::default();
        let ids = flatten(&model.nodes, &model.lineage[node], &model.fields, &mut silent);
        silent.finish();
        let scope = Scope { fields: &model.fields, ids: &ids };
        for decl in &model.nodes[node].exceptions {
            let Some(mut cubes) = lower_condition(&decl.condition, &scope, model, diag) else {
                continue;
            };
            cube::simplify(&mut cubes);
            if cubes.is_empty() {
                let message = "this condition never holds, so the exception excludes nothing";
                diag.error(Code::ExceptionNever, decl.span, message);
                continue;
            }
            exceptions.push(Exception {
                node,
                class: decl.class.to_string(),
                reason: decl.reason.clone(),
                condition: show_condition(&decl.condition, false),
                cubes,
            });
        }
    }
    model.exceptions = exceptions;
}

fn lower_condition(
    condition: &Condition,
    scope: &Scope<'_>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<Vec<Cube>> {
    Some(match condition {
        Condition::And(a, b) => {
            let (a, b) =
                (lower_condition(a, scope, model, diag), lower_condition(b, scope, model, diag));
            cube::intersect(&a?, &b?)
        }
        Condition::Or(a, b) => {
            let (a, b) =
                (lower_condition(a, scope, model, diag), lower_condition(b, scope, model, diag));
            let mut either = a?;
            either.extend(b?);
            either
        }
        Condition::Not(inner) => cube::complement(&lower_condition(inner, scope, model, diag)?),
        Condition::Is { field, values, negated } => {
            let field = find_field(field, scope, diag)?;
            let kind = &model.kinds[field.kind];
            let raws: Vec<Option<u64>> =
                values.iter().map(|value| lower_number(value, kind, diag)).collect();
            let raws: Vec<u64> = raws.into_iter().collect::<Option<_>>()?;
            let cubes: Vec<Cube> = raws.into_iter().map(|raw| field.equals(raw)).collect();
            if *negated { cube::complement(&cubes) } else { cubes }
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
        let message = format!("no field is called `{dotted}` here{hint}");
        diag.error(Code::UnknownField, name.span(), message);
    }
    found
}

/// The condition as text.
fn show_condition(condition: &Condition, inner: bool) -> String {
    let text = match condition {
        Condition::And(a, b) => {
            format!("{} and {}", show_condition(a, true), show_condition(b, true))
        }
        Condition::Or(a, b) => {
            format!("{} or {}", show_condition(a, true), show_condition(b, true))
        }
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
