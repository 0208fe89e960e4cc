//! Writes the documentation of generated items: syntax, bit layout, invalid combinations, examples.
//!
//! The bits of an opcode are drawn as an HTML table, for the opcode's page in rustdoc. A table uses the
//! colours of the page, light or dark, and has a quarter of the bytes of an SVG. A picture of characters
//! would have no room for the names of single bits, which are vertical here, and an editor would show
//! 16 lines of it for each opcode. A build and an editor drop the attribute with the table unparsed.

use std::cell::OnceCell;
use std::fmt::Write as _;

use isa_bdd::picture::{Cell, PictureField, colours, rows};

use super::exec::trait_names;
use super::names::{GeneratedNames, getter, setter};
use crate::model::features::Requirement;
use crate::model::{
    Alias, DefaultValue, FlowRow, Init, Model, Opcode, PropertyType, ResolvedField,
};
use crate::plan::{Effects, MethodGroup};

/// The documentation that the macro adds to the author's documentation of an opcode.
pub(crate) struct OpcodeDoc {
    /// The part that is the same for rustc, an editor and rustdoc.
    pub(crate) text: String,
    /// The bits of the fields in one line, for an editor.
    pub(crate) line: String,
    /// The bits of the fields for a page in rustdoc: a picture, and a table with links to the methods.
    pub(crate) page: String,
}

/// The text about a field on the pages of opcodes.
pub(super) struct FieldDoc {
    /// The entry in the line, for example `` `number == N0` in 11:0 ``.
    line: String,
    /// The row of the table of fields.
    row: String,
    /// The type and the value, for example `Reg, required`.
    pub(super) title: String,
}

/// The documentation of a call's opcodes. The text of a field is written once for all of them.
pub(crate) struct Docs<'m> {
    model: &'m Model,
    names: &'m GeneratedNames,
    fields: Vec<OnceCell<FieldDoc>>,
}

impl<'m> Docs<'m> {
    pub(crate) fn new(model: &'m Model, names: &'m GeneratedNames) -> Self {
        Docs { model, names, fields: model.fields.iter().map(|_| OnceCell::new()).collect() }
    }

    pub(crate) fn opcode(&self, opcode: &Opcode) -> OpcodeDoc {
        let Docs { model, names, .. } = *self;
        let mut text = inherited_doc(model, opcode);
        text.extend(["".into(), "# Syntax".into(), "".into()]);
        text.extend(text_block([model.syntaxes[opcode.syntax].source.clone()]));
        text.extend(aliases_doc(model, opcode));
        text.extend(effects_doc(model, opcode));
        text.extend(flow_doc(model, opcode));
        text.extend(features_doc(model, opcode));
        text.extend(properties_doc(model, opcode));
        text.extend(illegal_doc(model, opcode));
        text.extend(examples_doc(model, opcode));
        text.extend(["".into(), "# Encoding".into(), "".into()]);
        let mut ids = opcode.fields.clone();
        ids.sort_by_key(|&id| model.fields[id].pieces.first().map_or(0, |piece| piece.0));
        let fields = || ids.iter().map(|&id| self.field(id));
        let lines: Vec<&str> = fields().map(|field| field.line.as_str()).collect();
        let rows: Vec<&str> = fields().map(|field| field.row.as_str()).collect();
        let unused = if opcode.unused == 0 { "" } else { "\n\nAll other bits are 0." };
        let page = [
            &draw(self, model, opcode),
            "\n\n| Bits | Field | Type | Value | Methods |\n|---:|---|---|---|---|\n",
            &rows.join("\n"),
            unused,
            "\n\n",
            &methods_doc(names, opcode),
        ];
        let line = lines.join(", ") + "." + unused;
        OpcodeDoc { text: text.join("\n"), line, page: page.concat() }
    }

    /// Returns the text about the field with index `id` in [`Model::fields`].
    pub(super) fn field(&self, id: usize) -> &FieldDoc {
        self.fields[id]
            .get_or_init(|| FieldDoc::new(self.model, self.names, &self.model.fields[id]))
    }
}

impl FieldDoc {
    fn new(model: &Model, names: &GeneratedNames, field: &ResolvedField) -> Self {
        let (kind, name, bits) = (model.type_of(field), &field.text, bits_doc(field));
        let (said, value) = match &field.init {
            Init::Fixed(raw) => ("always", kind.shown(*raw)),
            Init::Default(DefaultValue::Number(raw)) => ("default", kind.shown(*raw)),
            Init::Default(DefaultValue::Named(name, _)) => ("default", name.clone()),
            Init::Required => ("required", String::new()),
        };
        let is = if field.is_fixed() { format!(" == {value}") } else { String::new() };
        let quoted = if value.is_empty() { value.clone() } else { format!(" `{value}`") };
        let methods = accessors(names, field);
        FieldDoc {
            line: format!("`{name}{is}` in {bits}"),
            row: format!("| {bits} | `{name}` | `{}` | {said}{quoted} | {methods} |", kind.name),
            title: format!("{}, {said} {value}", kind.name).trim_end().to_owned(),
        }
    }
}

/// Returns the documentation of the nearest optype that has documentation. If the opcode is a
/// special case, also returns links to its general forms.
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
        lines.extend([
            "".into(),
            format!("A special case of [`{ty}`]: its encodings are not encodings of `{ty}`."),
        ]);
    }
    lines
}

/// Returns the table of an opcode's aliases, each with the field values of its encodings.
fn aliases_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let own = model.aliases.iter().filter(|alias| model.opcodes[alias.of].node == opcode.node);
    let rows: Vec<String> = own.map(|alias| alias_row(model, opcode, alias)).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let head = ["", "# Aliases", "", "| Text | Condition | Printed |", "|---|---|---|"];
    head.map(str::to_owned).into_iter().chain(rows).collect()
}

fn alias_row(model: &Model, opcode: &Opcode, alias: &Alias) -> String {
    let text = &model.syntaxes[alias.row.syntax].source;
    let fixed = alias.row.fields_in(model).filter_map(|field| {
        let Init::Fixed(raw) = field.init else { return None };
        let narrowed = field.mask() & !opcode.fixed.mask != 0;
        let kind = model.type_of(field);
        narrowed.then(|| format!("`{} == {}`", field.text, kind.shown(raw)))
    });
    let fixed: Vec<String> = fixed.collect();
    let words = if fixed.is_empty() { "always".to_owned() } else { fixed.join(", ") };
    let printed = if alias.printed { "yes" } else { "no" };
    format!("| `{}` | {words} | {printed} |", text.replace('|', "\\|"))
}

/// Returns the documentation of a type that opcodes share.
pub(crate) fn method_group_doc(model: &Model, group: &MethodGroup) -> String {
    let types = group.members.iter().map(|&index| &model.opcodes[index].type_name);
    let types: Vec<String> = types.map(|ty| format!("[`{ty}`]")).collect();
    format!("Opcodes with the same fields: {}.", types.join(", "))
}

/// Returns the sentence about the methods: a type alias has only the method `new`.
fn methods_doc(names: &GeneratedNames, opcode: &Opcode) -> String {
    let (ty, instruction) = (&opcode.type_name, &names.instruction);
    let execute = if opcode.semantics.is_some() { ", `execute`" } else { "" };
    format!(
        "`{ty}::new` takes the required fields in the order of the assembly text. The methods \
         `decode`, `encode`, `operands`{execute} and the methods in the table are defined by \
         [`{instruction}`], the generic type of all opcodes of this call."
    )
}

/// Returns the bits of a field, for example `15:12`, or "none" if it has no bits.
fn bits_doc(field: &ResolvedField) -> String {
    let pieces = field.pieces.iter().map(|&(position, width)| match width {
        1 => position.to_string(),
        _ => format!("{}:{position}", position + width - 1),
    });
    let pieces: Vec<String> = pieces.collect();
    if pieces.is_empty() { "none".to_owned() } else { pieces.join(", ") }
}

/// Returns links to the methods of a field, or an empty string if it has none.
fn accessors(names: &GeneratedNames, field: &ResolvedField) -> String {
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

/// Describes the effects of the semantics.
fn effects_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let Effects { handle, trap } = Effects::of(model, opcode);
    let uses = handle.map(|handle| {
        format!("The machine must implement `{}`.", trait_names(handle).join("` and `"))
    });
    let traps = trap.map(|trap| {
        let trap = trap.to_string().replace(' ', "");
        format!("The instruction can trap with a `{}`.", trap.rsplit("::").next().unwrap_or(&trap))
    });
    let sentences: Vec<String> = uses.into_iter().chain(traps).collect();
    if sentences.is_empty() {
        return Vec::new();
    }
    ["", "# Effects", "", &sentences.join(" ")].map(str::to_owned).into()
}

/// Returns the rows of `flow` as they are written.
fn flow_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    if opcode.flow.is_empty() {
        return Vec::new();
    }
    let rows = opcode.flow.iter().map(|&(row, target)| {
        let FlowRow { kind, or_next, is_indirect, condition, .. } = &model.flows[row];
        let mut text = kind.keyword().to_owned();
        if let Some(place) = target {
            text += if *is_indirect { " *" } else { " " };
            text += &opcode.field_at(model, place).text;
        }
        text += if *or_next { " or next" } else { "" };
        condition.iter().for_each(|condition| text += &format!(" if {condition}"));
        text + ";"
    });
    let head = ["", "# Control flow", ""].map(str::to_owned);
    head.into_iter().chain(text_block(rows)).collect()
}

/// Returns the list of requirements.
fn features_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let rows = opcode.requirements.iter().map(|&id| {
        let Requirement { subject, condition, .. } = &model.requirements[id];
        match &subject[..] {
            "" => format!("- The opcode requires `{condition}`."),
            subject => format!("- {subject} requires `{condition}`."),
        }
    });
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        return rows;
    }
    ["", "# Features", ""].map(str::to_owned).into_iter().chain(rows).collect()
}

/// Returns the table of properties.
fn properties_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    if model.properties.is_empty() {
        return Vec::new();
    }
    let rows = model.properties.iter().zip(&opcode.properties).map(|(property, &value)| {
        let shown = match property.ty {
            PropertyType::Set(set) => model.field_types[set].shown(value.cast_unsigned()),
            PropertyType::Bool => (value != 0).to_string(),
            PropertyType::Unsigned(_) | PropertyType::Signed(_) => value.to_string(),
        };
        format!("| `{}` | {shown} |", property.decl.name)
    });
    let head = ["", "# Properties", "", "| Property | Value |", "|---|---|"].map(str::to_owned);
    head.into_iter().chain(rows).collect()
}

fn illegal_doc(model: &Model, opcode: &Opcode) -> Vec<String> {
    let rows = opcode.exceptions.iter().map(|&id| &model.exceptions[id]);
    let rows = rows.map(|exception| format!("- `{}`: {}", exception.condition, exception.reason));
    let rows: Vec<String> = rows.collect();
    if rows.is_empty() {
        return rows;
    }
    ["".into(), "# Illegal combinations".into(), "".into()].into_iter().chain(rows).collect()
}

/// Returns the examples of `opcode` as one list for each node that declares examples. The heading of a
/// list contains the name of the node. The examples of an optype are listed for all its opcodes.
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

/// The number of bits in a row.
const COLUMNS: u8 = 32;

/// The style sheet of a picture. Text has the colour of the page, light or dark, and the background of a
/// cell is translucent.
const STYLE: &str = "<style>\
    table.isa-bits{table-layout:fixed;width:100%;font:11px monospace;text-align:center}\
    table.isa-bits td{height:36px;padding:1px 0;border:1px solid gray;vertical-align:top;\
    background:hsl(calc(var(--h)*137) 75% 50%/.22)}\
    table.isa-bits td.f{background:hsl(0 0% 50%/.18)}\
    table.isa-bits td.u{background:repeating-linear-gradient(135deg,transparent 0 7px,\
    hsl(0 0% 50%/.4) 7px 8px)}\
    table.isa-bits td.n{border:0;background:none}\
    table.isa-bits small{display:block;font-size:9px}\
    table.isa-bits i{writing-mode:vertical-rl;font-style:normal;padding:2px 0}\
    </style>";

/// Draws the picture: rows of 32 bits. Each cell contains its bit numbers, the value of fixed bits, and
/// the field. Unused bits are hatched. The HTML contains no blank line, because Markdown would end the
/// HTML there.
///
/// ```text
/// <div ..><style>..</style><table ..><tr>
/// <td colspan=8 style=--h:2 title="Reg, required"><small>31:24</small>rb</td>..</tr></table></div>
/// ```
pub(super) fn draw(docs: &Docs<'_>, model: &Model, opcode: &Opcode) -> String {
    let fields = opcode.fields_in(model).map(|field| PictureField {
        name: &field.text,
        is_fixed: field.is_fixed(),
        pieces: field.pieces.clone(),
    });
    let fields: Vec<PictureField<'_>> = fields.collect();
    let colours = colours(&fields);
    let columns = COLUMNS.min(opcode.bits);
    let mut html = format!(
        "<div style=overflow-x:auto>{STYLE}<table class=isa-bits style=min-width:{}px \
         aria-label=\"The bits of {} by fields\">",
        25 * u32::from(columns),
        opcode.name
    );
    for row in rows(opcode.bits, columns, opcode.fixed.mask, &fields) {
        html.push_str("<tr>");
        if let missing @ 1.. = row.first().map_or(0, |cell| columns - 1 - cell.high % columns) {
            let _ = write!(html, "<td colspan={missing} class=n></td>");
        }
        for cell in row {
            let field = cell.field.map(|(place, _)| {
                let title = docs.field(opcode.fields[place]).title.as_str();
                (title, fields[place].name, colours[place])
            });
            draw_cell(cell, field, opcode.fixed.value, &mut html);
        }
        html.push_str("</tr>");
    }
    html + "</table></div>"
}

/// Draws a cell with the title and the name of its field, the index of the field's colour, and the value
/// of fixed bits. Titles and names contain no characters that HTML must escape.
fn draw_cell(cell: Cell, field: Option<(&str, &str, usize)>, fixed: u128, html: &mut String) {
    let Cell { high, low, is_fixed, .. } = cell;
    let bits = usize::from(high - low) + 1;
    let (title, name, colour) = field.unwrap_or(("unused, must be 0", "0", 0));
    let _ = match (field, is_fixed) {
        (None, _) => write!(html, "<td colspan={bits} class=u"),
        (_, true) => write!(html, "<td colspan={bits} class=f"),
        _ => write!(html, "<td colspan={bits} style=--h:{colour}"),
    };
    let _ = match bits {
        1 => write!(html, " title=\"{title}\"><small>{high}</small>"),
        _ => write!(html, " title=\"{title}\"><small>{high}:{low}</small>"),
    };
    if is_fixed {
        let value = fixed >> low & (u128::MAX >> (128 - bits));
        let _ = write!(html, "<b>{value:0bits$b}</b><br>");
    }
    // A character is 7 pixels wide, and each bit is at least 25 pixels wide.
    let _ = match 7 * name.len() <= 25 * bits {
        true => write!(html, "{name}</td>"),
        false => write!(html, "<i>{name}</i></td>"),
    };
}
