//! Operand lists: the operands that an opcode reads and writes, with their order, widths, lanes and
//! formats.
//!
//! `Order` binds placeholders by position, as in vendors' files; without it they are bound by name.

use proc_macro2::Span;

use super::lanes::lower_lanes;
use super::views::add_view;
use super::{FieldFormat, Model, Opcode, Role, Symbol, describe};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{FieldName, FormatRef, OperandLists};

impl Opcode {
    /// Returns the operands, each with the first placeholder that has the name of the operand in
    /// the semantics.
    pub(crate) fn named_operands<'m>(
        &'m self,
        model: &'m Model,
    ) -> impl Iterator<Item = (&'m Symbol, &'m Operand)> {
        let bound = model.syntaxes[self.syntax].symbols.iter().zip(self.bind.iter().copied());
        let slots = bound.filter(|(symbol, _)| matches!(symbol.role, Role::Slot(_)));
        let hidden = self.hidden.iter().map(|symbol| (symbol, self.field(model, &symbol.name)));
        let symbols = &model.syntaxes[self.syntax].symbols;
        let is_first = |symbol: &Symbol| {
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
pub(crate) struct Operand {
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
            let place = |name: &FieldName| match opcode.view_named(&name.dotted()) {
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
    let mut operands: Vec<Operand> = Vec::new();
    for field in listed {
        if !operands.iter().any(|operand| operand.field == field) {
            let bits = widths.iter().rev().find(|(f, _)| *f == field).map_or(0, |(_, bits)| *bits);
            let (read, written) = (read.contains(&field), written.contains(&field));
            operands.push(Operand { field, read, written, bits });
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
    let name = |place: usize| &model.fields[opcode.fields[place]].text;
    let ordered: Vec<usize> =
        order.iter().flat_map(|&place| shown_at(opcode, place, model)).collect();
    for &place in read.iter().chain(written) {
        if !ordered.contains(&place) && !model.fields[opcode.fields[place]].is_fixed() {
            let message = format!(
                "`{}` is read or written by {}, but `Order` leaves it out\nhelp: add it where \
                 its slot stands in the text",
                name(place),
                describe(&model.nodes[opcode.node])
            );
            diag.error_of(&opcode.name, Code::OperandLists, span, message);
        }
    }
    // A set of values is only part of the text; a machine does not read it.
    let is_operand = |place: usize| {
        opcode.view(place).is_none() && !model.kinds[model.at(opcode, place).kind].is_set()
    };
    for &place in order.iter().filter(|place| is_operand(**place)) {
        if !read.contains(&place) && !written.contains(&place) {
            let message = format!(
                "`{}` is in `Order`, but in neither `InList` nor `OutList`\nhelp: add it to the \
                 list of what is read or of what is written",
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
    let shown = opcode.view_for(place, model);
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
            "no format is called `{format}`{hint}\nhelp: declare it with `format {format} = path;`"
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
        add_view(opcode, model, node, (field, of), diag)?
    };
    Some(FieldFormat { field: place, format: index, args })
}
