//! Operand lists: the operands that an opcode reads and writes, with their order, widths, lanes and
//! formats.
//!
//! `Order` binds placeholders by position, as in vendors' files; without it they are bound by name.
//! Each placeholder of a template must have its own operand in `Order`.

use proc_macro2::{Ident, Span};

use super::composite_operands::add_composite;
use super::{FieldFormat, Model, Opcode, Placeholder, describe, template};
use crate::diag::{Code, Diagnostics, did_you_mean, quoted};
use crate::syntax::ast::{FieldName, FormatRef, LaneMask, LanesDecl, OperandLists, TemplatePiece};

impl Opcode {
    /// Returns the operands, each with the first placeholder that has the name of the operand in
    /// the semantics.
    pub(crate) fn named_operands<'m>(
        &'m self,
        model: &'m Model,
    ) -> impl Iterator<Item = (&'m Placeholder, &'m OpcodeOperand)> {
        let bound = model.syntaxes[self.syntax].placeholders.iter().zip(self.bind.iter().copied());
        let slots = bound.filter(|(symbol, _)| symbol.is_operand());
        let hidden = self.hidden.iter().map(|symbol| (symbol, self.field(model, &symbol.name)));
        let symbols = &model.syntaxes[self.syntax].placeholders;
        let is_first = |symbol: &Placeholder| {
            let mut same = symbols.iter().filter(|other| other.name == symbol.name);
            same.next().is_none_or(|first| std::ptr::eq(first, symbol))
        };
        let slots = slots.filter(move |(symbol, _)| is_first(symbol));
        slots.chain(hidden).filter_map(|(symbol, place)| {
            let place = self.operand_at(place?, model)?;
            let operand = self.operands.iter().find(|operand| operand.field == place)?;
            Some((symbol, operand))
        })
    }
}

/// An operand of an opcode.
#[derive(Debug)]
pub(crate) struct OpcodeOperand {
    /// The field, an index into [`Opcode::fields`].
    pub(crate) field: usize,
    pub(crate) read: bool,
    pub(crate) written: bool,
    pub(crate) bits: u16,
}

/// `InList<...>` and similar lists, with the position of the keyword.
type List = (Span, Vec<FieldName>);

/// Sets an opcode's operands and lanes. Returns its `Order` as indexes of fields.
pub(crate) fn lower_operands(
    opcode: &mut Opcode,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<Vec<usize>> {
    let lists: Vec<&OperandLists> =
        model.lineage[opcode.node].iter().map(|&node| &model.nodes[node].operands).collect();
    let last =
        |list: fn(&OperandLists) -> Option<&List>| lists.iter().rev().find_map(|lists| list(lists));
    let inputs = last(|lists| lists.inputs.as_ref());
    let outputs = last(|lists| lists.outputs.as_ref());
    let order = last(|lists| lists.order.as_ref());
    let places = |list: Option<&List>, diag: &mut Diagnostics| -> Vec<usize> {
        let names = list.map_or(&[][..], |(_, names)| names);
        let place = |name: &FieldName| listed_place(opcode, name, names, model, diag);
        names.iter().filter_map(place).collect()
    };
    let ((read, written, sequence), known) = diag.with_error_scope(false, |diag| {
        let (read, written) = (places(inputs, diag), places(outputs, diag));
        let order = order.map(|(_, names)| {
            let place = |name: &FieldName| match opcode.composite_named(&name.dotted()) {
                Some(view) => Some(view),
                None => listed_place(opcode, name, names, model, diag),
            };
            names.iter().filter_map(place).collect::<Vec<usize>>()
        });
        (read, written, order)
    });
    // If a name is unknown, the lists cannot be compared.
    if let (Some((span, _)), Some(sequence), true) = (order, &sequence, known) {
        check_lists(opcode, *span, sequence, &read, &written, model, diag);
    }
    let widths: Vec<(usize, u16)> = lists
        .iter()
        .flat_map(|lists| &lists.widths)
        .filter_map(|(name, width)| {
            Some((place_of(opcode, name, model, diag)?, width.value as u16))
        })
        .collect();
    let ordered = sequence.iter().flatten().flat_map(|place| opcode.covered(place)).copied();
    let is_listed = |place: &usize| read.contains(place) || written.contains(place);
    let mut listed: Vec<usize> =
        ordered.filter(|place| *place < opcode.fields.len() && is_listed(place)).collect();
    listed.extend(written.iter().chain(&read).copied());
    let mut operands: Vec<OpcodeOperand> = Vec::new();
    for field in listed {
        if !operands.iter().any(|operand| operand.field == field) {
            let bits = widths.iter().rev().find(|(f, _)| *f == field).map_or(0, |(_, bits)| *bits);
            let (read, written) = (read.contains(&field), written.contains(&field));
            operands.push(OpcodeOperand { field, read, written, bits });
        }
    }
    opcode.operands = operands;
    opcode.lanes = lower_lanes(opcode, model, diag);
    sequence
}

fn place_of(
    opcode: &Opcode,
    name: &FieldName,
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<usize> {
    listed_place(opcode, name, &[], model, diag)
}

/// Returns the index of a field that a list names. If the name is unknown, the error suggests a
/// name that is not yet in the list.
pub(super) fn listed_place(
    opcode: &Opcode,
    name: &FieldName,
    list: &[FieldName],
    model: &Model,
    diag: &mut Diagnostics,
) -> Option<usize> {
    let dotted = name.dotted();
    let place = opcode.field(model, &dotted);
    if place.is_none() {
        let known = opcode.fields.iter().map(|&id| model.fields[id].text.as_str());
        let known = known.filter(|known| list.iter().all(|other| other.dotted() != **known));
        let hint = did_you_mean(&dotted, known);
        let message = format!("`{}` has no field `{dotted}`{hint}", opcode.name);
        diag.error_of(&opcode.name, Code::UnknownField, name.span(), message);
    }
    place
}

/// Checks that `Order` contains exactly the operands of `InList` and `OutList`. Two differences are
/// allowed: fixed fields, which the text need not show, and sets of values, which the lists need
/// not contain.
fn check_lists(
    opcode: &Opcode,
    span: Span,
    order: &[usize],
    read: &[usize],
    written: &[usize],
    model: &Model,
    diag: &mut Diagnostics,
) {
    let name = |place: usize| &opcode.field_at(model, place).text;
    let ordered: Vec<usize> =
        order.iter().flat_map(|&place| shown_at(opcode, place, model)).collect();
    for &place in read.iter().chain(written) {
        if !ordered.contains(&place) && !opcode.field_at(model, place).is_fixed() {
            let message = format!(
                "`{}` is an operand of {}, but `Order` does not contain it\nhelp: add it to \
                 `Order` at the position of its placeholder in the template",
                name(place),
                describe(&model.nodes[opcode.node])
            );
            diag.error_of(&opcode.name, Code::OperandLists, span, message);
        }
    }
    // A set of values is only part of the text; a machine does not read it.
    let is_operand = |place: usize| {
        opcode.composite(place).is_none() && !model.field_types[model.at(opcode, place).ty].is_set()
    };
    for &place in order.iter().filter(|place| is_operand(**place)) {
        if !read.contains(&place) && !written.contains(&place) {
            let message = format!(
                "`{}` is in `Order`, but in neither `InList` nor `OutList`\nhelp: add it to \
                 `InList` if it is read, or to `OutList` if it is written",
                name(place)
            );
            diag.error(Code::OperandLists, span, message);
        }
    }
}

/// Sets the formats of an opcode and the composite operands that they print. If two formats have
/// the same name, the nearer format applies. Errors in inherited formats are not reported for an
/// alias, because its opcode reports them.
pub(crate) fn lower_formats(opcode: &mut Opcode, model: &mut Model, diag: &mut Diagnostics) {
    let (line, is_alias) =
        (model.lineage[opcode.node].clone(), model.nodes[opcode.node].level.is_alias());
    for node in line {
        let mut silent = Diagnostics::default();
        let diag = if is_alias && node != opcode.node { &mut silent } else { &mut *diag };
        for index in 0..model.nodes[node].operands.formats.len() {
            let reference = model.nodes[node].operands.formats[index].clone();
            if let Some(format) = lower_format(opcode, model, node, &reference, diag) {
                opcode.formats.retain(|known| known.field != format.field);
                opcode.formats.push(format);
            }
        }
        silent.finish();
    }
}

/// Returns the indexes of the fields that the text shows for an index in `Order`.
pub(super) fn shown_at(opcode: &Opcode, place: usize, model: &Model) -> Vec<usize> {
    let shown = opcode.composite_for(place, model);
    let own = opcode.covered(&shown).iter().copied();
    own.chain((place != shown).then_some(place)).collect()
}

fn lower_format(
    opcode: &mut Opcode,
    model: &mut Model,
    node: usize,
    FormatRef { field, shows, format, args }: &FormatRef,
    diag: &mut Diagnostics,
) -> Option<FieldFormat> {
    let Some(index) = model.formats.iter().position(|known| known.name == *format) else {
        let known: Vec<String> = model.formats.iter().map(|f| f.name.to_string()).collect();
        let hint = did_you_mean(&format.to_string(), known.iter().map(String::as_str));
        let message = format!(
            "unknown format `{format}`{hint}\nhelp: declare it with `format {format} = path;`"
        );
        diag.error(Code::UnknownType, format.span(), message);
        return None;
    };
    // A single field is its own first argument, as in vendors' files.
    let own = usize::from(shows.is_empty());
    let places = |names: &[FieldName], diag: &mut Diagnostics| -> Vec<Option<usize>> {
        names.iter().map(|name| place_of(opcode, name, model, diag)).collect()
    };
    let args = places(args.get(own..).unwrap_or_default(), diag).into_iter().flatten().collect();
    let place = if shows.is_empty() {
        place_of(opcode, field, model, diag)?
    } else {
        let of: Vec<usize> = places(shows, diag).into_iter().collect::<Option<_>>()?;
        add_composite(opcode, model, node, (field, of), diag)?
    };
    Some(FieldFormat { field: place, format: index, args })
}

/// A `Lanes` line that applies to an opcode.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LaneRow {
    /// The node that contains the line, and the index of the line in the node.
    pub(crate) node: usize,
    pub(crate) line: usize,
    /// The index of the operand's field.
    pub(crate) field: usize,
    /// The indexes of the function's arguments.
    pub(crate) args: Vec<usize>,
}

impl LaneRow {
    /// Returns the line as written.
    pub(crate) fn decl<'m>(&self, model: &'m Model) -> &'m LanesDecl {
        &model.nodes[self.node].operands.lanes[self.line]
    }
}

/// Returns the lines of an opcode. If an operand has two lines with the same keyword, the nearer line
/// applies, and the other is ignored.
pub(super) fn lower_lanes(opcode: &Opcode, model: &Model, diag: &mut Diagnostics) -> Vec<LaneRow> {
    let (mut rows, mut known) = (Vec::new(), Vec::new());
    for &node in model.lineage[opcode.node].iter().rev() {
        let OperandLists { widths, lanes, .. } = &model.nodes[node].operands;
        known.extend(widths.iter().map(|(field, _)| (field.dotted(), true)));
        for (line, decl) in lanes.iter().enumerate() {
            let name = (decl.field.dotted(), decl.is_width);
            if known.contains(&name) {
                continue;
            }
            known.push(name);
            let mut place = |name: &FieldName| listed_place(opcode, name, &[], model, diag);
            let field = place(&decl.field);
            let args: Option<Vec<usize>> = match &decl.mask {
                LaneMask::Call(call) => call.fields.iter().map(place).collect(),
                LaneMask::All | LaneMask::Number(_) => Some(Vec::new()),
            };
            rows.extend(field.zip(args).map(|(field, args)| LaneRow { node, line, field, args }));
        }
    }
    rows
}

/// Checks the `Order` of each opcode in `members`. `pieces` is the template of these opcodes.
pub(crate) fn check_orders(
    owners: &[usize],
    pieces: &[TemplatePiece],
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
    pieces: &[TemplatePiece],
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
        "the template of `{}` replaces the template of {}, but contains none of its \
         placeholders, {}\nhelp: in the inherited template, write `..` for the template of the \
         child: `syntax {{ ..{} }}`",
        opcode.name,
        describe(&model.nodes[node]),
        quoted(replaced.iter(), ", "),
        template::format_after_mnemonic(behind_mnemonic(&template.pieces))
    );
    let own = model.nodes[*owner].template.as_ref();
    let here = if model.nodes[node].origin.is_this_call() { Some(template) } else { own };
    let span = here.map_or_else(|| opcode.name.span(), |template| template.span);
    diag.error_of(&opcode.name, Code::PlaceholderMismatch, span, message);
    true
}

/// Returns whether a template contains a field as a modifier or a trailing attribute.
pub(super) fn is_modifier(pieces: &[TemplatePiece], field: &str) -> bool {
    pieces.iter().any(|piece| match piece {
        TemplatePiece::Dot(name) | TemplatePiece::Tag(name) => name == field,
        TemplatePiece::Optional(inner, _) => is_modifier(inner, field),
        TemplatePiece::Word(_)
        | TemplatePiece::Text(_)
        | TemplatePiece::Comma
        | TemplatePiece::Rest
        | TemplatePiece::Nothing => false,
    })
}

/// Returns a template without the mnemonic at its start.
fn behind_mnemonic(pieces: &[TemplatePiece]) -> &[TemplatePiece] {
    match pieces {
        [TemplatePiece::Word(_) | TemplatePiece::Nothing, rest @ ..] => rest,
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
    let fixed = |place: usize| opcode.field_at(model, place).is_fixed();
    let shown: Vec<usize> = order.iter().flat_map(|&at| shown_at(opcode, at, model)).collect();
    let complete = opcode.operands.iter().all(|o| shown.contains(&o.field) || fixed(o.field));
    // The lists do not contain sets of values.
    let is_set = |place: usize| model.field_types[model.at(opcode, place).ty].is_set();
    let is_shown =
        |place: usize| listed(place) || opcode.composite(place).is_some() || is_set(place);
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
                format!(" (a guard precedes the mnemonic: `{{@{name}}}`)")
            } else {
                String::new()
            };
            let message = format!(
                "`{name}` is in `Order`, but the template of `{}` has no placeholder for \
                 it\nhelp: add a placeholder to the template{place}, or remove `{name}` from the lists",
                opcode.name
            );
            diag.error_of(&opcode.name, Code::PlaceholderMismatch, names[at].span(), message);
        }
        return;
    }
    let slots_shown = match slots {
        [] => "no placeholder".to_owned(),
        [one] => format!("the placeholder `{one}`"),
        _ => format!("the placeholders {}", quoted(slots.iter(), ", ")),
    };
    let message = format!(
        "the template of `{}` has {slots_shown}, but its `Order` has {}\nhelp: list one operand \
         for each placeholder, in the order of the template",
        opcode.name,
        match names {
            [] => "no operand".to_owned(),
            _ => quoted(names.iter().map(FieldName::dotted), ", "),
        }
    );
    diag.error_of(&opcode.name, Code::PlaceholderMismatch, span, message);
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
        Some(sorted) => {
            format!("write `Order<{}>`, in the order of the placeholders", sorted.join(", "))
        }
        None => "sort `Order` in the order of the placeholders".to_owned(),
    };
    let message = format!(
        "the `Order` of `{}` assigns `{}` to the placeholder `{}`, which has the name of another \
         field\nhelp: {help}, or rename the placeholder",
        opcode.name,
        names[at].dotted(),
        slots[at]
    );
    diag.error_of(&opcode.name, Code::PlaceholderMismatch, names[at].span(), message);
}
