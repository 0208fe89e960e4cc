//! Generates the tables of a header, for programs that iterate over all opcodes.

use super::{HeaderFile, NamedOpcode, safe};
use crate::properties::columns;
use crate::unique_names::identifier;

/// Returns the tables of opcodes and fields. They are only compiled if the program defines a macro.
pub(super) fn tables(header: &HeaderFile) -> String {
    let HeaderFile { lower, upper, word, .. } = header;
    let mut text = format!(
        "#ifdef {upper}_TABLES\n\
         /* A field that an opcode does not fix. */\n\
         struct {lower}_field_row {{\n    \
         const char *name, *kind;\n    unsigned width;\n    \
         uint64_t (*get)({lower}_word);\n    {lower}_word (*set)({lower}_word, uint64_t);\n}};\n\n\
         /* An opcode. */\n\
         struct {lower}_opcode_row {{\n    \
         const char *name, *mnemonic, *syntax;\n    unsigned bits;\n    \
         {lower}_word mask, match;\n    bool (*is)({lower}_word);\n    \
         unsigned fields;\n    const struct {lower}_field_row *field;\n}};\n\n"
    );
    let mut rows = String::new();
    for (NamedOpcode { opcode, name, fields }, legal) in header.rows.iter().zip(&header.legal) {
        let own = format!("{lower}_fields_{name}");
        if !fields.is_empty() {
            text += &format!("static const struct {lower}_field_row {own}[] = {{\n");
            for (field, field_name) in fields {
                text += &format!(
                    "    {{ {}, {}, {}, {lower}_get_{name}_{field_name}, {lower}_set_{name}_{field_name} }},\n",
                    quoted(field.name),
                    quoted(field.kind.name),
                    field.width(),
                );
            }
            text += "};\n";
        }
        rows += &format!(
            "    {{ {}, {}, {},\n      {}, {}, {}, {lower}_is_{name}, {}, {} }},\n",
            quoted(opcode.name),
            quoted(opcode.syntax.mnemonic),
            quoted(opcode.syntax.source),
            opcode.bits,
            word.constant(legal.plain.mask),
            word.constant(legal.plain.value),
            fields.len(),
            if fields.is_empty() { "0" } else { &own },
        );
    }
    let columns = columns(header.set).into_iter().map(|column| {
        let numbers: Vec<String> = column.numbers.iter().map(i64::to_string).collect();
        let lines: Vec<String> = numbers.chunks(16).map(|line| line.join(", ")).collect();
        format!(
            "\n/* {} The index is the number of the opcode. */\n\
             static const int64_t {lower}_property_{}[] = {{\n    {}\n}};\n",
            safe(&column.about),
            identifier(column.name),
            lines.join(",\n    ")
        )
    });
    let columns: String = columns.collect();
    format!(
        "{text}\n/* All opcodes, indexed by their numbers. */\n\
         static const struct {lower}_opcode_row {lower}_opcodes[] = {{\n{rows}}};\n{columns}#endif\n\n"
    )
}

/// Returns a text as a string literal.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            // Escaping every `?` avoids trigraphs.
            b'?' => quoted += "\\?",
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted += &format!("\\{byte:03o}"),
        }
    }
    quoted + "\""
}
