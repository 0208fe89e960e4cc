//! The pages about the whole set: its opcodes, its language, and its invalid words.

use std::collections::BTreeMap;

use isa_core::explain::syntax;
use isa_core::table::{
    ByteOrder, Exception, FeatureSet, Group, InstructionSet, Opcode, Property, PropertyValue,
};

use super::frame::Page;
use super::html::Html;
use super::markdown;
use super::site::{Site, Topic};
use super::space::{Size, percent};

/// Returns the first page, which describes the set and lists all opcodes.
pub(crate) fn index(site: &Site<'_>) -> String {
    let mut page = Page::begin(site, "index.html", site.set.name);
    page.title("", site.set.name);
    let html = &mut page.html;
    html.raw("<div class=\"doc lead\">");
    markdown::render(site.set.doc, &|_| None, html);
    html.raw("</div>\n<p class=\"facts\">");
    let widths: Vec<String> =
        site.set.widths.iter().rev().map(|width| width.bits.to_string()).collect();
    let mnemonics = site.set.mnemonics.len();
    html.text(&format!(
        "{} opcodes, {mnemonics} mnemonics, words of {} bits, {} value sets and operand types, {} groups.",
        site.opcodes.len(),
        widths.join(" or "),
        site.kinds.len(),
        site.groups.len(),
    ));
    html.raw("</p>\n");
    features(site, html);
    filters(site, html);
    for (group, opcodes) in by_group(site) {
        html.raw("<section class=\"family\"><h2>");
        match group {
            Some(group) => {
                let address = site.address(group);
                html.link(address.trim_start_matches("../"), group.name).raw("</h2>\n<p>");
                site.summary(group.doc, html);
                html.raw("</p>\n");
            }
            None => _ = html.raw("Without a group</h2>\n"),
        }
        let name = group.map_or_else(String::new, |group| format!(" of {}", group.name));
        table(site, &name, &opcodes, "", html);
        html.raw("</section>\n");
    }
    if !site.opcodes.iter().any(|entry| entry.it.lineage.semantics().is_some()) {
        html.raw("<p class=\"note\">The pages contain no semantics, because the set has no semantics or the tool was built \
                  without the feature <code>source</code> of <code>isa-core</code>, which stores their text.</p>\n");
    }
    page.finish(site)
}

/// Groups the opcodes in the order of the set, by the optype from which they inherit. An opcode without
/// an optype belongs to its nearest group.
fn by_group<'s>(site: &'s Site<'_>) -> Vec<(Option<&'static Group>, Vec<&'s Topic<Opcode>>)> {
    let mut parts: Vec<(Option<&'static Group>, Vec<&Topic<Opcode>>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for entry in &site.opcodes {
        let groups: Vec<_> = entry.it.lineage.groups().collect();
        let optype = groups.iter().rev().find(|group| group.is_optype);
        let group = optype.or(groups.last()).copied();
        let key = group.map_or_else(String::new, |group| site.address(group));
        let place = *places.entry(key).or_insert_with(|| {
            parts.push((group, Vec::new()));
            parts.len() - 1
        });
        parts[place].1.push(entry);
    }
    parts
}

/// Appends a table of the features, if the set has any.
fn features(site: &Site<'_>, html: &mut Html) {
    let InstructionSet { features, enabled, .. } = *site.set;
    if features.is_empty() {
        return;
    }
    html.raw(
        "<section><h2>Features</h2>\n<p>This manual describes the instructions of a processor with \
              the features that are on.</p>\n",
    );
    html.table("Features", &["feature", "this manual", "description", "includes", "excludes"]);
    let named = |set: FeatureSet, own: usize| {
        let others = features.iter().enumerate();
        let others = others.filter(|&(place, _)| place != own && set.contains(place));
        others.map(|(_, feature)| feature.name).collect::<Vec<_>>().join(", ")
    };
    for (place, feature) in features.iter().enumerate() {
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", feature.name));
        html.cell("", |html| _ = html.text(if enabled.contains(place) { "on" } else { "off" }));
        html.cell("", |html| site.summary(feature.doc, html));
        html.cell("", |html| _ = html.text(&named(feature.includes, place)));
        html.cell("", |html| _ = html.text(&named(feature.excludes, place)));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.raw("</section>\n");
}

/// Appends a filter for each property: a list of its values. A script shows the filters.
fn filters(site: &Site<'_>, html: &mut Html) {
    let properties = site.set.properties();
    if properties.is_empty() {
        return;
    }
    html.raw("<p class=\"filters\" hidden>Show opcodes with");
    for Property { name, ty, .. } in properties {
        let of_opcode = |topic: &Topic<Opcode>| topic.it.properties.get(name);
        let mut values: Vec<_> = site.opcodes.iter().filter_map(of_opcode).collect();
        values.sort_by_key(|value| match value {
            PropertyValue::Bool(value) => i64::from(*value),
            PropertyValue::Number(value) => *value,
            PropertyValue::Named(value) => value.raw.cast_signed(),
        });
        let mut values: Vec<String> = values.iter().map(PropertyValue::to_string).collect();
        values.dedup();
        let title = format!("{name}: {}", ty.name());
        html.raw(" ").open("label", &[("title", &title)]).text(name).raw(" ");
        html.open("select", &[("name", name)]).raw("<option value=\"\">any</option>");
        for value in values {
            html.element("option", "", &value);
        }
        html.close("select").close("label");
    }
    html.raw(" <output></output></p>\n");
}

/// Appends a table of the opcodes of `of`. `root` is the path to the folder of the manual.
pub(crate) fn table(
    site: &Site<'_>,
    of: &str,
    opcodes: &[&Topic<Opcode>],
    root: &str,
    html: &mut Html,
) {
    let properties = site.set.properties();
    let names = properties.iter().map(|property| property.name);
    let heads: Vec<&str> = ["opcode", "syntax", "description"].into_iter().chain(names).collect();
    html.table(&format!("Opcodes{of}"), &heads);
    for Topic { it, page } in opcodes {
        let own =
            it.properties.iter().map(|(property, value)| format!("{}={value}", property.name));
        let own = own.collect::<Vec<_>>().join(" ");
        let attributes = [("data-properties", own.as_str())];
        html.open("tr", if own.is_empty() { &[] } else { &attributes });
        html.cell("", |html| _ = html.link(&format!("{root}{page}"), it.name));
        html.cell("syntax", |html| template(it, html));
        html.cell("", |html| site.summary(it.doc, html));
        for property in &properties {
            let value = it.properties.get(property.name).map(|value| value.to_string());
            html.cell("property", |html| _ = html.text(&value.unwrap_or_default()));
        }
        html.raw("</tr>\n");
    }
    html.end_table();
}

/// Appends the syntax of an opcode, in which optional parts are less prominent.
fn template(opcode: &'static Opcode, html: &mut Html) {
    let text = syntax(opcode);
    let (mut depth, mut rest) = (0usize, text.as_str());
    html.raw("<code>");
    while let Some(at) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(at);
        let (sign, after) = behind.split_at(1);
        html.text(before);
        match sign {
            "{" if depth == 0 => _ = html.raw("<i>{"),
            "}" if depth == 1 => _ = html.raw("}</i>"),
            sign => _ = html.raw(sign),
        }
        depth = if sign == "{" { depth + 1 } else { depth.saturating_sub(1) };
        rest = after;
    }
    html.text(rest).raw(if depth > 0 { "</i></code>" } else { "</code>" });
}

/// Returns the page about the assembly language of the set.
pub(crate) fn language(site: &Site<'_>) -> String {
    let mut page = Page::begin(site, "language/index.html", "Language");
    page.title("", "Language");
    let html = &mut page.html;
    html.raw("<div class=\"doc\"><p>A statement is an instruction followed by <code>;</code>. An instruction consists of an optional \
              guard, the mnemonic with its modifiers, the operands, and trailing attributes. The page of \
              each opcode lists the accepted texts of each part. ");
    html.raw(match site.set.any_case {
        true => "Mnemonics, names of values and literals are case-insensitive.",
        false => "Text is case-sensitive, unless the page of an operand type states otherwise.",
    });
    html.raw("</p>\n<p>In a template, <code>{…}</code> is optional, <code>name:Type</code> is an operand \
              in the field <code>name</code>, <code>.name</code> is a modifier, and <code>$name</code> is a trailing \
              attribute. Spaces between parts are optional. <code>//</code> begins a comment to the end of the line");
    if let Some(sign) = site.manual.comment.filter(|sign| !sign.is_empty()) {
        html.raw(", and so does ").element("code", "", sign);
    }
    html.raw(".");
    if site.set.has_targets() {
        html.raw(
            " A target operand can be a label; <code>name:</code> before a statement defines a \
                  label.",
        );
    }
    html.raw(" <code>.word</code> followed by a number is the word with this value.");
    html.raw(match site.set.byte_order {
        ByteOrder::BigEndian => " In memory, the highest byte of a word comes first.",
        ByteOrder::LittleEndianHalfwords => {
            " In memory, the highest 16 bits of a word come first, and the low byte of each 16 bits comes first."
        }
        _ => "",
    });
    html.raw("</p></div>\n");
    html.section("mnemonics", "Mnemonics");
    html.table("Mnemonics", &["mnemonic", "syntax"]);
    for mnemonic in site.set.mnemonics {
        let rows =
            mnemonic.opcodes.iter().filter_map(|&at| site.set.spellings.get(usize::from(at)));
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", mnemonic.text));
        html.cell("syntax", |html| {
            for row in rows {
                html.raw("<div>");
                site.link(*row, row.name, html);
                html.raw(" ");
                template(row, html);
                html.raw("</div>");
            }
        });
        html.raw("</tr>\n");
    }
    html.end_table();
    html.end_section();
    html.section("operands", "Operands");
    html.table("Operand types", &["type", "syntax", "description"]);
    for entry in site.kinds.iter().filter(|entry| entry.it.text.is_some()) {
        let kind = entry.it;
        html.raw("<tr>");
        html.cell("", |html| site.link(kind, kind.name, html));
        html.cell("", |html| {
            markdown::inline(kind.text.map_or("", |text| text.expects), &|_| None, html);
        });
        html.cell("", |html| site.summary(kind.doc, html));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.end_section();
    page.finish(site)
}

/// Returns the page with the invalid combinations of all opcodes and the numbers of words that are
/// invalid.
pub(crate) fn illegal(site: &Site<'_>) -> String {
    let mut page = Page::begin(site, "illegal/index.html", "Invalid words");
    page.title("", "Invalid words");
    let html = &mut page.html;
    html.raw("<div class=\"doc\"><p>A word with the fixed bits of an opcode is invalid if a bit that no field \
              covers is not 0, if a field has a reserved value, or if it is one of the combinations below. \
              The assembler and the decoder reject invalid words.</p></div>\n");
    html.section("combinations", "Invalid combinations");
    combinations(site, html);
    html.end_section();
    html.section("numbers", "Number of words");
    html.table(
        "Words by opcode",
        &["opcode", "valid", "combinations", "reserved", "unused bits", "valid share"],
    );
    for (Topic { it, page }, share) in site.opcodes.iter().zip(&site.space.shares) {
        html.raw("<tr>");
        html.cell("", |html| _ = html.link(&format!("../{page}"), it.name));
        for size in [share.legal, share.illegal, share.reserved, share.unused] {
            html.cell("number", |html| match size {
                Size::ZERO => {}
                size => _ = html.show(&size.powers()),
            });
        }
        html.cell("number", |html| _ = html.text(&percent(share.legal.share_of(share.all))));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.end_section();
    page.finish(site)
}

/// The invalid combinations in their order, each with the opcodes that have it.
type Combinations<'s> = Vec<(&'static Exception, Vec<&'s Topic<Opcode>>)>;

fn combinations(site: &Site<'_>, html: &mut Html) {
    let (mut found, mut places) = (Combinations::new(), BTreeMap::new());
    for entry in &site.opcodes {
        for &exception in entry.it.exceptions {
            let Exception { class, reason, condition, declared_in, .. } = exception;
            let place =
                *places.entry((declared_in, condition, class, reason)).or_insert_with(|| {
                    found.push((exception, Vec::new()));
                    found.len() - 1
                });
            found[place].1.push(entry);
        }
    }
    if found.is_empty() {
        html.raw("<p>There are no invalid combinations.</p>\n");
        return;
    }
    html.table("Invalid combinations", &["from", "invalid if", "reason", "class", "opcodes"]);
    for (exception, opcodes) in found {
        html.raw("<tr>");
        html.cell("", |html| {
            if let Some(first) = opcodes.first() {
                site.declared(first.it, exception.declared_in, html);
            }
        });
        html.cell("", |html| _ = html.element("code", "", exception.condition));
        html.cell("", |html| markdown::inline(exception.reason, &|_| None, html));
        html.cell("", |html| _ = html.text(exception.class));
        html.cell("", |html| some(&opcodes, html));
        html.raw("</tr>\n");
    }
    html.end_table();
}

/// The maximum number of opcodes named in one table cell.
const NAMED: usize = 12;

/// Appends links to the first few opcodes, and the number of further opcodes.
pub(crate) fn some(opcodes: &[&Topic<Opcode>], html: &mut Html) {
    for (place, Topic { it, page }) in opcodes.iter().take(NAMED).enumerate() {
        if place > 0 {
            html.text(", ");
        }
        html.link(&format!("../{page}"), it.name);
    }
    if let more @ 1.. = opcodes.len().saturating_sub(NAMED) {
        html.text(&format!(" and {more} more"));
    }
}

#[cfg(test)]
mod tests {
    isa_core::define_isa! {
        /// Opcodes with properties.
        isa Timed: u16;
        enum Op: 4 { ADD = 1, MUL = 2 }
        enum Unit: 2 { ALU = 0, FMA = 2 }
        property latency: u8;
        property unit: Unit;
        property skew: i16;
        property exact: bool;
        group ALL {
            encoding { field<0, 4> Op op; }
            properties { latency = 4; unit = ALU; skew = -1; exact = true; }
        }
        opcode ADD : [ALL] { encoding { op == ADD; } syntax { ADD; } }
        opcode MUL : [ALL] {
            encoding { op == MUL; }
            syntax { MUL; }
            properties { latency = 255; unit = FMA; exact = false; }
        }
    }

    /// The pages have a column for each property, and the first page has a filter for each.
    #[test]
    fn the_pages_show_properties() {
        let folder = std::env::temp_dir().join(format!("isa-properties-{}", std::process::id()));
        let index = crate::Manual::new(Timed::SET).write(&folder).unwrap();
        let index = std::fs::read_to_string(index).unwrap();
        let opcode = std::fs::read_to_string(folder.join("opcode/MUL.html")).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        for part in [
            r#"<select name="latency"><option value="">any</option><option>4</option><option>255</option>"#,
            r#"<tr data-properties="latency=255 unit=FMA skew=-1 exact=false">"#,
            r#"<td class="property">FMA</td>"#,
        ] {
            assert!(index.contains(part), "{part}\n{index}");
        }
        assert!(opcode.contains("<h2"), "{opcode}");
        assert!(
            opcode.contains("<code>latency</code></td><td class=\"value\">255</td>"),
            "{opcode}"
        );
        assert!(opcode.contains(">FMA</a>"), "{opcode}");
    }
}
