//! The tables that `define_isa!` generates and that the rest of this crate uses.
//!
//! A specification becomes data: each opcode becomes a row, an [`Opcode`], which shares [`Field`]s,
//! [`Kind`]s and [`Syntax`] templates with related opcodes. The decoder, the printer, the parser
//! and the explanation of a word are loops over these rows; they are not generated.
//! [`InstructionSet`] contains all rows of a set. `SET` of a set's enum and `OPCODE` of an
//! instruction's type return these tables.
//!
//! If the `machine` item of a set classifies the methods of the machine, each row with semantics also
//! contains their [`Effects`]: whether they may read the program counter, jump, access memory, or
//! trap. A simulator can then check in advance that a sequence of instructions neither jumps nor traps.
//!
//! All words are stored in a `u128`, a narrower word in its low bits. Field values have at most 64
//! bits.

pub use crate::bits::Cube;
pub use crate::operand::{Chunk, Kind, Text, Value};
pub use crate::text::{ShortText, short_texts};

mod bytes;
mod candidates;
mod conditions;
mod decode_tree;
mod effects;
mod feature;
mod field;
mod field_bits;
mod flow;
mod lanes;
mod layout;
mod lineage;
mod mnemonic;
mod parse_program;
mod print_program;
mod property;
mod row_sharing;
mod short_word;
#[cfg(feature = "alloc")]
mod specialized;
mod text_pool;
mod validity_check;

pub use bytes::ByteOrder;
pub use candidates::Candidates;
pub use conditions::{ConditionCase, FunctionResult, TruthTable, are_disjoint};
#[doc(hidden)]
pub use decode_tree::nodes;
pub use decode_tree::{DecodeNode, DecodeRoot, DecodeTree};
pub use effects::Effects;
pub use feature::{Feature, FeatureError, FeatureSet, Requirement};
#[doc(hidden)]
pub use field::{Field, Init, Piece, extract, insert};
pub(crate) use field_bits::Changes;
pub use field_bits::{FieldBits, ValueBits, ValueLayout};
#[doc(hidden)]
pub use field_bits::{places, read_places};
pub use flow::{Flow, FlowKind, FlowRow, FlowTarget};
#[doc(hidden)]
pub use lanes::lanes_fit;
pub use lanes::{LaneMask, LaneRow, Lanes};
pub(crate) use layout::AT_ONCE;
pub use layout::{MAX_ARGS, MAX_SYMBOLS, assert_layout};
#[doc(hidden)]
pub use lineage::LineageTable;
pub use lineage::{Group, Lineage, described, described_doc};
pub use mnemonic::{Finder, Mnemonic};
pub(crate) use parse_program::Plain;
pub use parse_program::{
    ParseAffix, ParseArg, ParseBranch, ParseKind, ParseName, ParseNames, ParseProgram, ParseSlot,
    ParseStep, ParseSuffix,
};
#[doc(hidden)]
pub use print_program::steps;
pub use print_program::{PrintProgram, PrintStep};
pub use property::{Properties, Property, PropertyType, PropertyValue};
#[doc(hidden)]
pub use property::{PropertyList, TypedProperty, with_properties};
#[doc(hidden)]
pub use row_sharing::{
    both, field_lists, fields, opcodes, ordered, pick, rows, step_lists, syntaxes,
};
pub use short_word::ShortWord;
pub use text_pool::{BitGather, TextPool};
#[doc(hidden)]
pub use text_pool::{GroupPart, defaults, pool, sizes, sum, texts_of, whole};
pub use validity_check::{ValidityCheck, ValidityTable};

use crate::text::{Line, Message};

/// An invalid combination of field values, from an `exception` section.
#[derive(Debug)]
pub struct Exception {
    /// The class of the error, for example `IllegalBitFieldCombination`.
    pub class: &'static str,
    /// The reason, as written in the specification.
    pub reason: &'static str,
    /// The source text of the condition under which the combination is invalid.
    pub condition: &'static str,
    /// The group, optype or opcode that declares the exception.
    pub declared_in: &'static str,
    /// The condition as masked patterns: a word that matches any of them is invalid.
    pub cubes: &'static [Cube],
    /// If the condition calls functions: a word in any of these cases is also invalid.
    pub cases: &'static [ConditionCase],
}

impl Exception {
    /// Returns whether this exception rejects a word.
    #[must_use]
    pub fn excludes(&self, word: u128) -> bool {
        self.cubes.iter().any(|cube| cube.contains(word))
            || self.cases.iter().any(|case| case.contains(word))
    }
}

/// The access of an instruction to an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// The operand is in `InList`.
    Read,
    /// The operand is in `OutList`.
    Write,
    /// The operand is in both lists.
    ReadWrite,
}

impl Access {
    /// Returns the name of the access in printed text and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::ReadWrite => "read-write",
        }
    }
}

/// An operand of an opcode.
#[derive(Debug)]
pub struct OperandRow {
    /// The field, as an index into [`Opcode::fields`].
    pub field: u8,
    /// Whether it is read, written, or both.
    pub access: Access,
    /// The width of the operand's value in bits: the `Bitwidth` of the specification, or else the
    /// width of the operand type, or else 0.
    pub bits: u16,
}

impl OperandRow {
    /// Creates the operand for the field with the index `field`.
    #[must_use]
    pub const fn new(field: u8, access: Access, bits: u16) -> Self {
        OperandRow { field, access, bits }
    }
}

/// The text format of one field or composite operand, from an `AsmFormat` line.
#[derive(Debug)]
pub struct Format {
    /// The field, as an index into [`Opcode::fields`]. Larger indexes continue in [`Opcode::views`].
    pub field: u8,
    /// The name in the specification, for example `CvtFImm`.
    pub name: &'static str,
    /// The functions of the format.
    pub text: &'static Text,
    /// The fields that are the arguments of the format, as indexes into [`Opcode::fields`].
    pub args: &'static [u8],
}

/// The value in [`Opcode::bind`] if the opcode has no field for a placeholder of the syntax.
pub const ABSENT: u8 = u8::MAX;

/// An opcode: a row of the instruction set.
#[derive(Debug, Clone, Copy)]
pub struct Opcode {
    /// The name in the specification, for example `HADD2_RR`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The width of the word in bits, the larger one if the opcode also has short words.
    pub bits: u8,
    /// The words that are shorter, if there are any. See [`Opcode::width_of`].
    pub short: Option<&'static ShortWord>,
    /// The fixed bits.
    pub fixed: Cube,
    /// The bits that no field covers; they must be 0.
    pub unused: u128,
    /// The check for valid words. It includes fixed and unused bits, reserved values and
    /// exceptions.
    pub screen: ValidityCheck,
    /// All fields, inherited ones first.
    pub fields: &'static [&'static Field],
    /// The composite operands, each as a field with the bits of all its fields: for example the
    /// placeholder `amount` in `AsmFormat<amount: immr, imms> = Shift();`. Indexes of fields
    /// continue in this list: the first composite operand has the index `fields.len()`.
    pub views: &'static [&'static Field],
    /// All exceptions, inherited ones first.
    pub exceptions: &'static [&'static Exception],
    /// The requirements of the opcode and of its values, inherited ones first.
    pub requires: &'static [&'static Requirement],
    /// The assembly syntax, shared by all opcodes of an optype.
    pub syntax: &'static Syntax,
    /// For each placeholder of the syntax, the index of its field in `fields`, or [`ABSENT`].
    /// Indexes of composite operands continue after the last field.
    pub bind: &'static [u8],
    /// The operands in the order of the syntax.
    pub operands: &'static [OperandRow],
    /// The text formats of fields that have one.
    pub formats: &'static [Format],
    /// Example lines from the specification. Without the crate's feature `describe` there are none.
    pub examples: &'static [&'static str],
    /// The groups that the opcode inherits from, and the source text of its semantics.
    pub lineage: Lineage,
    /// The opcode's print program.
    pub program: PrintProgram,
    /// The result of [`Opcode::initial`], computed in advance.
    pub start: u128,
    /// Other spellings of some of the opcode's words. A word is printed as the first alias that has
    /// `printed` set, contains the word, and has no row in its `after` that accepts the text.
    pub aliases: &'static [Alias],
    /// The rows that the parser tries before this row. They are the opcodes that `else NAME, ...`
    /// lists. If it lists a group, they are the opcodes of the group that have the mnemonic of this
    /// row.
    pub after: &'static [&'static Opcode],
    /// The rows of a `flow` section: the first row that [matches](FlowRow::is_of) a word applies.
    /// If there is none, execution continues with the next instruction. See [`Opcode::flow`].
    pub flow: &'static [FlowRow],
    /// The lanes of the operands that the opcode reads or writes, if the specification declares them.
    /// See [`crate::Operand::lanes`].
    pub lanes: &'static [&'static LaneRow],
    /// The properties, for example a latency.
    pub properties: Properties,
    /// The bits of `ignored` fields, which do not appear in assembly text.
    pub ignored: u128,
    /// The width of addresses in bits, 64 unless the set declares another. Targets wrap around at
    /// this width.
    pub address_bits: u8,
    /// The effects of the semantics on the machine.
    pub effects: Effects,
}

/// Another spelling of some words of an opcode: an `alias` or a `synonym` of the specification.
#[derive(Debug)]
pub struct Alias {
    /// The alias as an opcode. It has the same fields as its opcode, but fixes the values of some more
    /// fields, and has its own template.
    pub row: &'static Opcode,
    /// Whether words are printed in this spelling. If false, it is only accepted on input.
    pub printed: bool,
}

impl Opcode {
    /// An opcode without bits and with empty lists, from which rows are created.
    pub const NONE: Opcode = Opcode {
        name: "",
        doc: "",
        bits: 0,
        short: None,
        fixed: Cube { mask: 0, value: 0 },
        unused: 0,
        screen: ValidityCheck::of(128, Cube { mask: 0, value: 0 }, 0, &[]),
        fields: &[],
        views: &[],
        exceptions: &[],
        requires: &[],
        syntax: &Syntax::NONE,
        bind: &[],
        operands: &[],
        formats: &[],
        examples: &[],
        lineage: Lineage::NONE,
        program: PrintProgram::NONE,
        start: 0,
        aliases: &[],
        after: &[],
        flow: &[],
        lanes: &[],
        properties: Properties::NONE,
        ignored: 0,
        address_bits: 64,
        effects: Effects::UNKNOWN,
    };

    /// Returns the target addresses that the fields of a word contain, for an instruction at
    /// `address`.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// Jumps alone.
    /// #     pub isa Jumps: u16;
    /// #     operand Jump: 12 = isa_core::operand::Relative<12, 1>;
    /// #     opcode J { encoding { field<0, 12> Jump to; } syntax { J to; } }
    /// # }
    /// let word = Jumps::decode(0xffc).unwrap();
    /// let targets = word.opcode().targets(0xffc, 0x1000);
    /// assert_eq!(targets.collect::<Vec<_>>(), [0xff8]);
    /// ```
    pub fn targets(&self, word: u128, address: u64) -> impl Iterator<Item = u64> {
        self.fields.iter().filter_map(move |field| self.target(field, word, address))
    }

    /// Returns the address that a field of the opcode refers to.
    pub(crate) fn target(&self, field: &Field, word: u128, address: u64) -> Option<u64> {
        let target = field.kind.target(field.get(word), address)?;
        Some(self.within(target))
    }

    /// Truncates an address to the width of the set's addresses.
    pub(crate) const fn within(&self, address: u64) -> u64 {
        address & !u64::MAX.unbounded_shl(self.address_bits as u32)
    }

    /// Returns the field or composite operand at index `place`.
    #[inline]
    #[must_use]
    pub fn at(&self, place: usize) -> Option<&'static Field> {
        let view = || self.views.get(place.checked_sub(self.fields.len())?);
        self.fields.get(place).or_else(view).copied()
    }

    /// Returns the field that is bound to the placeholder `symbol`, with the index of the field.
    #[inline]
    pub(crate) fn bound(&self, symbol: u8) -> Option<(usize, &'static Field)> {
        let index = *self.bind.get(usize::from(symbol))?;
        if index == ABSENT {
            return None;
        }
        Some((index.into(), self.at(index.into())?))
    }

    /// Returns the word with the defaults of all trailing attributes. The text without attributes
    /// ([`Style::without_attributes`](crate::text::Style::without_attributes)) assembles to this word.
    #[must_use]
    pub fn without_attributes(&self, word: u128) -> u128 {
        let symbols = self.syntax.after.iter().filter_map(|item| match item {
            Item::Tags(symbols) => Some(*symbols),
            _ => None,
        });
        let fields = symbols.flatten().filter_map(|&symbol| self.bound(symbol));
        fields.fold(word, |word, (_, field)| match field.init {
            Init::Default(value) => field.set(word, value),
            Init::Fixed(_) | Init::Required => word,
        })
    }

    /// Returns whether all texts of the opcode and of its aliases are certainly parsed as the words
    /// that they were printed from. Returns false if an operand type, a format, an ignored field, or a
    /// row in `after` may prevent this.
    pub(crate) fn always_reads_back(&self) -> bool {
        let rows = core::iter::once(self).chain(self.aliases.iter().map(|alias| alias.row));
        rows.into_iter().all(|row| {
            let kinds = row.fields.iter().filter_map(|field| field.kind.text);
            let mut texts = kinds.chain(row.formats.iter().map(|format| format.text));
            row.ignored == 0 && texts.all(|text| text.reads_back.is_none())
        }) && self.after.is_empty()
    }

    /// Returns the word that the text of `word` is parsed as: `ignored` fields, which do not appear in
    /// the text, have their defaults.
    #[must_use]
    pub const fn written(&self, word: u128) -> u128 {
        if self.ignored == 0 {
            return word;
        }
        word & !self.ignored | self.initial() & self.ignored
    }

    /// Returns the word with all fixed and default values, and 0 in required fields.
    #[must_use]
    pub const fn initial(&self) -> u128 {
        let (mut i, mut word) = (0, 0);
        while i < self.fields.len() {
            let field = self.fields[i];
            if let Init::Fixed(raw) | Init::Default(raw) = field.init {
                word = field.set(word, raw);
            }
            i += 1;
        }
        word
    }
}

/// The assembly syntax of an optype: its template in a form that can be printed and parsed.
///
/// Each position in a template that represents a field is a *placeholder*. The names of the
/// placeholders are in [`Syntax::symbols`], for example `hfmt_v2`, `Rd`, `SrcB` and `SrcB.neg`; the
/// rest of the template refers to a placeholder by its index in this list. Each opcode binds the
/// placeholders to its own fields, by name or, for operands, by its `Order` line.
#[derive(Debug, Clone, Copy)]
pub struct Syntax {
    /// The mnemonic, for example `HADD2`.
    pub mnemonic: &'static str,
    /// The names of the placeholders: operands, modifiers, operators and trailing attributes.
    pub symbols: &'static [&'static str],
    /// The items before the mnemonic: the guard.
    pub before: &'static [Item],
    /// The modifiers of the mnemonic, in print order.
    pub modifiers: &'static [Modifier],
    /// The items after the mnemonic, including the final `;`.
    pub after: &'static [Item],
    /// The source text of the template, for people.
    pub source: &'static str,
    /// The steps of the fast parser.
    pub reader: ParseProgram,
}

impl Syntax {
    /// An empty template.
    const NONE: Syntax = Syntax {
        mnemonic: "",
        symbols: &[],
        before: &[],
        modifiers: &[],
        after: &[],
        source: "",
        reader: ParseProgram::NONE,
    };
}

/// A modifier of the mnemonic, for example `.hfmt_v2` or `.FTZ`.
#[derive(Debug)]
pub struct Modifier {
    /// The placeholder of the field, as an index into [`Syntax::symbols`].
    pub symbol: u8,
    /// Whether the modifier is optional. If an optional modifier is missing, its field has the default.
    pub optional: bool,
    /// For `{.FTZ}`, the only value that is printed and accepted. `None` if the name of any value
    /// is possible.
    pub only: Option<u64>,
}

/// An item of a template.
#[derive(Debug)]
pub enum Item {
    /// A literal, printed as it is. White space around and inside it is optional on input.
    Text(&'static str),
    /// An operand placeholder.
    Slot(Slot),
    /// An optional group. The printer leaves it out if every field in it has its default.
    Optional(&'static [Item]),
    /// Trailing attributes such as `$sched`. An attribute is printed, after a space, unless it has its
    /// default. Attributes are accepted in any order.
    Tags(&'static [u8]),
}

/// An operand placeholder in a template: `{-}{|}SrcB{.hsel2}{|}`.
#[derive(Debug)]
pub struct Slot {
    /// The placeholder of the operand, as an index into [`Syntax::symbols`].
    pub symbol: u8,
    /// The prefix and suffix operators of the operand, the outermost first.
    pub affixes: &'static [Affix],
    /// The placeholders of the modifiers after the operand. Each modifier is printed after a dot.
    pub suffixes: &'static [u8],
}

/// A prefix or suffix operator for a one-bit field of an operand: `-`, `!`, or a pair of bars.
#[derive(Debug)]
pub struct Affix {
    /// The placeholder of the field, as an index into [`Syntax::symbols`].
    pub symbol: u8,
    /// The value of the field if the operator is present. Otherwise the field has its other value.
    pub present: u64,
    /// The text before the operand.
    pub open: &'static str,
    /// The text after the operand; empty for a prefix.
    pub close: &'static str,
    /// The number of the operand's modifiers that are printed before `close`.
    pub inside: u8,
}

/// A part of the text after an operand.
#[derive(Debug, Clone, Copy)]
pub enum AfterOperand {
    /// The placeholder of a modifier, as an index into [`Syntax::symbols`].
    Suffix(u8),
    /// The closing text of an operator that encloses the operand, such as the second bar of `|R1|`.
    Close(&'static Affix),
}

impl Slot {
    /// Returns the modifiers and the closing texts of operators in print order, including those for
    /// which an opcode has no field. On input, each modifier may be before or after each closing text.
    pub fn after_operand(&self) -> impl Iterator<Item = AfterOperand> + use<> {
        let (affixes, suffixes) = (self.affixes, self.suffixes);
        (0..=suffixes.len()).flat_map(move |place| {
            let is_here =
                move |affix: &&Affix| usize::from(affix.inside) == place && !affix.close.is_empty();
            let closes = affixes.iter().rev().filter(is_here).map(AfterOperand::Close);
            closes.chain(suffixes.get(place).copied().map(AfterOperand::Suffix))
        })
    }
}

/// One of the widths of a set's words.
#[derive(Debug)]
pub struct Width {
    /// The width in bits.
    pub bits: u8,
    /// The bits that all opcodes of this width fix to the same values. It covers only as many bits as
    /// the narrowest word has, which are the bits that come first in memory, and bits that decide
    /// whether a word is [short](ShortWord).
    pub common: Cube,
    /// The patterns by which [`InstructionSet::length`] recognizes words of this width: a word begins
    /// with one of them. It is `None` if `common` is sufficient, and for the narrowest width.
    pub starts: Option<&'static [Cube]>,
}

/// A whole instruction set.
#[derive(Debug, Clone, Copy)]
pub struct InstructionSet {
    /// The name in the specification.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The width of the widest word in bits.
    pub bits: u8,
    /// The widths of the words, the widest first.
    pub widths: &'static [Width],
    /// The rows.
    pub opcodes: &'static [&'static Opcode],
    /// All rows that a text can be parsed as: the opcodes, followed by their aliases.
    pub spellings: &'static [&'static Opcode],
    /// For each alias in [`InstructionSet::spellings`], its opcode as an index into
    /// [`InstructionSet::opcodes`].
    pub aliased: &'static [u16],
    /// The decode tree.
    pub tree: DecodeTree,
    /// The hash table of mnemonics without a dot.
    pub finder: Finder,
    /// The mnemonics, sorted by text. If any letter case is accepted, they are sorted as lower
    /// case.
    pub mnemonics: &'static [Mnemonic],
    /// Whether mnemonics, names of values and literals are accepted in any letter case.
    pub any_case: bool,
    /// The width of addresses in bits, 64 unless the set declares another. Distances to labels wrap
    /// around at this width.
    pub address_bits: u8,
    /// The order of the bytes of a word in memory.
    pub byte_order: ByteOrder,
    /// The features, in the order of the specification.
    pub features: &'static [Feature],
    /// The features that are on. Decoder and parser reject words that need others.
    pub enabled: FeatureSet,
}

impl InstructionSet {
    /// Returns the opcode of a spelling.
    #[inline]
    pub(crate) fn opcode_of(&self, spelling: usize) -> usize {
        let alias = spelling.checked_sub(self.opcodes.len());
        let opcode = alias.and_then(|alias| self.aliased.get(alias));
        opcode.map_or(spelling, |&opcode| opcode.into())
    }
}

/// Asserts at compile time that the assembly text of an opcode fits a [`Line`]. `known` is the length
/// of the text without its operands, and `texts` are the text functions of the operands.
#[doc(hidden)]
#[track_caller]
pub const fn assert_line(opcode: &str, shown: &str, known: usize, texts: &[&Text]) {
    let (mut length, mut i) = (known, 0);
    while i < texts.len() {
        length += texts[i].max_len;
        i += 1;
    }
    if length > Line::CAPACITY {
        panic!("{}", too_long(opcode, shown, length).as_str());
    }
}

const fn too_long(opcode: &str, shown: &str, length: usize) -> Message {
    let message = Message::new().text("[ISA0051] the assembly of `").text(opcode);
    let message = message.text("` can be ").number(length as i128);
    let message = message.text(" bytes long, expected at most ").number(Line::CAPACITY as i128);
    message.text("\nhelp: its longest form is `").text(shown).text("`")
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::panic::catch_unwind;
    use std::string::String;

    use super::assert_line;
    use crate::operand::Text;
    use crate::operand::{Reg, text_of};

    #[test]
    fn a_line_of_512_bytes_is_the_longest() {
        const REG: Text = text_of::<Reg>();
        assert_eq!(REG.max_len, "R254".len());
        assert_line("ADD", "ADD <Reg>, <Reg>;", 512 - 2 * 4, &[&REG, &REG]);
        let too_long = || assert_line("ADD", "ADD <Reg>, <Reg>;", 513 - 2 * 4, &[&REG, &REG]);
        let message = *catch_unwind(too_long).unwrap_err().downcast::<String>().unwrap();
        assert_eq!(
            message,
            "[ISA0051] the assembly of `ADD` can be 513 bytes long, expected at most 512\n\
             help: its longest form is `ADD <Reg>, <Reg>;`"
        );
    }
}
