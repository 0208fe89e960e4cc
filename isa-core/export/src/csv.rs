//! Exports three tables for spreadsheets: the opcodes, their fields, and the values of value sets.

use isa_core::describe;
use isa_core::table::InstructionSet;

use super::description::{Description, FieldDescription, OpcodeDescription};
use super::valid_words::line;
use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "csv",
    about: "Three tables for spreadsheets: opcodes, the fields of each opcode, and values",
    make: Generator::OfWords(make),
};

fn make(set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
    let text = describe::json(set).to_string();
    let set: Description = text.parse().map_err(|error| ExportError::new(format!("{error}")))?;
    let name = plain(&set.name);
    let tables = [("opcodes", opcodes(&set)), ("fields", fields(&set)), ("values", values(&set))];
    let file =
        |(table, text): (&str, String)| ExportFile { name: format!("{name}_{table}.csv"), text };
    Ok(tables.map(file).into())
}

/// Returns the table of opcodes.
fn opcodes(set: &Description) -> String {
    let heads =
        ["opcode", "mnemonic", "bits", "mask", "value", "syntax", "groups", "reads", "writes"];
    let properties = set.properties.iter().map(|property| property.name.as_str());
    let mut table =
        Table::new(heads.into_iter().chain(properties).chain(["aliases", "description"]));
    for row in &set.opcodes {
        let digits = usize::from(row.bits).div_ceil(4) + 2;
        let accessed = |access: &str| {
            let operands = row.operands.iter().filter(|operand| operand.access.contains(access));
            operands.map(|operand| operand.field.as_str()).collect::<Vec<_>>().join(" ")
        };
        let aliases: Vec<&str> = row.aliases.iter().map(|alias| alias.row.name.as_str()).collect();
        let mut cells = vec![
            row.name.clone(),
            row.mnemonic.clone(),
            row.bits.to_string(),
            format!("{:#0digits$x}", row.fixed.mask),
            format!("{:#0digits$x}", row.fixed.value),
            line(&row.syntax),
            row.groups.join(" "),
            accessed("read"),
            accessed("write"),
        ];
        cells.extend(set.properties.iter().map(|property| {
            row.properties.get(&property.name).map(ToString::to_string).unwrap_or_default()
        }));
        cells.extend([aliases.join(" "), line(&row.doc)]);
        table.row(&cells);
    }
    table.text
}

/// Returns the table with a row for each field of each opcode.
fn fields(set: &Description) -> String {
    let mut table = Table::new([
        "opcode",
        "field",
        "bits",
        "width",
        "type",
        "access",
        "fixed",
        "default",
        "declared in",
        "description",
    ]);
    for row in &set.opcodes {
        for field in &row.fields {
            table.row(&field_cells(set, row, field));
        }
    }
    table.text
}

fn field_cells(
    set: &Description,
    row: &OpcodeDescription,
    field: &FieldDescription,
) -> Vec<String> {
    let kind = &set.kinds[field.kind];
    let pieces = field.pieces.iter().map(|piece| match piece.width {
        1 => piece.position.to_string(),
        width => format!("{}:{}", piece.position + width - 1, piece.position),
    });
    let operand = row.operands.iter().find(|operand| operand.field == field.name);
    let value = |raw: Option<u64>| raw.map(|raw| kind.name_of(raw)).unwrap_or_default();
    let doc = if field.doc.is_empty() { &kind.doc } else { &field.doc };
    vec![
        row.name.clone(),
        field.name.clone(),
        pieces.collect::<Vec<_>>().join(" "),
        field.pieces.iter().map(|piece| u32::from(piece.width)).sum::<u32>().to_string(),
        kind.name.clone(),
        operand.map(|operand| operand.access.clone()).unwrap_or_default(),
        value(field.fixed),
        value(field.default),
        field.declared_in.clone(),
        line(doc),
    ]
}

/// Returns the table of values.
fn values(set: &Description) -> String {
    let mut table = Table::new(["type", "width", "value", "number", "other names", "description"]);
    for kind in &set.kinds {
        for value in &kind.values {
            table.row(&[
                kind.name.clone(),
                kind.width.to_string(),
                value.name.clone(),
                format!("{:#x}", value.raw),
                value.also.join(" "),
                line(&value.doc),
            ]);
        }
    }
    table.text
}

/// A table in the format of RFC 4180. It begins with the byte order mark of UTF-8, because spreadsheets
/// otherwise assume another encoding.
struct Table {
    text: String,
}

impl Table {
    fn new<'h>(heads: impl IntoIterator<Item = &'h str>) -> Self {
        let mut table = Table { text: "\u{feff}".to_owned() };
        table.row(&heads.into_iter().map(str::to_owned).collect::<Vec<_>>());
        table
    }

    fn row(&mut self, cells: &[String]) {
        let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
        self.text += &cells.join(",");
        self.text += "\r\n";
    }
}

/// Returns a cell. A text that a spreadsheet would execute as a formula gets a space before it.
fn cell(text: &str) -> String {
    let is_number = text.parse::<i64>().is_ok();
    let is_formula = text.starts_with(['=', '+', '-', '@']) && !is_number;
    let text = if is_formula { format!(" {text}") } else { text.to_owned() };
    match text.contains(['"', ',', '\n', '\r']) || text.starts_with(' ') {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_quoted_and_are_not_formulas() {
        for (text, expected) in [
            ("a b", "a b"),
            ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("-1", "-1"),
            ("-x", "\" -x\""),
            ("=1+1", "\" =1+1\""),
            ("@{!}pg MOV", "\" @{!}pg MOV\""),
            ("+INF", "\" +INF\""),
            ("", ""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
