//! Draws the bit fields of a word: rows of bits with coloured fields, the values of fixed bits, and
//! hatched unused bits.

use std::fmt::Write as _;

use isa_bdd::picture::{self, Cell};
use isa_core::explain::value_text;
use isa_core::table::{Access, Cube, Init, Opcode, Piece};

use super::html::Html;

/// The width of a bit, and the heights of the bit numbers above a row, of a row, and of the gap
/// between two rows.
const BIT: usize = 25;
const NUMBERS: usize = 13;
const ROW: usize = 54;
const GAP: usize = 9;
/// The width of a character of a name, in tenths of a unit.
const CHARACTER: usize = 63;
/// The number of colours in the style sheet.
const COLOURS: usize = 10;

/// The layout of an opcode's words, as it is drawn.
#[derive(Debug, Clone)]
pub struct WordLayout {
    /// The width of the words in bits.
    pub bits: u8,
    /// The bits that fields fix.
    pub fixed: Cube,
    /// All fields.
    pub fields: Vec<DrawnField>,
}

/// A field of a [`WordLayout`].
#[derive(Debug, Clone)]
pub struct DrawnField {
    /// The name.
    pub name: String,
    /// The positions of its bits.
    pub pieces: Vec<Piece>,
    /// Whether it is fixed to one value.
    pub is_fixed: bool,
    /// The text after its name and its bits in the tooltip.
    pub about: String,
}

/// Appends the pictures of an opcode's words. If a word is given, its bits and their meanings are
/// shown.
pub(crate) fn draw(opcode: &'static Opcode, word: Option<u128>, html: &mut Html) {
    let name = match word {
        Some(_) => format!("The bits of this {} word by fields, as in the table", opcode.name),
        None => format!("The bits of {} by fields, as in the table", opcode.name),
    };
    let fields = opcode.fields.iter().enumerate().map(|(index, field)| DrawnField {
        name: field.name.to_owned(),
        pieces: field.pieces.to_vec(),
        is_fixed: matches!(field.init, Init::Fixed(_)),
        about: about(opcode, word, index),
    });
    let layout = WordLayout { bits: opcode.bits, fixed: opcode.fixed, fields: fields.collect() };
    layout.draw(word, &name, html);
}

impl WordLayout {
    /// Appends two pictures, one with rows of 32 bits, and one with rows of 16 bits for narrow
    /// screens. The style sheet shows one of them. If a word is given, its bits are shown.
    pub(crate) fn draw(&self, word: Option<u128>, name: &str, html: &mut Html) {
        for (class, columns) in [("bits row32", 32), ("bits row16", 16)] {
            if class == "bits row32" || self.bits > 16 {
                let alone = if self.bits > 16 { class } else { "bits" };
                svg(self, word, columns, alone, name, html);
            }
        }
    }
}

fn svg(
    layout: &WordLayout,
    word: Option<u128>,
    columns: u8,
    class: &str,
    name: &str,
    html: &mut Html,
) {
    let fields = layout.fields.iter().map(|field| picture::PictureField {
        name: &field.name,
        is_fixed: field.is_fixed,
        pieces: field.pieces.iter().map(|piece| (piece.position, piece.width)).collect(),
    });
    let fields: Vec<picture::PictureField<'_>> = fields.collect();
    let columns = columns.min(layout.bits);
    let (rows, colours) = (
        picture::rows(layout.bits, columns, layout.fixed.mask, &fields),
        picture::colours(&fields),
    );
    let (width, height) = (usize::from(columns) * BIT + 2, rows.len() * (NUMBERS + ROW + GAP));
    let view = format!("0 0 {width} {height}");
    let style = format!("max-width:{}px", width + width / 8);
    let attributes = [
        ("class", class),
        ("role", "img"),
        ("aria-label", name),
        ("viewBox", &view),
        ("style", &style),
    ];
    html.open("svg", &attributes);
    for (row, cells) in rows.iter().enumerate() {
        let top = row * (NUMBERS + ROW + GAP) + NUMBERS;
        for cell in cells {
            let x = usize::from(columns - 1 - cell.high % columns) * BIT + 1;
            draw_cell(layout, word, cell, &colours, (x, top), html);
        }
    }
    html.close("svg").raw("\n");
}

fn draw_cell(
    layout: &WordLayout,
    word: Option<u128>,
    cell: &Cell,
    colours: &[usize],
    (x, top): (usize, usize),
    html: &mut Html,
) {
    let count = usize::from(cell.high - cell.low) + 1;
    let width = count * BIT;
    let class = match cell.field {
        None => "unused".to_owned(),
        Some(_) if cell.is_fixed => "fixed".to_owned(),
        Some((field, _)) => format!("field c{}", colours[field] % COLOURS),
    };
    let number = cell.field.map_or(String::new(), |(field, _)| field.to_string());
    html.open("g", &[("class", &class), ("data-field", &number)]);
    html.element("title", "", &title(layout, cell));
    let mut svg = String::new();
    let _ = write!(svg, "<rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{ROW}\"/>");
    if cell.field.is_none() {
        hatch((x, top), width, &mut svg);
    }
    let above = top - 3;
    if count == 1 {
        let middle = x + BIT / 2;
        let _ = write!(svg, "<text class=\"n\" x=\"{middle}\" y=\"{above}\">{}</text>", cell.high);
    } else {
        let (first, last) = (x + BIT / 2, x + width - BIT / 2);
        let _ = write!(svg, "<text class=\"n\" x=\"{first}\" y=\"{above}\">{}</text>", cell.high);
        let _ = write!(svg, "<text class=\"n\" x=\"{last}\" y=\"{above}\">{}</text>", cell.low);
    }
    let shown = word.or(cell.is_fixed.then_some(layout.fixed.value));
    let is_named = cell.field.is_some();
    if let Some(word) = shown.or((!is_named).then_some(0)) {
        let y = if is_named { top + 21 } else { top + ROW / 2 + 5 };
        for (place, bit) in (cell.low..=cell.high).rev().enumerate() {
            let middle = x + place * BIT + BIT / 2;
            let digit = word >> bit & 1;
            let _ = write!(svg, "<text class=\"b\" x=\"{middle}\" y=\"{y}\">{digit}</text>");
        }
    }
    html.raw(&svg);
    if let Some((field, _)) = cell.field {
        let (top, height) = if shown.is_some() { (top + 25, ROW - 26) } else { (top, ROW) };
        label(&layout.fields[field].name, (x, top), (width, height), html);
    }
    html.close("g");
}

/// Appends hatching lines across a box, nine units apart.
fn hatch((x, top): (usize, usize), width: usize, svg: &mut String) {
    svg.push_str("<path d=\"");
    for line in (6..width + ROW).step_by(9) {
        let (from, to) = (line.min(width), line.saturating_sub(ROW));
        let (high, low) = (line - from, line.min(ROW));
        let _ = write!(svg, "M{} {}L{} {}", x + from, top + high, x + to, top + low);
    }
    svg.push_str("\"/>");
}

/// Writes a name into a box horizontally, or vertically if it fits only that way, or shortened if
/// it does not fit.
fn label(name: &str, (x, top): (usize, usize), (width, height): (usize, usize), html: &mut Html) {
    let needed = name.chars().count() * CHARACTER / 10 + 4;
    let (middle, centre) = (x + width / 2, top + height / 2);
    let (room, is_across) =
        if needed <= width || width >= height { (width, false) } else { (height, true) };
    let most = (room.saturating_sub(2) * 10 / CHARACTER).max(1);
    let text: String = match needed <= room {
        true => name.to_owned(),
        // The part of a name after the last dot is more specific than the part before it.
        false => {
            let short = name.rsplit('.').next().unwrap_or(name);
            let cut: String = short.chars().take(most.saturating_sub(1)).collect();
            if short.chars().count() <= most { short.to_owned() } else { cut + "…" }
        }
    };
    let (x, y) = (middle.to_string(), (centre + 4).to_string());
    let turn = format!("translate({} {centre}) rotate(-90)", middle + 4);
    match is_across {
        true => html.open("text", &[("class", "l"), ("transform", &turn)]),
        false => html.open("text", &[("class", "l"), ("x", &x), ("y", &y)]),
    };
    html.text(&text).close("text");
}

/// Returns the tooltip of the bits in `cell`.
fn title(layout: &WordLayout, cell: &Cell) -> String {
    let bits = match cell.high == cell.low {
        true => format!("bit {}", cell.low),
        false => format!("bits {}..{}", cell.high, cell.low),
    };
    let Some((index, piece)) = cell.field else {
        return format!("{bits}: unused, must be 0");
    };
    let field = &layout.fields[index];
    let mut text = format!("{}: {bits}", field.name);
    if field.pieces.len() > 1 {
        let _ = write!(text, " (piece {} of {})", piece + 1, field.pieces.len());
    }
    text + &field.about
}

/// Returns the text about a field after its bits in the tooltip.
fn about(opcode: &'static Opcode, word: Option<u128>, index: usize) -> String {
    let field = opcode.fields[index];
    let mut text = format!(", {}", field.kind.name);
    match (field.init, word) {
        (Init::Fixed(raw), _) => {
            let _ = write!(text, ", always {}", value_text(opcode, index, raw));
        }
        (_, Some(word)) => {
            let _ = write!(text, ", here {}", value_text(opcode, index, field.get(word)));
        }
        (Init::Default(raw), None) => {
            let _ = write!(text, ", {} if it is omitted", value_text(opcode, index, raw));
        }
        (Init::Required, None) => {}
    }
    let access = opcode.operands.iter().find(|operand| usize::from(operand.field) == index);
    text.push_str(match access.map(|operand| operand.access) {
        Some(Access::Read) => ", read",
        Some(Access::Write) => ", written",
        Some(Access::ReadWrite) => ", read and written",
        None => "",
    });
    let doc = super::markdown::first_paragraph(if field.doc.is_empty() {
        field.kind.doc
    } else {
        field.doc
    });
    if !doc.is_empty() {
        let _ = write!(text, ". {doc}");
    }
    text
}
