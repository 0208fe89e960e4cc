//! Draws the bits of an opcode as an HTML table, for the opcode's page in rustdoc.
//!
//! A table uses the colours of the page, light or dark, and has a quarter of the bytes of an SVG. A
//! picture of characters would have no room for the names of single bits, which are vertical here, and
//! an editor would show 16 lines of it for each opcode. A build and an editor drop the attribute with
//! the table unparsed.

use std::fmt::Write as _;

use isa_bdd::picture::{Cell, Field, colours, rows};

use super::docs::Docs;
use crate::model::{Model, Opcode};

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
    let fields = opcode.fields.iter().map(|&id| &model.fields[id]).map(|field| Field {
        name: &field.text,
        is_fixed: field.is_fixed(),
        pieces: field.pieces.clone(),
    });
    let fields: Vec<Field<'_>> = fields.collect();
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
