//! Parses and checks the JSON description of a set, and decodes and prints words with it.

mod at;
mod read;
mod text;

use isa_core::table::{Cube, Piece, extract};

pub use at::BadDescription;
pub(crate) use text::{Bits, Number, Part, Says, Text, float};

/// A set, parsed from its description in the [format of `isa-core`](isa_core::describe).
///
/// ```
/// use isa_export::description::Description;
///
/// isa_core::define_isa! {
///     /// One instruction.
///     pub isa Tiny: u16;
///     operand Reg: 8 = isa_core::operand::Reg;
///     enum Op: 8 { NEG = 1 }
///     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// }
///
/// let text = isa_core::describe::json(Tiny::SET).to_string();
/// let tiny: Description = text.parse()?;
/// let neg = tiny.decode(0x0107, 16).unwrap();
/// assert_eq!(tiny.text(neg, 0x0107), "NEG R7;");
/// assert!(tiny.decode(0x0207, 16).is_none());
///
/// let error = text.replace("0xff00", "xff00").parse::<Description>().unwrap_err();
/// assert!(error.to_string().starts_with("`opcodes[0].fixed[0]`: expected a text of at most 16 bits"));
/// # Ok::<(), isa_export::description::BadDescription>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) widths: Vec<u8>,
    pub(crate) any_case: bool,
    /// The name of the byte order of words in memory.
    pub(crate) byte_order: String,
    pub(crate) address_bits: usize,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) texts: Vec<Text>,
    pub(crate) groups: Vec<Group>,
    pub(crate) opcodes: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kind {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) width: u8,
    pub(crate) values: Vec<Value>,
    pub(crate) reserved: Vec<Cube>,
    pub(crate) text: Option<usize>,
    pub(crate) target: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Value {
    pub(crate) name: String,
    pub(crate) also: Vec<String>,
    pub(crate) raw: u64,
    pub(crate) doc: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) optype: bool,
    pub(crate) parents: Vec<String>,
}

/// An opcode or an alias of a [`Description`].
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) bits: u8,
    pub(crate) fixed: Cube,
    pub(crate) unused: u128,
    pub(crate) groups: Vec<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) illegal: Vec<Illegal>,
    pub(crate) mnemonic: String,
    pub(crate) syntax: String,
    pub(crate) operands: Vec<Operand>,
    pub(crate) views: Vec<View>,
    pub(crate) flow: Vec<Flow>,
    /// The operand of each `Lanes` line, and the lanes as the specification declares them.
    pub(crate) lanes: Vec<(String, String)>,
    /// The names of the rows that the parser tries before this opcode.
    pub(crate) after: Vec<String>,
    pub(crate) formats: Vec<Format>,
    pub(crate) prints: Vec<Print>,
    pub(crate) examples: Vec<String>,
    pub(crate) semantics: Option<String>,
    pub(crate) aliases: Vec<Alias>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) declared_in: String,
    pub(crate) kind: usize,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) fixed: Option<u64>,
    pub(crate) default: Option<u64>,
    /// Whether the field does not appear in any text.
    pub(crate) ignored: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Illegal {
    pub(crate) class: String,
    pub(crate) reason: String,
    pub(crate) condition: String,
    pub(crate) declared_in: String,
    pub(crate) words: Vec<Cube>,
    pub(crate) cases: Vec<Case>,
}

/// The control flow of some words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Flow {
    pub(crate) kind: String,
    pub(crate) or_next: bool,
    pub(crate) target: Option<String>,
    pub(crate) is_indirect: bool,
    pub(crate) condition: String,
    pub(crate) words: Vec<Cube>,
    pub(crate) cases: Vec<Case>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Case {
    pub(crate) when: Vec<Said>,
    pub(crate) words: Vec<Cube>,
}

/// A function of some bits, and the result that it must return.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    pub(crate) function: String,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) values: Vec<u8>,
    pub(crate) is: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Operand {
    pub(crate) field: String,
    pub(crate) access: String,
    pub(crate) bits: usize,
    pub(crate) format: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    pub(crate) slot: String,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) format: String,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Format {
    pub(crate) place: usize,
    pub(crate) name: String,
    pub(crate) text: usize,
    pub(crate) args: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Print {
    Text(String),
    Field(usize),
    Some { part: String, when: bool, values: Vec<(usize, u64)>, prints: Vec<Print> },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Alias {
    pub(crate) printed: bool,
    /// The words that are not printed as this alias, or `None` if they are not known.
    pub(crate) unless: Option<Vec<Cube>>,
    /// The names of the rows that the parser tries before this alias.
    pub(crate) after: Vec<String>,
    pub(crate) row: Row,
}

impl Said {
    pub(crate) fn holds(&self, word: u128) -> bool {
        let bit = extract(&self.pieces, word) as usize;
        let byte = self.values.get(bit / 8).copied().unwrap_or_default();
        (byte >> (bit % 8) & 1 == 1) == self.is
    }
}

impl Illegal {
    fn has(&self, word: u128) -> bool {
        let is_in = |cubes: &[Cube]| cubes.iter().any(|cube| cube.contains(word));
        let mut cases = self.cases.iter();
        is_in(&self.words)
            || cases.any(|case| case.when.iter().all(|said| said.holds(word)) && is_in(&case.words))
    }
}

/// A field of a [`Row`].
#[derive(Debug, Clone, Copy)]
pub struct FieldOf<'d> {
    /// The name.
    pub name: &'d str,
    /// The name of the field's value set or operand type.
    pub kind: &'d str,
    /// The bits, or an empty slice if the field has no bits.
    pub pieces: &'d [Piece],
    /// The value, if the field is fixed.
    pub fixed: Option<u64>,
}

impl Row {
    /// Returns the fixed bits.
    #[must_use]
    pub fn fixed(&self) -> Cube {
        self.fixed
    }

    /// Returns the fields. `of` must be the description that contains the row.
    pub fn fields<'d>(&'d self, of: &'d Description) -> impl Iterator<Item = FieldOf<'d>> {
        self.fields.iter().map(|field| FieldOf {
            name: &field.name,
            kind: of.kinds.get(field.kind).map_or("", |kind| &kind.name),
            pieces: &field.pieces,
            fixed: field.fixed,
        })
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the width of its words in bits.
    #[must_use]
    pub fn bits(&self) -> u8 {
        self.bits
    }

    pub(crate) fn pieces(&self, place: usize) -> &[Piece] {
        let view = || &self.views[place - self.fields.len()].pieces;
        self.fields.get(place).map_or_else(view, |field| &field.pieces)
    }

    /// Returns the value of a field or composite operand.
    pub(crate) fn value(&self, place: usize, word: u128) -> u64 {
        let fixed = self.fields.get(place).and_then(|field| field.fixed);
        match (self.pieces(place), fixed) {
            ([], Some(raw)) => raw,
            (pieces, _) => extract(pieces, word),
        }
    }

    /// Returns the reason why a word does not belong to the row, or `None` if the word belongs to it.
    pub(crate) fn refuses(&self, kinds: &[Kind], word: u128) -> Option<String> {
        if !self.fixed.contains(word) {
            let other = self.fields.iter().find(|field| {
                field.fixed.is_some_and(|raw| raw != extract(&field.pieces, word))
                    && !field.pieces.is_empty()
            });
            return Some(match other {
                Some(field) => format!("`{}` has another fixed value", field.name),
                None => "it has other fixed bits".to_owned(),
            });
        }
        let reserved = self.fields.iter().find(|field| {
            // A field without bits always has its fixed value.
            let value = u128::from(extract(&field.pieces, word));
            let mut reserved = kinds[field.kind].reserved.iter();
            !field.pieces.is_empty() && reserved.any(|cube| cube.contains(value))
        });
        if let Some(field) = reserved {
            let value = extract(&field.pieces, word);
            return Some(format!("`{}` has no value {value:#x}", kinds[field.kind].name));
        }
        if let Some(rule) = self.illegal.iter().find(|rule| rule.has(word)) {
            return Some(format!("{}: {}", rule.class, rule.reason));
        }
        (word & self.unused != 0).then(|| "unused bits are not 0".to_owned())
    }
}

impl Description {
    /// Returns the name of the set.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the opcode called `name`.
    #[must_use]
    pub fn opcode(&self, name: &str) -> Option<&Row> {
        self.opcodes.iter().find(|row| row.name == name)
    }

    /// Returns the opcode of a word of `bits` bits.
    #[must_use]
    pub fn decode(&self, word: u128, bits: u8) -> Option<&Row> {
        self.opcodes.iter().find(|row| row.bits == bits && self.is_row(row, word))
    }

    fn is_row(&self, row: &Row, word: u128) -> bool {
        row.fixed.contains(word) && row.refuses(&self.kinds, word).is_none()
    }

    /// Returns the text of a word of an opcode.
    #[must_use]
    pub fn text(&self, opcode: &Row, word: u128) -> String {
        let mut text = String::new();
        let row = self.spelling(opcode, word);
        self.print(row, &row.prints, word, &mut text);
        text
    }

    /// Returns the row that prints a word.
    fn spelling<'d>(&'d self, opcode: &'d Row, word: u128) -> &'d Row {
        let mut printed = opcode.aliases.iter().filter(|alias| alias.printed);
        let alias = printed.find(|alias| {
            let mut unless = alias.unless.iter().flatten();
            self.is_row(&alias.row, word) && !unless.any(|cube| cube.contains(word))
        });
        alias.map_or(opcode, |alias| &alias.row)
    }

    fn print(&self, row: &Row, prints: &[Print], word: u128, text: &mut String) {
        for print in prints {
            match print {
                Print::Text(fixed) => text.push_str(fixed),
                Print::Field(place) => self.field(row, *place, word, text),
                Print::Some { when, values, prints, .. } => {
                    let mut values = values.iter();
                    if values.all(|(place, raw)| row.value(*place, word) == *raw) == *when {
                        self.print(row, prints, word, text);
                    }
                }
            }
        }
    }

    fn field(&self, row: &Row, place: usize, word: u128, text: &mut String) {
        let value = row.value(place, word);
        let (own, args) = self.text_of(row, place);
        if let Some(own) = own {
            let args = args.iter().map(|arg| row.value(*arg, word));
            *text += &own.write(&std::iter::once(value).chain(args).collect::<Vec<_>>());
        } else if let Some(field) = row.fields.get(place) {
            text.push_str(&self.kinds[field.kind].name_of(value));
        }
    }

    /// Returns the text format of a field or composite operand, and the indexes of its arguments. The
    /// format is `None` if the values are printed by name.
    pub(crate) fn text_of<'d>(
        &'d self,
        row: &'d Row,
        place: usize,
    ) -> (Option<&'d Text>, &'d [usize]) {
        if let Some(format) = row.formats.iter().find(|format| format.place == place) {
            return (Some(&self.texts[format.text]), &format.args);
        }
        let field = row.fields.get(place);
        (field.and_then(|field| self.kinds[field.kind].text).map(|text| &self.texts[text]), &[])
    }
}

impl Kind {
    /// Returns the name of a value, or its number.
    pub(crate) fn name_of(&self, raw: u64) -> String {
        let value = self.values.iter().find(|value| value.raw == raw);
        value.map_or_else(|| format!("{raw:#x}"), |value| value.name.clone())
    }
}
