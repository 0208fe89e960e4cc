//! Compares `Order` with the placeholders of a template: each must have its own operand.

use proc_macro2::{Ident, Span};

use super::operands::shown_at;
use super::{Model, Opcode, describe, format_template, template};
use crate::diag::{Code, Diagnostics, quoted};
use crate::syntax::ast::{FieldName, Piece};

/// Checks the `Order` of each opcode in `members`. `pieces` is the template of these opcodes.
pub(crate) fn check_orders(
    owners: &[usize],
    pieces: &[Piece],
    members: &[(&Opcode, Option<&[usize]>)],
    model: &Model,
    diag: &mut Diagnostics,
) {
    let slots = template::slots(pieces);
    for &(opcode, order) in members {
        if slots.is_empty() && report_replaced(owners, pieces, opcode, model, diag) {
            continue;
        }
        if let Some(order) = order {
            check_order(&slots, opcode, order, model, diag);
        }
    }
}

/// Reports an inherited template that the opcode's own template replaces. This is an error if the
/// own template has the mnemonic and the inherited one has the operands.
fn report_replaced(
    owners: &[usize],
    pieces: &[Piece],
    opcode: &Opcode,
    model: &Model,
    diag: &mut Diagnostics,
) -> bool {
    let Some(owner) = owners.last() else { return false };
    let replaced = model.lineage[opcode.node].iter().rev().find_map(|&node| {
        let template = model.nodes[node].template.as_ref()?;
        let slots = behind_mnemonic(&template.pieces).iter().flat_map(template::words);
        let slots: Vec<&Ident> = slots.collect();
        let can_differ = |slot: &&Ident| {
            let place = opcode.slot_by_name(&slot.to_string(), model);
            place.is_some_and(|place| {
                let field = model.at(opcode, place);
                !field.is_fixed() && !is_modifier(pieces, &field.text)
            })
        };
        let meant = !owners.contains(&node) && slots.iter().any(can_differ);
        meant.then_some((node, template, slots))
    });
    let Some((node, template, replaced)) = replaced else { return false };
    let message = format!(
        "`{}` has a template of its own, which replaces that of {} and has none of its slots, \
         {}\nhelp: `..` stands for the template of what inherits: `syntax {{ ..{} }}`",
        opcode.name,
        describe(&model.nodes[node]),
        quoted(replaced.iter(), ", "),
        format_template::show_behind(behind_mnemonic(&template.pieces))
    );
    let own = model.nodes[*owner].template.as_ref();
    let here = if model.nodes[node].origin.is_none() { Some(template) } else { own };
    let span = here.map_or_else(|| opcode.name.span(), |template| template.span);
    diag.error_of(&opcode.name, Code::SlotMismatch, span, message);
    true
}

/// Returns whether a template contains a field as a modifier or a trailing attribute.
pub(super) fn is_modifier(pieces: &[Piece], field: &str) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Dot(name) | Piece::Tag(name) => name == field,
        Piece::Optional(inner, _) => is_modifier(inner, field),
        Piece::Word(_) | Piece::Text(_) | Piece::Comma | Piece::Rest | Piece::Nothing => false,
    })
}

/// Returns a template without the mnemonic at its start.
fn behind_mnemonic(pieces: &[Piece]) -> &[Piece] {
    match pieces {
        [Piece::Word(_) | Piece::Nothing, rest @ ..] => rest,
        all => all,
    }
}

/// Checks that `Order` has one operand for each placeholder, and that no operand is in a
/// placeholder with the name of another operand.
fn check_order(
    slots: &[&Ident],
    opcode: &Opcode,
    order: &[usize],
    model: &Model,
    diag: &mut Diagnostics,
) {
    let lists = model.lineage[opcode.node].iter().rev().map(|&node| &model.nodes[node].operands);
    let Some((span, names)) = lists.filter_map(|lists| lists.order.as_ref()).next() else { return };
    let listed = |place: usize| opcode.operands.iter().any(|o| o.field == place);
    let fixed = |place: usize| model.fields[opcode.fields[place]].is_fixed();
    let shown: Vec<usize> = order.iter().flat_map(|&at| shown_at(opcode, at, model)).collect();
    let complete = opcode.operands.iter().all(|o| shown.contains(&o.field) || fixed(o.field));
    // The lists do not contain sets of values.
    let is_set = |place: usize| model.kinds[model.at(opcode, place).kind].is_set();
    let is_shown = |place: usize| listed(place) || opcode.view(place).is_some() || is_set(place);
    // A placeholder that shows several fields represents the field with its name.
    let order: Vec<usize> =
        order.iter().map(|&at| opcode.operand_at(at, model).unwrap_or(at)).collect();
    let order = &order[..];
    if names.len() != order.len() || !complete || !order.iter().all(|&place| is_shown(place)) {
        // Another rule reports a name that is unknown, or that only some of the lists contain.
        diag.reported_elsewhere();
    } else if order.len() != slots.len() {
        report_lengths(slots, opcode, order, (*span, names), model, diag);
    } else {
        report_crossed(slots, opcode, order, names, model, diag);
    }
}

/// Returns the index that `Order` may name for the placeholder `slot`: the index of the field with
/// the placeholder's name, or else the index of the composite operand with that name.
fn operand_by_name(opcode: &Opcode, slot: &Ident, model: &Model) -> Option<usize> {
    let place = opcode.slot_by_name(&slot.to_string(), model)?;
    Some(opcode.operand_at(place, model).unwrap_or(place))
}

fn report_lengths(
    slots: &[&Ident],
    opcode: &Opcode,
    order: &[usize],
    (span, names): (Span, &[FieldName]),
    model: &Model,
    diag: &mut Diagnostics,
) {
    let by_name: Vec<Option<usize>> =
        slots.iter().map(|slot| operand_by_name(opcode, slot, model)).collect();
    let slotless = |place: &usize| !by_name.contains(&Some(*place));
    let without: Vec<usize> = (0..order.len()).filter(|&at| slotless(&order[at])).collect();
    if without.len() + slots.len() == order.len() {
        for at in without {
            let name = names[at].dotted();
            let place = if at == 0 {
                format!("; a guard stands before the mnemonic, as `{{@{name}}}`")
            } else {
                String::new()
            };
            let message = format!(
                "`{name}` is in `Order`, but the template of `{}` has no slot for it\nhelp: write \
                 one where the text has it{place}; or take `{name}` out of the lists",
                opcode.name
            );
            diag.error_of(&opcode.name, Code::SlotMismatch, names[at].span(), message);
        }
        return;
    }
    let slots_shown = match slots {
        [] => "no slot".to_owned(),
        [one] => format!("the slot `{one}`"),
        _ => format!("the slots {}", quoted(slots.iter(), ", ")),
    };
    let message = format!(
        "the syntax of `{}` has {slots_shown}, but its `Order` has {}\nhelp: name one operand for \
         each slot, in the order of the text",
        opcode.name,
        match names {
            [] => "no operand".to_owned(),
            _ => quoted(names.iter().map(FieldName::dotted), ", "),
        }
    );
    diag.error_of(&opcode.name, Code::SlotMismatch, span, message);
}

fn report_crossed(
    slots: &[&Ident],
    opcode: &Opcode,
    order: &[usize],
    names: &[FieldName],
    model: &Model,
    diag: &mut Diagnostics,
) {
    let own = |slot: &Ident| operand_by_name(opcode, slot, model);
    let crossed = (0..order.len()).find(|&at| {
        let named = opcode.field(model, &slots[at].to_string());
        let meant = named.or_else(|| own(slots[at]).filter(|place| order.contains(place)));
        meant.is_some_and(|place| place != order[at])
    });
    let Some(at) = crossed else { return };
    let sorted: Option<Vec<&str>> = slots
        .iter()
        .map(|slot| own(slot).filter(|place| order.contains(place)))
        .map(|place| Some(model.at(opcode, place?).text.as_str()))
        .collect();
    let help = match sorted {
        Some(sorted) => format!("write `Order<{}>`, as", sorted.join(", ")),
        None => "sort `Order` as".to_owned(),
    };
    let message = format!(
        "the `Order` of `{}` puts `{}` in the slot `{}`, which is another of its fields\nhelp: \
         {help} the slots stand in the text, or rename the slot",
        opcode.name,
        names[at].dotted(),
        slots[at]
    );
    diag.error_of(&opcode.name, Code::SlotMismatch, names[at].span(), message);
}
