//! The result of an import: the items of a `define_isa!` call in order. Foreign text is contained either
//! as [`Code`], whose type restricts the text, or in comments and documentation, which the writer ends
//! only at the end of a line.

use crate::ImportError;
use crate::code::{Code, code};

/// A file with one call.
#[derive(Debug, Default)]
pub(crate) struct MacroCall {
    /// The comments at the beginning of the file.
    pub(crate) head: Vec<String>,
    /// The lines of Rust before the call.
    pub(crate) before: Vec<Code>,
    pub(crate) doc: Vec<String>,
    pub(crate) name: Code,
    /// A comment after the line of the set.
    pub(crate) note: &'static str,
    /// The widths of words in bits.
    pub(crate) widths: Vec<u32>,
    pub(crate) items: Vec<CallItem>,
    /// What the import assumed because the source does not contain it.
    pub(crate) assumptions: Vec<ImportError>,
    /// The text of a values file with these assumptions, if the format has such files.
    pub(crate) values: Option<String>,
    /// The names of the files, if the head of each definition shows its line.
    pub(crate) files: Vec<String>,
}

#[derive(Debug)]
pub(crate) enum CallItem {
    /// The lines of a comment. If there are no lines, the item is an empty line.
    Comment(Vec<String>),
    /// An item of one line, for example `operand Reg: 8 = path;`.
    Line {
        doc: Vec<String>,
        text: Code,
    },
    /// A value set.
    Values {
        doc: Vec<String>,
        name: Code,
        width: u32,
        note: &'static str,
        values: Vec<ImportedValue>,
    },
    Node(CallNode),
}

/// A value of a set. The comment marks information that is not in the source.
#[derive(Debug)]
pub(crate) struct ImportedValue {
    pub(crate) doc: Vec<String>,
    /// The name, or several names with `|` between them.
    pub(crate) name: Code,
    pub(crate) raw: u64,
    pub(crate) note: &'static str,
}

/// A group, optype, opcode, alias or synonym.
#[derive(Debug, Default)]
pub(crate) struct CallNode {
    pub(crate) doc: Vec<String>,
    /// The text before the braces.
    pub(crate) head: Code,
    pub(crate) sections: Vec<NodeSection>,
}

#[derive(Debug)]
pub(crate) struct NodeSection {
    pub(crate) name: &'static str,
    pub(crate) lines: Vec<SectionLine>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SectionLine {
    Field(FieldStatement),
    /// Another statement, followed by the text of a comment. The continuation lines of the statement are
    /// already indented.
    Code(Code, Option<String>),
    /// The text of a comment, after its `//`.
    Comment(String),
    Empty,
}

/// A line `field<72, 1> SignModi ra.neg = False;`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct FieldStatement {
    /// Position and width of each piece, the most significant first.
    pub(crate) pieces: Vec<(u32, u32)>,
    pub(crate) kind: Code,
    pub(crate) name: Code,
    /// ` = False` including the operator, or nothing.
    pub(crate) value: Code,
    /// The text of a comment after the line.
    pub(crate) note: Option<String>,
}

impl NodeSection {
    pub(crate) fn new(name: &'static str, lines: impl IntoIterator<Item = SectionLine>) -> Self {
        NodeSection { name, lines: lines.into_iter().collect() }
    }
}

impl CallItem {
    /// Creates an item of one line, with a line of documentation.
    pub(crate) fn line(doc: impl Into<String>, text: Code) -> Self {
        CallItem::Line { doc: vec![doc.into()], text }
    }
}

impl From<Code> for SectionLine {
    fn from(code: Code) -> SectionLine {
        SectionLine::Code(code, None)
    }
}

/// Returns a list of names such as ` inside A, B`, or an empty text if there are no names.
pub(crate) fn listed(before: &'static str, names: &[Code], after: &'static str) -> Code {
    match names {
        [] => Code::default(),
        names => code!("{}{}{}", before, Code::joined(names, ", "), after),
    }
}

/// The comment after each item that is not in the source.
pub(crate) const NOTE: &str = "/* not in the source */";

/// Returns the width of words whose fields have `bits` bits: the same width if it consists of whole
/// bytes, otherwise the width of the next Rust integer type. Returns `None` if the width is not from 8
/// to 128.
pub(crate) fn word_width(bits: u32) -> Option<u32> {
    let width = if bits.is_multiple_of(8) { bits } else { bits.next_power_of_two().max(16) };
    (8..=128).contains(&width).then_some(width)
}

/// Converts a name to the case of types: `HADD2_RR` becomes `Hadd2Rr`.
pub(crate) fn camel(name: &str) -> String {
    let mut text = String::new();
    for word in name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let (first, rest) = word.split_at(1);
        text += &first.to_ascii_uppercase();
        text += &rest.to_ascii_lowercase();
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) { format!("Set{text}") } else { text }
}

/// Operand types of `isa-core` and `isa-defs` that descriptions use: the name, the width, the rest of
/// the item, and the documentation.
pub(crate) const KNOWN: [(&str, u32, &str, &str); 5] = [
    ("Reg", 8, "", "A general register."),
    ("UReg", 6, "", "A uniform register."),
    ("Pred", 3, "", "A predicate."),
    ("CMem", 22, ", reserved(\"1x\", \"x1\")", "A word of constant memory."),
    ("F16ImmX2", 32, "", "Two 16-bit floats."),
];

/// Returns the path of a type in [`KNOWN`].
pub(crate) fn path_of(known: &'static str) -> Code {
    match known {
        "Reg" | "Pred" => code!("isa_core::operand::{}", known),
        gpu => code!("isa_defs::base::{}", gpu),
    }
}

/// Returns the operands of a template without duplicates: words that follow neither a dot nor a
/// `$`.
pub(crate) fn slots(template: &str, mnemonic: &str) -> Vec<String> {
    let template = template.replacen(mnemonic, " ", 1);
    let mut names: Vec<String> = Vec::new();
    let mut before = None;
    for word in template.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let is_slot = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_slot && !matches!(before, Some('.' | '$')) && names.iter().all(|n| n != name) {
            names.push(name.to_owned());
        }
        before = word.chars().next_back();
    }
    names
}
