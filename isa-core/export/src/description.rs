//! The JSON description of a set as data: the model of the [format of `isa-core`](isa_core::describe),
//! its parser, and a decoder and printer that use only the description.
//!
//! The names of the fields are the keys of the JSON object. The parser checks every index and every
//! width, so code that uses a description can rely on them.

mod decode;
mod error;
mod operand_text;
mod parse;
mod validate;

use std::collections::BTreeMap;

use isa_core::table::{Cube, Piece};
use serde::Deserialize;

pub use error::{AtPath, DescriptionError};
pub(crate) use operand_text::float;
pub use operand_text::{ArgumentBits, DescribedPart, NumberText, OperandText, TextRule};
use parse::{
    access, byte_order, bytes, flow_kind, hex, hex64, little_endian, number, pattern, patterns,
    pieces, present, present_hex64, unless, widths,
};

/// A set, parsed from its description.
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
/// let error = text.replace("0xff00", "0x1ff00").parse::<Description>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`opcodes[0].fixed[0]`: expected a string of at most 16 bits, such as `\"0x1f\"`, found `\"0x1ff00\"`",
/// );
/// # Ok::<(), isa_export::description::DescriptionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Description {
    /// The name of the set.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// The widths of its words in bits, each once.
    #[serde(deserialize_with = "widths")]
    pub widths: Vec<u8>,
    /// Whether assembly text is accepted in any letter case.
    pub any_case: bool,
    /// The name of the byte order of words in memory. Older descriptions do not contain this key.
    #[serde(default = "little_endian", deserialize_with = "byte_order")]
    pub byte_order: String,
    /// The width of an address in bits. Older descriptions do not contain this key.
    #[serde(default = "address_bits_of_old", deserialize_with = "number::<8, 64, _, _>")]
    pub address_bits: usize,
    /// The value sets and operand types of the fields.
    pub kinds: Vec<FieldType>,
    /// The assembly syntax of operands.
    pub texts: Vec<OperandText>,
    /// The groups and optypes. Each call that a set includes lists its groups, so a group can occur
    /// several times.
    pub groups: Vec<GroupDescription>,
    /// The properties that opcodes have.
    #[serde(default)]
    pub properties: Vec<PropertyDescription>,
    /// The opcodes.
    pub opcodes: Vec<OpcodeDescription>,
}

/// Returns the width of addresses in a description that does not specify it.
fn address_bits_of_old() -> usize {
    64
}

/// The type of a field: a value set or an operand type.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FieldType {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// The number of bits of a value.
    #[serde(deserialize_with = "number::<0, 64, _, _>")]
    pub width: u8,
    /// The values of a value set. An operand type has none.
    pub values: Vec<NamedValue>,
    /// Patterns of values that do not exist.
    #[serde(deserialize_with = "patterns")]
    pub reserved: Vec<Cube>,
    /// The index in [`Description::texts`] of an operand type.
    #[serde(default, deserialize_with = "present")]
    pub text: Option<usize>,
    /// Whether values are targets of branches.
    #[serde(default)]
    pub target: bool,
}

/// A value of a value set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct NamedValue {
    /// The printed name.
    pub name: String,
    /// Other names that are accepted.
    #[serde(default)]
    pub also: Vec<String>,
    /// The value of the field.
    #[serde(deserialize_with = "hex64")]
    pub raw: u64,
    /// The documentation.
    pub doc: String,
}

/// A group or an optype.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct GroupDescription {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// Whether it is an optype.
    pub optype: bool,
    /// The names of the groups that it inherits from.
    pub parents: Vec<String>,
}

/// A property of opcodes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PropertyDescription {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// `bool`, a number type such as `u8`, or the name of a value set in [`Description::kinds`].
    #[serde(rename = "type")]
    pub type_name: String,
}

/// The value of a property.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum PropertyValue {
    /// A value of the type `bool`.
    Bool(bool),
    /// A number.
    Number(i64),
    /// The name of a value in a value set.
    Named(String),
}

impl std::fmt::Display for PropertyValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PropertyValue::Bool(value) => value.fmt(f),
            PropertyValue::Number(value) => value.fmt(f),
            PropertyValue::Named(name) => f.pad(name),
        }
    }
}

/// An opcode, or the row of an alias.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OpcodeDescription {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// The width of its words in bits.
    #[serde(deserialize_with = "number::<0, 128, _, _>")]
    pub bits: u8,
    /// The words that are shorter, if there are any.
    #[serde(default, deserialize_with = "present")]
    pub short: Option<ShortWordDescription>,
    /// The fixed bits.
    #[serde(deserialize_with = "pattern")]
    pub fixed: Cube,
    /// A mask of the bits that must be 0.
    #[serde(deserialize_with = "hex")]
    pub unused: u128,
    /// The names of the groups that it inherits from.
    pub groups: Vec<String>,
    /// The fields.
    pub fields: Vec<FieldDescription>,
    /// The exceptions: combinations of values that are invalid.
    pub illegal: Vec<InvalidCombination>,
    /// The mnemonic.
    pub mnemonic: String,
    /// The syntax template.
    pub syntax: String,
    /// The operands that are read and written.
    pub operands: Vec<OperandAccess>,
    /// The composite operands, which consist of the bits of several fields.
    pub views: Vec<CompositeOperand>,
    /// The control flow. The first row that applies to a word is used.
    #[serde(default)]
    pub flow: Vec<FlowRule>,
    /// The lanes of operands that are read and written.
    #[serde(default)]
    pub lanes: Vec<LaneAccess>,
    /// The names of the rows that the parser tries before this opcode.
    #[serde(default)]
    pub after: Vec<String>,
    /// The values of the properties, by name. The row of an alias has none.
    #[serde(default)]
    pub properties: BTreeMap<String, PropertyValue>,
    /// The formats that print operands.
    pub formats: Vec<OperandFormat>,
    /// The parts of the printed text.
    pub prints: Vec<PrintPart>,
    /// Examples in assembly.
    pub examples: Vec<String>,
    /// The source of the semantic function.
    #[serde(default, deserialize_with = "present")]
    pub semantics: Option<String>,
    /// The aliases and synonyms, in the order in which the printer tries them.
    pub aliases: Vec<AliasDescription>,
}

/// The words of an opcode that are shorter than its width.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ShortWordDescription {
    /// The width of these words in bits.
    #[serde(deserialize_with = "number::<0, 128, _, _>")]
    pub bits: u8,
    /// The condition of the long words in the syntax of the specification.
    pub condition: String,
    /// The patterns of the long words.
    #[serde(deserialize_with = "patterns")]
    pub long: Vec<Cube>,
}

/// A field of an opcode or alias.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FieldDescription {
    /// The name.
    pub name: String,
    /// The documentation.
    pub doc: String,
    /// The name of the group, opcode or alias that declares the field.
    pub declared_in: String,
    /// The index of the type in [`Description::kinds`].
    pub kind: usize,
    /// The bits, or an empty list if the field has no bits.
    #[serde(deserialize_with = "pieces")]
    pub pieces: Vec<Piece>,
    /// The value, if the field is fixed.
    #[serde(default, deserialize_with = "present_hex64")]
    pub fixed: Option<u64>,
    /// The value if the text does not contain the field.
    #[serde(default, deserialize_with = "present_hex64")]
    pub default: Option<u64>,
    /// Whether the field does not appear in any text.
    #[serde(default)]
    pub ignored: bool,
}

/// A combination of field values that is invalid.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct InvalidCombination {
    /// The class of the exception.
    pub class: String,
    /// The reason.
    pub reason: String,
    /// The condition in the syntax of the specification.
    pub condition: String,
    /// The name of the group or opcode that declares the exception.
    pub declared_in: String,
    /// Patterns of invalid words.
    #[serde(deserialize_with = "patterns")]
    pub words: Vec<Cube>,
    /// Further invalid words, which depend on Rust functions.
    #[serde(default)]
    pub cases: Vec<ConditionCase>,
}

/// The control flow of some words.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FlowRule {
    /// `next`, `branch`, `call`, `return`, `stop` or `trap`.
    #[serde(deserialize_with = "flow_kind")]
    pub kind: String,
    /// Whether execution may also continue with the next instruction.
    pub or_next: bool,
    /// The name of the field that contains the target.
    #[serde(default, deserialize_with = "present")]
    pub target: Option<String>,
    /// Whether memory contains the target, at the address in the field.
    #[serde(default, rename = "indirect")]
    pub is_indirect: bool,
    /// The condition in the syntax of the specification. It is empty if there is none.
    pub condition: String,
    /// Patterns of words to which the rule applies.
    #[serde(deserialize_with = "patterns")]
    pub words: Vec<Cube>,
    /// Further such words, which depend on Rust functions.
    #[serde(default)]
    pub cases: Vec<ConditionCase>,
}

/// Words for which Rust functions return given results.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ConditionCase {
    /// The functions and their results.
    pub when: Vec<FunctionResult>,
    /// Patterns of the words.
    #[serde(deserialize_with = "patterns")]
    pub words: Vec<Cube>,
}

/// A Rust function of some bits, and the result that it must return.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct FunctionResult {
    /// The call in the syntax of the specification.
    pub function: String,
    /// The bits on which the function depends.
    #[serde(deserialize_with = "pieces")]
    pub pieces: Vec<Piece>,
    /// One bit for each value of the pieces: whether the function returns true.
    #[serde(deserialize_with = "bytes")]
    pub values: Vec<u8>,
    /// The result.
    pub is: bool,
}

/// An operand that an opcode reads or writes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OperandAccess {
    /// The name of the field.
    pub field: String,
    /// `read`, `write` or `read-write`.
    #[serde(deserialize_with = "access")]
    pub access: String,
    /// The width of the operand in bits, or 0 if the specification does not declare it.
    #[serde(deserialize_with = "number::<0, 65535, _, _>")]
    pub bits: usize,
    /// The name of the format that prints the operand.
    #[serde(default, deserialize_with = "present")]
    pub format: Option<String>,
}

/// The lanes of an operand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LaneAccess {
    /// The name of the operand's field.
    pub field: String,
    /// The width of a lane in bits.
    #[serde(deserialize_with = "number::<1, 65535, _, _>")]
    pub bits: usize,
    /// The lanes that are used: a binary number, the name of a field, or a call of a Rust function.
    /// If it is missing, all lanes are used.
    #[serde(default, deserialize_with = "present")]
    pub mask: Option<String>,
    /// The number of lanes, if the width of the operand depends on fields: a call of a Rust function.
    #[serde(default, deserialize_with = "present")]
    pub count: Option<String>,
}

/// An operand that consists of the bits of several fields.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CompositeOperand {
    /// The name of the placeholder in the syntax template.
    pub slot: String,
    /// The bits.
    #[serde(deserialize_with = "pieces")]
    pub pieces: Vec<Piece>,
    /// The name of the format that prints it.
    pub format: String,
}

/// A format that prints a field or a composite operand.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct OperandFormat {
    /// The index of the field or, after the fields, of the composite operand.
    pub place: usize,
    /// The name of the format.
    pub name: String,
    /// The index in [`Description::texts`].
    pub text: usize,
    /// The indexes of the fields that are arguments.
    pub args: Vec<usize>,
}

/// A part of the printed text of an opcode or alias.
#[derive(Debug, Clone, PartialEq)]
pub enum PrintPart {
    /// A constant text.
    Text(String),
    /// The index of a field or, after the fields, of a composite operand.
    Field(usize),
    /// Parts that are printed only for some words.
    Optional(OptionalPart),
}

/// Parts that are printed only for words whose fields have given values.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionalPart {
    /// `modifier`, `setting`, `mark`, `suffix` or `optional`.
    pub part: String,
    /// Whether the parts are printed if all fields have the values. Otherwise the parts are printed if
    /// at least one field has another value.
    pub when: bool,
    /// The indexes of fields, and their values.
    pub values: Vec<(usize, u64)>,
    /// The parts.
    pub prints: Vec<PrintPart>,
}

/// Another spelling of some words of an opcode.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AliasDescription {
    /// Whether words are printed as this alias. Otherwise it is only accepted.
    pub printed: bool,
    /// Patterns of words that are not printed as this alias, or `None` if they are not known.
    #[serde(deserialize_with = "unless")]
    pub unless: Option<Vec<Cube>>,
    /// The names of the rows that the parser tries before this alias.
    pub after: Vec<String>,
    /// The alias as a row. Its words have the width of the opcode.
    pub row: OpcodeDescription,
}
