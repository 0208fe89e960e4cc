//! Fields: checks their positions, types and values, and completes fields that a child mentions only
//! by name, as in `op == ADD;`, because a parent declares them.

use std::collections::{BTreeMap, BTreeSet};

use super::cube::Cube;
use super::{DefaultValue, FieldType, FieldTypeKind, Init, ResolvedField, at_node, describe};
use crate::diag::{Code, Diagnostics, bits as bits_text, did_you_mean, nearest};
use crate::syntax::ast::{FieldDecl, InitDecl, NodeDecl, ValueRef};

/// The fields of one node and its ancestors.
pub(crate) struct Scope<'m> {
    pub(crate) fields: &'m [ResolvedField],
    pub(crate) ids: &'m [usize],
}

impl<'m> Scope<'m> {
    pub(crate) fn all(&self) -> impl Iterator<Item = &'m ResolvedField> + '_ {
        self.ids.iter().map(|&id| &self.fields[id])
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'m ResolvedField> {
        self.all().find(|field| field.text == name)
    }

    /// Returns the bits that fields fix.
    pub(crate) fn fixed(&self) -> Cube {
        self.all().fold(Cube::ALL, |fixed, field| match field.init {
            Init::Fixed(raw) => {
                let own = field.equals(raw);
                Cube { mask: fixed.mask | own.mask, value: fixed.value | own.value }
            }
            _ => fixed,
        })
    }

    /// Returns the bits that no text shows.
    pub(crate) fn ignored(&self) -> u128 {
        let ignored = self.all().filter(|field| field.ignored);
        ignored.fold(0, |bits, field| bits | field.mask())
    }

    /// Returns the bits of a word that no field covers.
    pub(crate) fn unused(&self, bits: u8) -> u128 {
        let word = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        word & !self.all().fold(0, |covered, field| covered | field.mask())
    }
}

/// Lowers the fields of all nodes, one after another. If no opcode of this call inherits from an
/// imported group, the errors of the group are not reported: the words of this call may be narrower
/// than the words for which the group was written.
pub(crate) fn lower_fields(
    nodes: &[NodeDecl],
    lineage: &[Vec<usize>],
    kinds: &mut Vec<FieldType>,
    bits: u8,
    diag: &mut Diagnostics,
) -> Vec<ResolvedField> {
    let by_name: BTreeMap<String, usize> =
        kinds.iter().enumerate().map(|(i, kind)| (kind.name.to_string(), i)).collect();
    let mut used = vec![false; nodes.len()];
    for node in (0..nodes.len()).filter(|&node| nodes[node].origin.is_this_call()) {
        lineage[node].iter().for_each(|&ancestor| used[ancestor] = true);
    }
    let mut fields = Vec::new();
    let mut silent = Diagnostics::default();
    for (node, decl) in nodes.iter().enumerate() {
        let diag = if used[node] { &mut *diag } else { &mut silent };
        at_node(decl, diag);
        for field in &decl.fields {
            let known = by_name.get(&field.ty.to_string()).copied();
            let kind = known.unwrap_or_else(|| {
                if !field.inherits {
                    report_unknown_type(field, &by_name, diag);
                }
                let meant = nearest(&field.ty.to_string(), by_name.keys().map(String::as_str));
                meant.map_or_else(
                    || {
                        kinds.push(FieldType::unknown(&field.ty));
                        kinds.len() - 1
                    },
                    |name| by_name[name],
                )
            });
            let lower =
                |diag: &mut Diagnostics| lower_field(field, node, kind, &kinds[kind], bits, diag);
            let (mut lowered, sound) = diag.with_error_scope(false, lower);
            let whole = sound && known.is_some() && (field.bitless || !field.pieces.is_empty());
            lowered.broken = !whole || kinds[kind].broken;
            fields.push(lowered);
        }
    }
    silent.finish();
    diag.leave_item();
    fields
}

fn report_unknown_type(field: &FieldDecl, known: &BTreeMap<String, usize>, diag: &mut Diagnostics) {
    let ty = &field.ty;
    let hint = did_you_mean(&ty.to_string(), known.keys().map(String::as_str));
    let message = format!(
        "unknown type `{ty}`{hint}\nhelp: declare it with `enum {ty}: WIDTH {{ NAME = 0, ... }}` \
         or `operand {ty}: WIDTH = path;`, or `use` a set that declares it"
    );
    diag.error(Code::UnknownType, ty.span(), message);
}

fn lower_field(
    decl: &FieldDecl,
    node: usize,
    kind_id: usize,
    kind: &FieldType,
    bits: u8,
    diag: &mut Diagnostics,
) -> ResolvedField {
    let pieces = if decl.bitless {
        lower_no_place(decl, diag)
    } else if decl.inherits {
        // Errors in the position are reported at the declaration of the field.
        let mut silent = Diagnostics::default();
        let pieces = lower_place(decl, kind, bits, &mut silent);
        silent.finish();
        pieces
    } else {
        lower_place(decl, kind, bits, diag)
    };
    let pieces = pieces.unwrap_or_else(|| vec![(0, kind.width)]);
    let any_value = || kind.values().first().map_or(0, |value| value.raw);
    let init = match &decl.init {
        // A field without bits and without a value is an error. It is treated as fixed.
        InitDecl::Required | InitDecl::Default(_) if decl.bitless && !decl.inherits => {
            Init::Fixed(any_value())
        }
        InitDecl::Required => Init::Required,
        InitDecl::Fixed(value) => {
            Init::Fixed(lower_number(value, kind, diag).unwrap_or_else(any_value))
        }
        InitDecl::Default(value) => Init::Default(
            lower_default(value, kind, diag).unwrap_or_else(|| DefaultValue::Number(any_value())),
        ),
    };
    let (docs, name) = (decl.docs.clone(), decl.name.clone());
    ResolvedField {
        docs,
        text: name.dotted(),
        name,
        node,
        pieces,
        ty: kind_id,
        init,
        ignored: decl.ignored,
        broken: false,
        nameless: false,
    }
}

/// Returns an empty list of pieces. Reports a field that has neither bits nor a fixed value.
fn lower_no_place(decl: &FieldDecl, diag: &mut Diagnostics) -> Option<Vec<(u8, u8)>> {
    let fixed = matches!(decl.init, InitDecl::Fixed(_));
    // A child that does not fix a fixed field changes the field. This is reported instead.
    if !fixed && !decl.inherits {
        let name = decl.name.dotted();
        let message = format!(
            "`{name}` has neither bits nor a fixed value\nhelp: fix it, `field<> {} {name} == \
             value`, or declare its bits, `field<position, width>`",
            decl.ty
        );
        diag.error(Code::BitlessField, decl.name.span(), message);
    }
    Some(Vec::new())
}

fn lower_place(
    decl: &FieldDecl,
    kind: &FieldType,
    bits: u8,
    diag: &mut Diagnostics,
) -> Option<Vec<(u8, u8)>> {
    lower_pieces(decl, kind, bits, diag).filter(|pieces| fits(decl, pieces, kind, diag))
}

/// Returns whether the pieces have as many bits as the type.
fn fits(decl: &FieldDecl, pieces: &[(u8, u8)], kind: &FieldType, diag: &mut Diagnostics) -> bool {
    let width: u64 = pieces.iter().map(|&(_, width)| u64::from(width)).sum();
    if width == u64::from(kind.width) || kind.broken {
        return width == u64::from(kind.width);
    }
    let message = format!(
        "`{}` has {} here, but a `{}` has {}\nhelp: the second number of `field<position, \
         width>` is the width",
        decl.name.dotted(),
        bits_text(width),
        kind.name,
        kind.width
    );
    let place = decl.pieces.first().map_or_else(|| decl.name.span(), |(_, width)| width.span);
    diag.error(Code::FieldWidth, place, message);
    false
}

/// Returns `None` if the pieces could not be parsed or are invalid.
fn lower_pieces(
    decl: &FieldDecl,
    kind: &FieldType,
    bits: u8,
    diag: &mut Diagnostics,
) -> Option<Vec<(u8, u8)>> {
    if decl.pieces.is_empty() {
        return None;
    }
    let mut pieces = Vec::new();
    let mut covered = 0u128;
    for (position, width) in &decl.pieces {
        let (p, w) = (position.value, width.value);
        if w == 0 || w > 64 {
            // An error in the width of the type is already reported at the type.
            if kind.is_known() && kind.broken {
                diag.reported_elsewhere();
                return None;
            }
            diag.error(
                Code::FieldWidth,
                width.span,
                format!(
                    "width of a field out of range: expected 1 to 64 bits, found {}",
                    bits_text(w)
                ),
            );
            return None;
        }
        if p.saturating_add(w) > bits.into() {
            let message = format!(
                "`{}` ends at bit {}, but the word has bits 0 to {}\nhelp: the position of a \
                 field is the position of its lowest bit",
                decl.name.dotted(),
                p.saturating_add(w - 1),
                bits - 1
            );
            diag.error(Code::FieldOutsideWord, position.span, message);
            return None;
        }
        let mask = ((1u128 << w) - 1) << p;
        if covered & mask != 0 {
            let message = format!(
                "two parts of `{}` share bit {}\nhelp: write each part as `position, width`, \
                 separated by `:`, the most significant first",
                decl.name.dotted(),
                (covered & mask).trailing_zeros()
            );
            diag.error(Code::FieldOverlap, position.span, message);
            return None;
        }
        covered |= mask;
        pieces.push((p as u8, w as u8));
    }
    Some(pieces)
}

fn lower_default(
    value: &ValueRef,
    kind: &FieldType,
    diag: &mut Diagnostics,
) -> Option<DefaultValue> {
    match value {
        ValueRef::Name(name, span) if matches!(kind.shape, FieldTypeKind::Operand(_)) => {
            Some(DefaultValue::Named(name.clone(), *span))
        }
        _ => lower_number(value, kind, diag).map(DefaultValue::Number),
    }
}

/// Returns the bits of `value`, which has the type `kind`.
pub(crate) fn lower_number(
    value: &ValueRef,
    kind: &FieldType,
    diag: &mut Diagnostics,
) -> Option<u64> {
    match value {
        _ if matches!(kind.shape, FieldTypeKind::Unknown) => None,
        ValueRef::Name(name, span) => match kind.value_named(name) {
            Some(value) => Some(value.raw),
            None if kind.is_set() && kind.lacks_values => {
                diag.reported_elsewhere();
                None
            }
            None if kind.is_set() => {
                let names: Vec<String> = kind.values().iter().map(|v| v.text.clone()).collect();
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
                    "the value of `{name}` is unknown here: `{}` is an operand type, so write a \
                     number",
                    kind.name
                );
                diag.error(Code::UnknownValue, *span, message);
                None
            }
        },
        ValueRef::Number(number) => {
            let raw = number.value;
            if kind.width < 64 && raw >> kind.width != 0 {
                let message = format!(
                    "{raw} does not fit the {} of `{}`, whose largest number is {}",
                    bits_text(kind.width),
                    kind.name,
                    u64::MAX >> (64 - kind.width)
                );
                diag.error(Code::ValueTooWide, number.span, message);
                return None;
            }
            let exists = Cube { mask: u128::MAX, value: raw.into() };
            if kind.reserved.iter().any(|cube| cube.covers(exists)) {
                let names: Vec<String> =
                    kind.values().iter().map(|v| format!("`{}` ({})", v.text, v.raw)).collect();
                let help = match &names[..] {
                    [] => String::new(),
                    _ => format!("\nhelp: its values are {}", names.join(", ")),
                };
                let message = format!("`{}` has no value {raw}{help}", kind.name);
                diag.error(Code::UnknownValue, number.span, message);
                return None;
            }
            Some(raw)
        }
    }
}

/// Returns the fields of a node and its ancestors. A child may fix a field that a parent left open,
/// or give it a default.
pub(crate) fn flatten(
    nodes: &[NodeDecl],
    lineage: &[usize],
    fields: &[ResolvedField],
    diag: &mut Diagnostics,
) -> Vec<usize> {
    let mut flat: Vec<usize> = Vec::new();
    for &node in lineage {
        // The fields are sorted by node.
        let first = fields.partition_point(|field| field.node < node);
        let own = fields.iter().enumerate().skip(first);
        for (id, field) in own.take_while(|(_, field)| field.node == node) {
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

/// Returns whether a child's field is the parent's field and allows no values that the parent's
/// field does not allow.
fn may_replace(parent: &ResolvedField, child: &ResolvedField) -> bool {
    let same = parent.pieces == child.pieces
        && parent.ty == child.ty
        && (!parent.is_fixed() || parent.init == child.init);
    parent.node != child.node && (same || parent.broken || child.broken)
}

fn report_changed(
    nodes: &[NodeDecl],
    parent: &ResolvedField,
    child: &ResolvedField,
    diag: &mut Diagnostics,
) {
    let name = &child.text;
    if parent.node == child.node {
        diag.error_with(
            Code::DuplicateName,
            child.name.span(),
            format!(
                "`{name}` is declared twice in {}; rename one of the two",
                describe(&nodes[child.node])
            ),
            parent.name.span(),
            format!("`{name}` is first declared here"),
        );
        return;
    }
    diag.error_with(
        Code::FieldChanged,
        child.name.span(),
        format!(
            "`{name}` changes the field that {} declares; a child may fix it or add a default, \
             but must repeat its position and type",
            describe(&nodes[parent.node])
        ),
        parent.name.span(),
        format!("`{name}` is inherited from here"),
    );
}

fn report_overlaps(
    nodes: &[NodeDecl],
    fields: &[ResolvedField],
    flat: &[usize],
    field: &ResolvedField,
    diag: &mut Diagnostics,
) {
    for &other in flat {
        let other = &fields[other];
        let common = other.mask() & field.mask();
        if common == 0 || other.broken || field.broken {
            continue;
        }
        let bit = common.trailing_zeros();
        diag.error_with(
            Code::FieldOverlap,
            field.name.span(),
            format!(
                "`{}` of {} and `{}` of {} share bit {bit}\nhelp: move or narrow one of the two",
                field.text,
                describe(&nodes[field.node]),
                other.text,
                describe(&nodes[other.node])
            ),
            other.name.span(),
            format!("this declaration of `{}` contains bit {bit}", other.text),
        );
    }
}

/// Copies the inherited position and type to the fields that do not declare them.
pub(crate) fn complete_fields(
    nodes: &mut [NodeDecl],
    lineage: &[Vec<usize>],
    diag: &mut Diagnostics,
) {
    for node in nodes.iter_mut() {
        node.incomplete |= declares_twice(node);
    }
    for (node, line) in lineage.iter().enumerate() {
        let incomplete = line.iter().any(|&ancestor| nodes[ancestor].incomplete);
        at_node(&nodes[node], diag);
        let mut fields = std::mem::take(&mut nodes[node].fields);
        let mut unknown = false;
        // If the node itself declares the field, the field is declared twice, which is reported
        // elsewhere.
        let own: Vec<FieldDecl> = fields.iter().filter(|field| !field.inherits).cloned().collect();
        for field in fields.iter_mut().filter(|field| field.inherits) {
            let same = |other: &&FieldDecl| other.name.dotted() == field.name.dotted();
            match declared(nodes, line).chain(&own).find(same) {
                Some(declared) => {
                    (field.pieces, field.ty) = (declared.pieces.clone(), declared.ty.clone());
                    field.bitless = declared.bitless;
                    // A child may have another default, or fix the field.
                    let has_default = matches!(field.init, InitDecl::Default(_));
                    field.ignored |= declared.ignored && has_default;
                }
                None => {
                    diag.with_error_scope(incomplete, |diag| report(field, nodes, line, diag));
                    // It is unknown which field was intended.
                    unknown = true;
                }
            }
        }
        nodes[node].fields = fields;
        nodes[node].incomplete |= unknown;
    }
    diag.leave_item();
}

/// Returns whether a node declares two fields with the same name. One of the names is then probably
/// misspelled.
fn declares_twice(node: &NodeDecl) -> bool {
    let own = || node.fields.iter().filter(|field| !field.inherits);
    let names: BTreeSet<String> = own().map(|field| field.name.dotted()).collect();
    names.len() < own().count()
}

/// Returns the fields that ancestors declare with a position and a type.
fn declared<'n>(nodes: &'n [NodeDecl], line: &'n [usize]) -> impl Iterator<Item = &'n FieldDecl> {
    line.iter().flat_map(|&ancestor| &nodes[ancestor].fields).filter(|field| !field.inherits)
}

fn report(field: &FieldDecl, nodes: &[NodeDecl], line: &[usize], diag: &mut Diagnostics) {
    let name = field.name.dotted();
    let known: Vec<String> = declared(nodes, line).map(|field| field.name.dotted()).collect();
    let hint = did_you_mean(&name, known.iter().map(String::as_str));
    let message = format!(
        "`{name}` is not an inherited field{hint}\nhelp: `field<position, width> Type {name};` \
         declares one"
    );
    diag.error(Code::UnknownField, field.name.span(), message);
}
