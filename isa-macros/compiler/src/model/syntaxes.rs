//! Resolves templates to syntaxes. A syntax contains the field that each part of a template refers
//! to.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use super::affix_values::{affix_values, with_affix_values};
use super::hidden_fields::{report_hidden, report_ignored, show_duplicated_fields};
use super::operands::{check_orders, lower_formats, lower_operands};
use super::template::{TemplateResolver, owners, wrapped_pieces};
use super::{
    FieldType, Model, NamedValue, Opcode, Placeholder, ResolvedField, Role, Syntax, at_node,
    template,
};
use crate::diag::{Code, Diagnostics, did_you_mean, quoted};
use crate::syntax::ast::AffixDecl;

/// Gives every opcode and alias its syntax and its operands, and binds the placeholders to fields.
pub(crate) fn lower_syntaxes(model: &mut Model, affixes: &[AffixDecl], diag: &mut Diagnostics) {
    let mut own = std::mem::take(&mut model.opcodes);
    let mut aliases = std::mem::take(&mut model.aliases);
    let rows = aliases.iter_mut().map(|alias| &mut alias.row);
    let mut opcodes: Vec<&mut Opcode> = own.iter_mut().chain(rows).collect();
    let (orders, all_written) = lower_lists(&mut opcodes, model, diag);
    diag.leave_item();
    for (owners, members) in members_by_template(&opcodes, model, diag) {
        let operands: Vec<(&Opcode, Option<&[usize]>)> =
            members.iter().map(|&m| (&*opcodes[m], orders[m].as_deref())).collect();
        let incomplete = members.iter().any(|&m| model.is_incomplete(opcodes[m].node));
        let pieces = wrapped_pieces(&owners, model);
        if let Some(&owner) = owners.last() {
            at_node(&model.nodes[owner], diag);
        }
        let order = |diag: &mut Diagnostics| check_orders(&owners, &pieces, &operands, model, diag);
        let ((), ordered) = diag.with_error_scope(incomplete, order);
        let lower = |diag: &mut Diagnostics| resolve(&owners, &operands, model, affixes, diag);
        let (syntax, resolved) = diag.with_error_scope(incomplete || !ordered, lower);
        let resolved = resolved && ordered;
        let syntax = syntax.unwrap_or_else(no_syntax);
        let bindings: Vec<(Vec<Option<usize>>, bool)> = operands
            .iter()
            .zip(&members)
            .map(|((opcode, order), &member)| {
                let known = resolved && all_written[member];
                let unsure = !known || model.is_incomplete(opcode.node);
                diag.with_error_scope(unsure, |diag| bind(&syntax, opcode, *order, model, diag))
            })
            .collect();
        let bound: Vec<(&Opcode, &[Option<usize>])> =
            operands.iter().zip(&bindings).map(|((row, _), (bind, _))| (*row, &bind[..])).collect();
        let marks =
            diag.with_error_scope(!resolved, |diag| affix_values(&syntax, &bound, model, diag)).0;
        // If the values of operators differ in some opcodes, these opcodes get their own syntax.
        let mut by_marks: Vec<(&[u64], usize)> = Vec::new();
        for ((&member, (bind, sound)), marks) in members.iter().zip(bindings).zip(&marks) {
            let known = by_marks.iter().find(|(known, _)| known == marks).map(|(_, index)| *index);
            let index = known.unwrap_or_else(|| {
                by_marks.push((marks, model.syntaxes.len()));
                model.syntaxes.push(with_affix_values(syntax.clone(), marks));
                model.syntaxes.len() - 1
            });
            opcodes[member].bind = bind;
            opcodes[member].hidden = hidden(&syntax, opcodes[member], model);
            opcodes[member].syntax = index;
            let opcode = &mut opcodes[member];
            opcode.is_valid &= sound && resolved;
            // If the template has an error and an open field may distinguish opcodes, it is unknown
            // which words belong to the opcode.
            opcode.has_valid_fields &= sound || !leaves_open(opcode, model);
        }
    }
    diag.leave_item();
    // An opcode without a syntax is reported. It gets an empty one, so that its type is still
    // emitted.
    for opcode in opcodes.iter_mut().filter(|opcode| opcode.syntax == usize::MAX) {
        opcode.syntax = model.syntaxes.len();
        opcode.is_valid = false;
    }
    model.syntaxes.push(no_syntax());
    model.syntaxes.truncate(opcodes.iter().map(|opcode| opcode.syntax + 1).max().unwrap_or(0));
    // Aliases with errors can be removed, because no other code refers to an alias by name.
    aliases.retain(|alias| alias.row.is_valid && own[alias.of].is_valid);
    (model.opcodes, model.aliases) = (own, aliases);
}

/// Gives every opcode and alias its operands and composite operands. Returns for each its `Order`,
/// and whether its composite operands are known.
fn lower_lists(
    opcodes: &mut [&mut Opcode],
    model: &mut Model,
    diag: &mut Diagnostics,
) -> (Vec<Option<Vec<usize>>>, Vec<bool>) {
    let mut orders: Vec<Option<Vec<usize>>> = Vec::new();
    let mut all_written = Vec::new();
    for opcode in opcodes.iter_mut() {
        let incomplete = model.is_incomplete(opcode.node);
        at_node(&model.nodes[opcode.node], diag);
        let lower = |diag: &mut Diagnostics| lower_formats(opcode, model, diag);
        let ((), written) = diag.with_error_scope(incomplete, lower);
        opcode.is_valid &= written;
        all_written.push(written);
    }
    for opcode in opcodes.iter_mut() {
        let incomplete = model.is_incomplete(opcode.node);
        show_duplicated_fields(opcode, model, diag);
        if model.nodes[opcode.node].level.is_alias() {
            // Errors in the lists are reported at the opcode. The placeholders of an alias are
            // bound by name.
            let mut silent = Diagnostics::default();
            lower_operands(opcode, model, &mut silent);
            silent.finish();
            orders.push(None);
            continue;
        }
        at_node(&model.nodes[opcode.node], diag);
        let lower = |diag: &mut Diagnostics| lower_operands(opcode, model, diag);
        let (order, sound) = diag.with_error_scope(incomplete, lower);
        opcode.is_valid &= sound;
        orders.push(order);
    }
    (orders, all_written)
}

/// Returns the syntax of an opcode that has none.
fn no_syntax() -> Syntax {
    Syntax {
        mnemonic: String::new(),
        placeholders: Vec::new(),
        before: Vec::new(),
        modifiers: Vec::new(),
        after: Vec::new(),
        source: String::new(),
        span: proc_macro2::Span::call_site(),
    }
}

/// Groups the opcodes by the nodes whose templates make up their syntax, the innermost node last.
fn members_by_template(
    opcodes: &[&mut Opcode],
    model: &Model,
    diag: &mut Diagnostics,
) -> BTreeMap<Vec<usize>, Vec<usize>> {
    let mut groups: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (index, opcode) in opcodes.iter().enumerate() {
        let Some(owners) = owners(opcode, model) else {
            let is_alias = model.nodes[opcode.node].level.is_alias();
            let place = if is_alias { "it" } else { "it, its optype or a group" };
            let message = format!(
                "`{}` has no syntax\nhelp: add `syntax {{ MNEMONIC Rd, Ra; }}` to {place}",
                opcode.name
            );
            diag.with_error_scope(model.is_incomplete(opcode.node), |diag| {
                diag.error(Code::MissingSection, opcode.name.span(), message);
            });
            continue;
        };
        groups.entry(owners).or_default().push(index);
    }
    groups
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
    let mut resolver = TemplateResolver::new(model, members, affixes, diag);
    let parts = resolver.template(&pieces, span)?;
    let placeholders = resolver.into_symbols();
    for &node in owners {
        check_value_lines(node, members, model, diag);
    }
    Some(Syntax {
        mnemonic: parts.mnemonic,
        placeholders,
        before: parts.before,
        modifiers: parts.modifiers,
        after: parts.after,
        source: template::format_template(&pieces),
        span,
    })
}

/// Checks that the lists under a template agree with the sets of values.
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
            let known = members.iter().flat_map(|(opcode, _)| &opcode.fields);
            let known = known.map(|&id| model.fields[id].text.as_str());
            let hint = did_you_mean(&line.field.to_string(), known);
            let message = format!(
                "unknown field `{}`{hint}\nhelp: a value list repeats the values of a field of \
                 the template: `.field = {{.DEFAULT*, .OTHER}}`",
                line.field
            );
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
    let field = &model.fields[id];
    let kind = model.type_of(field);
    for (value, star) in listed {
        let Some(found) = kind.value_named(&value.to_string()) else {
            let known: Vec<String> = kind.values().iter().map(|v| v.text.clone()).collect();
            let hint = did_you_mean(&value.to_string(), known.iter().map(String::as_str));
            let message = format!(
                "`{}` has no value `{value}`{hint}\nhelp: its values are `{}`",
                kind.name,
                known.join("`, `")
            );
            diag.error(Code::ValueList, value.span(), message);
            continue;
        };
        let is_default = field.default_number() == Some(found.raw);
        let starred = listed.iter().any(|(_, star)| *star);
        if *star && !is_default {
            let message = format!(
                "the star declares `{value}` as the default of `{name}`, but its field has \
                 {}\nhelp: move the star, or change the default of the field",
                show_default(field, kind)
            );
            diag.error(Code::ValueList, value.span(), message);
        } else if is_default && !starred {
            let message = format!("`{value}` is the default of `{name}`; add a star: `.{value}*`");
            diag.error(Code::ValueList, value.span(), message);
        }
    }
    let named = listed.iter().filter_map(|(name, _)| kind.value_named(&name.to_string()));
    let named: Vec<u64> = named.map(|value| value.raw).collect();
    let is_missing = |value: &&NamedValue| !named.contains(&value.raw);
    let missing: Vec<&NamedValue> = kind.values().iter().filter(is_missing).collect();
    if !missing.is_empty() {
        let message = format!(
            "the list does not contain {} of `{}`\nhelp: a list must contain every value of the \
             value set; add the missing values, or remove the list",
            quoted(missing.iter().map(|value| format!(".{}", value.text)), ", "),
            kind.name
        );
        diag.error(Code::ValueList, name.span(), message);
    }
}

/// Describes the default of a field.
fn show_default(field: &ResolvedField, kind: &FieldType) -> String {
    let Some(raw) = field.default_number() else {
        return "no default".to_owned();
    };
    kind.value(raw).map_or_else(|| raw.to_string(), |value| format!("`{}`", value.text))
}

/// Returns, for each placeholder of `syntax`, the field of `opcode`. Operand placeholders are bound
/// by `Order`, or by name without it.
fn bind(
    syntax: &Syntax,
    opcode: &Opcode,
    order: Option<&[usize]>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Vec<Option<usize>> {
    let (slots, paired) =
        diag.with_error_scope(false, |diag| slot_fields(syntax, opcode, order, model, diag));
    let bind: Vec<Option<usize>> = syntax
        .placeholders
        .iter()
        .map(|symbol| symbol_field(&symbol.role, opcode, &slots, model))
        .collect();
    let fields = opcode.fields_in(model).enumerate();
    let shown: Vec<usize> =
        bind.iter().flatten().flat_map(|place| opcode.covered(place)).copied().collect();
    let (fields, is_shown) = (fields.collect::<Vec<_>>(), |place: usize| shown.contains(&place));
    let hidden =
        fields.iter().filter(|(place, field)| !is_hidden_rightly(field) && !is_shown(*place));
    let hidden: Vec<&ResolvedField> = hidden.map(|(_, field)| *field).filter(|_| paired).collect();
    for (_, field) in fields.iter().filter(|(place, field)| field.ignored && is_shown(*place)) {
        report_ignored(syntax, opcode, field, diag);
    }
    report_hidden(syntax, opcode, &hidden, model, diag);
    bind
}

/// Returns whether the text of an instruction may omit a field.
fn is_hidden_rightly(field: &ResolvedField) -> bool {
    field.is_fixed() || field.ignored
}

/// Returns whether a field that distinguishes opcodes is neither fixed nor shown.
fn leaves_open(opcode: &Opcode, model: &Model) -> bool {
    let open = |(place, &id): (usize, &usize)| {
        let field = &model.fields[id];
        !opcode.binds(place) && opcode.identifying(field, model).is_some()
    };
    opcode.fields.iter().enumerate().any(open)
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
            opcode.sub_field(place, sub, model)
        }
        Role::Field(name) | Role::Setting(name) | Role::Hidden(name) => opcode.field(model, name),
    }
}

/// Returns the operands without a placeholder: fixed operands, and operands that are shown together
/// with other operands.
fn hidden(syntax: &Syntax, opcode: &Opcode, model: &Model) -> Vec<Placeholder> {
    let symbols = syntax.placeholders.iter().zip(&opcode.bind);
    let slots = symbols.filter(|(symbol, _)| symbol.is_operand());
    let shown: Vec<usize> =
        slots.filter_map(|(_, place)| opcode.operand_at((*place)?, model)).collect();
    let operands = opcode.operands.iter().filter(|operand| !shown.contains(&operand.field));
    operands
        .map(|operand| (operand.field, opcode.field_at(model, operand.field)))
        .filter(|(place, field)| field.is_fixed() || opcode.binds(*place))
        .filter(|(_, field)| field.name.sub.is_none())
        .map(|(_, field)| Placeholder {
            name: field.text.clone(),
            span: field.name.span(),
            role: Role::Hidden(field.text.clone()),
        })
        .collect()
}

/// Returns the field of each placeholder.
fn slot_fields(
    syntax: &Syntax,
    opcode: &Opcode,
    order: Option<&[usize]>,
    model: &Model,
    diag: &mut Diagnostics,
) -> Vec<Option<usize>> {
    let slots: Vec<_> = syntax.slots().collect();
    check_repeated_slots(&slots, opcode, order.is_some(), diag);
    check_slots_like_kinds(&slots, opcode, model, diag);
    if let Some(order) = order {
        let places = (0..slots.len()).map(|slot| order.get(slot).copied());
        return places.map(|place| Some(opcode.composite_for(place?, model))).collect();
    }
    slots
        .iter()
        .map(|slot| {
            let by_name = opcode.slot_by_name(&slot.name, model);
            if by_name.is_none() {
                let help = match model.nodes[opcode.node].level.is_alias() {
                    true => "the placeholders of an alias are fields of its opcode",
                    false => "add the field, or an `Order<...>` that assigns an operand to it",
                };
                let (name, slot_name) = (&opcode.name, &slot.name);
                let text = format!("or write `\"{slot_name}\"` in quotes if it is fixed text");
                let used = |field: &&str| slots.iter().any(|s| s.name.eq_ignore_ascii_case(field));
                let known = opcode.fields.iter().map(|&id| model.fields[id].text.as_str());
                // Names of at most two letters are not suggested, because most of them are similar
                // to each other.
                let known = known.filter(|field| field.len() > 2 && !used(field));
                let hint = did_you_mean(slot_name, known);
                let message = format!(
                    "`{name}` has no field for the placeholder `{slot_name}`{hint}\nhelp: \
                     {help}, {text}"
                );
                // If the opcode has its own template, the error is there. A shared template is
                // probably correct for the other opcodes.
                let own = model.nodes[opcode.node].template.is_some();
                let span = if own { slot.span } else { opcode.name.span() };
                diag.error(Code::PlaceholderMismatch, span, message);
            }
            by_name
        })
        .collect()
}

/// Reports placeholders with the name of a field type. A placeholder is a variable of the
/// semantics, so it would hide the type.
fn check_slots_like_kinds(
    slots: &[&Placeholder],
    opcode: &Opcode,
    model: &Model,
    diag: &mut Diagnostics,
) {
    for slot in slots.iter().filter(|_| opcode.semantics.is_some()) {
        let Some(kind) = model.field_types.iter().find(|kind| kind.name == slot.name) else {
            continue;
        };
        let what = if kind.is_set() { "value set" } else { "operand type" };
        let message = format!(
            "the placeholder `{0}` has the same name as the {what} `{0}`, so the semantics could \
             not distinguish the two\nhelp: rename the placeholder, for example to `Rd`",
            slot.name
        );
        diag.error(Code::DuplicateName, slot.span, message);
    }
}

/// Reports repeated placeholders. Without `Order`, two placeholders with the same name are the same
/// field, and their texts would have to agree. With `Order` they are two operands, which the
/// semantics could not distinguish.
fn check_repeated_slots(
    slots: &[&Placeholder],
    opcode: &Opcode,
    ordered: bool,
    diag: &mut Diagnostics,
) {
    if !ordered || opcode.semantics.is_none() {
        return;
    }
    for (i, slot) in slots.iter().enumerate() {
        if let Some(first) = slots[..i].iter().find(|other| other.name == slot.name) {
            let message = format!(
                "the template contains the placeholder `{}` twice\nhelp: rename one of the two",
                slot.name
            );
            let note = format!("first placeholder `{}` here", slot.name);
            diag.error_with(Code::Repeated, slot.span, message, first.span, note);
        }
    }
}
