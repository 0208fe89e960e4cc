//! Exports patterns for QEMU's generator of decoders, `decodetree`, for words of 16, 32 and 64
//! bits.
//!
//! A pattern contains the fixed bits and the positions of fields. If some words with these bits are
//! invalid or belong to another opcode, an overlap group is written. In the group, the patterns of
//! invalid words and of special cases precede the pattern of the opcode.

mod overlap_groups;

use std::collections::BTreeMap;

use isa_core::table::{Cube, Field, Init, InstructionSet, Opcode, Piece};

use self::overlap_groups::{PatternEntry, arrange};
use super::masked_patterns::is_inside;
use super::unique_names::{UniqueNames, identifier};
use super::valid_words::{ValidWords, line};
use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "decodetree",
    about: "Patterns for QEMU's decodetree, one file for each word width",
    make: Generator::OfWords(make),
};

/// The word widths that the generator accepts.
const WIDTHS: &[u8] = &[16, 32, 64];
/// The maximum number of patterns for the invalid words of one opcode.
const MOST: usize = 4096;

fn make(set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
    if let Some(width) = set.widths.iter().find(|width| !WIDTHS.contains(&width.bits)) {
        return Err(ExportError::new(format!(
            "{} has words of {} bits, but decodetree supports words of 16, 32 or 64 bits",
            set.name, width.bits
        )));
    }
    let file = |bits: u8| {
        let own = if set.widths.len() > 1 { bits.to_string() } else { String::new() };
        let text = PatternFile::new(set, bits)?.text()?;
        Ok(ExportFile { name: format!("{}{own}.decode", plain(set.name)), text })
    };
    set.widths.iter().map(|width| file(width.bits)).collect()
}

/// The opcodes of one width and their names in the file.
struct PatternFile {
    set: &'static InstructionSet,
    bits: u8,
    rows: Vec<OpcodePattern>,
    /// The name of the patterns of invalid words.
    illegal: String,
}

/// An opcode, or a part of its words, as a pattern.
#[derive(Clone)]
struct OpcodePattern {
    opcode: &'static Opcode,
    name: String,
    /// The bits that all words of the row share.
    plain: Cube,
    /// Invalid words with these bits, each with its reason.
    wrong: Vec<(Cube, String)>,
    /// The fields that the opcode does not fix.
    fields: Vec<Argument>,
}

/// A field that an opcode does not fix.
#[derive(Clone)]
struct Argument {
    field: &'static Field,
    /// The name of the argument.
    name: String,
    /// The value, if the field has only one value in a part of the opcode's words.
    value: Option<u64>,
}

impl Argument {
    /// Returns the argument as a member of an argument set.
    fn member(&self) -> String {
        match self.field.width() {
            ..32 => self.name.clone(),
            32 => format!("{}:uint32_t", self.name),
            _ => format!("{}:uint64_t", self.name),
        }
    }

    /// Returns the argument as it is written in a pattern.
    fn element(&self) -> String {
        match self.value {
            Some(value) => format!("{}={value}", self.name),
            None => format!("{}=%{}", self.name, field_name(self.field)),
        }
    }
}

/// C keywords, which cannot be names of structure members.
const KEYWORDS: &[&str] = &[
    "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double",
    "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while",
];

impl OpcodePattern {
    fn new(opcode: &'static Opcode, name: String, set: &str) -> Result<Self, ExportError> {
        let ValidWords { plain, wrong } = ValidWords::of(opcode);
        let mut all = Vec::new();
        for wrong in wrong {
            let cubes = wrong.as_cubes(MOST).ok_or_else(|| {
                ExportError::new(format!(
                    "{}: the invalid words require more than {MOST} patterns ({})",
                    opcode.name, wrong.why
                ))
            })?;
            let whole = |Cube { mask, value }: Cube| Cube {
                mask: mask | plain.mask,
                value: value | plain.value,
            };
            all.extend(cubes.into_iter().map(|cube| (whole(cube), wrong.why.clone())));
        }
        let mut names = UniqueNames::reserved(KEYWORDS);
        let is_open =
            |field: &&&Field| !(field.pieces.is_empty() || matches!(field.init, Init::Fixed(_)));
        let fields = opcode.fields.iter().filter(is_open).map(|field| {
            let name = identifier(field.name);
            let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
            let name = match is_name && !KEYWORDS.contains(&name.as_str()) {
                true => name,
                false => format!("{set}_{name}"),
            };
            Argument { field, name: names.claim(&name), value: None }
        });
        Ok(OpcodePattern { opcode, name, plain, wrong: all, fields: fields.collect() })
    }

    /// Returns the members of the argument set.
    fn members(&self) -> Vec<String> {
        self.fields.iter().map(Argument::member).collect()
    }
}

impl PatternFile {
    fn new(set: &'static InstructionSet, bits: u8) -> Result<Self, ExportError> {
        let mut names = UniqueNames::default();
        let own = set.opcodes.iter().filter(|opcode| opcode.bits == bits);
        let prefix = plain(set.name);
        let rows = own
            .map(|&opcode| {
                OpcodePattern::new(opcode, names.claim(&identifier(opcode.name)), &prefix)
            })
            .collect::<Result<Vec<OpcodePattern>, ExportError>>()?;
        let illegal = names.claim("illegal");
        Ok(PatternFile { set, bits, rows, illegal })
    }

    fn text(&self) -> Result<String, ExportError> {
        let entries = arrange(&self.rows)?;
        let PatternFile { set, bits, illegal, .. } = self;
        let prefix = plain(set.name);
        let mut text = commented(&format!("{}: {}", set.name, set.doc), "");
        text += &format!(
            "#\n# Words of {bits} bits, for `decodetree.py --insnwidth {bits} --static-decode decode_{prefix}{bits}`.\n\
             # An argument contains the bits of its field as an unsigned number.\n"
        );
        if self.rows.iter().any(|row| !row.wrong.is_empty()) {
            text += &format!("# Invalid words call `trans_{illegal}`, which returns true.\n");
        }
        let (definitions, arguments) = self.definitions();
        text += &definitions;
        for entry in &entries {
            text.push('\n');
            text += &match entry {
                PatternEntry::Single(row) => self.pattern(row, &arguments, ""),
                PatternEntry::Group(rows) => self.group(rows, &arguments),
            };
        }
        Ok(text)
    }

    /// Returns the definitions of fields and argument sets, and the name of the set for each list
    /// of arguments.
    fn definitions(&self) -> (String, BTreeMap<Vec<String>, String>) {
        let (mut fields, mut sets) = (BTreeMap::new(), BTreeMap::new());
        let mut names = UniqueNames::default();
        self.rows.iter().for_each(|row| _ = names.claim(&row.name));
        for row in &self.rows {
            for Argument { field, .. } in &row.fields {
                let pieces = field.pieces.iter();
                let pieces = pieces.map(|Piece { position, width }| format!(" {position}:{width}"));
                fields.insert(field_name(field), pieces.collect::<String>());
            }
            let list = row.members();
            if !list.is_empty() && !sets.contains_key(&list) {
                let own: Vec<&str> = row.fields.iter().map(|own| own.name.as_str()).collect();
                sets.insert(list, names.claim(&own.join("_")));
            }
        }
        let mut text = String::from("\n");
        for (name, pieces) in fields {
            text += &format!("%{name}{pieces}\n");
        }
        text.push('\n');
        for (list, name) in &sets {
            text += &format!("&{name} {}\n", list.join(" "));
        }
        (text, sets)
    }

    /// Writes an overlap group for opcodes that include special cases or have invalid words. The order
    /// ensures that the first matching pattern is the correct one.
    fn group(&self, rows: &[OpcodePattern], arguments: &BTreeMap<Vec<String>, String>) -> String {
        let mut text = "{\n".to_owned();
        for (place, row) in rows.iter().enumerate() {
            let is_taken = |cube| rows[..place].iter().any(|row| is_inside(cube, row.plain));
            let mut said = "";
            for (cube, why) in row.wrong.iter().filter(|(cube, _)| !is_taken(*cube)) {
                if said != why {
                    text += &commented(&format!("{} is omitted: {why}", row.opcode.name), "  ");
                }
                said = why;
                text += &format!("  {} {}\n", self.illegal, bits_of(*cube, self.bits, '-'));
            }
            text += &self.pattern(row, arguments, "  ");
        }
        text + "}\n"
    }

    fn pattern(
        &self,
        row: &OpcodePattern,
        arguments: &BTreeMap<Vec<String>, String>,
        indent: &str,
    ) -> String {
        let about = commented(&format!("{} {}", row.opcode.syntax.source, row.opcode.doc), indent);
        let set = arguments.get(&row.members()).map_or(String::new(), |name| format!(" &{name}"));
        let fields = row.fields.iter().map(|argument| format!(" {}", argument.element()));
        let bits = bits_of(row.plain, self.bits, '.');
        format!("{about}{indent}{} {bits}{set}{}\n", row.name, fields.collect::<String>())
    }
}

/// Returns the name of a field. It contains the bits of the field, so that it does not change if
/// other fields are added.
fn field_name(field: &Field) -> String {
    let pieces = field.pieces.iter();
    let pieces = pieces.map(|Piece { position, width }| format!("_{position}_{width}"));
    format!("{}{}", identifier(field.name), pieces.collect::<String>())
}

/// Returns the bits of a pattern in groups of eight, the highest first. Bits that are not fixed are
/// `open`.
fn bits_of(cube: Cube, bits: u8, open: char) -> String {
    let mut text = String::new();
    for place in (0..bits).rev() {
        text.push(match (cube.mask >> place & 1, cube.value >> place & 1) {
            (0, _) => open,
            (_, 0) => '0',
            _ => '1',
        });
        if place > 0 && place % 8 == 0 {
            text.push(' ');
        }
    }
    text
}

/// Returns a comment line.
fn commented(text: &str, indent: &str) -> String {
    format!("{indent}# {}\n", line(text))
}
