//! Documentation of generated items: syntax, bit layout, illegal combinations, examples.

use super::tables::examples;
use crate::model::{DefaultValue, Field, Init, Model, Opcode};

/// An opcode's documentation, behind the author's own.
pub(crate) fn opcode_doc(model: &Model, opcode: &Opcode) -> String {
    let mut lines = inherited_doc(model, opcode);
    let syntax = &model.syntaxes[opcode.syntax];
    lines.extend(["".into(), "```text".into(), syntax.source.clone(), "```".into(), "".into()]);
    lines.push("| Bits | Field | Type | Value |".into());
    lines.push("|---:|---|---|---|".into());
    let mut rows: Vec<(u8, String)> = opcode
        .fields
        .iter()
        .map(|&id| &model.fields[id])
        .map(|field| (field.pieces.first().map_or(0, |piece| piece.0), layout_row(model, field)))
        .collect();
    rows.sort();
    lines.extend(rows.into_iter().map(|(_, row)| row));
    lines.push("".into());
    if opcode.unused != 0 {
        lines.push("All other bits are 0.".into());
        lines.push("".into());
    }
    for exception in opcode.exceptions.iter().map(|&e| &model.exceptions[e]) {
        let text = format!("Illegal: `{}`. {}", exception.condition, exception.reason);
        lines.extend([text, "".into()]);
    }
    let examples: Vec<&String> = examples(model, opcode).collect();
    if !examples.is_empty() {
        lines.push("```text".into());
        lines.extend(examples.into_iter().cloned());
        lines.push("```".into());
    }
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
    let named = |raw: u64| {
        let value = kind.values().iter().find(|value| value.raw == raw);
        value.map_or_else(|| raw.to_string(), |value| value.name.to_string())
    };
    let value = match &field.init {
        Init::Fixed(raw) => format!("always `{}`", named(*raw)),
        Init::Default(DefaultValue::Number(raw)) => format!("default `{}`", named(*raw)),
        Init::Default(DefaultValue::Named(name, _)) => format!("default `{name}`"),
        Init::Required => "required".to_owned(),
    };
    format!("| {} | `{}` | `{}` | {value} |", bits.join(", "), field.text, kind.name)
}
