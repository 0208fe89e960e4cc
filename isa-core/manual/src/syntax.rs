//! The syntax of an opcode: its template as a row of pieces, and a table that explains each piece.

use isa_core::explain::value_text;
use isa_core::table::{ABSENT, Affix, Behind, Field, Init, Item, Modifier, Opcode, Slot};

use super::html::Html;
use super::markdown;
use super::site::Site;

/// A piece of a template, in the order of the text.
struct Piece {
    /// The literal text, or the name of the operand.
    text: String,
    /// The style in which it is drawn: `fixed`, `mnemonic`, `operand`, `modifier`, `mark` or `tag`.
    class: &'static str,
    is_optional: bool,
    /// A row of the table, or `None` for text that is always the same.
    row: Option<Row>,
}

struct Row {
    /// The index of the field in [`Opcode::fields`]. The indexes of composite operands follow those of
    /// the fields.
    place: usize,
    field: &'static Field,
    /// The texts that are accepted for the piece.
    choice: Choice,
}

enum Choice {
    /// The names of the field's values, each after this prefix.
    Names(&'static str),
    /// A single text, which represents this value.
    Only(String, u64),
    /// An operand. It is printed in the format with this index in [`Opcode::formats`], or by its operand
    /// type if there is no index.
    Operand(Option<usize>),
}

/// Appends the template of an opcode.
pub(crate) fn show(site: &Site<'_>, opcode: &'static Opcode, html: &mut Html) {
    let mut pieces = Vec::new();
    items(opcode, opcode.syntax.before, false, &mut pieces);
    let mnemonic = opcode.syntax.mnemonic.to_owned();
    if !mnemonic.is_empty() {
        pieces.push(Piece { text: mnemonic, class: "mnemonic", is_optional: false, row: None });
    }
    pieces.extend(opcode.syntax.modifiers.iter().filter_map(|it| modifier(opcode, it)));
    items(opcode, opcode.syntax.after, false, &mut pieces);
    html.raw("<p class=\"rail\">");
    for piece in &pieces {
        let class = if piece.is_optional {
            format!("{} optional", piece.class)
        } else {
            piece.class.into()
        };
        html.open("code", &[("class", &class)]);
        if piece.is_optional {
            html.raw("<span class=\"aside\">optional </span>");
        }
        html.text(&piece.text).close("code").raw(" ");
    }
    html.raw("</p>\n");
    if pieces.iter().any(|piece| piece.is_optional) {
        html.raw("<p class=\"note\">Dashed parts may be left out.</p>\n");
    }
    if pieces.iter().any(|piece| piece.row.is_some()) {
        table(site, opcode, &pieces, html);
    }
}

/// Returns the field or composite operand that `opcode` binds to the placeholder `symbol`, and its
/// index.
fn bound(opcode: &'static Opcode, symbol: u8) -> Option<(usize, &'static Field)> {
    let place = *opcode.bind.get(usize::from(symbol))?;
    (place != ABSENT).then(|| Some((place.into(), opcode.at(place.into())?)))?
}

fn items(
    opcode: &'static Opcode,
    all: &'static [Item],
    is_optional: bool,
    pieces: &mut Vec<Piece>,
) {
    for item in all {
        match item {
            Item::Text(text) if text.trim().is_empty() => {}
            Item::Text(text) => {
                let text = text.trim().to_owned();
                pieces.push(Piece { text, class: "fixed", is_optional, row: None });
            }
            Item::Slot(it) => slot(opcode, it, is_optional, pieces),
            Item::Optional(inner) => items(opcode, inner, true, pieces),
            Item::Tags(symbols) => {
                let fields = symbols.iter().filter_map(|&symbol| bound(opcode, symbol));
                pieces.extend(fields.map(|(place, field)| Piece {
                    text: format!("${}", field.name),
                    class: "tag",
                    is_optional: true,
                    row: Some(Row { place, field, choice: Choice::Names("") }),
                }));
            }
        }
    }
}

fn modifier(opcode: &'static Opcode, modifier: &Modifier) -> Option<Piece> {
    let (place, field) = bound(opcode, modifier.symbol)?;
    let name =
        |raw| field.kind.value(raw).map_or_else(|| format!("{raw:#x}"), |it| it.name.to_owned());
    let (text, choice) = match modifier.only {
        Some(raw) => (format!(".{}", name(raw)), Choice::Only(format!(".{}", name(raw)), raw)),
        None => (format!(".{}", field.name), Choice::Names(".")),
    };
    let row = Some(Row { place, field, choice });
    Some(Piece { text, class: "modifier", is_optional: modifier.optional, row })
}

fn slot(opcode: &'static Opcode, slot: &'static Slot, is_optional: bool, pieces: &mut Vec<Piece>) {
    let marks: Vec<(&Affix, usize, &'static Field)> = slot
        .affixes
        .iter()
        .filter_map(|affix| bound(opcode, affix.symbol).map(|(place, field)| (affix, place, field)))
        .collect();
    let mark =
        |text: &str, row| Piece { text: text.to_owned(), class: "mark", is_optional: true, row };
    for &(affix, place, field) in &marks {
        let text = format!("{}…{}", affix.open, affix.close);
        let row = Row { place, field, choice: Choice::Only(text, affix.present) };
        pieces.push(mark(affix.open, Some(row)));
    }
    match bound(opcode, slot.symbol) {
        Some((place, field)) => {
            let format =
                opcode.formats.iter().position(|format| usize::from(format.field) == place);
            let row = Some(Row { place, field, choice: Choice::Operand(format) });
            pieces.push(Piece { text: field.name.into(), class: "operand", is_optional, row });
        }
        None => {
            let name = opcode.syntax.symbols.get(usize::from(slot.symbol)).copied();
            let text = name.unwrap_or_default().to_owned();
            pieces.push(Piece { text, class: "operand", is_optional, row: None });
        }
    }
    for behind in slot.behind() {
        let symbol = match behind {
            Behind::Suffix(symbol) => symbol,
            Behind::Close(affix) => affix.symbol,
        };
        let Some((place, field)) = bound(opcode, symbol) else { continue };
        pieces.push(match behind {
            Behind::Suffix(_) => {
                let name = field.name.rsplit('.').next().unwrap_or_default();
                let row = Some(Row { place, field, choice: Choice::Names(".") });
                Piece { text: format!(".{name}"), class: "modifier", is_optional: true, row }
            }
            Behind::Close(affix) => mark(affix.close, None),
        });
    }
}

fn table(site: &Site<'_>, opcode: &'static Opcode, pieces: &[Piece], html: &mut Html) {
    html.table("What the parts stand for", &["part", "field", "what may stand there", "left out"]);
    for (piece, row) in pieces.iter().filter_map(|piece| Some((piece, piece.row.as_ref()?))) {
        let field = row.field;
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", &piece.text));
        html.cell("", |html| _ = html.text(field.name));
        html.cell("", |html| choice(site, opcode, row, html));
        html.cell("", |html| match (field.init, piece.is_optional) {
            (Init::Default(raw), true) => value(opcode, row, raw, html),
            (Init::Fixed(_), _) => _ = html.text("as fixed"),
            (_, true) => _ = html.text("with its part"),
            _ => _ = html.text("never"),
        });
        html.raw("</tr>\n");
    }
    html.end_table();
}

/// Appends a value of a row's field, as it is written in the text.
fn value(opcode: &'static Opcode, row: &Row, raw: u64, html: &mut Html) {
    let text = match row.place < opcode.fields.len() {
        true => value_text(opcode, row.place, raw),
        false => format!("{raw:#x}"),
    };
    html.element("code", "", text.rsplit_once(" (").map_or(text.as_str(), |(name, _)| name));
}

fn choice(site: &Site<'_>, opcode: &'static Opcode, row: &Row, html: &mut Html) {
    let field = row.field;
    let kind = |html: &mut Html| site.link(field.kind, field.kind.name, html);
    match &row.choice {
        Choice::Only(text, raw) => {
            html.element("code", "", text).text(" for ");
            value(opcode, row, *raw, html);
            html.text(" of ");
            kind(html);
        }
        Choice::Names(before) if !field.kind.values.is_empty() => {
            let names: Vec<&str> =
                field.kind.values.iter().take(8).map(|value| value.name).collect();
            for (place, name) in names.iter().enumerate() {
                if place > 0 {
                    html.text(", ");
                }
                html.element("code", "", &format!("{before}{name}"));
            }
            html.text(if field.kind.values.len() > names.len() { ", … of " } else { " of " });
            kind(html);
        }
        Choice::Operand(Some(format)) => {
            let format = &opcode.formats[*format];
            markdown::inline(format.text.expects, &|_| None, html);
            let args = format.args.iter().filter_map(|&arg| opcode.at(arg.into()));
            let args: Vec<&str> = args.map(|field| field.name).collect();
            html.text(", written by ");
            html.element("code", "", &format!("{}({})", format.name, args.join(", ")));
        }
        Choice::Operand(None) | Choice::Names(_) => {
            if let Some(text) = field.kind.text {
                markdown::inline(text.expects, &|_| None, html);
                html.text(", ");
            }
            kind(html);
        }
    }
}
