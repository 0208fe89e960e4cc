//! The tables that `define_isa!` writes and that everything else reads.
//!
//! A specification becomes data: for each opcode a row, an [`Opcode`], which shares [`Field`]s,
//! [`Kind`]s and [`Syntax`] templates with its relatives. The decoder, the printer, the parser and
//! the explanation of a word are loops over these rows; none of them is generated.
//! [`InstructionSet`] has all rows of a set; `SET` of a set's enum and `OPCODE` of an instruction's
//! type lead here.
//!
//! All words are held in a `u128`, a narrower word in its low bits. Field values are at most
//! 64 bits wide.

mod alike;
mod bytes;
mod case;
mod field;
mod flow;
mod lanes;
mod layout;
mod lineage;
mod mnemonic;
mod places;
mod program;
mod reader;
mod screen;
mod texts;
mod tree;

#[doc(hidden)]
pub use alike::{both, field_lists, fields, opcodes, ordered, pick, rows, step_lists, syntaxes};
pub use bytes::ByteOrder;
pub use case::{Case, Said, are_disjoint};
pub(crate) use field::low_bits;
#[doc(hidden)]
pub use field::{Cube, Field, Init, Kind, Piece, Text, Value, extract, insert};
pub use flow::{Flow, FlowKind, FlowRow, FlowTarget};
#[doc(hidden)]
pub use lanes::lanes_fit;
pub use lanes::{LaneMask, LaneRow, Lanes};
pub use layout::assert_layout;
pub use lineage::{Group, Lineage};
pub use mnemonic::{Finder, Mnemonic};
pub(crate) use places::Changes;
pub use places::{Place, ReadPlace, ReadPlaces};
#[doc(hidden)]
pub use places::{places, read_places};
#[doc(hidden)]
pub use program::steps;
pub use program::{Program, Step};
pub use reader::{
    Chunk, Read, ReadArg, ReadKind, ReadMark, ReadName, ReadNames, ReadSlot, ReadSuffix, Reader,
    Way,
};
pub(crate) use reader::{Plain, TextKeys};
pub(crate) use screen::halves;
pub use screen::{Map, Screen, Sieve};
pub use texts::{Gather, ShortText, Texts};
#[doc(hidden)]
pub use texts::{Part, defaults, pool, short_texts, sizes, sum, texts_of, whole};
#[doc(hidden)]
pub use tree::nodes;
pub use tree::{DecodeTree, Node, Root};

use crate::asm::Line;

/// Whether tables lack what only makes printing and reading faster: as WebAssembly code is loaded with
/// a page, and its size is what people wait for. Templates are walked there.
pub(crate) const IS_SMALL: bool = cfg!(target_family = "wasm");

/// An illegal combination of field values, from an `exception` section.
#[derive(Debug)]
pub struct Exception {
    /// The class of the error, `IllegalBitFieldCombination`.
    pub class: &'static str,
    /// The reason, in the words of the specification's author.
    pub reason: &'static str,
    /// The condition under which the combination is illegal, as text.
    pub condition: &'static str,
    /// The group, optype or opcode that has the exception.
    pub declared_in: &'static str,
    /// The condition over the bits of the word: a word in any of these cubes is illegal.
    pub cubes: &'static [Cube],
    /// Where the condition has functions: a word in any of these cases is illegal too.
    pub cases: &'static [Case],
}

impl Exception {
    /// Whether a word is illegal by this exception.
    #[must_use]
    pub fn excludes(&self, word: u128) -> bool {
        self.cubes.iter().any(|cube| cube.contains(word))
            || self.cases.iter().any(|case| case.contains(word))
    }
}

/// Whether an instruction reads or writes an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// In `InList`.
    Read,
    /// In `OutList`.
    Write,
    /// In both.
    ReadWrite,
}

impl Access {
    /// The access in words, as JSON has it.
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
pub struct Operand {
    /// The field, as an index into [`Opcode::fields`].
    pub field: u8,
    /// Read or written.
    pub access: Access,
    /// The width of the operand's value in bits: what `Bitwidth` says, else what the
    /// kind says, else 0.
    pub bits: u16,
}

impl Operand {
    /// The operand in the field at this place.
    #[must_use]
    pub const fn new(field: u8, access: Access, bits: u16) -> Self {
        Operand { field, access, bits }
    }
}

/// A text format of one field or view, from an `AsmFormat` line.
#[derive(Debug)]
pub struct Format {
    /// The field, as an index into [`Opcode::fields`], or behind those into [`Opcode::views`].
    pub field: u8,
    /// The name in the specification, `CvtFImm`.
    pub name: &'static str,
    /// The format.
    pub text: &'static Text,
    /// The fields whose values are the format's arguments, as indices into [`Opcode::fields`].
    pub args: &'static [u8],
}

/// In [`Opcode::bind`]: the opcode has no field for this symbol of the syntax.
pub const ABSENT: u8 = u8::MAX;

/// One opcode: a row of the instruction set.
#[derive(Debug, Clone, Copy)]
pub struct Opcode {
    /// The name in the specification, `HADD2_RR`.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The width of the word in bits.
    pub bits: u8,
    /// The bits that fields fix.
    pub fixed: Cube,
    /// The bits that no field covers; they must be 0.
    pub unused: u128,
    /// Which words are legal: fixed and unused bits, reserved values and exceptions together.
    pub screen: Screen,
    /// All fields, inherited ones first.
    pub fields: &'static [&'static Field],
    /// What the text shows of several fields together, each as a field that has their bits: the slot
    /// `amount` of `AsmFormat<amount: immr, imms> = Shift();`. Where a place is an index into
    /// [`Opcode::fields`], those behind the last field are places of these.
    pub views: &'static [&'static Field],
    /// All exceptions, inherited ones first.
    pub exceptions: &'static [&'static Exception],
    /// The assembly syntax, shared by all opcodes of an optype.
    pub syntax: &'static Syntax,
    /// For each symbol of the syntax, the index of its field in `fields` or of its view behind them,
    /// or [`ABSENT`].
    pub bind: &'static [u8],
    /// The operands in the order of the syntax.
    pub operands: &'static [Operand],
    /// The fields with a text format of their own.
    pub formats: &'static [Format],
    /// Example lines from the specification.
    pub examples: &'static [&'static str],
    /// The groups that the opcode inherits from, and its semantics as text.
    pub lineage: Lineage,
    /// The opcode's template as it is laid out for printing.
    pub program: Program,
    /// What [`Opcode::initial`] gives, where the row has it ready.
    pub start: u128,
    /// Other spellings of some of the opcode's words. A word is printed by the first of them that
    /// has it, is printed at all, and whose text none of its `after` takes.
    pub aliases: &'static [Alias],
    /// The rows that are parsed first: those that `else NAME, ...` names, and of a named group those with the
    /// mnemonic of this row.
    pub after: &'static [&'static Opcode],
    /// Where it goes on, from a `flow` section: the first row that a word [is of](FlowRow::is_of) counts.
    /// Where there is none, it goes on behind itself. [`Opcode::flow`] says it of a word.
    pub flow: &'static [FlowRow],
    /// Which lanes of its operands it reads or writes, as far as the specification says it. [`crate::Operand::lanes`]
    /// says it of a word.
    pub lanes: &'static [&'static LaneRow],
    /// The bits of fields that are `ignored`, which no text shows.
    pub ignored: u128,
    /// The width of addresses in bits, 64 unless the set says otherwise. Targets go around there.
    pub address_bits: u8,
}

/// Another spelling of some words of an opcode: an `alias` or a `synonym` of the specification.
#[derive(Debug)]
pub struct Alias {
    /// The alias as an opcode, with its words and their text: it has the fields of its opcode, of
    /// which more are fixed, and a template of its own.
    pub row: &'static Opcode,
    /// Whether the words are printed in this spelling; else it is only read.
    pub printed: bool,
}

impl Opcode {
    /// An opcode of no bits and without a list: what rows start from.
    pub const NONE: Opcode = Opcode {
        name: "",
        doc: "",
        bits: 0,
        fixed: Cube { mask: 0, value: 0 },
        unused: 0,
        screen: Screen::of(128, Cube { mask: 0, value: 0 }, 0, &[]),
        fields: &[],
        views: &[],
        exceptions: &[],
        syntax: &Syntax::NONE,
        bind: &[],
        operands: &[],
        formats: &[],
        examples: &[],
        lineage: Lineage::NONE,
        program: Program::NONE,
        start: 0,
        aliases: &[],
        after: &[],
        flow: &[],
        lanes: &[],
        ignored: 0,
        address_bits: 64,
    };

    /// The addresses that a word of the opcode may go on at, as far as its fields say them, in an
    /// instruction at `address`.
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

    /// The address that a field of the opcode stands for.
    pub(crate) fn target(&self, field: &Field, word: u128, address: u64) -> Option<u64> {
        let target = field.kind.target(field.get(word), address)?;
        Some(self.within(target))
    }

    /// An address without the bits that addresses of the set do not have.
    pub(crate) const fn within(&self, address: u64) -> u64 {
        address & !u64::MAX.unbounded_shl(self.address_bits as u32)
    }

    /// The field or the view at a place.
    #[inline]
    #[must_use]
    pub fn at(&self, place: usize) -> Option<&'static Field> {
        let view = || self.views.get(place.checked_sub(self.fields.len())?);
        self.fields.get(place).or_else(view).copied()
    }

    /// Whether all texts of the opcode and of its aliases are read as what they are written of, as
    /// far as kinds and formats say; of an opcode that is read behind others they may not be.
    pub(crate) fn always_reads_back(&self) -> bool {
        let rows = core::iter::once(self).chain(self.aliases.iter().map(|alias| alias.row));
        rows.into_iter().all(|row| {
            let kinds = row.fields.iter().filter_map(|field| field.kind.text);
            let mut texts = kinds.chain(row.formats.iter().map(|format| format.text));
            row.ignored == 0 && texts.all(|text| text.reads_back.is_none())
        }) && self.after.is_empty()
    }

    /// A word with the defaults in the bits that no text shows, as its text is read.
    #[must_use]
    pub const fn written(&self, word: u128) -> u128 {
        if self.ignored == 0 {
            return word;
        }
        word & !self.ignored | self.initial() & self.ignored
    }

    /// The word with every fixed and every default value, and 0 for required ones.
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

/// The assembly syntax of an optype: what its template says, ready to print and to parse.
///
/// A template speaks of *symbols*: `hfmt_v2`, `Rd`, `SrcB`, `SrcB.neg`. Each opcode binds them
/// to its own fields, by name or, for the operands, by its `Order` line.
#[derive(Debug, Clone, Copy)]
pub struct Syntax {
    /// The first word, `HADD2`.
    pub mnemonic: &'static str,
    /// The names of the symbols; the rest of the template has indices into this.
    pub symbols: &'static [&'static str],
    /// What stands before the mnemonic: the guard.
    pub before: &'static [Item],
    /// The modifiers of the mnemonic, in the order in which they are printed.
    pub modifiers: &'static [Modifier],
    /// What stands behind the mnemonic, the final `;` included.
    pub after: &'static [Item],
    /// The template as text, for people.
    pub source: &'static str,
    /// The template laid out for reading.
    pub reader: Reader,
}

impl Syntax {
    /// A template without a text.
    const NONE: Syntax = Syntax {
        mnemonic: "",
        symbols: &[],
        before: &[],
        modifiers: &[],
        after: &[],
        source: "",
        reader: Reader::NONE,
    };
}

/// A modifier of the mnemonic, `.hfmt_v2` or `.FTZ`.
#[derive(Debug)]
pub struct Modifier {
    /// The field.
    pub symbol: u8,
    /// Whether the text may leave it out; the field then has its default.
    pub optional: bool,
    /// For `{.FTZ}`, the one value that is written; `None` where any value's name may stand.
    pub only: Option<u64>,
}

/// A piece of a template.
#[derive(Debug)]
pub enum Item {
    /// Fixed text, printed as it is. On input white space around and inside it is free.
    Text(&'static str),
    /// An operand.
    Slot(Slot),
    /// A part that is left out when every field in it has its default.
    Optional(&'static [Item]),
    /// Trailing settings such as `$sched`, each printed behind a space unless it has its default;
    /// read in any order.
    Tags(&'static [u8]),
}

/// An operand's place in a template: `{-}{|}SrcB{.hsel2}{|}`.
#[derive(Debug)]
pub struct Slot {
    /// The operand.
    pub symbol: u8,
    /// Marks around the operand, the outermost first.
    pub affixes: &'static [Affix],
    /// Modifiers behind the operand, each with a dot.
    pub suffixes: &'static [u8],
}

/// A mark at an operand that stands for a one-bit field: `-`, `!`, or a pair of bars.
#[derive(Debug)]
pub struct Affix {
    /// The field.
    pub symbol: u8,
    /// The value that the mark stands for; without the mark the field has its other value.
    pub present: u64,
    /// The text before the operand.
    pub open: &'static str,
    /// The text behind it; empty for a prefix.
    pub close: &'static str,
    /// The number of the operand's modifiers that are printed before `close`.
    pub inside: u8,
}

/// A part of the text after an operand.
#[derive(Debug, Clone, Copy)]
pub enum Behind {
    /// The symbol of a modifier.
    Suffix(u8),
    /// A mark that is closed here.
    Close(&'static Affix),
}

impl Slot {
    /// Returns the modifiers and closing marks in the order in which they are printed, whether an opcode
    /// has their fields or not. On input each modifier may be before or after each closing mark.
    pub fn behind(&self) -> impl Iterator<Item = Behind> + use<> {
        let (affixes, suffixes) = (self.affixes, self.suffixes);
        (0..=suffixes.len()).flat_map(move |place| {
            let is_here =
                move |affix: &&Affix| usize::from(affix.inside) == place && !affix.close.is_empty();
            let closes = affixes.iter().rev().filter(is_here).map(Behind::Close);
            closes.chain(suffixes.get(place).copied().map(Behind::Suffix))
        })
    }
}

/// One of the widths that the words of a set have.
#[derive(Debug)]
pub struct Width {
    /// The width in bits.
    pub bits: u8,
    /// What all opcodes of this width fix alike, in the bits that stand first in memory, as many as words of
    /// every width have.
    pub common: Cube,
    /// What tells words of this width, of which they begin with one, as [`InstructionSet::length`] says; `None`
    /// where it is `common`, and of the narrowest.
    pub starts: Option<&'static [Cube]>,
}

/// A whole instruction set.
#[derive(Debug)]
pub struct InstructionSet {
    /// The name in the specification.
    pub name: &'static str,
    /// The documentation in the specification.
    pub doc: &'static str,
    /// The width of the widest word in bits.
    pub bits: u8,
    /// The widths that words have, the widest first.
    pub widths: &'static [Width],
    /// The rows.
    pub opcodes: &'static [&'static Opcode],
    /// All that a text can be: the opcodes, and behind them their aliases.
    pub spellings: &'static [&'static Opcode],
    /// For each alias in [`InstructionSet::spellings`] its opcode, an index into
    /// [`InstructionSet::opcodes`].
    pub aliased: &'static [u16],
    /// The decoder.
    pub tree: DecodeTree,
    /// Where a mnemonic without a dot is.
    pub finder: Finder,
    /// The mnemonics, sorted by text; where any letter case is read, as if in lower case.
    pub mnemonics: &'static [Mnemonic],
    /// Whether mnemonics, names of values and fixed text are read in any letter case.
    pub any_case: bool,
    /// The width of addresses in bits, 64 unless the set says otherwise. Distances to labels go around there.
    pub address_bits: u8,
    /// In which order the bytes of a word stand in memory.
    pub byte_order: ByteOrder,
}

impl InstructionSet {
    /// The opcode of a spelling.
    #[inline]
    pub(crate) fn opcode_of(&self, spelling: usize) -> usize {
        let alias = spelling.checked_sub(self.opcodes.len());
        let opcode = alias.and_then(|alias| self.aliased.get(alias));
        opcode.map_or(spelling, |&opcode| opcode.into())
    }
}

/// Asserts at compile time that the engine can work with some rows: few enough fields and symbols
/// for their indices, and lines that fit a [`Line`]. `known` is as long as the lines are without
/// these texts, one for each field that is written by one.
#[doc(hidden)]
pub const fn assert_lines(fields: usize, symbols: usize, known: usize, texts: &[&Text]) {
    assert!(fields < ABSENT as usize, "an opcode has 255 fields or more");
    assert!(symbols <= crate::asm::MAX_SYMBOLS, "a syntax speaks of more than 64 fields");
    let (mut length, mut i) = (known, 0);
    while i < texts.len() {
        length += texts[i].max_len;
        i += 1;
    }
    assert!(length < Line::CAPACITY, "a line can be longer than 255 bytes");
}
