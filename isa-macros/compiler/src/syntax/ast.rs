//! The syntax tree: the statements of a specification before names are resolved.

use std::rc::Rc;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser;

mod condition;
mod machine;

pub(crate) use condition::{
    Comparison, ComparisonOperator, Condition, ExceptionDecl, FieldSum, FunctionCall, ListedValue,
    ShortWordDecl, Term, WhereDecl,
};
pub(crate) use machine::{MachineHandle, MachineMethod, MethodClass};

/// The doc comments of an item.
#[derive(Debug, Clone, Default)]
pub(crate) struct Docs {
    /// The text, one line per comment line.
    pub(crate) text: String,
    /// The attributes as written, for the generated item: `#[doc]` and others.
    pub(crate) attrs: TokenStream,
}

/// Tokens that can be compared. The comparison uses their text, because tokens themselves cannot be
/// compared.
#[derive(Debug, Clone)]
pub(crate) struct ComparableTokens {
    pub(crate) tokens: TokenStream,
    pub(crate) text: String,
}

impl From<TokenStream> for ComparableTokens {
    fn from(tokens: TokenStream) -> Self {
        ComparableTokens { text: tokens.to_string(), tokens }
    }
}

impl PartialEq for ComparableTokens {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl ToTokens for ComparableTokens {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// The call that contains a declaration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    ThisCall,
    /// The call in the module with this path.
    Module(Rc<ComparableTokens>),
}

impl Origin {
    /// Returns whether the item is declared in this call and not imported.
    pub(crate) fn is_this_call(&self) -> bool {
        matches!(self, Origin::ThisCall)
    }

    /// Returns the path of the module that contains the other call.
    pub(crate) fn module(&self) -> Option<&ComparableTokens> {
        match self {
            Origin::ThisCall => None,
            Origin::Module(path) => Some(path),
        }
    }
}

/// One call of the macro.
#[derive(Debug, Default)]
pub(crate) struct Spec {
    pub(crate) header: Option<SetHeader>,
    /// A hash of the call's tokens. Different calls rarely share it.
    pub(crate) fingerprint: u64,
    /// Whether an item may contain groups of tokens that are nested too deeply.
    pub(crate) is_deep: bool,
    pub(crate) machine: Option<TokenStream>,
    /// The methods in the block of the `machine` item, if it has a block.
    pub(crate) machine_methods: Option<Vec<MachineMethod>>,
    /// The position of the `machine` item, if this call declares one itself.
    pub(crate) machine_span: Option<Span>,
    /// The error type that `execute` returns if an instruction traps. The next field is the
    /// position of the item, if this call declares one itself.
    pub(crate) trap: Option<TokenStream>,
    pub(crate) trap_span: Option<Span>,
    /// The position of `text any_case`.
    pub(crate) any_case: Option<Span>,
    /// The order of the bytes of a word in memory. The next field is the position of the item, if
    /// this call declares one itself.
    pub(crate) byte_order: Option<ByteOrder>,
    pub(crate) byte_order_span: Option<Span>,
    /// The width of addresses in bits. The next field is the position of the item, if this call
    /// declares one itself.
    pub(crate) address_bits: Option<u8>,
    pub(crate) address_bits_span: Option<Span>,
    /// The files with the functions that semantics call.
    pub(crate) functions: Vec<Literal>,
    pub(crate) sets: Vec<SetDecl>,
    pub(crate) operands: Vec<OperandDecl>,
    pub(crate) formats: Vec<FormatDecl>,
    pub(crate) affixes: Vec<AffixDecl>,
    pub(crate) properties: Vec<PropertyDecl>,
    pub(crate) features: Vec<FeatureDecl>,
    /// `requires SM90;`: the features with which the opcodes of this call exist. The next field is the
    /// position of the item.
    pub(crate) requires: Option<FeatureCondition>,
    pub(crate) requires_span: Option<Span>,
    pub(crate) nodes: Vec<NodeDecl>,
    /// The opcodes of included sets.
    pub(crate) included: Vec<Included>,
    /// The imports of this call, which are passed on to calls that import it.
    pub(crate) imported: Vec<Imported>,
    /// The declarations of this call as tokens, for the calls that import it.
    pub(crate) exports: TokenStream,
    /// The total number of iterations of the loops of this call.
    pub(crate) iterations: usize,
    /// The first token, for errors of the whole call.
    pub(crate) start: Option<Span>,
}

/// The order of the bytes of a word in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ByteOrder {
    #[default]
    LittleEndian,
    BigEndian,
    /// Units of 16 bits, the most significant first. Each unit is little-endian.
    LittleEndianHalfwords,
}

impl ByteOrder {
    pub(crate) const ALL: [Self; 3] =
        [ByteOrder::LittleEndian, ByteOrder::BigEndian, ByteOrder::LittleEndianHalfwords];

    /// Returns the word for the order in the item `bytes`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ByteOrder::LittleEndian => "little_endian",
            ByteOrder::BigEndian => "big_endian",
            ByteOrder::LittleEndianHalfwords => "little_endian_halfwords",
        }
    }

    /// Returns the number of the lowest of the first `shorter` bits in memory, in a word of `bits`
    /// bits. It is 0 if the lowest bits come first.
    pub(crate) const fn above(self, bits: u8, shorter: u8) -> u8 {
        match self {
            ByteOrder::LittleEndian => 0,
            _ => bits - shorter,
        }
    }
}

/// The declarations of another call.
#[derive(Debug)]
pub(crate) struct Imported {
    /// The path of the module that contains the call.
    pub(crate) module: TokenStream,
    /// The declarations as they were imported. Their paths have the same meaning in every module.
    pub(crate) declarations: TokenStream,
}

/// `pub isa Halu: u128;`
#[derive(Debug)]
pub(crate) struct SetHeader {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    /// The widths of the words, narrowest first.
    pub(crate) widths: Vec<NumberLiteral>,
}

/// A number and its position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberLiteral {
    pub(crate) value: u64,
    pub(crate) span: Span,
}

/// `enum HSel2: 2 { H1_H0 = 0, ... }`
#[derive(Debug)]
pub(crate) struct SetDecl {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    /// The width; `None` if it could not be parsed.
    pub(crate) width: Option<NumberLiteral>,
    pub(crate) values: Vec<ValueDecl>,
    /// Whether the name of a value could not be parsed.
    pub(crate) incomplete: bool,
    pub(crate) origin: Origin,
}

/// `H1_H0 = 0`
#[derive(Debug)]
pub(crate) struct ValueDecl {
    pub(crate) docs: Docs,
    pub(crate) name: ValueName,
    /// Other names, which are accepted on input and not printed.
    pub(crate) also: Vec<ValueName>,
    /// The number; `None` if it could not be parsed.
    pub(crate) raw: Option<NumberLiteral>,
    /// `requires SM90`: the features with which the value exists.
    pub(crate) requires: Option<FeatureCondition>,
}

/// `EQ`, `"8b"` or `V4H "4h"`: the name of a value.
#[derive(Debug)]
pub(crate) struct ValueName {
    /// The name in Rust.
    pub(crate) ident: Ident,
    /// The name in assembly text.
    pub(crate) text: String,
}

/// `operand CMem: 22 = isa_defs::base::CMem, reserved("1x", "x1");`
#[derive(Debug)]
pub(crate) struct OperandDecl {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    /// The width; `None` if the declaration could not be parsed to its end.
    pub(crate) width: Option<NumberLiteral>,
    /// The Rust type, if it is not in scope under the same name.
    pub(crate) path: Option<TokenStream>,
    pub(crate) reserved: Vec<(String, Span)>,
    pub(crate) origin: Origin,
}

/// `format CvtFImm = isa_defs::base::CvtFImm;`
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

/// `feature SM90: SM89, not LEGACY;`
#[derive(Debug)]
pub(crate) struct FeatureDecl {
    pub(crate) docs: Docs,
    pub(crate) name: Ident,
    /// The features that are on if this one is on.
    pub(crate) includes: Vec<Ident>,
    /// The features that are off if this one is on.
    pub(crate) excludes: Vec<Ident>,
    pub(crate) origin: Origin,
}

/// A feature with its relations to other features. Bit i of a mask is the feature with index i.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Feature {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// The features that are on if this one is on, including itself.
    pub(crate) includes: u128,
    /// The features that are off if this one is on.
    pub(crate) excludes: u128,
}

/// A condition over features: `SM80 and not SM90`.
#[derive(Debug, Clone)]
pub(crate) enum FeatureCondition {
    And(Vec<FeatureCondition>),
    Or(Vec<FeatureCondition>),
    Not(Box<FeatureCondition>),
    Name(Ident),
}

impl FeatureCondition {
    /// Returns the condition as text.
    pub(crate) fn text(&self) -> String {
        let joined = |terms: &[FeatureCondition], between: &str| {
            let terms: Vec<String> = terms.iter().map(FeatureCondition::shown_inside).collect();
            terms.join(between)
        };
        match self {
            FeatureCondition::And(terms) => joined(terms, " and "),
            FeatureCondition::Or(terms) => joined(terms, " or "),
            FeatureCondition::Not(inner) => format!("not {}", inner.shown_inside()),
            FeatureCondition::Name(name) => name.to_string(),
        }
    }

    /// Returns the negated condition as text.
    pub(crate) fn opposite(&self) -> String {
        match self {
            FeatureCondition::Not(inner) => inner.text(),
            _ => format!("not {}", self.shown_inside()),
        }
    }

    /// Returns the position of the first name.
    pub(crate) fn span(&self) -> Span {
        match self {
            FeatureCondition::And(terms) | FeatureCondition::Or(terms) => {
                terms.first().map_or_else(Span::call_site, FeatureCondition::span)
            }
            FeatureCondition::Not(inner) => inner.span(),
            FeatureCondition::Name(name) => name.span(),
        }
    }

    /// Returns the text as a part of another condition.
    fn shown_inside(&self) -> String {
        match self {
            FeatureCondition::And(_) | FeatureCondition::Or(_) => format!("({})", self.text()),
            _ => self.text(),
        }
    }
}

/// `property latency: u8;`
#[derive(Debug)]
pub(crate) struct PropertyDecl {
    pub(crate) docs: Docs,
    pub(crate) name: Ident,
    /// The type: a number, `bool` or the name of an `enum`.
    pub(crate) ty: Ident,
    pub(crate) origin: Origin,
}

/// `latency = 4;` in a `properties` section.
#[derive(Debug)]
pub(crate) struct PropertyLine {
    pub(crate) name: Ident,
    pub(crate) value: ValueRef,
    /// The position of the `-` before a number.
    pub(crate) minus: Option<Span>,
}

/// `field<12, 3> Pred pg = PT;`
#[derive(Debug, Clone)]
pub(crate) struct FieldDecl {
    pub(crate) docs: Docs,
    /// The position and width of each piece, the most significant first. The list is empty if the
    /// pieces could not be parsed.
    pub(crate) pieces: Vec<(NumberLiteral, NumberLiteral)>,
    /// `field<>`: the field has no bits.
    pub(crate) bitless: bool,
    pub(crate) ty: Ident,
    pub(crate) name: FieldName,
    pub(crate) init: InitDecl,
    /// `!= value`: the values that the field must not have.
    pub(crate) forbidden: Vec<ValueRef>,
    /// `name == value`: the position and type are those of the inherited field.
    pub(crate) inherits: bool,
    /// `= value, ignored`: no text shows the value of the field.
    pub(crate) ignored: bool,
    /// `= value requires SM90`: the features with which the field may have another value.
    pub(crate) requires: Option<FeatureCondition>,
}

/// The name of a field, `pg`, or of a sub-field, `pg.not`.
#[derive(Debug, Clone)]
pub(crate) struct FieldName {
    pub(crate) base: Ident,
    pub(crate) sub: Option<Ident>,
}

impl FieldName {
    /// Returns the whole name as text, for example `pg.not`.
    pub(crate) fn dotted(&self) -> String {
        match &self.sub {
            Some(sub) => format!("{}.{sub}", self.base),
            None => self.base.to_string(),
        }
    }

    /// Returns the last part of the name.
    pub(crate) fn last(&self) -> &Ident {
        self.sub.as_ref().unwrap_or(&self.base)
    }

    /// Returns the position of the last part of the name.
    pub(crate) fn span(&self) -> Span {
        self.last().span()
    }
}

/// The fixed value or default of a field.
#[derive(Debug, Clone)]
pub(crate) enum InitDecl {
    /// `== value`
    Fixed(ValueRef),
    /// `= value`
    Default(ValueRef),
    /// Neither a fixed value nor a default.
    Required,
}

/// A value: a name or a number.
#[derive(Debug, Clone)]
pub(crate) enum ValueRef {
    Name(String, Span),
    Number(NumberLiteral),
}

impl ValueRef {
    /// Returns the position of the token.
    pub(crate) fn span(&self) -> Span {
        match self {
            ValueRef::Name(_, span) => *span,
            ValueRef::Number(number) => number.span,
        }
    }

    /// Returns the name as the name of a field.
    pub(crate) fn as_field(&self) -> Option<FieldName> {
        let ValueRef::Name(name, span) = self else { return None };
        // The name of a field may be a keyword of Rust.
        let base =
            Ident::parse_any.parse_str(name).map(|base| Ident::new(&base.to_string(), *span));
        Some(FieldName { base: base.ok()?, sub: None })
    }

    /// Returns the name or the number as text.
    pub(crate) fn text(&self) -> String {
        match self {
            ValueRef::Name(name, _) => name.clone(),
            ValueRef::Number(number) => number.value.to_string(),
        }
    }
}

/// The keyword of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Group,
    Optype,
    Opcode,
    /// Another spelling of some words of an opcode. These words are printed in this spelling.
    Alias,
    /// Another spelling that is accepted on input and not printed.
    Synonym,
}

impl Level {
    pub(crate) const ALL: [Level; 5] =
        [Level::Group, Level::Optype, Level::Opcode, Level::Alias, Level::Synonym];

    /// Returns the keyword.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Level::Group => "group",
            Level::Optype => "optype",
            Level::Opcode => "opcode",
            Level::Alias => "alias",
            Level::Synonym => "synonym",
        }
    }

    /// Returns whether the node only exists so that other nodes inherit from it.
    pub(crate) fn is_group(self) -> bool {
        matches!(self, Level::Group | Level::Optype)
    }

    /// Returns whether the node is another spelling of an opcode.
    pub(crate) fn is_alias(self) -> bool {
        matches!(self, Level::Alias | Level::Synonym)
    }
}

/// A node: a `group`, `optype`, `opcode`, `alias` or `synonym`.
#[derive(Debug)]
pub(crate) struct NodeDecl {
    pub(crate) level: Level,
    pub(crate) docs: Docs,
    pub(crate) name: Ident,
    pub(crate) parents: Vec<Ident>,
    /// The opcodes that this one is a special case of: `inside NAME, ...`.
    pub(crate) inside: Vec<Ident>,
    /// The opcode that this is an alias of: `of NAME`.
    pub(crate) of: Option<Ident>,
    /// The aliases that come after this one: if this alias matches a word, they are not printed for
    /// it. `before NAME, ...`
    pub(crate) before: Vec<Ident>,
    /// The opcodes and aliases that are parsed before this one, or groups of them: `else NAME,
    /// ...`.
    pub(crate) after: Vec<Ident>,
    /// `requires SM90`: the features with which its opcodes exist.
    pub(crate) requires: Option<FeatureCondition>,
    /// `word<16>;`: the width of the words, if the set has several.
    pub(crate) word: Option<NumberLiteral>,
    /// `if src == 255 else word<32>`: the words that are shorter.
    pub(crate) short: Option<ShortWordDecl>,
    pub(crate) fields: Vec<FieldDecl>,
    /// The conditions that its words fulfil: `where condition;`.
    pub(crate) wheres: Vec<WhereDecl>,
    pub(crate) exceptions: Vec<ExceptionDecl>,
    pub(crate) template: Option<Template>,
    pub(crate) operands: OperandLists,
    pub(crate) semantics: Option<TokenStream>,
    /// The source text of the semantics, if the compiler provides it.
    pub(crate) source: Option<String>,
    /// `LANES` of `semantics<LANES>`: the number of lanes that the semantics compute at once.
    pub(crate) lanes: Option<Ident>,
    /// The machine, as the semantics can use it.
    pub(crate) handle: Option<MachineHandle>,
    pub(crate) guard: Option<TokenStream>,
    /// The rows of `flow`, in the order in which they are tried.
    pub(crate) flow: Option<Vec<FlowDecl>>,
    pub(crate) properties: Vec<PropertyLine>,
    pub(crate) examples: Vec<Example>,
    pub(crate) origin: Origin,
    /// Whether a part could not be parsed and is missing. Errors that may follow from its absence
    /// are not reported.
    pub(crate) incomplete: bool,
}

impl NodeDecl {
    /// Returns the keyword and the name, for messages.
    pub(crate) fn describe(&self) -> String {
        format!("{} `{}`", self.level.keyword(), self.name)
    }
}

/// `branch to or next if rd == 0;`
#[derive(Debug)]
pub(crate) struct FlowDecl {
    pub(crate) kind: FlowKind,
    /// The operand that contains the target.
    pub(crate) target: Option<FieldName>,
    /// Whether the operand is the address of a memory location, and that location contains the
    /// target: `*to`.
    pub(crate) is_indirect: bool,
    /// Whether execution may continue with the next instruction instead.
    pub(crate) or_next: bool,
    /// The condition that selects the words to which the row applies. `None` if the row applies to
    /// all words.
    pub(crate) condition: Option<Condition>,
    /// The position of the keyword.
    pub(crate) span: Span,
}

/// The keyword of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlowKind {
    Next,
    Branch,
    Call,
    Return,
    Stop,
    Trap,
}

impl FlowKind {
    pub(in crate::syntax) const ALL: [FlowKind; 6] = [
        FlowKind::Branch,
        FlowKind::Call,
        FlowKind::Return,
        FlowKind::Trap,
        FlowKind::Stop,
        FlowKind::Next,
    ];

    pub(crate) fn keyword(self) -> &'static str {
        match self {
            FlowKind::Next => "next",
            FlowKind::Branch => "branch",
            FlowKind::Call => "call",
            FlowKind::Return => "return",
            FlowKind::Stop => "stop",
            FlowKind::Trap => "trap",
        }
    }

    /// Returns the name of the variant in the tables.
    pub(crate) fn variant(self) -> Ident {
        let mut name = self.keyword().to_owned();
        name[..1].make_ascii_uppercase();
        Ident::new(&name, Span::call_site())
    }
}

/// A line of an `examples` section.
#[derive(Debug)]
pub(crate) struct Example {
    /// The assembly text, including the `;`.
    pub(crate) text: String,
    /// The words and punctuation of the text, without the `;`.
    pub(crate) lexemes: Vec<Lexeme>,
    /// The text that is printed, if an arrow declares it: `ADD.RN R1; => ADD R1;`.
    pub(crate) canonical: Option<String>,
}

/// A word or punctuation of assembly text.
#[derive(Debug, Clone)]
pub(crate) struct Lexeme {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// The lists of an `operands` section.
#[derive(Debug, Default)]
pub(crate) struct OperandLists {
    pub(crate) inputs: Option<(Span, Vec<FieldName>)>,
    pub(crate) outputs: Option<(Span, Vec<FieldName>)>,
    pub(crate) order: Option<(Span, Vec<FieldName>)>,
    pub(crate) widths: Vec<(FieldName, NumberLiteral)>,
    pub(crate) lanes: Vec<LanesDecl>,
    pub(crate) formats: Vec<FormatRef>,
}

/// A line `Lanes<field> = bits * mask;`, or `Bitwidth<field> = bits * function(field);`.
#[derive(Debug)]
pub(crate) struct LanesDecl {
    /// Whether the line is a `Bitwidth`, so that the function returns the number of lanes.
    pub(crate) is_width: bool,
    pub(crate) field: FieldName,
    /// The width of a lane in bits.
    pub(crate) bits: NumberLiteral,
    pub(crate) mask: LaneMask,
}

/// The lanes that are used. Bit i of a number is lane i; lane 0 contains the lowest bits.
#[derive(Debug)]
pub(crate) enum LaneMask {
    /// All lanes of the operand.
    All,
    /// The same lanes for every word.
    Number(NumberLiteral),
    /// The lanes that a Rust function of some fields returns.
    Call(FunctionCall),
}

impl LanesDecl {
    /// Returns the keyword of the line.
    pub(crate) fn keyword(&self) -> &'static str {
        if self.is_width { "Bitwidth" } else { "Lanes" }
    }

    /// Returns the path of the function, or an empty string if there is none.
    pub(crate) fn function(&self) -> String {
        match &self.mask {
            LaneMask::All | LaneMask::Number(_) => String::new(),
            LaneMask::Call(call) => call.name(),
        }
    }
}

/// `AsmFormat<vb> = CvtFImm(vb, hfmt_v2);` or `AsmFormat<amount: immr, imms> = Shift(sf);`
#[derive(Debug, Clone)]
pub(crate) struct FormatRef {
    /// The field that is printed in this format, or a name for a composite operand.
    pub(crate) field: FieldName,
    /// The fields of the composite operand, the most significant first. The list is empty if the
    /// format is for a single field.
    pub(crate) shows: Vec<FieldName>,
    pub(crate) format: Ident,
    /// The arguments. If the format is for a single field, these are the field itself and the
    /// fields that its text depends on.
    pub(crate) args: Vec<FieldName>,
}

/// A `syntax` section.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) pieces: Vec<TemplatePiece>,
    /// `."S32"`: the fixed suffixes, each with the index of its `Dot` in `pieces`.
    pub(crate) suffixes: Vec<(usize, ValueName)>,
    pub(crate) values: Vec<ValueLine>,
    pub(crate) span: Span,
}

/// An item of a template, as written.
#[derive(Debug, Clone)]
pub(crate) enum TemplatePiece {
    /// `HADD2`, `Rd`
    Word(Ident),
    /// `.cmp`
    Dot(Ident),
    /// `{...}`
    Optional(Vec<TemplatePiece>, Span),
    /// `$sched`
    Tag(Ident),
    /// A `,` without quotes. A space is printed after it.
    Comma,
    /// Quoted text, or other punctuation.
    Text(String),
    /// `..`, in a group: the syntax of the inheriting node.
    Rest,
    /// `_`: instead of a mnemonic, or of a space.
    Nothing,
}

/// `.rnd = {.RN*, .RP}` under a template.
#[derive(Debug)]
pub(crate) struct ValueLine {
    pub(crate) field: Ident,
    /// The values. The flag of each is true if a star marks it as the default.
    pub(crate) values: Vec<(Ident, bool)>,
}

/// The data that all opcodes of one included call share.
#[derive(Debug)]
pub(crate) struct IncludedSet {
    /// The path of the call's module. It is empty if a call summarizes its own opcodes.
    pub(crate) module: TokenStream,
    /// The path as text.
    pub(crate) module_text: String,
    /// The paths of the instruction type and of the opcode trait.
    pub(crate) family: [TokenStream; 2],
    /// The text functions of operands. Summaries of assembly texts refer to them by index.
    pub(crate) readers: Vec<TokenStream>,
    pub(crate) byte_order: ByteOrder,
    pub(crate) features: Vec<Feature>,
    pub(crate) fields: Vec<CommonMember>,
    pub(crate) properties: Vec<CommonMember>,
}

/// A field or a property that all opcodes of a call or set have, with the same type. A field also has the
/// same bits in all of them.
#[derive(Debug, Clone)]
pub(crate) struct CommonMember {
    /// The name, for example `pg.not`.
    pub(crate) name: String,
    /// The name, the operand type and the bits of a field, for the documentation. The name of the type of a
    /// property.
    pub(crate) text: String,
    /// The index of the field in the first opcode, or of the property in its call.
    pub(crate) index: usize,
    /// The path of the Rust type. It is empty for a property that is a number or `bool`.
    pub(crate) ty: TokenStream,
}

impl CommonMember {
    /// Returns whether both are the same field or property, possibly at different indexes.
    pub(crate) fn is_same(&self, other: &CommonMember) -> bool {
        (&self.name, &self.text) == (&other.name, &other.text)
            && self.ty.to_string() == other.ty.to_string()
    }
}

/// An opcode of an included set, as the call of that set summarized it.
#[derive(Debug)]
pub(crate) struct Included {
    pub(crate) set: Rc<IncludedSet>,
    pub(crate) name: Ident,
    /// The name and the path of the opcode's type.
    pub(crate) type_name: Ident,
    pub(crate) path: TokenStream,
    pub(crate) mnemonic: String,
    pub(crate) bits: u8,
    /// The width of the words that are shorter, if there are any, and the long words as masked patterns.
    pub(crate) short: Option<(u8, Vec<(u128, u128)>)>,
    pub(crate) mask: u128,
    pub(crate) value: u128,
    /// The bits that no field covers. `mask` includes them.
    pub(crate) unused: u128,
    pub(crate) illegal: Vec<(u128, u128)>,
    /// Words, as masked patterns, and the combinations of features with which they exist.
    pub(crate) limits: Vec<[Vec<(u128, u128)>; 2]>,
    pub(crate) executes: bool,
    /// Whether the call of the opcode declares a trap.
    pub(crate) traps: bool,
    /// The position of this call's `include`.
    pub(crate) place: Span,
    /// A summary of the assembly texts of the opcode.
    pub(crate) text: String,
    /// A description of the fields that fix the bits of the opcode.
    pub(crate) fixes: String,
    /// The aliases of the opcode, in the order of its row.
    pub(crate) aliases: Vec<IncludedAlias>,
}

/// An alias of an included opcode.
#[derive(Debug, Clone)]
pub(crate) struct IncludedAlias {
    pub(crate) name: Ident,
    pub(crate) mnemonic: String,
    /// A summary of the assembly texts of the alias.
    pub(crate) text: String,
}
