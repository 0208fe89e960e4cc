//! The page of an opcode.

use isa_core::explain::{alias_condition, syntax as syntax_of, value_text};
use isa_core::table::{Access, Init, Opcode, PropertyType};

use super::frame::Page;
use super::functions::{self, Function};
use super::html::Html;
use super::site::{Site, Topic, anchor};
use super::space::{self, Share, Size};
use super::{example, highlight, markdown, picture, syntax};

/// A section of the page: its anchor, its title, whether the opcode with an index has this section,
/// and a function that appends its content.
type PageSection =
    (&'static str, &'static str, fn(&Site<'_>, usize) -> bool, fn(&Site<'_>, usize, &mut Html));

/// The sections in their order.
const SECTIONS: [PageSection; 12] = [
    ("syntax", "Syntax", |_, _| true, syntax_section),
    ("encoding", "Encoding", |_, _| true, encoding),
    ("dataflow", "Reads and writes", |site, at| !site.opcodes[at].it.operands.is_empty(), dataflow),
    (
        "semantics",
        "Semantics",
        |site, at| site.opcodes[at].it.lineage.semantics().is_some(),
        semantics,
    ),
    (
        "properties",
        "Properties",
        |site, at| site.opcodes[at].it.properties.iter().next().is_some(),
        properties,
    ),
    ("features", "Features", |site, at| !site.opcodes[at].it.requires.is_empty(), features),
    ("flow", "Control flow", |site, at| !site.opcodes[at].it.flow.is_empty(), flow),
    ("examples", "Examples", |_, _| true, examples),
    ("spellings", "Other spellings", |site, at| !site.opcodes[at].it.aliases.is_empty(), spellings),
    (
        "illegal",
        "Invalid combinations",
        |site, at| !site.opcodes[at].it.exceptions.is_empty(),
        illegal,
    ),
    ("words", "Words", |_, _| true, words),
    ("relatives", "Related opcodes", |_, _| true, relatives),
];

/// Returns the page of the opcode with an index.
pub(crate) fn page(site: &Site<'_>, at: usize) -> String {
    let Topic { it: opcode, page: here } = &site.opcodes[at];
    let mut page = Page::begin(site, here, opcode.name);
    let html = &mut page.html;
    html.raw("<article class=\"opcode\">\n<nav class=\"path\" aria-label=\"Groups\">");
    for (place, group) in opcode.lineage.groups().enumerate() {
        if place > 0 {
            html.raw("<span aria-hidden=\"true\"> › </span>");
        }
        site.link(group, group.name, html);
    }
    html.raw("</nav>\n<div class=\"head\">");
    html.element("h1", "", opcode.name);
    html.element("span", "badge", opcode.syntax.mnemonic);
    let bits = match opcode.short {
        Some(short) => format!("{} or {} bits", short.bits, opcode.bits),
        None => format!("{} bits", opcode.bits),
    };
    html.element("span", "badge", &bits);
    html.raw("</div>\n<div class=\"doc\">");
    site.doc(opcode.doc, html);
    // The documentation of an optype usually describes most of what its opcodes do.
    for group in opcode.lineage.groups().filter(|group| group.is_optype && !group.doc.is_empty()) {
        site.doc(group.doc, html);
    }
    html.raw("</div>\n");
    let sections: Vec<_> =
        SECTIONS.iter().filter(|(_, _, is_there, _)| is_there(site, at)).collect();
    html.raw("<nav class=\"toc\" aria-label=\"On this page\"><ul>");
    for (id, title, ..) in &sections {
        html.raw("<li>").link(&format!("#{id}"), title).raw("</li>");
    }
    html.raw("</ul></nav>\n");
    for (id, title, _, show) in sections {
        html.section(id, title);
        show(site, at, html);
        html.end_section();
    }
    html.raw("</article>\n");
    neighbours(site, at, html);
    page.finish(site)
}

fn neighbours(site: &Site<'_>, at: usize, html: &mut Html) {
    html.raw("<nav class=\"turn\" aria-label=\"Neighbours\">");
    let before = at.checked_sub(1).and_then(|at| site.opcodes.get(at));
    for (entry, rel, sign) in [(before, "prev", "← "), (site.opcodes.get(at + 1), "next", "→ ")]
    {
        if let Some(Topic { it, page }) = entry {
            html.open("a", &[("rel", rel), ("href", &format!("../{page}"))]);
            html.text(sign).text(it.name).close("a");
        }
    }
    html.raw("</nav>\n");
}

fn syntax_section(site: &Site<'_>, at: usize, html: &mut Html) {
    syntax::show(site, site.opcodes[at].it, html);
}

fn encoding(site: &Site<'_>, at: usize, html: &mut Html) {
    let opcode = site.opcodes[at].it;
    html.raw("<figure class=\"word\">");
    picture::draw(opcode, None, html);
    html.raw("</figure>\n");
    html.table("Fields", &["bits", "field", "kind", "value", "meaning", "from"]);
    let mut fields: Vec<usize> = (0..opcode.fields.len()).collect();
    fields.sort_by_key(|&index| u128::MAX - opcode.fields[index].mask());
    for index in fields {
        field(site, opcode, index, html);
    }
    if opcode.unused != 0 {
        html.raw("<tr>");
        html.cell("number runs", |html| _ = html.text(&space::ranges(opcode.unused)));
        html.raw("<td></td><td></td><td>0</td><td>unused, must be 0</td><td></td></tr>\n");
    }
    html.end_table();
}

fn field(site: &Site<'_>, opcode: &'static Opcode, index: usize, html: &mut Html) {
    let field = opcode.fields[index];
    let id = anchor("field", field.name);
    html.open("tr", &[("id", &id), ("data-field", &index.to_string())]);
    let pieces: Vec<String> = field
        .pieces
        .iter()
        .map(|piece| {
            let low = u32::from(piece.position);
            let high = low + u32::from(piece.width).saturating_sub(1);
            if high == low { low.to_string() } else { format!("{high}..{low}") }
        })
        .collect();
    html.cell("number", |html| {
        _ = html.text(if pieces.is_empty() { "none" } else { "" }).text(&pieces.join(", "))
    });
    html.cell("", |html| _ = html.element("code", "", field.name));
    html.cell("", |html| site.link(field.kind, field.kind.name, html));
    html.cell("value", |html| match field.init {
        Init::Fixed(raw) => _ = html.element("strong", "", &value_text(opcode, index, raw)),
        Init::Default(raw) => {
            _ = html.text("default ").text(&value_text(opcode, index, raw));
        }
        Init::Required => _ = html.text("required"),
    });
    html.cell("meaning", |html| {
        let doc = if field.doc.is_empty() { field.kind.doc } else { field.doc };
        site.summary(doc, html);
    });
    html.cell("", |html| site.declared(opcode, field.declared_in, html));
    html.raw("</tr>\n");
}

fn dataflow(site: &Site<'_>, at: usize, html: &mut Html) {
    let opcode = site.opcodes[at].it;
    html.table("Operands", &["operand", "access", "type", "value", "description"]);
    for operand in opcode.operands {
        let Some(field) = opcode.fields.get(usize::from(operand.field)) else { continue };
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", field.name));
        let (class, access) = match operand.access {
            Access::Read => ("read", "read"),
            Access::Write => ("write", "written"),
            Access::ReadWrite => ("write", "read and written"),
        };
        html.cell("", |html| _ = html.element("span", class, access));
        html.cell("", |html| site.link(field.kind, field.kind.name, html));
        html.cell("", |html| {
            let lanes = opcode.lanes_text(operand.field);
            if operand.bits > 0 && lanes.as_ref().is_none_or(|(row, _)| !row.is_count) {
                html.text(&format!("{} bits", operand.bits));
            }
            let Some((row, mask)) = lanes else { return };
            html.text(&match row.is_count {
                true => format!("{} bits times", row.bits),
                false => format!(", in lanes of {}", row.bits),
            });
            if let Some(mask) = mask {
                let between = if row.is_count { " " } else { ": " };
                html.text(between).element("code", "", &mask.to_string());
            }
        });
        html.cell("", |html| {
            markdown::inline(field.kind.text.map_or("", |text| text.expects), &|_| None, html);
        });
        html.raw("</tr>\n");
    }
    html.end_table();
}

fn semantics(site: &Site<'_>, at: usize, html: &mut Html) {
    if let Some(text) = site.opcodes[at].it.lineage.semantics() {
        highlight::source(text, html);
        html.raw("<p class=\"note\">The Rust code of the specification, with the values of the operands.</p>\n");
        called_functions(site, at, text, html);
    }
}

/// Appends the functions that the semantics call: their documentation, and their code on demand.
fn called_functions(site: &Site<'_>, at: usize, code: &str, html: &mut Html) {
    let functions = functions::called(code, site.opcodes[at].it.lineage.functions());
    if functions.is_empty() {
        return;
    }
    html.element("h3", "", "Functions").raw("<dl class=\"functions\">\n");
    for Function { name, doc, code, .. } in functions {
        html.raw("<dt>").element("code", "", name).raw("</dt><dd>");
        site.doc(&doc, html);
        html.raw("<details><summary>Code of ").element("code", "", name).raw("</summary>");
        highlight::source(code, html);
        html.raw("</details></dd>\n");
    }
    html.raw("</dl>\n");
}

fn properties(site: &Site<'_>, at: usize, html: &mut Html) {
    html.table("Properties", &["property", "value", "meaning"]);
    for (property, value) in site.opcodes[at].it.properties.iter() {
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", property.name));
        html.cell("value", |html| match property.ty {
            PropertyType::Named(kind) => site.link(kind, &value.to_string(), html),
            _ => _ = html.show(&value),
        });
        html.cell("meaning", |html| site.summary(property.doc, html));
        html.raw("</tr>\n");
    }
    html.end_table();
}

fn features(site: &Site<'_>, at: usize, html: &mut Html) {
    let opcode = site.opcodes[at].it;
    html.table("Features", &["part", "exists with", "from"]);
    for requirement in opcode.requires {
        html.raw("<tr>");
        html.cell("", |html| match requirement.subject {
            "" => _ = html.text("the opcode"),
            subject => markdown::inline(subject, &|_| None, html),
        });
        html.cell("", |html| _ = html.element("code", "", requirement.condition));
        html.cell("", |html| site.declared(opcode, requirement.declared_in, html));
        html.raw("</tr>\n");
    }
    html.end_table();
}

fn flow(site: &Site<'_>, at: usize, html: &mut Html) {
    html.raw("<ol class=\"flow\">\n");
    for row in site.opcodes[at].it.flow_text() {
        html.raw("<li>").element("code", "", &row.to_string());
        html.raw("</li>\n");
    }
    html.raw("</ol>\n<p class=\"note\">The first row whose condition is met applies. Otherwise, execution continues at the next instruction.</p>\n");
}

fn examples(site: &Site<'_>, at: usize, html: &mut Html) {
    example::all(site, at, html);
}

fn spellings(site: &Site<'_>, at: usize, html: &mut Html) {
    let opcode = site.opcodes[at].it;
    html.table("Other spellings", &["name", "syntax", "condition", "use"]);
    for alias in opcode.aliases {
        let row = alias.row;
        html.open("tr", &[("id", &anchor("spelling", row.name))]);
        html.cell("", |html| _ = html.element("code", "", row.name));
        html.cell("", |html| {
            html.element("code", "", &syntax_of(row));
            if !row.doc.is_empty() {
                html.raw("<br>");
                site.summary(row.doc, html);
            }
        });
        let condition = alias_condition(opcode, alias);
        html.cell("", |html| _ = html.text(condition.as_deref().unwrap_or("always")));
        html.cell("", |html| {
            _ = html.text(if alias.printed { "printed and parsed" } else { "only parsed" });
        });
        html.raw("</tr>\n");
    }
    html.end_table();
}

fn illegal(site: &Site<'_>, at: usize, html: &mut Html) {
    let opcode = site.opcodes[at].it;
    html.table("Invalid combinations", &["invalid if", "reason", "class", "from"]);
    for exception in opcode.exceptions {
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", exception.condition));
        html.cell("", |html| markdown::inline(exception.reason, &|_| None, html));
        html.cell("", |html| _ = html.text(exception.class));
        html.cell("", |html| site.declared(opcode, exception.declared_in, html));
        html.raw("</tr>\n");
    }
    html.end_table();
}

fn words(site: &Site<'_>, at: usize, html: &mut Html) {
    let (opcode, share) = (site.opcodes[at].it, &site.space.shares[at]);
    let fixed = opcode.fixed.mask.count_ones();
    html.open("p", &[]);
    html.text(&format!("Of the 2^{} words of {} bits ", opcode.bits, opcode.bits));
    html.show(&share.all.powers())
        .text(&format!(" have the {fixed} fixed bits of this opcode: mask "));
    html.element("code", "", &example::digits(opcode.fixed.mask, opcode.bits)).text(", value ");
    html.element("code", "", &example::digits(opcode.fixed.value, opcode.bits))
        .text(".")
        .close("p");
    if let Some(short) = opcode.short {
        html.open("p", &[]).text(&format!("A word has {} bits if ", opcode.bits));
        html.element("code", "", short.condition);
        html.text(&format!(", and otherwise only the first {} bits.", short.bits)).close("p");
    }
    let Share { legal, special, illegal, reserved, unused, .. } = *share;
    html.table("Words with the fixed bits of this opcode", &["words", "number", "share"]);
    let rows: [(&str, &str, Size); 5] = [
        ("legal", "valid instructions", legal),
        ("special", "special cases", special),
        ("illegal", "invalid combinations", illegal),
        ("reserved", "reserved values", reserved),
        ("unused", "bits that no field covers", unused),
    ];
    for (class, name, size) in rows.into_iter().filter(|(_, _, size)| !size.is_zero()) {
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("span", &format!("key {class}"), "").text(name));
        html.cell("number", |html| _ = html.show(&size.powers()));
        let share = size.share_of(share.all);
        html.cell("number", |html| _ = html.text(&space::percent(share)));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.raw("<p><a href=\"../map/index.html#")
        .text(&anchor("opcode", opcode.name))
        .raw("\">Show on the map</a></p>\n");
}

fn relatives(site: &Site<'_>, at: usize, html: &mut Html) {
    let opcode = site.opcodes[at].it;
    html.raw("<dl>");
    let general: Vec<usize> = space::general(site.set, at).collect();
    let special: Vec<usize> = (0..site.opcodes.len())
        .filter(|&other| space::general(site.set, other).any(|it| it == at))
        .collect();
    let same: Vec<usize> = (0..site.opcodes.len())
        .filter(|&other| {
            other != at && site.opcodes[other].it.syntax.mnemonic == opcode.syntax.mnemonic
        })
        .collect();
    list(site, "Special case of", &general, html);
    list(site, "Special cases", &special, html);
    list(site, &format!("Other {}", opcode.syntax.mnemonic), &same, html);
    for group in opcode.lineage.groups() {
        html.raw("<dt>").text(if group.is_optype { "Optype " } else { "Group " });
        site.link(group, group.name, html);
        html.raw("</dt><dd>");
        site.summary(group.doc, html);
        html.raw("</dd>\n");
    }
    html.raw("</dl>\n");
}

fn list(site: &Site<'_>, title: &str, opcodes: &[usize], html: &mut Html) {
    if opcodes.is_empty() {
        return;
    }
    html.element("dt", "", title).raw("<dd>");
    for (place, &at) in opcodes.iter().enumerate() {
        if place > 0 {
            html.text(", ");
        }
        let Topic { it, page } = &site.opcodes[at];
        html.link(&format!("../{page}"), it.name);
    }
    html.raw("</dd>\n");
}
