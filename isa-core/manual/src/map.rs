//! The map of all words, which shows the opcode that each area belongs to, and the free space for
//! new instructions.

use isa_core::table::Opcode;

use super::example;
use super::frame::Page;
use super::html::Html;
use super::site::{Site, Topic, anchor};
use super::space::{self, Area, AreaContent, FreePattern, Owner, Size, WidthMap};

/// Returns the page of the map.
pub(crate) fn page(site: &Site<'_>) -> String {
    let mut page = Page::begin(site, "map/index.html", "Map");
    page.title("", "Map of all words");
    let html = &mut page.html;
    html.raw("<div class=\"doc\"><p>Each area is split by the bits of a fixed field, down to the opcodes. The parts \
              of an area cover all of its words, and all numbers are exact.</p></div>\n");
    for map in &site.space.maps {
        let bits = map.bits;
        html.section(&format!("words-{bits}"), &format!("Words of {bits} bits"));
        totals(site, map, html);
        html.open(
            "div",
            &[("class", "treemap"), ("data-tree", &format!("tree-{bits}")), ("hidden", "")],
        );
        html.close("div").raw("\n");
        html.open("div", &[("class", "tree"), ("id", &format!("tree-{bits}"))]).raw("<ul>");
        let mut tree =
            AreaList { site, known: vec![false; site.opcodes.len()], html, all: map.root.size };
        tree.area(&map.root, map.root.size, "all words", true);
        html.raw("</ul></div>\n");
        free(site, map, html);
        html.end_section();
    }
    page.finish(site)
}

/// Adds the words of an area to four sums: words of opcodes, invalid words, free words, and words
/// of other widths.
fn add(area: &Area, sums: &mut [Size; 4]) {
    match &area.content {
        AreaContent::Split { parts, .. } => parts.iter().for_each(|part| add(part, sums)),
        AreaContent::Shares(shares) => {
            for (owner, size) in shares {
                let place = match owner {
                    Owner::Opcode(_) => 0,
                    Owner::Illegal => 1,
                    Owner::Free => 2,
                    Owner::Elsewhere => 3,
                };
                sums[place] = sums[place].plus(*size);
            }
        }
    }
}

/// The CSS classes and names of the sums that [`add`] computes.
const SORTS: [(&str, &str); 4] = [
    ("legal", "valid instructions"),
    ("illegal", "invalid, with the fixed bits of an opcode"),
    ("free", "free: the fixed bits of no opcode"),
    ("elsewhere", "words that begin like a word of another width"),
];

fn totals(site: &Site<'_>, map: &WidthMap, html: &mut Html) {
    let mut sums = [Size::ZERO; 4];
    add(&map.root, &mut sums);
    let name = format!("Words of {} bits", map.bits);
    html.table(&name, &["words", "number", "share", "in digits"]);
    for ((class, name), size) in SORTS.iter().zip(sums).filter(|(_, size)| !size.is_zero()) {
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("span", &format!("key {class}"), "").text(name));
        html.cell("number", |html| _ = html.show(&size.powers()));
        html.cell("number", |html| _ = html.text(&space::percent(size.share_of(map.root.size))));
        html.cell("number", |html| _ = html.text(&size.to_string()));
        html.raw("</tr>\n");
    }
    let all = sums.into_iter().fold(Size::ZERO, Size::plus);
    html.raw("<tr class=\"sum\"><td>total</td>");
    html.cell("number", |html| _ = html.show(&all.powers()));
    html.raw("<td class=\"number\">100 %</td>");
    html.cell("number", |html| _ = html.text(&all.to_string()));
    html.raw("</tr>\n");
    html.end_table();
    let _ = site;
}

/// The areas as nested lists, from which the script draws a map.
struct AreaList<'t, 'p> {
    site: &'t Site<'p>,
    /// Whether each opcode has its anchor already.
    known: Vec<bool>,
    html: &'t mut Html,
    all: Size,
}

impl AreaList<'_, '_> {
    /// Appends an area as a list item. `parent` is the size of the surrounding area.
    fn area(&mut self, area: &Area, parent: Size, label: &str, is_open: bool) {
        match &area.content {
            AreaContent::Split { name, bits, parts } => {
                self.item("split", area.size, parent, area.is_start);
                self.html.raw(if is_open || area.is_start {
                    "<details open><summary>"
                } else {
                    "<details><summary>"
                });
                self.html.element("span", "label", label).raw(" ").element(
                    "span",
                    "size",
                    &area.size.powers().to_string(),
                );
                let by = match bits.contains([',', '.']) {
                    true => format!("by {name}, bits {bits}"),
                    false => format!("by {name}, bit {bits}"),
                };
                self.html.raw(" ").element("span", "by", &by).raw("</summary><ul>\n");
                for part in parts {
                    self.area(part, area.size, &part.label, false);
                }
                self.html.raw("</ul></details></li>\n");
            }
            AreaContent::Shares(shares) => match shares[..] {
                [(owner, size)] => self.share(owner, size, parent, label),
                _ => {
                    self.item("split", area.size, parent, area.is_start);
                    self.html.raw("<details><summary>");
                    self.html.element("span", "label", label).raw(" ");
                    self.html
                        .element("span", "size", &area.size.powers().to_string())
                        .raw("</summary><ul>\n");
                    for &(owner, size) in shares {
                        self.share(owner, size, area.size, "");
                    }
                    self.html.raw("</ul></details></li>\n");
                }
            },
        }
    }

    fn item(&mut self, class: &str, size: Size, parent: Size, is_start: bool) {
        let log = format!("{:.2}", size.log2());
        let share = format!("{:.6e}", size.share_of(parent));
        let attributes =
            [("class", class), ("data-log", &log), ("data-share", &share), ("data-start", "1")];
        // If the set has words of other widths, the map begins at the area that contains only the words
        // of this width.
        let count = if is_start { 4 } else { 3 };
        self.html.open("li", &attributes[..count]);
    }

    fn share(&mut self, owner: Owner, size: Size, parent: Size, label: &str) {
        let class = match owner {
            Owner::Opcode(_) => "legal",
            Owner::Illegal => "illegal",
            Owner::Free => "free",
            Owner::Elsewhere => "elsewhere",
        };
        self.item(class, size, parent, false);
        if let Owner::Opcode(at) = owner {
            self.opcode(at, label);
        } else {
            let name = if class == "elsewhere" { "another width" } else { class };
            self.html.element("span", "owner", name).raw(" ").element("span", "label", label);
        }
        self.html.raw(" ").element("span", "size", &size.powers().to_string());
        let share = space::percent(size.share_of(self.all));
        self.html.raw(" ").element("span", "by", &share).raw("</li>\n");
    }

    fn opcode(&mut self, at: usize, label: &str) {
        let Topic { it, page } = &self.site.opcodes[at];
        let (id, address) = (anchor("opcode", it.name), format!("../{page}"));
        match std::mem::replace(&mut self.known[at], true) {
            false => self.html.open("a", &[("class", "owner"), ("id", &id), ("href", &address)]),
            true => self.html.open("a", &[("class", "owner"), ("href", &address)]),
        };
        self.html.text(it.name).close("a").raw(" ");
        if let Some(general) = space::general(self.site.set, at).next() {
            let name = self.site.opcodes[general].it.name;
            self.html.element("span", "by", &format!("special case of {name}")).raw(" ");
        }
        self.html.element("span", "label", label);
    }
}

fn free(site: &Site<'_>, map: &WidthMap, html: &mut Html) {
    let (patterns, left) = space::patterns(site.set, map);
    let id = format!("free-{}", map.bits);
    html.open("h3", &[("id", &id)]).text("Room for new instructions").close("h3").raw("\n");
    if patterns.is_empty() {
        html.raw("<p>Every word has the fixed bits of an opcode.</p>\n");
        return;
    }
    html.raw("<p>These patterns contain all words without the fixed bits of any opcode, each word once. A new \
              instruction fits in a pattern with enough free bits for its fields. The last column lists \
              the fields of a neighbouring opcode that are in the free bits.</p>\n");
    let most = patterns.first().map_or(0, |pattern| pattern.free);
    html.raw("<p class=\"ask\" hidden><label>Required free bits <input type=\"number\" min=\"0\" ");
    html.raw(&format!(
        "max=\"{most}\" value=\"0\" data-rows=\"{id}-rows\"></label> <output></output></p>\n"
    ));
    html.table(
        "Free patterns",
        &["free bits", "fixed bits", "mask and value", "fields of a neighbour"],
    );
    for pattern in &patterns {
        row(site, map.bits, pattern, html);
    }
    html.end_table();
    if !left.is_zero() {
        let text = format!("{} more free words are in smaller patterns.", left.powers());
        html.element("p", "note", &text);
    }
}

fn row(site: &Site<'_>, bits: u8, FreePattern { cube, free, like }: &FreePattern, html: &mut Html) {
    html.open("tr", &[("data-free", &free.to_string())]);
    html.cell("number", |html| _ = html.show(free));
    html.cell("", |html| _ = html.element("code", "", &runs(cube.mask, cube.value)));
    html.cell("", |html| {
        html.element("code", "", &example::digits(cube.mask, bits)).raw("<br>");
        html.element("code", "", &example::digits(cube.value, bits));
    });
    html.cell("", |html| {
        let Some((at, fields)) = like else { return };
        let opcode: &'static Opcode = site.opcodes[*at].it;
        let names: Vec<&str> = fields.iter().map(|&field| opcode.fields[field].name).collect();
        html.text(&names.join(", ")).text(" as in ");
        site.link(opcode, opcode.name, html);
    });
    html.raw("</tr>\n");
}

/// Formats the runs of fixed bits with their values: `6..2 = 01010`.
fn runs(mask: u128, value: u128) -> String {
    let mut texts = Vec::new();
    let mut at = 128u32;
    while at > 0 {
        at -= 1;
        if mask >> at & 1 == 0 {
            continue;
        }
        let high = at;
        let mut digits = String::from(if value >> at & 1 == 1 { '1' } else { '0' });
        while at > 0 && mask >> (at - 1) & 1 == 1 {
            at -= 1;
            digits.push(if value >> at & 1 == 1 { '1' } else { '0' });
        }
        texts.push(if high == at {
            format!("{high} = {digits}")
        } else {
            format!("{high}..{at} = {digits}")
        });
    }
    texts.join(", ")
}
