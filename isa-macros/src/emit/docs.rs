//! Documentation of generated items: syntax, bit layout, illegal combinations, examples.

use super::effects::{Effects, trait_names};
use super::names::{Names, getter, setter};
use crate::model::{Alias, DefaultValue, Field, Init, Model, Opcode};

/// An opcode's documentation, behind the author's own.
pub(crate) fn opcode_doc(model: &Model, opcode: &Opcode) -> String {
    let mut lines = inherited_doc(model, opcode);
    lines.extend(["".into(), "# Syntax".into(), "".into()]);
    lines.extend(text_block([model.syntaxes[opcode.syntax].source.clone()]));
    lines.extend(aliases_doc(model, opcode));
    lines.extend(encoding_doc(model, opcode));
    lines.extend(effects_doc(model, opcode));
    lines.extend(illegal_doc(model, opcode));
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

/// The other spellings, each with what the words have that it is for.
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

/// The bit layout, and where the methods are: an alias has none of its own but `new`.
fn encoding_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let (ty, instruction) = (&opcode.type_name, Names::new(model).instruction);
    let execute = if opcode.semantics.is_some() { ", `execute`" } else { "" };
    let methods = format!(
        "`{ty}::new` takes the required fields in the order of the text. All other methods are \
         those of [`{instruction}`], which the opcodes share: `decode`, `encode`, `operands`\
         {execute}, and what sets and gets a field."
    );
    let mut lines = vec!["".into(), "# Encoding".into(), "".into(), methods, "".into()];
    lines.push("| Bits | Field | Type | Value | Sets, gets |".into());
    lines.push("|---:|---|---|---|---|".into());
    let mut rows: Vec<(u8, String)> = opcode
        .fields
        .iter()
        .map(|&id| &model.fields[id])
        .map(|field| (field.pieces.first().map_or(0, |piece| piece.0), layout_row(model, field)))
        .collect();
    rows.sort();
    lines.extend(rows.into_iter().map(|(_, row)| row));
    if opcode.unused != 0 {
        lines.extend(["".into(), "All other bits are 0.".into()]);
    }
    lines
}

fn layout_row(model: &Model, field: &Field) -> String {
    let kind = &model.kinds[field.kind];
    let bits: Vec<String> = field
        .pieces
        .iter()
        .map(|&(position, width)| match width {
            1 => position.to_string(),
            _ => format!("{}:{position}", position + width - 1),
        })
        .collect();
    let bits = if bits.is_empty() { "none".to_owned() } else { bits.join(", ") };
    let value = match &field.init {
        Init::Fixed(raw) => format!("always `{}`", kind.shown(*raw)),
        Init::Default(DefaultValue::Number(raw)) => format!("default `{}`", kind.shown(*raw)),
        Init::Default(DefaultValue::Named(name, _)) => format!("default `{name}`"),
        Init::Required => "required".to_owned(),
    };
    let (name, methods) = (&field.text, accessors(model, field));
    format!("| {bits} | `{name}` | `{}` | {value} | {methods} |", kind.name)
}

/// Links to the methods of a field; nothing for one that has none.
fn accessors(model: &Model, field: &Field) -> String {
    if field.is_fixed() || field.nameless {
        return String::new();
    }
    let (set, get) = (setter(field).to_string(), getter(field).to_string());
    if set.starts_with("r#") {
        return format!("`{set}`, `{get}`");
    }
    let ty = Names::new(model).instruction;
    format!("[`{set}`]({ty}::{set}), [`{get}`]({ty}::{get})")
}

/// What the semantics do besides computing.
fn effects_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let Some(node) = opcode.semantics else { return Vec::new() };
    let Effects { handle, trap } = Effects::of(model, node, opcode);
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

fn illegal_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    if opcode.exceptions.is_empty() {
        return Vec::new();
    }
    let rows = opcode.exceptions.iter().map(|&id| &model.exceptions[id]);
    let rows = rows.map(|exception| format!("- `{}`: {}", exception.condition, exception.reason));
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
