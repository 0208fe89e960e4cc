//! The parts of a SLEIGH specification, as they are collected, and how they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use isa_core::table::Piece;

use super::constructor::{Constructor, Shown};
use crate::Refused;

/// The most operands of one constructor, and of an instruction with all its tables: what Ghidra's
/// disassembler in C++ has room for, beyond which it writes where it must not.
const OPERANDS: usize = 20;
const SIZE: usize = 75;

/// A field of a token or of the context: its lowest and its highest bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    low: u8,
    high: u8,
    is_signed: bool,
}

/// What texts or registers the values of some fields stand for.
#[derive(Debug, Default)]
struct Attached {
    values: Vec<Option<String>>,
    fields: BTreeSet<String>,
}

/// All that is written.
#[derive(Debug, Default)]
pub(super) struct Spec {
    /// By the width of the word, the fields by their names.
    tokens: BTreeMap<u8, BTreeMap<String, Place>>,
    context: BTreeMap<String, Place>,
    texts: Vec<Attached>,
    variables: Vec<Attached>,
    /// The registers in the order of their places, and their sizes in bytes.
    pub(super) registers: Vec<(String, u16)>,
    /// Tables: the name by the lines without the name, and all lines in their order.
    tables: BTreeMap<String, String>,
    /// How many operands the tables have together with those of their operands.
    sizes: BTreeMap<String, usize>,
    names: BTreeSet<String>,
    /// The names of fields, by what they would be called if nothing else were.
    known: BTreeMap<String, String>,
    pub(super) lines: Vec<String>,
    pub(super) operations: Vec<String>,
    /// A text that SLEIGH cannot write.
    pub(super) wrong: Option<String>,
    /// What is not as the set has it, with the reason.
    pub(super) notes: BTreeSet<String>,
}

impl Spec {
    /// A name that nothing else has, in any letter case.
    pub(super) fn name(&mut self, wish: &str) -> String {
        let wish = identifier(wish);
        let numbered = (2..).map(|number| format!("{wish}_{number}"));
        let mut names = std::iter::once(wish.clone()).chain(numbered);
        let free = names.find(|name| {
            !KEYWORDS.contains(&name.as_str()) && self.names.insert(name.to_lowercase())
        });
        free.unwrap_or(wish)
    }

    /// The name of a thing that is met several times: `wish`, if nothing else has it.
    pub(super) fn name_of(&mut self, wish: String) -> String {
        if let Some(name) = self.known.get(&wish) {
            return name.clone();
        }
        let name = self.name(&wish);
        self.known.insert(wish, name.clone());
        name
    }

    /// The name of some bits of a word.
    pub(super) fn field(&mut self, bits: u8, hint: &str, piece: Piece, is_signed: bool) -> String {
        let place =
            Place { low: piece.position, high: piece.position + piece.width - 1, is_signed };
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

    /// Remembers a text that SLEIGH cannot write: it has no way to quote, takes `_` for no text, and blanks
    /// for one blank.
    fn check<'t>(&mut self, texts: impl IntoIterator<Item = &'t String>) {
        let is_plain = |c: char| (' '..='~').contains(&c) && c != '"';
        let wrong = texts.into_iter().find(|text| {
            let is_blank = text.len() > 1 && text.trim().is_empty();
            is_blank || *text == "_" || !text.chars().all(is_plain)
        });
        self.wrong = self.wrong.take().or_else(|| wrong.cloned());
    }

    /// Whether a field of a word is one bit.
    pub(super) fn is_bit(&self, name: &str) -> bool {
        let mut places = self.tokens.values().filter_map(|fields| fields.get(name));
        places.any(|place| place.low == place.high)
    }

    /// Says which widths words have, before fields get names.
    pub(super) fn widths(&mut self, widths: impl Iterator<Item = u8>) {
        self.tokens = widths.map(|bits| (bits, BTreeMap::new())).collect();
    }

    /// The name of some bits of the context, which begin at a multiple of what they need.
    pub(super) fn context(&mut self, low: u8, width: u8) -> String {
        let place = Place { low, high: low + width - 1, is_signed: false };
        let name = self.name_of(format!("x_{}_{}", place.low, place.high));
        self.context.insert(name.clone(), place);
        name
    }

    /// A field like one of that name, whose values are written by texts.
    pub(super) fn with_texts(&mut self, field: &str, texts: &[Option<String>]) -> String {
        self.check(texts.iter().flatten());
        let number = attach(&mut self.texts, texts);
        let name = self.name_of(format!("{field}_t{number}"));
        self.alike(field, &name);
        self.texts[number].fields.insert(name.clone());
        name
    }

    /// A field like one of that name, whose values stand for registers.
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

    /// The name of a table with these constructors.
    pub(super) fn table(&mut self, bits: u8, hint: &str, constructors: &[Constructor]) -> String {
        let constructors: Vec<Constructor> =
            constructors.iter().map(|one| self.without_repetitions(bits, one)).collect();
        let ends_blank = constructors.iter().any(Constructor::ends_blank);
        let nothing = if ends_blank { self.nothing(bits) } else { String::new() };
        let line = |one: &Constructor| {
            // Without a value, SLEIGH takes a table for one that forgets what it means.
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

    /// A constructor in which no symbol is shown twice, which SLEIGH forbids: in its place stands a table
    /// that shows it. Each constructor comes through here, so that its texts are checked.
    fn without_repetitions(&mut self, bits: u8, one: &Constructor) -> Constructor {
        self.check(one.shown.iter().filter_map(|shown| match shown {
            Shown::Text(text) => Some(text),
            Shown::Symbol(_) => None,
        }));
        let mut known = BTreeSet::new();
        let mut all = one.clone();
        for shown in &mut all.shown {
            let Shown::Symbol(name) = shown else { continue };
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

    /// A table that fits every word and shows nothing.
    fn nothing(&mut self, bits: u8) -> String {
        let field = self.field(bits, "word", Piece { position: 0, width: 1 }, false);
        let case = |bit: u8| Constructor {
            pattern: vec![format!("{field}={bit}")],
            ..Constructor::default()
        };
        self.table(bits, "nothing", &[case(0), case(1)])
    }

    /// How many operands a constructor has together with those of its operands, itself counted.
    fn size(&self, one: &Constructor) -> usize {
        1 + one.operands().map(|name| self.sizes.get(name).copied().unwrap_or(1)).sum::<usize>()
    }

    /// An instruction. Errors: it has more operands than the disassembler of SLEIGH has room for.
    pub(super) fn instruction(
        &mut self,
        bits: u8,
        one: &Constructor,
        semantics: &str,
    ) -> Result<(), Refused> {
        let one = self.without_repetitions(bits, one);
        let nothing = if one.ends_blank() { self.nothing(bits) } else { String::new() };
        let (count, size) = (one.operands().count(), self.size(&one));
        if count > OPERANDS || size > SIZE {
            return Err(Refused::new(format!(
                "{count} operands, {size} with those of tables: the disassembler of SLEIGH has room for \
                 {OPERANDS} and {SIZE}"
            )));
        }
        let head = if matches!(one.shown.first(), Some(Shown::Symbol(_))) { ":^" } else { ":" };
        self.lines.push(format!("{head}{} {semantics}", one.line(&nothing)));
        Ok(())
    }

    /// Drops fields that nothing uses.
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

    /// The definitions that stand before the tables.
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
            for (name, Place { low, high, .. }) in &self.context {
                let _ = writeln!(text, "  {name}=({low},{high}) noflow");
            }
            text.push_str(";\n");
        }
        for (bits, fields) in &self.tokens {
            let _ = writeln!(text, "\ndefine token word{bits} ({bits})");
            for (name, Place { low, high, is_signed }) in fields {
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

/// The number of a list, which is one more if it is new.
fn attach(all: &mut Vec<Attached>, values: &[Option<String>]) -> usize {
    all.iter().position(|known| known.values == values).unwrap_or_else(|| {
        all.push(Attached { values: values.to_vec(), ..Attached::default() });
        all.len() - 1
    })
}

fn attachments(text: &mut String, what: &str, all: &[Attached], write: impl Fn(&str) -> String) {
    for Attached { values, fields } in all {
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

/// What SLEIGH reads as a name: letters, digits and `_`, no digit first.
fn identifier(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = text.chars().map(plain).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name
    } else {
        format!("_{name}")
    }
}

/// Words of SLEIGH, in lower case, and names that this export uses itself.
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
