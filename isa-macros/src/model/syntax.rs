//! Templates to syntaxes: which field each part of a template speaks of.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};

use super::template::{self, Resolver};
use super::{FieldFormat, Model, Opcode, Operand, Role, Syntax, describe};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{AffixDecl, FieldName, OperandLists, Piece};

/// Gives every opcode its syntax, its operands and the binding between the two.
pub(crate) fn lower_syntaxes(model: &mut Model, affixes: &[AffixDecl], diag: &mut Diagnostics) {
    let mut opcodes = std::mem::take(&mut model.opcodes);
    let mut orders: Vec<Option<Vec<usize>>> = Vec::new();
    for opcode in &mut opcodes {
        orders.push(lower_operands(opcode, model, diag));
    }
    for (owners, members) in members_by_template(&opcodes, model, diag) {
        let operands: Vec<(&Opcode, Option<&[usize]>)> =
            members.iter().map(|&m| (&opcodes[m], orders[m].as_deref())).collect();
        let syntax = resolve(&owners, &operands, model, affixes, diag).unwrap_or_else(no_syntax);
        let bindings: Vec<Vec<Option<usize>>> = operands
            .iter()
            .map(|(opcode, order)| bind(&syntax, opcode, *order, model, diag))
            .collect();
        for (&member, bind) in members.iter().zip(bindings) {
            opcodes[member].bind = bind;
            opcodes[member].syntax = model.syntaxes.len();
        }
        model.syntaxes.push(syntax);
    }
    // What has no syntax is reported; it gets an empty one, so that its type is still emitted.
    for opcode in opcodes.iter_mut().filter(|opcode| opcode.syntax == usize::MAX) {
        opcode.syntax = model.syntaxes.len();
    }
    model.syntaxes.push(no_syntax());
    model.syntaxes.truncate(opcodes.iter().map(|opcode| opcode.syntax + 1).max().unwrap_or(0));
    model.opcodes = opcodes;
}

/// The syntax of an opcode that has none.
fn no_syntax() -> Syntax {
    Syntax {
        mnemonic: String::new(),
        symbols: Vec::new(),
        before: Vec::new(),
        modifiers: Vec::new(),
        after: Vec::new(),
        source: String::new(),
    }
}

/// The nodes whose templates make up an opcode's syntax, the innermost last, with the opcodes
/// that share them.
fn members_by_template(
    opcodes: &[Opcode],
    model: &Model,
    diag: &mut Diagnostics,
) -> BTreeMap<Vec<usize>, Vec<usize>> {
    let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (index, opcode) in opcodes.iter().enumerate() {
        let with_template = |&&node: &&usize| model.nodes[node].template.is_some();
        let lineage: Vec<usize> =
            model.lineage[opcode.node].iter().filter(with_template).copied().collect();
        let is_wrapper = |node: usize| {
            let template = model.nodes[node].template.as_ref();
            template.is_some_and(|t| t.pieces.iter().any(|piece| matches!(piece, Piece::Rest)))
        };
        let Some(&owner) = lineage.iter().rev().find(|&&node| !is_wrapper(node)) else {
            let message = format!(
                "`{}` has no syntax\nhelp: give it, its optype or a group `syntax {{ MNEMONIC Rd, \
                 Ra; }}`",
                opcode.name
            );
            diag.error(Code::MissingSection, opcode.name.span(), message);
            continue;
        };
        let mut owners: Vec<usize> = lineage.into_iter().filter(|&n| is_wrapper(n)).collect();
        owners.push(owner);
        groups.entry(owners).or_default().push(index);
    }
    groups
}

/// The template of the last owner inside those of the others.
fn wrapped_pieces(owners: &[usize], model: &Model) -> Vec<Piece> {
    let pieces = |node: usize| model.nodes[node].template.as_ref().map_or(&[][..], |t| &t.pieces);
    let Some((&owner, wrappers)) = owners.split_last() else {
        return Vec::new();
    };
    wrappers.iter().rev().fold(pieces(owner).to_vec(), |inner, &wrapper| {
        let mut whole = Vec::new();
        for piece in pieces(wrapper) {
            match piece {
                Piece::Rest => whole.extend(inner.iter().cloned()),
                other => whole.push(other.clone()),
            }
        }
        whole
    })
}

fn resolve(
    owners: &[usize],
    members: &[(&Opcode, Option<&[usize]>)],
    model: &Model,
    affixes: &[AffixDecl],
    diag: &mut Diagnostics,
) -> Option<Syntax> {
    let owner = *owners.last()?;
    let span = model.nodes[owner].template.as_ref()?.span;
    let pieces = wrapped_pieces(owners, model);
    let mut resolver = Resolver::new(model, members, affixes, diag);
    let parts = resolver.template(&pieces, span)?;
    let symbols = resolver.into_symbols();
    for &node in owners {
        check_value_lines(node, members, model, diag);
    }
    Some(Syntax {
        mnemonic: parts.mnemonic,
        symbols,
        before: parts.before,
        modifiers: parts.modifiers,
        after: parts.after,
        source: template::show(&pieces),
    })
}

/// The lists under a template must say what the sets say.
fn check_value_lines(
    node: usize,
    members: &[(&Opcode, Option<&[usize]>)],
    model: &Model,
    diag: &mut Diagnostics,
) {
    let Some(template) = &model.nodes[node].template else {
        return;
    };
    for line in &template.values {
        let named = |id: &&usize| {
            let name = &model.fields[**id].name;
            *name.sub.as_ref().unwrap_or(&name.base) == line.field
        };
        let Some(&id) = members.iter().flat_map(|(opcode, _)| &opcode.fields).find(named) else {
            let message = format!("no field is called `{}`", line.field);
            diag.error(Code::UnknownField, line.field.span(), message);
            continue;
        };
        check_value_line(&line.field, &line.values, id, model, diag);
    }
}

fn check_value_line(
    name: &Ident,
    listed: &[(Ident, bool)],
    id: usize,
    model: &Model,
    diag: &mut Diagnostics,
) {
    use super::{DefaultValue, Init};
    let field = &model.fields[id];
    let kind = &model.kinds[field.kind];
    for (value, star) in listed {
        let Some(found) = kind.value_named(&value.to_string()) else {
            let known: Vec<String> = kind.values().iter().map(|v| v.name.to_string()).collect();
            let hint = did_you_mean(&value.to_string(), known.iter().map(String::as_str));
            let message = format!("`{}` has no value `{value}`{hint}", kind.name);
            diag.error(Code::ValueList, value.span(), message);
            continue;
        };
        let is_default = field.init == Init::Default(DefaultValue::Number(found.raw));
        if *star != is_default {
            let message = if *star {
                format!(
                    "the star says that `{value}` is the default of `{name}`; its field does not"
                )
            } else {
                format!("`{value}` is the default of `{name}`; mark it with a star: `.{value}*`")
            };
            diag.error(Code::ValueList, value.span(), message);
        }
    }
    let missing: Vec<String> = kind
        .values()
        .iter()
        .filter(|value| !listed.iter().any(|(name, _)| *name == value.name))
        .map(|value| format!("`.{}`", value.name))
        .collect();
    if !missing.is_empty() {
        let message = format!("the list leaves out {} of `{}`", missing.join(", "), kind.name);
        diag.error(Code::ValueList, name.span(), message);
    }
}

/// For each symbol, the opcode's field; slots go by `Order`, or by name where there is none.
fn bind(
    syntax: &Syntax,
    opcode: &Opcode,
    order: Option<&[usize]>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Vec<Option<usize>> {
    let slots = slot_fields(syntax, opcode, order, model, diag);
    let bind: Vec<Option<usize>> = syntax
        .symbols
        .iter()
        .map(|symbol| symbol_field(&symbol.role, opcode, &slots, model))
        .collect();
    for (place, &id) in opcode.fields.iter().enumerate() {
        let field = &model.fields[id];
        if !field.is_fixed() && !bind.contains(&Some(place)) {
            let message = format!(
                "`{}` can differ, but the syntax of `{}` does not show it, so two instructions \
                 would have one text\nhelp: name it in the template, as `{{.{}}}`, or fix it with \
                 `==`",
                field.text, opcode.name, field.name.base
            );
            diag.error(Code::HiddenField, field.name.span(), message);
        }
    }
    bind
}

fn symbol_field(
    role: &Role,
    opcode: &Opcode,
    slots: &[Option<usize>],
    model: &Model,
) -> Option<usize> {
    match role {
        Role::Slot(slot) => slots.get(*slot).copied().flatten(),
        Role::Sub(slot, sub) => {
            let place = slots.get(*slot).copied().flatten()?;
            sub_field(opcode, place, sub, model)
        }
        Role::Field(name) => opcode.field(model, name),
    }
}

/// The sub-field of the operand at `place`, or else the field of that name.
pub(crate) fn sub_field(opcode: &Opcode, place: usize, sub: &str, model: &Model) -> Option<usize> {
    let base = &model.fields[opcode.fields[place]].text;
    opcode.field(model, &format!("{base}.{sub}")).or_else(|| opcode.field(model, sub))
}

/// The field of each slot.
fn slot_fields(
    syntax: &Syntax,
    opcode: &Opcode,
    order: Option<&[usize]>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Vec<Option<usize>> {
    let slots: Vec<_> = syntax.slots().collect();
    let span = opcode.name.span();
    if let Some(order) = order {
        if order.len() != slots.len() {
            let names: Vec<String> = slots.iter().map(|s| format!("`{}`", s.name)).collect();
            let message = format!(
                "the `Order` of `{}` has {} operands, but its syntax has {} slots: {}",
                opcode.name,
                order.len(),
                slots.len(),
                names.join(", ")
            );
            diag.error(Code::SlotMismatch, span, message);
        }
        for (slot, &place) in slots.iter().zip(order) {
            let bound = &model.fields[opcode.fields[place]].text;
            if *bound != slot.name && opcode.field(model, &slot.name).is_some() {
                let message = format!(
                    "the `Order` of `{}` puts `{bound}` in the slot `{}`, which is another of its \
                     fields",
                    opcode.name, slot.name
                );
                diag.error(Code::SlotMismatch, span, message);
            }
        }
        return (0..slots.len()).map(|slot| order.get(slot).copied()).collect();
    }
    slots
        .iter()
        .map(|slot| {
            let by_name = slot_by_name(opcode, &slot.name, model);
            if by_name.is_none() {
                let message = format!(
                    "`{}` has no field for the slot `{}`\nhelp: add the field, or an `Order<...>` \
                     that says which operand goes there",
                    opcode.name, slot.name
                );
                diag.error(Code::SlotMismatch, span, message);
            }
            by_name
        })
        .collect()
}

/// The field of a slot's name, as written or in lower case.
pub(crate) fn slot_by_name(opcode: &Opcode, name: &str, model: &Model) -> Option<usize> {
    opcode.field(model, name).or_else(|| opcode.field(model, &name.to_lowercase()))
}

/// One of the lists of an `operands` section, with the place of its keyword.
type List = Option<(Span, Vec<FieldName>)>;

/// Fills in an opcode's operands and formats; returns its `Order` as places in its fields.
fn lower_operands(
    opcode: &mut Opcode,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<Vec<usize>> {
    let lists: Vec<&OperandLists> =
        model.lineage[opcode.node].iter().map(|&node| &model.nodes[node].operands).collect();
    let last = |list: fn(&OperandLists) -> &List| {
        lists.iter().rev().find_map(|lists| list(lists).as_ref())
    };
    let inputs = last(|lists| &lists.inputs);
    let outputs = last(|lists| &lists.outputs);
    let order = last(|lists| &lists.order);
    let places = |list: Option<&(Span, Vec<FieldName>)>, diag: &mut Diagnostics| -> Vec<usize> {
        let names = list.map_or(&[][..], |(_, names)| names);
        names.iter().filter_map(|name| place_of(opcode, name, model, diag)).collect()
    };
    let (read, written) = (places(inputs, diag), places(outputs, diag));
    let sequence = order.map(|_| places(order, diag));
    if let (Some((span, _)), Some(sequence)) = (order, &sequence) {
        check_lists(opcode, *span, sequence, &read, &written, model, diag);
    }
    let widths: Vec<(usize, u16)> = lists
        .iter()
        .flat_map(|lists| &lists.widths)
        .filter_map(|(name, width)| {
            Some((place_of(opcode, name, model, diag)?, width.value as u16))
        })
        .collect();
    let mut listed = sequence.clone().unwrap_or_default();
    listed.extend(written.iter().chain(&read).copied());
    let mut operands: Vec<Operand> = Vec::new();
    for field in listed {
        if !operands.iter().any(|operand| operand.field == field) {
            let bits = widths.iter().rev().find(|(f, _)| *f == field).map_or(0, |(_, bits)| *bits);
            let (read, written) = (read.contains(&field), written.contains(&field));
            operands.push(Operand { field, read, written, bits });
        }
    }
    let formats = lower_formats(opcode, &lists, model, diag);
    (opcode.operands, opcode.formats) = (operands, formats);
    sequence
}

fn place_of(
    opcode: &Opcode,
    name: &FieldName,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<usize> {
    let dotted = name.dotted();
    let place = opcode.field(model, &dotted);
    if place.is_none() {
        let known = opcode.fields.iter().map(|&id| model.fields[id].text.as_str());
        let hint = did_you_mean(&dotted, known);
        let message = format!("`{}` has no field `{dotted}`{hint}", opcode.name);
        diag.error(Code::UnknownField, name.span(), message);
    }
    place
}

/// `Order` must hold exactly what `InList` and `OutList` hold.
fn check_lists(
    opcode: &Opcode,
    span: Span,
    order: &[usize],
    read: &[usize],
    written: &[usize],
    model: &Model,
    diag: &mut Diagnostics,
) {
    let name = |place: usize| &model.fields[opcode.fields[place]].text;
    for &place in read.iter().chain(written) {
        if !order.contains(&place) {
            let message = format!(
                "`{}` is read or written by {}, but `Order` leaves it out",
                name(place),
                describe(&model.nodes[opcode.node])
            );
            diag.error(Code::OperandLists, span, message);
        }
    }
    for &place in order {
        if !read.contains(&place) && !written.contains(&place) {
            let message =
                format!("`{}` is in `Order`, but in neither `InList` nor `OutList`", name(place));
            diag.error(Code::OperandLists, span, message);
        }
    }
}

fn lower_formats(
    opcode: &Opcode,
    lists: &[&OperandLists],
    model: &Model,
    diag: &mut Diagnostics,
) -> Vec<FieldFormat> {
    let mut formats = Vec::new();
    for reference in lists.iter().flat_map(|lists| &lists.formats) {
        let Some(format) = model.formats.iter().position(|f| f.name == reference.format) else {
            let known: Vec<String> = model.formats.iter().map(|f| f.name.to_string()).collect();
            let name = &reference.format;
            let hint = did_you_mean(&name.to_string(), known.iter().map(String::as_str));
            let message = format!(
                "no format is called `{name}`{hint}\nhelp: declare it with `format {name} = path;`"
            );
            diag.error(Code::UnknownType, name.span(), message);
            continue;
        };
        let field = place_of(opcode, &reference.field, model, diag);
        let args: Vec<usize> = reference
            .args
            .iter()
            .skip(1)
            .filter_map(|arg| place_of(opcode, arg, model, diag))
            .collect();
        formats.extend(field.map(|field| FieldFormat { field, format, args }));
    }
    formats
}
