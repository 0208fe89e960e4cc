//! Exports a header for C99 and C++ that needs no library. It contains masks, matches, fields, value
//! sets and a decoder.

mod opcode_tables;
mod word_type;

use std::collections::HashMap;

use isa_core::table::{Cube, Field, InstructionSet, Opcode};

use self::word_type::WordType;
use super::decision_tree::DecisionTree;
use super::unique_names::{UniqueNames, identifier};
use super::valid_words::{InvalidWords, ValidWords, comment_lines, is_open, line, widened};
use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "c",
    about: "A header for C and C++ with masks, fields, value sets and a decoder",
    make: Generator::OfWords(make),
};

#[expect(clippy::unnecessary_wraps, reason = "other formats can refuse a set")]
fn make(set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
    let header = HeaderFile::new(set);
    let name = format!("{}.h", header.lower);
    Ok(vec![ExportFile { name, text: header.text() }])
}

/// The maximum number of patterns in a condition. More patterns become a table.
const IN_LINE: usize = 6;

/// A set and the names in its header.
struct HeaderFile {
    set: &'static InstructionSet,
    /// The prefix of functions and types.
    lower: String,
    /// The prefix of macros and constants.
    upper: String,
    word: WordType,
    rows: Vec<NamedOpcode>,
    legal: Vec<ValidWords>,
    names: UniqueNames,
}

/// An opcode and its names.
struct NamedOpcode {
    opcode: &'static Opcode,
    /// The name after prefixes such as `set_get_` and `SET_OP_`.
    name: String,
    /// The fields that have bits and are not fixed, with their names.
    fields: Vec<(&'static Field, String)>,
}

impl HeaderFile {
    fn new(set: &'static InstructionSet) -> Self {
        let lower = plain(set.name);
        let upper = lower.to_ascii_uppercase();
        let mut taken = UniqueNames::default();
        let mut rows = Vec::new();
        for &opcode in set.opcodes {
            let mut own = UniqueNames::default();
            let fields = opcode.fields.iter().filter(|field| is_open(field));
            let fields = fields.map(|field| (*field, own.claim(&identifier(field.name)))).collect();
            rows.push(NamedOpcode { opcode, name: taken.claim(&identifier(opcode.name)), fields });
        }
        let word = WordType::of(set.bits);
        HeaderFile {
            set,
            lower,
            upper,
            word,
            rows,
            legal: ValidWords::of_set(set),
            names: UniqueNames::default(),
        }
    }

    fn text(mut self) -> String {
        let parts = [
            self.top(),
            self.opcodes(),
            self.masks(),
            self.values(),
            self.accessors(),
            self.checks(),
            self.decoder(),
            opcode_tables::tables(&self),
        ];
        format!("{}#endif\n", parts.concat())
    }

    fn top(&self) -> String {
        let HeaderFile { set, lower, upper, word, .. } = self;
        let about = comment(&format!("{}: {}", set.name, set.doc), "");
        let type_ = word.definition(lower);
        format!(
            "{about}/*\n\
             \x20* {lower}_decode returns the opcode of a word, or {upper}_NONE if it is not a valid instruction.\n\
             \x20* A word is a number; the upper bits of a word with fewer than {bits} bits are 0.\n\
             \x20* Each opcode X has {upper}_OP_X, a mask and a match, {lower}_is_X, and for each field\n\
             \x20* that it does not fix {lower}_get_X_FIELD and {lower}_set_X_FIELD.\n\
             \x20* If {upper}_TABLES is defined before the file is included, there are tables of all this.\n\
             \x20*/\n\
             #ifndef {upper}_H\n#define {upper}_H\n\n\
             #include <stdbool.h>\n#include <stdint.h>\n\n{type_}\n",
            bits = word.bits,
        )
    }

    fn opcodes(&mut self) -> String {
        let HeaderFile { lower, upper, .. } = self;
        let mut text = format!("/* The opcodes. */\nenum {lower}_opcode {{\n");
        text += &format!("    /* Not a valid instruction. */\n    {upper}_NONE = -1,\n");
        for (number, NamedOpcode { opcode, name, .. }) in self.rows.iter().enumerate() {
            let doc = comment(&format!("{} {}", opcode.syntax.source, opcode.doc), "    ");
            text += &format!("{doc}    {upper}_OP_{name} = {number},\n");
        }
        let count = self.rows.len();
        text +=
            &format!("}};\n\n/* The number of opcodes. */\n#define {upper}_OPCODES {count}\n\n");
        // Names that the enumerations of value sets must not use.
        let taken =
            [format!("{lower}_opcode"), format!("{upper}_NONE"), format!("{upper}_OPCODES")];
        let own = self.rows.iter().map(|row| format!("{upper}_OP_{}", row.name));
        let taken: Vec<String> = taken.into_iter().chain(own).collect();
        taken.iter().for_each(|name| _ = self.names.claim(name));
        text
    }

    fn masks(&self) -> String {
        let upper = &self.upper;
        let mut text =
            "/* A word belongs to the opcode X, valid or not, if its bits under the mask match. */\n"
                .to_owned();
        for (NamedOpcode { opcode, name, .. }, legal) in self.rows.iter().zip(&self.legal) {
            for (part, value) in [("MASK", legal.plain.mask), ("MATCH", legal.plain.value)] {
                for (half, literal) in self.word.literals(value) {
                    text += &format!("#define {upper}_{part}{half}_{name} {literal}\n");
                }
            }
            text += &format!("#define {upper}_BITS_{name} {}\n", opcode.bits);
        }
        text + "\n"
    }

    fn values(&mut self) -> String {
        let mut text = String::new();
        for kind in self.set.kinds().into_iter().filter(|kind| !kind.values.is_empty()) {
            let tag = self.names.claim(&format!("{}_{}", self.lower, identifier(kind.name)));
            let about = comment(&format!("{}: {}", kind.name, kind.doc), "");
            let stem = tag.replacen(&self.lower, &self.upper, 1);
            let is_wide = kind.values.iter().any(|value| value.raw > i32::MAX as u64);
            let (mut constants, mut macros) = (String::new(), String::new());
            for value in kind.values {
                let name = self.names.claim(&format!("{stem}_{}", identifier(value.name)));
                let doc =
                    if value.doc.is_empty() { String::new() } else { comment(value.doc, "    ") };
                constants += &format!("{doc}    {name} = {},\n", value.raw);
                macros += &format!("#define {name} UINT64_C({:#x})\n", value.raw);
            }
            text += &match is_wide {
                true => format!("{about}{macros}\n"),
                false => format!("{about}enum {tag} {{\n{constants}}};\n\n"),
            };
        }
        text
    }

    fn accessors(&self) -> String {
        let (lower, word) = (&self.lower, &self.word);
        let mut text = String::new();
        for NamedOpcode { opcode, name, fields } in &self.rows {
            text += &format!("/* The fields of {}. */\n", line(opcode.name));
            for (field, own) in fields {
                let (get, set) = (word.extract(field.pieces), word.insert(field.pieces));
                let about =
                    comment(&format!("{}: {}. {}", field.name, field.kind.name, field.doc), "");
                text += &format!(
                    "{about}\
                     static inline uint64_t {lower}_get_{name}_{own}({lower}_word w) {{ return {get}; }}\n\
                     static inline {lower}_word {lower}_set_{name}_{own}({lower}_word w, uint64_t v) {{ {set} return w; }}\n"
                );
            }
            text.push('\n');
        }
        text
    }

    /// Returns the functions that check the words of each opcode, and the tables of the functions
    /// that conditions call.
    fn checks(&self) -> String {
        let (lower, word) = (&self.lower, &self.word);
        let (mut maps, mut text) = (HashMap::new(), String::new());
        for (NamedOpcode { opcode, name, .. }, legal) in self.rows.iter().zip(&self.legal) {
            let plain = widened(legal.plain, opcode.bits, word.bits);
            let mut body = format!("    if (!({})) return false;\n", word.contains(plain));
            for wrong in &legal.wrong {
                body += &format!("    /* {} */\n", safe(&wrong.why));
                body += &self.refusals(wrong, &mut maps, &mut text);
            }
            text += &format!(
                "/* Returns whether a word is a valid instruction {}. */\n\
                 static inline bool {lower}_is_{name}({lower}_word w)\n{{\n{body}    return true;\n}}\n\n",
                safe(opcode.name)
            );
        }
        text
    }

    /// Returns the lines that reject the invalid words of one reason. The tables of functions are
    /// added to `tables`.
    fn refusals(
        &self,
        wrong: &InvalidWords,
        maps: &mut HashMap<&'static [u8], usize>,
        tables: &mut String,
    ) -> String {
        let word = &self.word;
        let mut text = self.in_any(&wrong.cubes, None);
        for condition in &wrong.conditional {
            let mut conditions = Vec::new();
            for (call, map, said) in &condition.when {
                let next = maps.len();
                let number = *maps.entry(map.values()).or_insert(next);
                let table = format!("{}_map_{number}", self.lower);
                if number == next {
                    let bytes: Vec<String> = map.values().iter().map(u8::to_string).collect();
                    let lines: Vec<String> = bytes.chunks(24).map(|line| line.join(",")).collect();
                    *tables += &format!(
                        "/* {}: one bit for each value of its fields. */\nstatic const uint8_t {table}[] = {{\n    {}\n}};\n\n",
                        safe(call),
                        lines.join(",\n    ")
                    );
                }
                let place = word.extract(map.pieces());
                let bit = format!("(({table}[({place}) >> 3] >> (({place}) & 7)) & 1)");
                conditions.push(if *said { bit } else { format!("!{bit}") });
            }
            text += &self.in_any(&condition.cubes, Some(&conditions.join(" && ")));
        }
        text
    }

    /// Returns lines that reject a word if it matches any of the patterns, and if the condition `also`
    /// is true too.
    fn in_any(&self, cubes: &[Cube], also: Option<&str>) -> String {
        let word = &self.word;
        let also = also.map_or(String::new(), |also| format!("{also} && "));
        if cubes.is_empty() {
            return String::new();
        }
        if let [one] = cubes {
            return format!("    if ({also}{}) return false;\n", word.contains(*one));
        }
        if cubes.len() <= IN_LINE {
            let any: Vec<String> =
                cubes.iter().map(|&cube| format!("({})", word.contains(cube))).collect();
            let any = any.join(" || ");
            return match also.is_empty() {
                true => format!("    if ({any}) return false;\n"),
                false => format!("    if ({also}({any})) return false;\n"),
            };
        }
        let (columns, compare) = word.table();
        let rows: Vec<String> = cubes.iter().map(|cube| word.table_row(*cube)).collect();
        let rows: Vec<String> = rows.chunks(4).map(|rows| rows.join(", ")).collect();
        format!(
            "    {{\n        static const {columns} = {{\n            {}\n        }};\n        \
             for (unsigned i = 0; i < {}; i++)\n            if ({also}{compare}) return false;\n    }}\n",
            rows.join(",\n            "),
            cubes.len(),
        )
    }

    fn decoder(&self) -> String {
        let HeaderFile { lower, upper, .. } = self;
        let plain: Vec<Cube> = self.legal.iter().map(|legal| legal.plain).collect();
        let body = self.choose(&DecisionTree::of(&plain), 1);
        format!(
            "/* Returns the opcode of a valid instruction. */\n\
             static inline enum {lower}_opcode {lower}_decode({lower}_word w)\n{{\n{body}    return {upper}_NONE;\n}}\n\n"
        )
    }

    fn choose(&self, choice: &DecisionTree, depth: usize) -> String {
        let HeaderFile { lower, upper, .. } = self;
        let indent = "    ".repeat(depth);
        match choice {
            DecisionTree::Candidates(rows) => {
                let test = |&row: &usize| {
                    let name = &self.rows[row].name;
                    format!("{indent}if ({lower}_is_{name}(w)) return {upper}_OP_{name};\n")
                };
                rows.iter().map(test).collect()
            }
            DecisionTree::Switch(piece, arms) => {
                let mut text = format!(
                    "{indent}switch ({}) {{\n",
                    self.word.extract(std::slice::from_ref(piece))
                );
                for (value, next) in arms {
                    let body = self.choose(next, depth + 1);
                    text += &format!("{indent}case {value}:\n{body}{indent}    break;\n");
                }
                text + &format!("{indent}}}\n")
            }
        }
    }
}

/// Returns a text that does not end or begin a comment.
fn safe(text: &str) -> String {
    line(text).replace("*/", "* /").replace("/*", "/ *")
}

/// Returns a comment with line breaks.
fn comment(text: &str, indent: &str) -> String {
    format!("{indent}/* {} */\n", comment_lines(&safe(text)).join(&format!("\n{indent} * ")))
}
