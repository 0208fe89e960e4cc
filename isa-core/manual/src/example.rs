//! Examples of opcodes, with their words explained bit by bit.

use isa_core::explain::Explanation;
use isa_core::parse::Parsed;
use isa_core::table::Opcode;
use isa_core::text::Line;

use super::html::Html;
use super::picture;
use super::site::Site;
use super::try_page;

/// The maximum number of examples of an opcode that are shown with a drawing of their word, which
/// needs much space. Further examples are a single line.
const DRAWN: usize = 4;

/// Appends the examples of the opcode with the index `at`. If the specification contains no example,
/// appends one that is made from the default values. An example of an optype may belong to another of
/// its opcodes. Such examples are listed last, with the name of the other opcode.
pub(crate) fn all(site: &Site<'_>, at: usize, html: &mut Html) {
    let opcode = site.opcodes[at].it;
    let (mut count, mut others) = (0, Vec::new());
    for text in opcode.examples {
        match instruction(site, text) {
            Some((own, word)) if std::ptr::eq(own, opcode) => {
                one(site, opcode, text, word, count, html);
                count += 1;
            }
            other => others.push((text, other)),
        }
    }
    if let Some(word) = site.space.shares[at].word.filter(|_| count == 0) {
        let mut line = Line::new();
        opcode.print(word, &mut line);
        one(site, opcode, line.as_str(), word, 0, html);
        html.raw("<p class=\"note\">Generated from the defaults, because the specification contains no example of this opcode.</p>\n");
    }
    for (text, other) in others {
        html.raw("<p class=\"other\">").element("code", "", text);
        if let Some((other, _)) = other {
            html.text(" is ");
            site.link(other, other.name, html);
        }
        html.raw("</p>\n");
    }
}

/// Returns the opcode and the word of an example, or `None` if it contains a label.
fn instruction(site: &Site<'_>, text: &str) -> Option<(&'static Opcode, u128)> {
    let statement = format!("{};", text.trim().trim_end_matches(';'));
    match site.set.parse(&statement).ok()? {
        Parsed::Instruction { opcode, word, .. } => Some((site.set.opcodes.get(opcode)?, word)),
        Parsed::Word { .. } => None,
    }
}

fn one(
    site: &Site<'_>,
    opcode: &'static Opcode,
    text: &str,
    word: u128,
    place: usize,
    html: &mut Html,
) {
    let bits = opcode.bits;
    let mut line = Line::new();
    opcode.print(word, &mut line);
    match place {
        0 => html.raw("<details class=\"example\" open><summary>"),
        _ => html.raw("<details class=\"example\"><summary>"),
    };
    html.element("code", "text", text).raw(" ").element("code", "hex", &digits(word, bits));
    html.raw("</summary>\n");
    let plain = |text: &str| text.trim_end_matches(';').split_whitespace().collect::<String>();
    if plain(text) != plain(line.as_str()) {
        html.raw("<p class=\"note\">Printed as ").element("code", "", line.as_str()).raw("</p>\n");
    }
    if place < DRAWN {
        html.raw("<figure class=\"word\">");
        picture::draw(opcode, Some(word), html);
        html.raw("</figure>\n");
    }
    let statement = format!("{};", text.trim_end_matches(';'));
    if let Some(address) = try_page::address(site, &statement) {
        html.raw("<p class=\"note\">").link(&address, "Try it").raw("</p>\n");
    }
    let text = line.to_string();
    let explanation = Explanation { word, bits, text, reason: None, opcode: Some(opcode) };
    html.table(&format!("The bits of example {}", place + 1), &["bits", "field", "raw", "meaning"]);
    for [bits, field, raw, meaning] in explanation.rows() {
        html.raw("<tr>");
        html.cell("number", |html| _ = html.text(&bits));
        html.cell("", |html| _ = html.element("code", "", &field));
        html.cell("number", |html| _ = html.text(&raw));
        html.cell("meaning", |html| _ = html.text(&meaning));
        html.raw("</tr>\n");
    }
    html.end_table();
    html.raw("</details>\n");
}

/// Formats all hexadecimal digits of a word in groups of eight.
pub(crate) fn digits(word: u128, bits: u8) -> String {
    let digits = format!("{word:0width$x}", width = usize::from(bits).div_ceil(4));
    let first = digits.len() % 8;
    let (start, rest) = digits.split_at(first);
    let groups = rest.as_bytes().chunks(8).map(|group| String::from_utf8_lossy(group).into_owned());
    let start = (!start.is_empty()).then(|| start.to_owned());
    start.into_iter().chain(groups).collect::<Vec<_>>().join(" ")
}
