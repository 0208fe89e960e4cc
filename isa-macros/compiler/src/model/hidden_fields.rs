//! Fields that no text shows.
//!
//! If such a field can differ, it is an error. If a condition forces it to equal a field that the text
//! shows, the shown field also determines its value: the two become a composite operand with the
//! name of the shown field. It is printed as if the specification declared the format
//! `Duplicated<Kind>` for it, where `Kind` is the operand type of both fields.

use proc_macro2::Ident;
use quote::{format_ident, quote};

use super::composite_operands::add_composite;
use super::names::kind_type;
use super::operands::is_modifier;
use super::template::{owners, wrapped_pieces};
use super::{
    Cube, FieldFormat, FieldType, FieldTypeKind, Init, Model, Opcode, OperandFormat, ResolvedField,
    Syntax, template,
};
use crate::core_path::CORE;
use crate::diag::{Code, Diagnostics, quoted_or};
use crate::syntax::ast::{FieldName, Origin};

/// Reports the fields that the text does not show. The fields of an alias are reported together:
/// the fields suit the opcode of the alias, so the cause is the template of the alias.
pub(super) fn report_hidden(
    syntax: &Syntax,
    opcode: &Opcode,
    hidden: &[&ResolvedField],
    model: &Model,
    diag: &mut Diagnostics,
) {
    let is_alias = model.nodes[opcode.node].level.is_alias();
    for HiddenFields { fields, is_equal, help } in together(hidden, is_alias, opcode, model) {
        let field = fields[0];
        let it = if fields.len() == 1 { "it" } else { "them" };
        let names = quoted_or(fields.iter().map(|field| &field.text), ", ");
        let before = format!("{names} can vary, but the template of ");
        let so = match is_equal {
            true => format!("the assembly text would not determine {it}"),
            false => "two instructions would have the same assembly text".to_owned(),
        };
        let behind = format!(" does not show {it}, so {so}\nhelp: {help}");
        if is_alias {
            diag.error_of_all(&opcode.name, Code::HiddenField, syntax.span, [before, behind]);
            continue;
        }
        // If other opcodes fix an inherited field, or if it has a value with the name of this
        // opcode, the error is at this opcode. Otherwise it is at the field.
        let inherited = field.node != opcode.node;
        let span = match inherited && opcode.identifying(field, model).is_some() {
            true => opcode.name.span(),
            false => field.name.span(),
        };
        let message = format!("{before}`{}`{behind}", opcode.name);
        diag.error_of(&opcode.name, Code::HiddenField, span, message);
    }
}

/// Reports an ignored field that the text shows.
pub(super) fn report_ignored(
    syntax: &Syntax,
    opcode: &Opcode,
    field: &ResolvedField,
    diag: &mut Diagnostics,
) {
    let name = &field.text;
    let message = format!(
        "`{name}` is ignored, but the template of `{}` contains it\nhelp: remove it from the \
         template, or remove `, ignored`",
        opcode.name
    );
    diag.error_of(&opcode.name, Code::HiddenField, syntax.span, message);
}

/// The fields of one message.
struct HiddenFields<'f> {
    /// The fields, at least one.
    fields: Vec<&'f ResolvedField>,
    /// Whether each field always equals another field. Then no two instructions share the text.
    is_equal: bool,
    help: String,
}

/// Groups the hidden fields by message. Each field of an opcode has its own message, and all fields
/// of an alias share one. Fields that always equal another field are kept apart, because the help
/// in their message differs.
fn together<'f>(
    hidden: &[&'f ResolvedField],
    is_alias: bool,
    opcode: &Opcode,
    model: &Model,
) -> Vec<HiddenFields<'f>> {
    let mut alone: Vec<&ResolvedField> = Vec::new();
    let mut equal: Vec<HiddenFields<'f>> = Vec::new();
    for &field in hidden {
        let Some(help) = show_both(field, hidden, opcode, model) else {
            alone.push(field);
            continue;
        };
        match equal.iter_mut().find(|other| other.help == help) {
            Some(other) => other.fields.push(field),
            None => equal.push(HiddenFields { fields: vec![field], is_equal: true, help }),
        }
    }
    let chunks = alone.chunks(if is_alias { alone.len().max(1) } else { 1 });
    let told = chunks.map(|fields| {
        let help = match fields {
            [field] => show_or_fix(field, opcode, model),
            _ => "add each to the template, or fix them with `==`".to_owned(),
        };
        HiddenFields { fields: fields.to_vec(), is_equal: false, help }
    });
    told.chain(equal).collect()
}

/// Returns the help for a hidden field: show it, or fix it to a value.
fn show_or_fix(field: &ResolvedField, opcode: &Opcode, model: &Model) -> String {
    let (name, kind) = (&field.text, model.type_of(field));
    let in_template = match (&field.init, &field.name.sub) {
        _ if !kind.is_set() => format!("add `{name}` to the template"),
        (Init::Default(_), None) => format!("add it to the template, as `{{.{name}}}`"),
        (_, None) => format!("add it to the template, as `.{name}`"),
        (_, Some(sub)) => format!(
            "add it to the template, as `{{.{sub}}}` after the placeholder of `{}`, or as an \
             affix before it",
            field.name.base
        ),
    };
    match opcode.identifying(field, model) {
        Some(value) => format!("fix it, `{name} == {value};`, or {in_template}"),
        None => format!("{in_template}, or fix it with `==`"),
    }
}

/// Returns the help for a hidden field that equals another field of its type in every word: name
/// one of them in the template, or show both in one placeholder.
fn show_both(
    field: &ResolvedField,
    hidden: &[&ResolvedField],
    opcode: &Opcode,
    model: &Model,
) -> Option<String> {
    let kind = model.type_of(field);
    let twin = equal_to(field, opcode, model, |_| true)?;
    let place = |field: &ResolvedField| opcode.field(model, &field.text);
    let (first, second) = if place(twin) < place(field) { (twin, field) } else { (field, twin) };
    let (first, second, kind) = (&first.text, &second.text, rust_type(kind));
    if hidden.iter().any(|other| other.text == twin.text) {
        return Some(format!(
            "`{first}` and `{second}` are always equal, so add one of them to the template"
        ));
    }
    Some(format!(
        "`{first}` and `{second}` are always equal, so print both in one placeholder: `format \
         Twice = isa_core::operand::Duplicated<{kind}>;`, `operands {{ AsmFormat<source: \
         {first}, {second}> = Twice(); }}`, and `source` in the template"
    ))
}

/// Searches the open operands that `may_be` accepts for one that has the same type as this field
/// and equals it in every valid word.
pub(super) fn equal_to<'m>(
    field: &ResolvedField,
    opcode: &Opcode,
    model: &'m Model,
    may_be: impl Fn(&ResolvedField) -> bool,
) -> Option<&'m ResolvedField> {
    let is_operand = |field: &ResolvedField| {
        !field.is_fixed() && !field.pieces.is_empty() && field.name.sub.is_none()
    };
    let is_told = opcode.exceptions.iter().any(|&id| model.exceptions[id].unmet.is_some());
    let kind = model.type_of(field);
    if !is_told || !is_operand(field) || !matches!(kind.shape, FieldTypeKind::Operand(_)) {
        return None;
    }
    let others = opcode.fields_in(model);
    let mut others = others.filter(|other| other.ty == field.ty && other.text != field.text);
    let is_it = |other: &&ResolvedField| {
        is_operand(other) && may_be(other) && are_equal(field, other, kind, opcode)
    };
    others.find(is_it)
}

/// Returns whether each bit has the same value in both fields, in every valid word.
fn are_equal(
    one: &ResolvedField,
    other: &ResolvedField,
    kind: &FieldType,
    opcode: &Opcode,
) -> bool {
    let words = |bit: u32, set: bool| {
        let mask = 1_u128 << bit;
        let with = |field: &ResolvedField, set| {
            field.lift(Cube { mask, value: if set { mask } else { 0 } })
        };
        let both = with(one, set).and(with(other, !set));
        both.and_then(|both| both.and(opcode.identity()))
    };
    let cubes = (0..kind.width.into()).flat_map(|bit| [words(bit, true), words(bit, false)]);
    let illegal = &opcode.illegal;
    cubes.flatten().all(|cube| matches!(opcode.word_of(cube, illegal), Ok(None)))
}

/// Returns the Rust type of an operand type, as the specification names it.
fn rust_type(kind: &FieldType) -> String {
    match &kind.shape {
        // A path from another call begins with `$crate`.
        FieldTypeKind::Operand(Some(path)) => path.to_string().replace([' ', '$'], ""),
        _ => kind.name.to_string(),
    }
}

/// Adds a composite operand for each field that a placeholder shows and that equals hidden fields.
pub(super) fn show_duplicated_fields(
    opcode: &mut Opcode,
    model: &mut Model,
    diag: &mut Diagnostics,
) {
    for (shown, mut of) in equal_to_shown(opcode, model) {
        of.push(shown);
        let format = same_format(opcode.field_at(model, shown).ty, of.len(), model);
        let name = opcode.field_at(model, shown).name.clone();
        let node = opcode.node;
        if let Some(field) = add_composite(opcode, model, node, (&name, of), diag) {
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
    let is_in_view =
        |place: &usize| opcode.composite_operands.iter().any(|view| view.of.contains(place));
    let is_alone = |place: &usize| opcode.format_of(*place).is_none() && !is_in_view(place);
    let is_shown = |place: &usize| {
        slots.contains(place)
            || is_in_view(place)
            || is_modifier(&pieces, &opcode.field_at(model, *place).text)
    };
    for place in (0..opcode.fields.len()).filter(|place| !is_shown(place)) {
        let field = opcode.field_at(model, place);
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
    let kind = &model.field_types[kind];
    let (ty, count) = (kind_type(kind), count as u32);
    let path = Some(quote!(#CORE::operand::Duplicated<#ty, #count>));
    let mut name = match count {
        2 => format_ident!("Twice{}", kind.name),
        _ => format_ident!("Twice{}{count}", kind.name),
    };
    while model.formats.iter().any(|format| format.name == name) {
        name = format_ident!("{name}_");
    }
    model.formats.push(OperandFormat { vis: quote!(), name, path, origin: Origin::ThisCall, once });
    model.formats.len() - 1
}
