//! Reports fields that can differ and that no text shows, with a suggestion.

use super::{Cube, Field, Init, Kind, Model, Opcode, Shape, Syntax};
use crate::diag::{Code, Diagnostics, quoted_or};

/// Reports the fields that the text does not show. The fields of an alias are reported together:
/// the fields suit the opcode of the alias, so the cause is the template of the alias.
pub(super) fn report_hidden(
    syntax: &Syntax,
    opcode: &Opcode,
    hidden: &[&Field],
    model: &Model,
    diag: &mut Diagnostics,
) {
    let is_alias = model.nodes[opcode.node].level.is_alias();
    for Hidden { fields, is_equal, help } in together(hidden, is_alias, opcode, model) {
        let field = fields[0];
        let it = if fields.len() == 1 { "it" } else { "them" };
        let names = quoted_or(fields.iter().map(|field| &field.text), ", ");
        let before = format!("{names} can differ, but the syntax of ");
        let so = match is_equal {
            true => format!("a text would leave {it} open"),
            false => "two instructions would have one text".to_owned(),
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
    field: &Field,
    diag: &mut Diagnostics,
) {
    let name = &field.text;
    let message = format!(
        "`{name}` is ignored, and the syntax of `{}` shows it\nhelp: take it out of the template, or \
         leave out `, ignored`",
        opcode.name
    );
    diag.error_of(&opcode.name, Code::HiddenField, syntax.span, message);
}

/// The fields of one message.
struct Hidden<'f> {
    /// The fields, at least one.
    fields: Vec<&'f Field>,
    /// Whether each field always equals another field. Then no two instructions share the text.
    is_equal: bool,
    help: String,
}

/// Groups the hidden fields by message. Each field of an opcode has its own message, and all fields
/// of an alias share one. Fields that always equal another field are kept apart, because the help
/// in their message differs.
fn together<'f>(
    hidden: &[&'f Field],
    is_alias: bool,
    opcode: &Opcode,
    model: &Model,
) -> Vec<Hidden<'f>> {
    let mut alone: Vec<&Field> = Vec::new();
    let mut equal: Vec<Hidden<'f>> = Vec::new();
    for &field in hidden {
        let Some(help) = show_both(field, hidden, opcode, model) else {
            alone.push(field);
            continue;
        };
        match equal.iter_mut().find(|other| other.help == help) {
            Some(other) => other.fields.push(field),
            None => equal.push(Hidden { fields: vec![field], is_equal: true, help }),
        }
    }
    let chunks = alone.chunks(if is_alias { alone.len().max(1) } else { 1 });
    let told = chunks.map(|fields| {
        let help = match fields {
            [field] => show_or_fix(field, opcode, model),
            _ => "name each in the template, or fix them with `==`".to_owned(),
        };
        Hidden { fields: fields.to_vec(), is_equal: false, help }
    });
    told.chain(equal).collect()
}

/// Returns the help for a hidden field: show it, or fix it to a value.
fn show_or_fix(field: &Field, opcode: &Opcode, model: &Model) -> String {
    let (name, kind) = (&field.text, &model.kinds[field.kind]);
    let in_template = match (&field.init, &field.name.sub) {
        _ if !kind.is_set() => format!("write `{name}` in the template where its text stands"),
        (Init::Default(_), None) => format!("name it in the template, as `{{.{name}}}`"),
        (_, None) => format!("name it in the template, as `.{name}`"),
        (_, Some(sub)) => format!(
            "name it in the template, behind the slot of `{}` as `{{.{sub}}}` or before it as a \
             mark",
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
fn show_both(field: &Field, hidden: &[&Field], opcode: &Opcode, model: &Model) -> Option<String> {
    let kind = &model.kinds[field.kind];
    let twin = equal_to(field, opcode, model, |_| true)?;
    let place = |field: &Field| opcode.field(model, &field.text);
    let (first, second) = if place(twin) < place(field) { (twin, field) } else { (field, twin) };
    let (first, second, kind) = (&first.text, &second.text, rust_type(kind));
    if hidden.iter().any(|other| other.text == twin.text) {
        return Some(format!(
            "`{first}` and `{second}` have one value, so name one of them in the template"
        ));
    }
    Some(format!(
        "`{first}` and `{second}` have one value, so show both in one slot: `format Twice = \
         isa_core::operand::Duplicated<{kind}>;`, `operands {{ AsmFormat<source: {first}, {second}> = \
         Twice(); }}`, and `source` in the template"
    ))
}

/// Searches the open operands that `may_be` accepts for one that has the same type as this field
/// and equals it in every valid word.
pub(super) fn equal_to<'m>(
    field: &Field,
    opcode: &Opcode,
    model: &'m Model,
    may_be: impl Fn(&Field) -> bool,
) -> Option<&'m Field> {
    let is_operand =
        |field: &Field| !field.is_fixed() && !field.pieces.is_empty() && field.name.sub.is_none();
    let is_told = opcode.exceptions.iter().any(|&id| model.exceptions[id].unmet.is_some());
    let kind = &model.kinds[field.kind];
    if !is_told || !is_operand(field) || !matches!(kind.shape, Shape::Operand(_)) {
        return None;
    }
    let others = opcode.fields.iter().map(|&id| &model.fields[id]);
    let mut others = others.filter(|other| other.kind == field.kind && other.text != field.text);
    let is_it = |other: &&Field| {
        is_operand(other) && may_be(other) && are_equal(field, other, kind, opcode)
    };
    others.find(is_it)
}

/// Returns whether each bit has the same value in both fields, in every valid word.
fn are_equal(one: &Field, other: &Field, kind: &Kind, opcode: &Opcode) -> bool {
    let words = |bit: u32, set: bool| {
        let mask = 1_u128 << bit;
        let with =
            |field: &Field, set| field.lift(Cube { mask, value: if set { mask } else { 0 } });
        let both = with(one, set).and(with(other, !set));
        both.and_then(|both| both.and(opcode.identity()))
    };
    let cubes = (0..kind.width.into()).flat_map(|bit| [words(bit, true), words(bit, false)]);
    let illegal = &opcode.illegal;
    cubes.flatten().all(|cube| matches!(opcode.word_of(cube, illegal), Ok(None)))
}

/// Returns the Rust type of an operand type, as the specification names it.
fn rust_type(kind: &Kind) -> String {
    match &kind.shape {
        // A path from another call begins with `$crate`.
        Shape::Operand(Some(path)) => path.to_string().replace([' ', '$'], ""),
        _ => kind.name.to_string(),
    }
}
