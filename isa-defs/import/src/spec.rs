//! What readers make of a description: the items of a call of `define_isa!`, in their order.

/// A file with one call.
#[derive(Debug, Default)]
pub(crate) struct Spec {
    /// Comments at the beginning of the file.
    pub(crate) head: Vec<String>,
    /// Lines of Rust before the call.
    pub(crate) before: Vec<String>,
    pub(crate) doc: Vec<String>,
    pub(crate) name: String,
    /// What is said behind the line of the set.
    pub(crate) note: String,
    /// Of words, in bits.
    pub(crate) widths: Vec<u32>,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug)]
pub(crate) enum Item {
    /// Lines of a comment; none are an empty line.
    Comment(Vec<String>),
    /// An item of one line, as `operand Reg: 8 = path;`.
    Line {
        doc: Vec<String>,
        text: String,
    },
    /// A set of values.
    Values {
        doc: Vec<String>,
        name: String,
        width: u32,
        note: String,
        values: Vec<Value>,
    },
    Node(Node),
}

/// A value of a set. Its comment says what the source does not.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) name: String,
    pub(crate) raw: u64,
    pub(crate) note: String,
}

/// A group, optype, opcode, alias or synonym.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) doc: Vec<String>,
    /// All before its braces.
    pub(crate) head: String,
    pub(crate) sections: Vec<Section>,
}

#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) name: &'static str,
    pub(crate) lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Line {
    Field(Field),
    /// Anything else, a comment too. Lines within it are further in.
    Text(String),
    Empty,
}

/// A line `field<72, 1> SignModi ra.neg = False;`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Field {
    /// Position and width of each piece, the most significant first.
    pub(crate) pieces: Vec<(u32, u32)>,
    pub(crate) kind: String,
    pub(crate) name: String,
    /// ` = False`, with the sign, or nothing.
    pub(crate) value: String,
    /// A comment behind the line, as it is written.
    pub(crate) note: String,
}

impl Section {
    pub(crate) fn new(name: &'static str, lines: impl IntoIterator<Item = Line>) -> Self {
        Section { name, lines: lines.into_iter().collect() }
    }
}

impl Item {
    /// An item of one line, with a line of documentation.
    pub(crate) fn line(doc: impl Into<String>, text: impl Into<String>) -> Self {
        Item::Line { doc: vec![doc.into()], text: text.into() }
    }
}

/// What stands behind all that a source does not say.
pub(crate) const NOTE: &str = "/* not in the source */";

/// The width of words that have so many bits.
pub(crate) fn word_width(bits: u32) -> Option<u32> {
    [16, 32, 64, 128].into_iter().find(|&width| bits <= width)
}

/// A name as types have it: `HADD2_RR` is `Hadd2Rr`.
pub(crate) fn camel(name: &str) -> String {
    let mut text = String::new();
    for word in name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let (first, rest) = word.split_at(1);
        text += &first.to_ascii_uppercase();
        text += &rest.to_ascii_lowercase();
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) { format!("Set{text}") } else { text }
}
