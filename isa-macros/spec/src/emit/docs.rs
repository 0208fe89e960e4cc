//! Documentation of generated items: syntax, bit layout, illegal combinations, examples.

use super::effects::trait_names;
use super::names::{Names, getter, setter};
use crate::model::{Alias, DefaultValue, Field, FlowRow, Init, Model, Opcode};
use crate::plan::{Effects, Shape};

/// An opcode's documentation, behind the author's own. What all opcodes of a shape have alike is
/// said at the shape.
pub(crate) fn opcode_doc(model: &Model, names: &Names, opcode: &Opcode, shape: &Shape) -> String {
    let mut lines = inherited_doc(model, opcode);
    lines.extend(["".into(), "# Syntax".into(), "".into()]);
    lines.extend(text_block([model.syntaxes[opcode.syntax].source.clone()]));
    lines.extend(aliases_doc(model, opcode));
    lines.extend(encoding_doc(model, names, opcode, shape));
    lines.extend(effects_doc(model, opcode));
    lines.extend(flow_doc(model, opcode));
    let own = opcode.exceptions.iter().copied();
    let own = own.filter(|id| !shape.all_have(model, |other| other.exceptions.contains(id)));
    lines.extend(illegal_doc(model, own));
    lines.extend(examples_doc(model, opcode));
    lines.join("\n")
}

/// The documentation of the optype and of the groups that say something.
fn inherited_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let mut lines = Vec::new();
    if model.nodes[opcode.node].docs.text.trim().is_empty() {
        lines.push(format!("The opcode `{}`.", opcode.name));
    }
    let optype = model.lineage[opcode.node].iter().rev().map(|&node| &model.nodes[node]);
    let spoken = optype
        .filter(|node| node.level == crate::syntax::ast::Level::Optype)
        .find(|node| !node.docs.text.trim().is_empty());
    if let Some(node) = spoken {
        lines.push("".into());
        lines.extend(node.docs.text.lines().map(str::to_owned));
    }
    for general in &opcode.inside {
        let ty = &model.opcodes[general.opcode].type_name;
        lines.extend(["".into(), format!("A special case of [`{ty}`]: its words are no `{ty}`.")]);
    }
    lines
}

/// The aliases of an opcode, each with the field values of its words.
fn aliases_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let own = model.aliases.iter().filter(|alias| model.opcodes[alias.of].node == opcode.node);
    let rows: Vec<String> = own.map(|alias| alias_row(model, opcode, alias)).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let head = ["", "# Aliases", "", "| Text | Stands for | Printed |", "|---|---|---|"];
    head.map(str::to_owned).into_iter().chain(rows).collect()
}

fn alias_row(model: &Model, opcode: &Opcode, alias: &Alias) -> String {
    let text = &model.syntaxes[alias.row.syntax].source;
    let fixed = alias.row.fields.iter().map(|&id| &model.fields[id]).filter_map(|field| {
        let Init::Fixed(raw) = field.init else { return None };
        let narrowed = field.mask() & !opcode.fixed.mask != 0;
        let kind = &model.kinds[field.kind];
        narrowed.then(|| format!("`{} == {}`", field.text, kind.shown(raw)))
    });
    let fixed: Vec<String> = fixed.collect();
    let words = if fixed.is_empty() { "any word".to_owned() } else { fixed.join(", ") };
    let printed = if alias.printed { "yes" } else { "no" };
    format!("| `{}` | {words} | {printed} |", text.replace('|', "\\|"))
}

/// The documentation of a type that opcodes share: the fields that all of them have.
pub(crate) fn shape_doc(model: &Model, names: &Names, shape: &Shape) -> String {
    let first = &model.opcodes[shape.members[0]];
    let types = shape.members.iter().map(|&index| &model.opcodes[index].type_name);
    let types: Vec<String> = types.map(|ty| format!("[`{ty}`]")).collect();
    let head = format!("Opcodes with the same fields: {}.", types.join(", "));
    let mut lines = vec![head, "".into(), "# Encoding".into(), "".into()];
    lines.extend([methods_doc(names, "new", first), "".into()]);
    let alike = |id: &usize| shape.all_have(model, |opcode| opcode.fields.contains(id));
    lines.extend(layout_doc(model, names, first.fields.iter().copied().filter(alike)));
    lines.extend(unused_doc(shape.all_have(model, |opcode| opcode.unused != 0)));
    let own = first.exceptions.iter().copied();
    let own = own.filter(|id| shape.all_have(model, |opcode| opcode.exceptions.contains(id)));
    lines.extend(illegal_doc(model, own));
    lines.join("\n")
}

/// The bit layout, and where the methods are: a type alias has none of its own but `new`. Where the
/// page of a shape says more of the fields, this is one line.
fn encoding_doc(model: &Model, names: &Names, opcode: &Opcode, shape: &Shape) -> Vec<String> {
    let mut lines = vec!["".into(), "# Encoding".into(), "".into()];
    match &shape.name {
        Some(name) => {
            let fields = opcode.fields.iter().map(|&id| &model.fields[id]);
            let mut fields: Vec<&Field> = fields.collect();
            fields.sort_by_key(|field| field.pieces.first().map_or(0, |piece| piece.0));
            let fields = fields.into_iter().map(|field| place_doc(model, field));
            let fields: Vec<String> = fields.collect();
            lines.push(format!("{}. More on them: [`{name}`].", fields.join(", ")));
        }
        None => {
            lines.push(methods_doc(names, &format!("{}::new", opcode.type_name), opcode));
            lines.push("".into());
            lines.extend(layout_doc(model, names, opcode.fields.iter().copied()));
        }
    }
    let told = shape.all_have(model, |other| other.unused != 0);
    lines.extend(unused_doc(opcode.unused != 0 && !told));
    lines
}

/// `` `number == N0` in 11:0 ``
fn place_doc(model: &Model, field: &Field) -> String {
    let bits = bits_doc(field);
    match field.init {
        Init::Fixed(raw) => {
            format!("`{} == {}` in {bits}", field.text, model.kinds[field.kind].shown(raw))
        }
        _ => format!("`{}` in {bits}", field.text),
    }
}

fn methods_doc(names: &Names, new: &str, opcode: &Opcode) -> String {
    let instruction = &names.instruction;
    let execute = if opcode.semantics.is_some() { ", `execute`" } else { "" };
    format!(
        "`{new}` takes the required fields in the order of the text. All other methods are \
         those of [`{instruction}`], which the opcodes share: `decode`, `encode`, `operands`\
         {execute}, and what sets and gets a field."
    )
}

fn unused_doc(told: bool) -> impl Iterator<Item = String> {
    let lines = ["", "All other bits are 0."].map(str::to_owned);
    told.then_some(lines).into_iter().flatten()
}

/// A table of fields, those with the lowest bits first.
fn layout_doc(
    model: &Model,
    names: &Names,
    fields: impl Iterator<Item = usize>,
) -> impl Iterator<Item = String> {
    let head = ["| Bits | Field | Type | Value | Sets, gets |", "|---:|---|---|---|---|"];
    let rows = fields.map(|id| &model.fields[id]).map(|field| {
        (field.pieces.first().map_or(0, |piece| piece.0), layout_row(model, names, field))
    });
    let mut rows: Vec<(u8, String)> = rows.collect();
    rows.sort();
    head.map(str::to_owned).into_iter().chain(rows.into_iter().map(|(_, row)| row))
}

fn layout_row(model: &Model, names: &Names, field: &Field) -> String {
    let (kind, bits) = (&model.kinds[field.kind], bits_doc(field));
    let value = match &field.init {
        Init::Fixed(raw) => format!("always `{}`", kind.shown(*raw)),
        Init::Default(DefaultValue::Number(raw)) => format!("default `{}`", kind.shown(*raw)),
        Init::Default(DefaultValue::Named(name, _)) => format!("default `{name}`"),
        Init::Required => "required".to_owned(),
    };
    let (name, methods) = (&field.text, accessors(names, field));
    format!("| {bits} | `{name}` | `{}` | {value} | {methods} |", kind.name)
}

/// The bits of a field, `15:12`; "none" of one without bits.
fn bits_doc(field: &Field) -> String {
    let pieces = field.pieces.iter().map(|&(position, width)| match width {
        1 => position.to_string(),
        _ => format!("{}:{position}", position + width - 1),
    });
    let pieces: Vec<String> = pieces.collect();
    if pieces.is_empty() { "none".to_owned() } else { pieces.join(", ") }
}

/// Links to the methods of a field; nothing for a field without methods.
fn accessors(names: &Names, field: &Field) -> String {
    if field.is_fixed() || field.nameless {
        return String::new();
    }
    let (set, get) = (setter(field).to_string(), getter(field).to_string());
    if set.starts_with("r#") {
        return format!("`{set}`, `{get}`");
    }
    let ty = &names.instruction;
    format!("[`{set}`]({ty}::{set}), [`{get}`]({ty}::{get})")
}

/// What the semantics do besides computing.
fn effects_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let Effects { handle, trap } = Effects::of(model, opcode);
    let uses = handle
        .map(|handle| format!("It uses the machine as `{}`.", trait_names(handle).join("` and `")));
    let traps = trap.map(|trap| {
        let trap = trap.to_string().replace(' ', "");
        format!("It can trap, with a `{}`.", trap.rsplit("::").next().unwrap_or(&trap))
    });
    let sentences: Vec<String> = uses.into_iter().chain(traps).collect();
    if sentences.is_empty() {
        return Vec::new();
    }
    ["", "# Effects", "", &sentences.join(" ")].map(str::to_owned).into()
}

/// The rows of `flow`, as they are written.
fn flow_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    if opcode.flow.is_empty() {
        return Vec::new();
    }
    let rows = opcode.flow.iter().map(|&(row, target)| {
        let FlowRow { kind, or_next, condition, .. } = &model.flows[row];
        let mut text = kind.keyword().to_owned();
        if let Some(place) = target {
            text += &format!(" {}", model.fields[opcode.fields[place]].text);
        }
        text += if *or_next { " or next" } else { "" };
        condition.iter().for_each(|condition| text += &format!(" if {condition}"));
        text + ";"
    });
    let head = ["", "# Control flow", ""].map(str::to_owned);
    head.into_iter().chain(text_block(rows)).collect()
}

fn illegal_doc(model: &Model, exceptions: impl Iterator<Item = usize>) -> Vec<String> {
    let rows = exceptions.map(|id| &model.exceptions[id]);
    let rows = rows.map(|exception| format!("- `{}`: {}", exception.condition, exception.reason));
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        return rows;
    }
    ["".into(), "# Illegal combinations".into(), "".into()].into_iter().chain(rows).collect()
}

/// The examples under the name of what has them: those of an optype are of all its opcodes.
fn examples_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let nodes = model.lineage[opcode.node].iter().map(|&node| &model.nodes[node]);
    let mut lines = Vec::new();
    for node in nodes.filter(|node| !node.examples.is_empty()) {
        lines.extend(["".into(), format!("# Examples of `{}`", node.name), "".into()]);
        lines.extend(text_block(node.examples.iter().map(|example| example.text.clone())));
    }
    lines
}

fn text_block(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut block = vec!["```text".to_owned()];
    block.extend(lines);
    block.push("```".to_owned());
    block
}
