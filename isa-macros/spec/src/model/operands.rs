//! Operand lists: what an opcode reads and writes, in which order, how wide, in which format.

use proc_macro2::Span;

use super::{FieldFormat, Model, Opcode, Operand, Role, Symbol, describe};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{FieldName, OperandLists};

impl Opcode {
    /// The operands, each with the symbol by whose name the semantics know it.
    pub(crate) fn named_operands<'m>(
        &'m self,
        model: &'m Model,
    ) -> impl Iterator<Item = (&'m Symbol, &'m Operand)> {
        let bound = model.syntaxes[self.syntax].symbols.iter().zip(self.bind.iter().copied());
        let slots = bound.filter(|(symbol, _)| matches!(symbol.role, Role::Slot(_)));
        let hidden = self.hidden.iter().map(|symbol| (symbol, self.field(model, &symbol.name)));
        slots.chain(hidden).filter_map(|(symbol, place)| {
            let operand = self.operands.iter().find(|operand| Some(operand.field) == place)?;
            Some((symbol, operand))
        })
    }
}

/// `InList<...>` and its like, with the place of the keyword.
type List = (Span, Vec<FieldName>);

/// Fills in an opcode's operands and formats; returns its `Order` as places in its fields.
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
    let ((read, written, sequence), known) = diag.forgive(false, |diag| {
        let (read, written) = (places(inputs, diag), places(outputs, diag));
        (read, written, order.map(|_| places(order, diag)))
    });
    // What a name stands for that is none is not known.
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
    listed_place(opcode, name, &[], model, diag)
}

/// The place of a field that a list names. What the list has already is not meant by a name that is
/// none.
fn listed_place(
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

/// `Order` must hold exactly what `InList` and `OutList` hold, but for what is the same in all
/// words, which the text need not show.
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
        if !order.contains(&place) && !model.fields[opcode.fields[place]].is_fixed() {
            let message = format!(
                "`{}` is read or written by {}, but `Order` leaves it out\nhelp: add it where \
                 its slot stands in the text",
                name(place),
                describe(&model.nodes[opcode.node])
            );
            diag.error_of(&opcode.name, Code::OperandLists, span, message);
        }
    }
    for &place in order {
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
