//! What a specification says, statement by statement, before any name is looked up.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

use super::byte_order::ByteOrder;
use super::condition::Condition;
use super::flow::FlowDecl;
use super::lanes::LanesDecl;

mod field;

pub(crate) use field::{FieldDecl, FieldName, InitDecl, ValueRef};

/// The doc comments of an item.
#[derive(Debug, Clone, Default)]
pub(crate) struct Docs {
    /// The text, one line per comment line.
    pub(crate) text: String,
    /// The attributes as written, for the generated item: `#[doc]` and others.
    pub(crate) attrs: TokenStream,
}

/// Tokens that are compared, by how they are spelled: tokens themselves have no comparison.
#[derive(Debug, Clone)]
pub(crate) struct Spelled {
    pub(crate) tokens: TokenStream,
    pub(crate) text: String,
}

impl From<TokenStream> for Spelled {
    fn from(tokens: TokenStream) -> Self {
        Spelled { text: tokens.to_string(), tokens }
    }
}

impl PartialEq for Spelled {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl ToTokens for Spelled {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// Where a declaration comes from: `None` for this call, else the module path of another.
pub(crate) type Origin = Option<Rc<Spelled>>;

/// One call of the macro.
#[derive(Debug, Default)]
pub(crate) struct Spec {
    pub(crate) header: Option<Header>,
    /// A number that calls with other tokens hardly share.
    pub(crate) fingerprint: u64,
    /// Whether an item may have too many groups of tokens inside each other.
    pub(crate) is_deep: bool,
    pub(crate) machine: Option<TokenStream>,
    /// The place of this call's own `machine` item.
    pub(crate) machine_span: Option<Span>,
    /// What `execute` gives where an instruction traps, and the place of this call's own item.
    pub(crate) trap: Option<TokenStream>,
    pub(crate) trap_span: Option<Span>,
    /// The place of `text any_case`.
    pub(crate) any_case: Option<Span>,
    /// In which order the bytes of words stand in memory, and the place of this call's own item.
    pub(crate) byte_order: Option<ByteOrder>,
    pub(crate) byte_order_span: Option<Span>,
    /// The width of addresses in bits, and the place of this call's own item.
    pub(crate) address_bits: Option<u8>,
    pub(crate) address_bits_span: Option<Span>,
    pub(crate) sets: Vec<SetDecl>,
    pub(crate) operands: Vec<OperandDecl>,
    pub(crate) formats: Vec<FormatDecl>,
    pub(crate) affixes: Vec<AffixDecl>,
    pub(crate) nodes: Vec<NodeDecl>,
    /// The opcodes of included sets.
    pub(crate) included: Vec<Included>,
    /// What this call has imported and hands on.
    pub(crate) imported: Vec<Imported>,
    /// The declarations of this call as tokens, to be handed to calls that import it.
    pub(crate) exports: TokenStream,
    /// The turns of its loops.
    pub(crate) turns: usize,
    /// The first token, for faults of the call as a whole.
    pub(crate) start: Option<Span>,
}

/// The declarations of another call.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The path of the module that it stands in.
    pub(crate) module: TokenStream,
    /// The declarations as they came, in which paths mean the same everywhere.
    pub(crate) declarations: TokenStream,
}

/// `pub isa Halu: u128;`
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    /// The widths of the words, narrowest first.
    pub(crate) widths: Vec<Number>,
}

/// A number and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number {
    pub(crate) value: u64,
    pub(crate) span: Span,
}

/// `enum HSel2: 2 { H1_H0 = 0, ... }`
#[derive(Debug)]
pub(crate) struct SetDecl {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    /// `None` where it could not be read.
    pub(crate) width: Option<Number>,
    pub(crate) values: Vec<ValueDecl>,
    /// Whether the name of a value could not be read.
    pub(crate) incomplete: bool,
    pub(crate) origin: Origin,
}

/// `H1_H0 = 0`
#[derive(Debug)]
pub(crate) struct ValueDecl {
    pub(crate) docs: Docs,
    pub(crate) name: ValueName,
    /// Other names, which are read and not printed.
    pub(crate) also: Vec<ValueName>,
    /// `None` where it could not be read.
    pub(crate) raw: Option<Number>,
}

/// `EQ`, `"8b"` or `V4H "4h"`: the name of a value.
#[derive(Debug)]
pub(crate) struct ValueName {
    /// The name in Rust.
    pub(crate) ident: Ident,
    /// The name in assembly text.
    pub(crate) text: String,
}

/// `operand CMem: 22 = isa_core::operand::CMem, reserved("1x", "x1");`
#[derive(Debug)]
pub(crate) struct OperandDecl {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    /// `None` where the declaration could not be read to its end.
    pub(crate) width: Option<Number>,
    /// The Rust type, where it is not in scope under the same name.
    pub(crate) path: Option<TokenStream>,
    pub(crate) reserved: Vec<(String, Span)>,
    pub(crate) origin: Origin,
}

/// `format CvtFImm = isa_core::operand::CvtFImm;`
#[derive(Debug)]
pub(crate) struct FormatDecl {
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    pub(crate) path: Option<TokenStream>,
    pub(crate) origin: Origin,
}

/// `affix "|" "|" = abs;`
#[derive(Debug)]
pub(crate) struct AffixDecl {
    pub(crate) open: String,
    pub(crate) close: String,
    pub(crate) sub: Ident,
}

/// Which keyword a node has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Group,
    Optype,
    Opcode,
    /// Another spelling of some words of an opcode, which is printed.
    Alias,
    /// Another spelling that is only read.
    Synonym,
}

impl Level {
    pub(crate) const ALL: [Level; 5] =
        [Level::Group, Level::Optype, Level::Opcode, Level::Alias, Level::Synonym];

    /// The keyword.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Level::Group => "group",
            Level::Optype => "optype",
            Level::Opcode => "opcode",
            Level::Alias => "alias",
            Level::Synonym => "synonym",
        }
    }

    /// Whether others inherit from this alone.
    pub(crate) fn is_group(self) -> bool {
        matches!(self, Level::Group | Level::Optype)
    }

    /// Whether this is another spelling of an opcode, and no opcode.
    pub(crate) fn is_alias(self) -> bool {
        matches!(self, Level::Alias | Level::Synonym)
    }
}

/// A `group`, `optype` or `opcode`, an `alias` or a `synonym`.
#[derive(Debug)]
pub(crate) struct NodeDecl {
    pub(crate) level: Level,
    pub(crate) docs: Docs,
    pub(crate) name: Ident,
    pub(crate) parents: Vec<Ident>,
    /// The opcodes of which this is a special case: `inside NAME, ...`.
    pub(crate) inside: Vec<Ident>,
    /// The opcode of which this is an alias: `of NAME`.
    pub(crate) of: Option<Ident>,
    /// The aliases that are not printed where this one can be: `before NAME, ...`.
    pub(crate) before: Vec<Ident>,
    /// The opcodes and aliases whose texts are read first, or groups of them: `else NAME, ...`.
    pub(crate) after: Vec<Ident>,
    /// `word<16>;`: the width of the words, where the set has several.
    pub(crate) word: Option<Number>,
    pub(crate) fields: Vec<FieldDecl>,
    /// Which words are meant: `where condition;`.
    pub(crate) wheres: Vec<WhereDecl>,
    pub(crate) exceptions: Vec<ExceptionDecl>,
    pub(crate) template: Option<Template>,
    pub(crate) operands: OperandLists,
    pub(crate) semantics: Option<TokenStream>,
    /// The semantics as their author wrote them, where that is known.
    pub(crate) source: Option<String>,
    /// `LANES` of `semantics<LANES>`: the number of lanes that the body computes at once.
    pub(crate) lanes: Option<Ident>,
    /// The machine as the semantics see it.
    pub(crate) handle: Option<Handle>,
    pub(crate) guard: Option<TokenStream>,
    /// The rows of `flow`, in the order in which they are tried.
    pub(crate) flow: Option<Vec<FlowDecl>>,
    pub(crate) examples: Vec<Example>,
    pub(crate) origin: Origin,
    /// Whether a part could not be read and is missing here. What follows from its absence is
    /// not reported.
    pub(crate) incomplete: bool,
}

impl NodeDecl {
    /// The keyword and the name, for messages.
    pub(crate) fn describe(&self) -> String {
        format!("{} `{}`", self.level.keyword(), self.name)
    }
}

/// `(hart: Memory + Jump)`: a name for the machine, seen through these traits alone.
#[derive(Debug)]
pub(crate) struct Handle {
    pub(crate) name: Ident,
    /// At least one.
    pub(crate) bounds: Vec<TokenStream>,
}

/// A line of an `examples` section.
#[derive(Debug)]
pub(crate) struct Example {
    /// The assembly text, the `;` included.
    pub(crate) text: String,
    /// The words and marks of the text, less the `;`.
    pub(crate) lexemes: Vec<Lexeme>,
    /// What the text prints as, where an arrow says that: `ADD.RN R1; => ADD R1;`.
    pub(crate) canonical: Option<String>,
}

/// A word or a mark of assembly text.
#[derive(Debug, Clone)]
pub(crate) struct Lexeme {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// `EncodingError<IllegalBitFieldCombination, "..."> = condition;`
#[derive(Debug)]
pub(crate) struct ExceptionDecl {
    pub(crate) class: Ident,
    pub(crate) reason: String,
    pub(crate) condition: Condition,
    /// The place of the keyword.
    pub(crate) span: Span,
}

/// `where condition;`
#[derive(Debug)]
pub(crate) struct WhereDecl {
    pub(crate) condition: Condition,
    /// The place of the keyword.
    pub(crate) span: Span,
}

/// The lists of an `operands` section.
#[derive(Debug, Default)]
pub(crate) struct OperandLists {
    pub(crate) inputs: Option<(Span, Vec<FieldName>)>,
    pub(crate) outputs: Option<(Span, Vec<FieldName>)>,
    pub(crate) order: Option<(Span, Vec<FieldName>)>,
    pub(crate) widths: Vec<(FieldName, Number)>,
    pub(crate) lanes: Vec<LanesDecl>,
    pub(crate) formats: Vec<FormatRef>,
}

/// `AsmFormat<vb> = CvtFImm(vb, hfmt_v2);` or `AsmFormat<amount: immr, imms> = Shift(sf);`
#[derive(Debug, Clone)]
pub(crate) struct FormatRef {
    /// The field that is written so, or a name for several that are written together.
    pub(crate) field: FieldName,
    /// The fields that are written together, the most significant first; none where one field is
    /// written by itself.
    pub(crate) shows: Vec<FieldName>,
    pub(crate) format: Ident,
    /// The arguments: of a field by itself, that field and those that its text depends on.
    pub(crate) args: Vec<FieldName>,
}

/// A `syntax` section.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) values: Vec<ValueLine>,
    pub(crate) span: Span,
}

/// A piece of a template, as written.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// `HADD2`, `Rd`
    Word(Ident),
    /// `.cmp`
    Dot(Ident),
    /// `{...}`
    Optional(Vec<Piece>, Span),
    /// `$sched`
    Tag(Ident),
    /// `,` without quotes, after which a blank is printed.
    Comma,
    /// Quoted text, and other marks.
    Text(String),
    /// `..`, in a group: the syntax of whatever inherits.
    Rest,
    /// `_`: in place of a mnemonic, or of a blank.
    Nothing,
}

/// `.rnd = {.RN*, .RP}` under a template.
#[derive(Debug)]
pub(crate) struct ValueLine {
    pub(crate) field: Ident,
    /// The values, each with whether a star marks it as the default.
    pub(crate) values: Vec<(Ident, bool)>,
}

/// What the opcodes of one call have alike, for a call that includes them.
#[derive(Debug)]
pub(crate) struct IncludedSet {
    /// The path of the call's module; none where that is the call itself.
    pub(crate) module: TokenStream,
    /// The path as text.
    pub(crate) module_text: String,
    /// The paths of the instruction type and of the opcode trait.
    pub(crate) family: [TokenStream; 2],
    /// The text functions of operands, by the numbers that they have in texts.
    pub(crate) readers: Vec<TokenStream>,
    pub(crate) byte_order: ByteOrder,
}

/// An opcode of an included set, as that set's own call summed it up.
#[derive(Debug)]
pub(crate) struct Included {
    pub(crate) set: Rc<IncludedSet>,
    pub(crate) name: Ident,
    /// The name of the opcode's type, and the path.
    pub(crate) type_name: Ident,
    pub(crate) path: TokenStream,
    pub(crate) mnemonic: String,
    pub(crate) bits: u8,
    pub(crate) mask: u128,
    pub(crate) value: u128,
    /// The bits that no field covers, which are among those under `mask`.
    pub(crate) unused: u128,
    pub(crate) illegal: Vec<(u128, u128)>,
    pub(crate) executes: bool,
    /// Whether the call of the opcode has a trap.
    pub(crate) traps: bool,
    /// The place of this call's `include`.
    pub(crate) place: Span,
    /// What the text of the opcode is made of.
    pub(crate) text: String,
    /// What fixes the bits of the opcode, in words.
    pub(crate) fixes: String,
    /// The aliases of the opcode, in the order of its row.
    pub(crate) aliases: Vec<IncludedAlias>,
}

/// An alias of an included opcode.
#[derive(Debug, Clone)]
pub(crate) struct IncludedAlias {
    pub(crate) name: Ident,
    pub(crate) mnemonic: String,
    /// What the text of the alias is made of.
    pub(crate) text: String,
}
