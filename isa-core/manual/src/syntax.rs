//! The syntax of an opcode: its template as a row of elements, and a table that explains each element.

use isa_core::explain::value_text;
use isa_core::table::{ABSENT, Affix, AfterOperand, Field, Init, Item, Modifier, Opcode, Slot};

use super::html::Html;
use super::markdown;
use super::site::Site;

/// An element of a template, in the order of the text.
struct SyntaxElement {
    /// The literal text, or the name of the operand.
    text: String,
    /// The style in which it is drawn: `fixed`, `mnemonic`, `operand`, `modifier`, `mark` or `tag`.
    class: &'static str,
    is_optional: bool,
    /// The meaning of the text, or `None` for text that is always the same.
    meaning: Option<ElementMeaning>,
}

/// The field that an element shows.
struct ElementMeaning {
    /// The index of the field in [`Opcode::fields`]. The indexes of composite operands follow those of
    /// the fields.
    place: usize,
    field: &'static Field,
    /// The texts that are accepted for the element.
    accepted: AcceptedText,
}

enum AcceptedText {
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
    let mut elements = Vec::new();
    items(opcode, opcode.syntax.before, false, &mut elements);
    let mnemonic = opcode.syntax.mnemonic.to_owned();
    if !mnemonic.is_empty() {
        elements.push(SyntaxElement {
            text: mnemonic,
            class: "mnemonic",
            is_optional: false,
            meaning: None,
        });
    }
    elements.extend(opcode.syntax.modifiers.iter().filter_map(|it| modifier(opcode, it)));
    items(opcode, opcode.syntax.after, false, &mut elements);
    html.raw("<p class=\"rail\">");
    for element in &elements {
        let class = if element.is_optional {
            format!("{} optional", element.class)
        } else {
            element.class.into()
        };
        html.open("code", &[("class", &class)]);
        if element.is_optional {
            html.raw("<span class=\"aside\">optional </span>");
        }
        html.text(&element.text).close("code").raw(" ");
    }
    html.raw("</p>\n");
    if elements.iter().any(|element| element.is_optional) {
        html.raw("<p class=\"note\">Dashed parts are optional.</p>\n");
    }
    if elements.iter().any(|element| element.meaning.is_some()) {
        table(site, opcode, &elements, html);
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
    elements: &mut Vec<SyntaxElement>,
) {
    for item in all {
        match item {
            Item::Text(text) if text.trim().is_empty() => {}
            Item::Text(text) => {
                let text = text.trim().to_owned();
                elements.push(SyntaxElement { text, class: "fixed", is_optional, meaning: None });
            }
            Item::Slot(it) => slot(opcode, it, is_optional, elements),
            Item::Optional(inner) => items(opcode, inner, true, elements),
            Item::Tags(symbols) => {
                let fields = symbols.iter().filter_map(|&symbol| bound(opcode, symbol));
                elements.extend(fields.map(|(place, field)| SyntaxElement {
                    text: format!("${}", field.name),
                    class: "tag",
                    is_optional: true,
                    meaning: Some(ElementMeaning {
                        place,
                        field,
                        accepted: AcceptedText::Names(""),
                    }),
                }));
            }
        }
    }
}

fn modifier(opcode: &'static Opcode, modifier: &Modifier) -> Option<SyntaxElement> {
    let (place, field) = bound(opcode, modifier.symbol)?;
    let name =
        |raw| field.kind.value(raw).map_or_else(|| format!("{raw:#x}"), |it| it.name.to_owned());
    let (text, accepted) = match modifier.only {
        Some(raw) => {
            (format!(".{}", name(raw)), AcceptedText::Only(format!(".{}", name(raw)), raw))
        }
        None => (format!(".{}", field.name), AcceptedText::Names(".")),
    };
    let meaning = Some(ElementMeaning { place, field, accepted });
    Some(SyntaxElement { text, class: "modifier", is_optional: modifier.optional, meaning })
}

fn slot(
    opcode: &'static Opcode,
    slot: &'static Slot,
    is_optional: bool,
    elements: &mut Vec<SyntaxElement>,
) {
    let marks: Vec<(&Affix, usize, &'static Field)> = slot
        .affixes
        .iter()
        .filter_map(|affix| bound(opcode, affix.symbol).map(|(place, field)| (affix, place, field)))
        .collect();
    let mark = |text: &str, meaning| SyntaxElement {
        text: text.to_owned(),
        class: "mark",
        is_optional: true,
        meaning,
    };
    for &(affix, place, field) in &marks {
        let text = format!("{}…{}", affix.open, affix.close);
        let meaning =
            ElementMeaning { place, field, accepted: AcceptedText::Only(text, affix.present) };
        elements.push(mark(affix.open, Some(meaning)));
    }
    match bound(opcode, slot.symbol) {
        Some((place, field)) => {
            let format =
                opcode.formats.iter().position(|format| usize::from(format.field) == place);
            let meaning =
                Some(ElementMeaning { place, field, accepted: AcceptedText::Operand(format) });
            elements.push(SyntaxElement {
                text: field.name.into(),
                class: "operand",
                is_optional,
                meaning,
            });
        }
        None => {
            let name = opcode.syntax.symbols.get(usize::from(slot.symbol)).copied();
            let text = name.unwrap_or_default().to_owned();
            elements.push(SyntaxElement { text, class: "operand", is_optional, meaning: None });
        }
    }
    for part in slot.after_operand() {
        let symbol = match part {
            AfterOperand::Suffix(symbol) => symbol,
            AfterOperand::Close(affix) => affix.symbol,
        };
        let Some((place, field)) = bound(opcode, symbol) else { continue };
        elements.push(match part {
            AfterOperand::Suffix(_) => {
                let name = field.name.rsplit('.').next().unwrap_or_default();
                let meaning =
                    Some(ElementMeaning { place, field, accepted: AcceptedText::Names(".") });
                SyntaxElement {
                    text: format!(".{name}"),
                    class: "modifier",
                    is_optional: true,
                    meaning,
                }
            }
            AfterOperand::Close(affix) => mark(affix.close, None),
        });
    }
}

fn table(site: &Site<'_>, opcode: &'static Opcode, elements: &[SyntaxElement], html: &mut Html) {
    html.table("Parts of the syntax", &["part", "field", "accepted text", "if omitted"]);
    for (element, meaning) in
        elements.iter().filter_map(|element| Some((element, element.meaning.as_ref()?)))
    {
        let field = meaning.field;
        html.raw("<tr>");
        html.cell("", |html| _ = html.element("code", "", &element.text));
        html.cell("", |html| _ = html.text(field.name));
        html.cell("", |html| accepted_texts(site, opcode, meaning, html));
        html.cell("", |html| match (field.init, element.is_optional) {
            (Init::Default(raw), true) => value(opcode, meaning, raw, html),
            (Init::Fixed(_), _) => _ = html.text("fixed value"),
            (_, true) => _ = html.text("only with its part"),
            _ => _ = html.text("required"),
        });
        html.raw("</tr>\n");
    }
    html.end_table();
}

/// Appends a value of the field of an element, as it is written in the text.
fn value(opcode: &'static Opcode, meaning: &ElementMeaning, raw: u64, html: &mut Html) {
    let text = match meaning.place < opcode.fields.len() {
        true => value_text(opcode, meaning.place, raw),
        false => format!("{raw:#x}"),
    };
    html.element("code", "", text.rsplit_once(" (").map_or(text.as_str(), |(name, _)| name));
}

fn accepted_texts(
    site: &Site<'_>,
    opcode: &'static Opcode,
    meaning: &ElementMeaning,
    html: &mut Html,
) {
    let field = meaning.field;
    let kind = |html: &mut Html| site.link(field.kind, field.kind.name, html);
    match &meaning.accepted {
        AcceptedText::Only(text, raw) => {
            html.element("code", "", text).text(" for ");
            value(opcode, meaning, *raw, html);
            html.text(" of ");
            kind(html);
        }
        AcceptedText::Names(before) if !field.kind.values.is_empty() => {
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
        AcceptedText::Operand(Some(format)) => {
            let format = &opcode.formats[*format];
            markdown::inline(format.text.expects, &|_| None, html);
            let args = format.args.iter().filter_map(|&arg| opcode.at(arg.into()));
            let args: Vec<&str> = args.map(|field| field.name).collect();
            html.text(", printed by ");
            html.element("code", "", &format!("{}({})", format.name, args.join(", ")));
        }
        AcceptedText::Operand(None) | AcceptedText::Names(_) => {
            if let Some(text) = field.kind.text {
                markdown::inline(text.expects, &|_| None, html);
                html.text(", ");
            }
            kind(html);
        }
    }
}
