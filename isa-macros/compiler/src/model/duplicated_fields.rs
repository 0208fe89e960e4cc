//! Handles fields that a condition forces to equal another field in every valid word. If a text
//! shows the other field, it also determines their value.
//!
//! Such fields and the shown field become a composite operand with the name of the shown field. The
//! format `Twice` over their operand type prints it, as if the specification declared this format.

use proc_macro2::Ident;
use quote::{format_ident, quote};

use super::hidden::equal_to;
use super::order::is_modifier;
use super::paths::kind_type;
use super::syntax::{owners, wrapped_pieces};
use super::views::add_view;
use super::{FieldFormat, Format, Model, Opcode, template};
use crate::core_path::CORE;
use crate::diag::Diagnostics;
use crate::syntax::ast::FieldName;

/// Adds a composite operand for each field that a placeholder shows and that equals hidden fields.
pub(super) fn show_equal(opcode: &mut Opcode, model: &mut Model, diag: &mut Diagnostics) {
    for (shown, mut of) in equal_to_shown(opcode, model) {
        of.push(shown);
        let format = same_format(model.fields[opcode.fields[shown]].kind, of.len(), model);
        let name = model.fields[opcode.fields[shown]].name.clone();
        let node = opcode.node;
        if let Some(field) = add_view(opcode, model, node, (&name, of), diag) {
            opcode.formats.push(FieldFormat { field, format, args: Vec::new() });
        }
    }
}

/// Returns the indexes of the fields that placeholders show, each with the hidden fields that equal
/// it.
fn equal_to_shown(opcode: &Opcode, model: &Model) -> Vec<(usize, Vec<usize>)> {
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    if !opcode.exceptions.iter().any(|&id| model.exceptions[id].unmet.is_some()) {
        return found;
    }
    let Some(owners) = owners(opcode, model) else { return found };
    let pieces = wrapped_pieces(&owners, model);
    let slots = in_slots(opcode, &template::slots(&pieces), model);
    let is_in_view = |place: &usize| opcode.views.iter().any(|view| view.of.contains(place));
    let is_alone = |place: &usize| opcode.format_of(*place).is_none() && !is_in_view(place);
    let is_shown = |place: &usize| {
        slots.contains(place)
            || is_in_view(place)
            || is_modifier(&pieces, &model.fields[opcode.fields[*place]].text)
    };
    for place in (0..opcode.fields.len()).filter(|place| !is_shown(place)) {
        let field = &model.fields[opcode.fields[place]];
        let twin = equal_to(field, opcode, model, |other| {
            let other = opcode.field(model, &other.text);
            other.is_some_and(|other| slots.contains(&other) && is_alone(&other))
        });
        let Some(twin) = twin.and_then(|twin| opcode.field(model, &twin.text)) else { continue };
        match found.iter_mut().find(|(shown, _)| *shown == twin) {
            Some((_, others)) => others.push(place),
            None => found.push((twin, vec![place])),
        }
    }
    found
}

/// Returns the indexes of the fields that the placeholders of a template show. These are the fields
/// of `Order` or, without `Order`, the fields with the names of the placeholders. The placeholders
/// of an alias are always bound by name.
fn in_slots(opcode: &Opcode, slots: &[&Ident], model: &Model) -> Vec<usize> {
    let mut lists =
        model.lineage[opcode.node].iter().rev().map(|&node| &model.nodes[node].operands);
    let is_alias = model.nodes[opcode.node].level.is_alias();
    let order = lists.find_map(|lists| lists.order.as_ref()).filter(|_| !is_alias);
    let by_name = |name: &FieldName| opcode.field(model, &name.dotted());
    match order {
        Some((_, names)) => names.iter().filter_map(by_name).collect(),
        None => {
            slots.iter().filter_map(|slot| opcode.slot_by_name(&slot.to_string(), model)).collect()
        }
    }
}

/// Returns the index of the format that prints `count` equal fields of an operand type once. The
/// format has a unique name, for example `TwiceReg` or `TwiceReg3`.
fn same_format(kind: usize, count: usize, model: &mut Model) -> usize {
    let once = Some((kind, count));
    if let Some(known) = model.formats.iter().position(|format| format.once == once) {
        return known;
    }
    let kind = &model.kinds[kind];
    let (ty, count) = (kind_type(kind), count as u32);
    let path = Some(quote!(#CORE::operand::Duplicated<#ty, #count>));
    let mut name = match count {
        2 => format_ident!("Twice{}", kind.name),
        _ => format_ident!("Twice{}{count}", kind.name),
    };
    while model.formats.iter().any(|format| format.name == name) {
        name = format_ident!("{name}_");
    }
    model.formats.push(Format { vis: quote!(), name, path, origin: None, once });
    model.formats.len() - 1
}
