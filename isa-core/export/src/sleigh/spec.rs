//! Collects the parts of a SLEIGH specification and writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use isa_core::table::Piece;

use super::constructor::{Constructor, OutputPart};
use crate::ExportError;

/// The maximum number of operands of one constructor, and of an instruction including all its
/// tables. Beyond these limits, Ghidra's disassembler in C++ writes out of bounds.
const OPERANDS: usize = 20;
const SIZE: usize = 75;

/// A field of a token or of the context: its lowest and its highest bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SleighField {
    low: u8,
    high: u8,
    is_signed: bool,
}

/// The texts or registers that are attached to the values of some fields.
#[derive(Debug, Default)]
struct Attachment {
    values: Vec<Option<String>>,
    fields: BTreeSet<String>,
}

/// The whole specification.
#[derive(Debug, Default)]
pub(super) struct SleighSpec {
    /// The fields by name, for each width of the word.
    tokens: BTreeMap<u8, BTreeMap<String, SleighField>>,
    context: BTreeMap<String, SleighField>,
    texts: Vec<Attachment>,
    variables: Vec<Attachment>,
    /// The registers in the order of their addresses, and their sizes in bytes.
    pub(super) registers: Vec<(String, u16)>,
    /// The names of tables. The key contains the lines of a table without its name.
    tables: BTreeMap<String, String>,
    /// The size of each table: the largest size of its constructors.
    sizes: BTreeMap<String, usize>,
    names: BTreeSet<String>,
    /// The names of fields. The key is the name that was requested.
    known: BTreeMap<String, String>,
    pub(super) lines: Vec<String>,
    pub(super) operations: Vec<String>,
    /// A text that SLEIGH cannot express.
    pub(super) wrong: Option<String>,
    /// The deviations from the set, with their reasons.
    pub(super) notes: BTreeSet<String>,
}

impl SleighSpec {
    /// Returns a name that is not used yet in any letter case.
    pub(super) fn name(&mut self, wish: &str) -> String {
        let wish = identifier(wish);
        let numbered = (2..).map(|number| format!("{wish}_{number}"));
        let mut names = std::iter::once(wish.clone()).chain(numbered);
        let free = names.find(|name| {
            !KEYWORDS.contains(&name.as_str()) && self.names.insert(name.to_lowercase())
        });
        free.unwrap_or(wish)
    }

    /// Returns the name of an object that is used several times: `wish`, unless this name is
    /// already used.
    pub(super) fn name_of(&mut self, wish: String) -> String {
        if let Some(name) = self.known.get(&wish) {
            return name.clone();
        }
        let name = self.name(&wish);
        self.known.insert(wish, name.clone());
        name
    }

    /// Returns the name of the bits of `piece` in a word of `bits` bits.
    pub(super) fn field(&mut self, bits: u8, hint: &str, piece: Piece, is_signed: bool) -> String {
        let place =
            SleighField { low: piece.position, high: piece.position + piece.width - 1, is_signed };
        let mut name = format!("{}_{}_{}", identifier(hint), place.low, place.high);
        if self.tokens.len() > 1 {
            let _ = write!(name, "_of{bits}");
        }
        if is_signed {
            name.push_str("_s");
        }
        let name = self.name_of(name);
        self.tokens.entry(bits).or_default().insert(name.clone(), place);
        name
    }

    /// Records a text that SLEIGH cannot express. SLEIGH has no escapes, interprets `_` as no text, and
    /// combines several spaces into one.
    fn check<'t>(&mut self, texts: impl IntoIterator<Item = &'t String>) {
        let is_plain = |c: char| (' '..='~').contains(&c) && c != '"';
        let wrong = texts.into_iter().find(|text| {
            let is_blank = text.len() > 1 && text.trim().is_empty();
            is_blank || *text == "_" || !text.chars().all(is_plain)
        });
        self.wrong = self.wrong.take().or_else(|| wrong.cloned());
    }

    /// Returns whether a field of a word has one bit.
    pub(super) fn is_bit(&self, name: &str) -> bool {
        let mut places = self.tokens.values().filter_map(|fields| fields.get(name));
        places.any(|place| place.low == place.high)
    }

    /// Sets the widths of words. It must be called before fields get names.
    pub(super) fn widths(&mut self, widths: impl Iterator<Item = u8>) {
        self.tokens = widths.map(|bits| (bits, BTreeMap::new())).collect();
    }

    /// Returns the name of `width` context bits, starting at bit `low`.
    pub(super) fn context(&mut self, low: u8, width: u8) -> String {
        let place = SleighField { low, high: low + width - 1, is_signed: false };
        let name = self.name_of(format!("x_{}_{}", place.low, place.high));
        self.context.insert(name.clone(), place);
        name
    }

    /// Returns a copy of a field whose values are printed from a list of texts.
    pub(super) fn with_texts(&mut self, field: &str, texts: &[Option<String>]) -> String {
        self.check(texts.iter().flatten());
        let number = attach(&mut self.texts, texts);
        let name = self.name_of(format!("{field}_t{number}"));
        self.alike(field, &name);
        self.texts[number].fields.insert(name.clone());
        name
    }

    /// Returns a copy of a field whose values are registers.
    pub(super) fn with_registers(&mut self, field: &str, names: &[Option<String>]) -> String {
        let number = attach(&mut self.variables, names);
        let name = self.name_of(format!("{field}_r{number}"));
        self.alike(field, &name);
        self.variables[number].fields.insert(name.clone());
        name
    }

    fn alike(&mut self, field: &str, name: &str) {
        for fields in self.tokens.values_mut().chain([&mut self.context]) {
            if let Some(place) = fields.get(field).copied() {
                fields.insert(name.to_owned(), place);
            }
        }
    }

    /// Returns the name of a table that consists of `constructors`.
    pub(super) fn table(&mut self, bits: u8, hint: &str, constructors: &[Constructor]) -> String {
        let constructors: Vec<Constructor> =
            constructors.iter().map(|one| self.without_repetitions(bits, one)).collect();
        let ends_blank = constructors.iter().any(Constructor::ends_blank);
        let nothing = if ends_blank { self.nothing(bits) } else { String::new() };
        let line = |one: &Constructor| {
            // If there is no value, SLEIGH would report that the table does not export a value.
            let value = if one.value.is_empty() { "0:1" } else { &one.value };
            format!("{} {{{} export {value}; }}", one.line(&nothing), one.does)
        };
        let lines: Vec<String> = constructors.iter().map(line).collect();
        let key = lines.join("\n");
        if let Some(name) = self.tables.get(&key) {
            return name.clone();
        }
        let name = self.name(hint);
        let size = constructors.iter().map(|one| self.size(one)).max();
        self.sizes.insert(name.clone(), size.unwrap_or_default());
        self.lines.extend(lines.iter().map(|line| format!("{name}: {line}")));
        self.lines.push(String::new());
        self.tables.insert(key, name.clone());
        name
    }

    /// Returns a constructor in which no symbol is printed twice, because SLEIGH forbids this. A
    /// second occurrence is replaced by a table that prints the symbol. Every constructor passes
    /// through this function, so it also checks the texts.
    fn without_repetitions(&mut self, bits: u8, one: &Constructor) -> Constructor {
        self.check(one.shown.iter().filter_map(|shown| match shown {
            OutputPart::Text(text) => Some(text),
            OutputPart::Symbol(_) => None,
        }));
        let mut known = BTreeSet::new();
        let mut all = one.clone();
        for shown in &mut all.shown {
            let OutputPart::Symbol(name) = shown else { continue };
            if !known.insert(name.clone()) {
                let again =
                    self.table(bits, &format!("{name}_again"), &[Constructor::symbol(name)]);
                all.pattern.push(again.clone());
                known.insert(again.clone());
                *name = again;
            }
        }
        all
    }

    /// Returns a table that matches every word and prints nothing.
    fn nothing(&mut self, bits: u8) -> String {
        let field = self.field(bits, "word", Piece { position: 0, width: 1 }, false);
        let case = |bit: u8| Constructor {
            pattern: vec![format!("{field}={bit}")],
            ..Constructor::default()
        };
        self.table(bits, "nothing", &[case(0), case(1)])
    }

    /// Returns the size of a constructor: 1 plus the sizes of its operands.
    fn size(&self, one: &Constructor) -> usize {
        1 + one.operands().map(|name| self.sizes.get(name).copied().unwrap_or(1)).sum::<usize>()
    }

    /// Adds an instruction. Returns an error if it has more operands than the disassembler of
    /// SLEIGH supports.
    pub(super) fn instruction(
        &mut self,
        bits: u8,
        one: &Constructor,
        semantics: &str,
    ) -> Result<(), ExportError> {
        let one = self.without_repetitions(bits, one);
        let nothing = if one.ends_blank() { self.nothing(bits) } else { String::new() };
        let (count, size) = (one.operands().count(), self.size(&one));
        if count > OPERANDS || size > SIZE {
            return Err(ExportError::new(format!(
                "too many operands: {count}, and {size} with the operands of tables; the disassembler of SLEIGH \
                 supports {OPERANDS} and {SIZE}"
            )));
        }
        let head =
            if matches!(one.shown.first(), Some(OutputPart::Symbol(_))) { ":^" } else { ":" };
        self.lines.push(format!("{head}{} {semantics}", one.line(&nothing)));
        Ok(())
    }

    /// Removes unused fields.
    pub(super) fn prune(&mut self) {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let lines = self.lines.iter().flat_map(|line| line.split(|c| !is_name(c)));
        let used: BTreeSet<&str> = lines.collect();
        for fields in self.tokens.values_mut().chain([&mut self.context]) {
            fields.retain(|name, _| used.contains(name.as_str()));
        }
        for all in [&mut self.texts, &mut self.variables] {
            all.iter_mut().for_each(|one| one.fields.retain(|name| used.contains(name.as_str())));
            all.retain(|one| !one.fields.is_empty());
        }
    }

    /// Returns the definitions that precede the tables.
    pub(super) fn definitions(&self) -> String {
        let mut text = String::new();
        let mut offset = 0;
        for (name, size) in &self.registers {
            let place = u32::from(*size).next_power_of_two();
            offset = u32::next_multiple_of(offset, place);
            let _ = writeln!(text, "define register offset={offset:#x} size={size} [ {name} ];");
            offset += place;
        }
        if !self.context.is_empty() {
            let bits = self.context.values().map(|place| u32::from(place.high) + 1).max();
            let size = bits.unwrap_or_default().div_ceil(32) * 4;
            let offset = offset.next_multiple_of(0x100);
            let _ =
                writeln!(text, "define register offset={offset:#x} size={size} [ contextreg ];");
            text.push_str("\ndefine context contextreg\n");
            for (name, SleighField { low, high, .. }) in &self.context {
                let _ = writeln!(text, "  {name}=({low},{high}) noflow");
            }
            text.push_str(";\n");
        }
        for (bits, fields) in &self.tokens {
            let _ = writeln!(text, "\ndefine token word{bits} ({bits})");
            for (name, SleighField { low, high, is_signed }) in fields {
                let signed = if *is_signed { " signed" } else { "" };
                let _ = writeln!(text, "  {name}=({low},{high}){signed}");
            }
            text.push_str(";\n");
        }
        attachments(&mut text, "names", &self.texts, |text| format!("\"{text}\""));
        attachments(&mut text, "variables", &self.variables, str::to_owned);
        text.push('\n');
        for name in &self.operations {
            let _ = writeln!(text, "define pcodeop {name};");
        }
        text
    }
}

/// Returns the index of a list, which is added if it is new.
fn attach(all: &mut Vec<Attachment>, values: &[Option<String>]) -> usize {
    all.iter().position(|known| known.values == values).unwrap_or_else(|| {
        all.push(Attachment { values: values.to_vec(), ..Attachment::default() });
        all.len() - 1
    })
}

fn attachments(text: &mut String, what: &str, all: &[Attachment], write: impl Fn(&str) -> String) {
    for Attachment { values, fields } in all {
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let _ = write!(text, "\nattach {what} [ {} ] [", fields.join(" "));
        for (place, value) in values.iter().enumerate() {
            text.push_str(if place % 16 == 0 { "\n  " } else { " " });
            match value {
                Some(value) => text.push_str(&write(value)),
                None => text.push('_'),
            }
        }
        text.push_str("\n];\n");
    }
}

/// Converts a text to a SLEIGH name: letters, digits and `_`, not beginning with a digit.
fn identifier(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = text.chars().map(plain).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name
    } else {
        format!("_{name}")
    }
}

/// Keywords of SLEIGH in lower case, and names that this export uses itself.
const KEYWORDS: [&str; 72] = [
    "abs",
    "alignment",
    "attach",
    "big",
    "bitrange",
    "borrow",
    "build",
    "call",
    "carry",
    "ceil",
    "const",
    "context",
    "contextreg",
    "cpool",
    "crossbuild",
    "dec",
    "default",
    "define",
    "delayslot",
    "disassembler",
    "endian",
    "epsilon",
    "export",
    "float2float",
    "floor",
    "flow",
    "globalset",
    "goto",
    "hex",
    "if",
    "instruction",
    "int2float",
    "inst_next",
    "inst_next2",
    "inst_ref",
    "inst_start",
    "is",
    "lcount",
    "local",
    "lzcount",
    "little",
    "macro",
    "names",
    "nan",
    "newobject",
    "noflow",
    "offset",
    "pcodeop",
    "popcount",
    "ram",
    "ram_space",
    "register",
    "register_space",
    "return",
    "round",
    "sborrow",
    "scarry",
    "segmentop",
    "sext",
    "signed",
    "size",
    "space",
    "sqrt",
    "token",
    "trunc",
    "type",
    "unimpl",
    "unique",
    "values",
    "variables",
    "wordsize",
    "zext",
];
