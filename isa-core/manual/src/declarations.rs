//! The pages of groups, value sets and operand types.

use std::collections::BTreeSet;

use isa_core::table::{Cube, Exception, Field, Group, Init, Kind, Opcode};

use super::frame::Page;
use super::html::Html;
use super::markdown;
use super::overview::{some, table};
use super::site::{Site, Topic, anchor};

/// Returns the page that lists all groups.
pub(crate) fn groups(site: &Site<'_>) -> String {
    let mut page = Page::begin(site, "groups/index.html", "Groups");
    page.title("", "Groups and optypes");
    let html = &mut page.html;
    html.table(
        "Groups and optypes",
        &["name", "category", "inherits from", "opcodes", "description"],
    );
    for Topic { it, page } in &site.groups {
        html.raw("<tr>");
        html.cell("", |html| _ = html.link(&format!("../{page}"), it.name));
        html.cell("", |html| _ = html.text(if it.is_optype { "optype" } else { "group" }));
        html.cell("", |html| _ = html.text(&it.parents.join(", ")));
        html.cell("number", |html| _ = html.show(&site.heirs(it).count()));
        html.cell("", |html| site.summary(it.doc, html));
        html.raw("</tr>\n");
    }
    html.end_table();
    page.finish(site)
}

/// Returns the page of a group.
pub(crate) fn group(site: &Site<'_>, entry: &Topic<Group>) -> String {
    let group = entry.it;
    let mut page = Page::begin(site, &entry.page, group.name);
    page.title(if group.is_optype { "Optype" } else { "Group" }, group.name);
    let html = &mut page.html;
    html.raw("<div class=\"doc\">");
    site.doc(group.doc, html);
    html.raw("</div>\n");
    let heirs: Vec<_> = site.heirs(group).collect();
    family(site, group, &heirs, html);
    fields(site, group, &heirs, html);
    exceptions(site, group, &heirs, html);
    html.section("opcodes", "Opcodes");
    table(site, "", &heirs, "../", html);
    html.end_section();
    page.finish(site)
}

/// Appends the groups from which a group inherits, and the groups and opcodes that inherit from it.
fn family(site: &Site<'_>, group: &'static Group, heirs: &[&Topic<Opcode>], html: &mut Html) {
    let around = heirs.first().map(|heir| heir.it.lineage.groups().collect::<Vec<_>>());
    let around = around.unwrap_or_default();
    let parents = around.iter().copied().filter(|other| group.parents.contains(&other.name));
    let children = site.groups.iter().map(|entry| entry.it);
    let children = children.filter(|other| other.parents.contains(&group.name));
    html.raw("<dl>");
    for (title, groups) in
        [("Inherits from", parents.collect::<Vec<_>>()), ("Parent of", children.collect())]
    {
        if groups.is_empty() {
            continue;
        }
        html.element("dt", "", title).raw("<dd>");
        for (place, other) in groups.into_iter().enumerate() {
            if place > 0 {
                html.text(", ");
            }
            site.link(other, other.name, html);
        }
        html.raw("</dd>\n");
    }
    html.raw("</dl>\n");
}

fn fields(site: &Site<'_>, group: &'static Group, heirs: &[&Topic<Opcode>], html: &mut Html) {
    let mut known = BTreeSet::new();
    let all = heirs.iter().flat_map(|heir| heir.it.fields.iter().copied());
    let own: Vec<&'static Field> = all
        .filter(|field| field.declared_in == group.name)
        .filter(|field| known.insert((field.name, field.mask())))
        .collect();
    if own.is_empty() {
        return;
    }
    html.section("fields", "Fields");
    html.table("Fields", &["bits", "field", "kind", "value", "meaning"]);
    for field in own {
        html.raw("<tr>");
        html.cell("number", |html| _ = html.text(&super::space::ranges(field.mask())));
        html.cell("", |html| _ = html.element("code", "", field.name));
        html.cell("", |html| site.link(field.kind, field.kind.name, html));
        let named =
            |raw| field.kind.value(raw).map_or_else(|| format!("{raw:#x}"), |it| it.name.into());
        html.cell("", |html| match field.init {
            Init::Fixed(raw) => _ = html.element("strong", "", &named(raw)),
            Init::Default(raw) => _ = html.text("default ").text(&named(raw)),
            Init::Required => _ = html.text("required"),
        });
        let doc = if field.doc.is_empty() { field.kind.doc } else { field.doc };
        html.cell("meaning", |html| site.summary(doc, html));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.end_section();
}

fn exceptions(site: &Site<'_>, group: &'static Group, heirs: &[&Topic<Opcode>], html: &mut Html) {
    let mut known = BTreeSet::new();
    let all = heirs.iter().flat_map(|heir| heir.it.exceptions.iter().copied());
    let own: Vec<&'static Exception> = all
        .filter(|exception| exception.declared_in == group.name)
        .filter(|exception| known.insert((exception.condition, exception.reason)))
        .collect();
    if own.is_empty() {
        return;
    }
    html.section("illegal", "Invalid combinations of the group");
    html.table("Invalid combinations", &["invalid if", "reason", "class"]);
    for exception in own {
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", exception.condition));
        html.cell("", |html| markdown::inline(exception.reason, &|_| None, html));
        html.cell("", |html| _ = html.text(exception.class));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.end_section();
    let _ = site;
}

/// Returns the page that lists all value sets and operand types.
pub(crate) fn kinds(site: &Site<'_>) -> String {
    let mut page = Page::begin(site, "kinds/index.html", "Values and operands");
    page.title("", "Values and operands");
    let html = &mut page.html;
    for (id, title, has_values) in
        [("values", "Value sets", true), ("operands", "Operand types", false)]
    {
        let own = site.kinds.iter().filter(|entry| entry.it.text.is_none() == has_values);
        html.section(id, title);
        html.table(
            title,
            &["name", "bits", if has_values { "values" } else { "written" }, "description"],
        );
        for Topic { it, page } in own {
            html.raw("<tr>");
            html.cell("", |html| _ = html.link(&format!("../{page}"), it.name));
            html.cell("number", |html| _ = html.show(&it.width));
            html.cell("", |html| match it.text {
                Some(text) => markdown::inline(text.expects, &|_| None, html),
                None => names(it, html),
            });
            html.cell("", |html| site.summary(it.doc, html));
            html.raw("</tr>\n");
        }
        html.end_table();
        html.end_section();
    }
    page.finish(site)
}

/// The maximum number of value names in a cell.
const NAMES: usize = 12;

fn names(kind: &Kind, html: &mut Html) {
    for (place, value) in kind.values.iter().take(NAMES).enumerate() {
        if place > 0 {
            html.text(", ");
        }
        html.element("code", "", value.name);
    }
    if kind.values.len() > NAMES {
        html.text(&format!(" and {} more", kind.values.len() - NAMES));
    }
}

/// Returns the page of a value set or an operand type.
pub(crate) fn kind(site: &Site<'_>, entry: &Topic<Kind>) -> String {
    let kind = entry.it;
    let mut page = Page::begin(site, &entry.page, kind.name);
    page.title(if kind.text.is_some() { "Operand type" } else { "Value set" }, kind.name);
    let html = &mut page.html;
    html.raw("<div class=\"doc\">");
    site.doc(kind.doc, html);
    html.raw("</div>\n<p class=\"facts\">");
    html.text(&format!("{} {}. ", kind.width, if kind.width == 1 { "bit" } else { "bits" }));
    if let Some(text) = kind.text {
        html.text("Syntax: ");
        markdown::inline(text.expects, &|_| None, html);
        html.text(".");
        if text.target.is_some() {
            html.text(" A label is also accepted.");
        }
    }
    html.raw("</p>\n");
    values(site, kind, html);
    reserved(kind, html);
    uses(site, kind, html);
    page.finish(site)
}

fn values(site: &Site<'_>, kind: &'static Kind, html: &mut Html) {
    if kind.values.is_empty() {
        return;
    }
    html.section("values", "Values");
    html.table("Values", &["name", "value", "bits", "meaning"]);
    for value in kind.values {
        html.open("tr", &[("id", &anchor("value", value.name))]);
        html.cell("", |html| {
            html.element("code", "", value.name);
            if !value.also.is_empty() {
                html.text(", also spelled ").element("code", "", &value.also.join(", "));
            }
        });
        html.cell("number", |html| _ = html.text(&format!("{:#x}", value.raw)));
        html.cell("number", |html| {
            _ = html.text(&format!("{:0width$b}", value.raw, width = kind.width.into()));
        });
        html.cell("", |html| site.summary(value.doc, html));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.end_section();
}

fn reserved(kind: &Kind, html: &mut Html) {
    if kind.reserved.is_empty() {
        return;
    }
    html.section("reserved", "Reserved values");
    html.raw("<p>Values that no valid word contains, with x for either bit: ");
    for (place, cube) in kind.reserved.iter().enumerate() {
        if place > 0 {
            html.text(", ");
        }
        html.element("code", "", &pattern(*cube, kind.width));
    }
    html.raw("</p>\n");
    html.end_section();
}

/// Formats a masked pattern as binary digits, the highest bit first, with x for a bit outside of
/// the mask.
pub(crate) fn pattern(Cube { mask, value }: Cube, width: u8) -> String {
    let digit = |bit: u8| match (mask >> bit & 1, value >> bit & 1) {
        (0, _) => 'x',
        (_, 0) => '0',
        _ => '1',
    };
    (0..width).rev().map(digit).collect()
}

fn uses(site: &Site<'_>, kind: &'static Kind, html: &mut Html) {
    let mut names: Vec<&str> = Vec::new();
    let all: Vec<_> = site.uses(kind).collect();
    for (_, field) in &all {
        if !names.contains(&field.name) {
            names.push(field.name);
        }
    }
    html.section("uses", "Used by");
    html.table("Fields", &["field", "opcodes"]);
    for name in names {
        let opcodes = all.iter().filter(|(_, field)| field.name == name);
        let opcodes: Vec<&Topic<Opcode>> = opcodes.map(|(entry, _)| *entry).collect();
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", name));
        html.cell("", |html| some(&opcodes, html));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.end_section();
}
