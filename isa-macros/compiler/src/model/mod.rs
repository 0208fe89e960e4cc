//! The resolved model: the specification as plain data with every name resolved, for the later
//! phases.

mod affix_values;
mod aliases;
mod blanks;
mod composite_operands;
mod condition_words;
mod conditions;
pub(crate) mod cube;
mod exceptions;
pub(crate) mod features;
mod field_types;
mod fields;
mod flow;
mod hidden_fields;
mod lower;
pub(crate) mod names;
pub(crate) mod opcode_template;
mod opcodes;
mod operand_misuse;
mod operands;
mod parse_order;
mod predicates;
mod properties;
mod references;
mod relation;
mod short_words;
mod special_cases;
mod syntaxes;
mod template;
pub(crate) mod word_search;

use std::rc::Rc;

use cube::Cube;
use proc_macro2::{Ident, Literal, Span, TokenStream};

use crate::diag::Diagnostics;
use crate::syntax::ast::{
    ByteOrder, Imported, Included, Level, MachineMethod, NodeDecl, SetHeader,
};
use features::{Features, Requirement};
use opcode_template::OpcodeTemplate;
use short_words::ShortWords;
use word_search::{SearchResult, WordSearch};

pub(crate) use aliases::lacks;
pub(crate) use blanks::is_word;
pub(crate) use exceptions::Exception;
pub(crate) use field_types::{
    DefaultValue, FieldType, FieldTypeKind, Init, NamedValue, OperandFormat, ResolvedField,
};
pub(crate) use flow::FlowRow;
pub(crate) use lower::lower;
pub(crate) use names::{camel, derived};
pub(crate) use operands::{LaneRow, OpcodeOperand};
pub(crate) use parse_order::{NO_ORDER, ParseOrder};
pub(crate) use predicates::{Predicate, PredicateCase, needed};
pub(crate) use properties::{PropertyType, ResolvedProperty};
pub(crate) use short_words::ResolvedShortWord;

/// The maximum number of fields of an opcode, including its composite operands.
pub(crate) const MOST_FIELDS: usize = 254;

/// The maximum number of names in a template.
pub(crate) const MOST_NAMES: usize = 64;

/// A call of the macro with all names resolved.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) header: SetHeader,
    /// A hash of the call's tokens. Different calls rarely share it.
    pub(crate) fingerprint: u64,
    pub(crate) machine: Option<TokenStream>,
    /// The methods in the block of the `machine` item, if it has a block.
    pub(crate) machine_methods: Option<Vec<MachineMethod>>,
    /// The type of the error with which an instruction stops.
    pub(crate) trap: Option<TokenStream>,
    /// The position of the item that makes the parser accept any letter case, if there is one.
    pub(crate) any_case: Option<Span>,
    /// The order of the bytes of a word in memory.
    pub(crate) byte_order: ByteOrder,
    /// The width of addresses in bits.
    pub(crate) address_bits: u8,
    /// The files with the functions that semantics call.
    pub(crate) functions: Vec<Literal>,
    pub(crate) field_types: Vec<FieldType>,
    pub(crate) formats: Vec<OperandFormat>,
    /// The properties that every opcode of this call has.
    pub(crate) properties: Vec<ResolvedProperty>,
    pub(crate) nodes: Vec<NodeDecl>,
    /// For each node, its ancestors and the node itself, the most distant ancestor first.
    pub(crate) lineage: Vec<Vec<usize>>,
    pub(crate) fields: Vec<ResolvedField>,
    /// The composite operands: fields that the assembly text shows together.
    pub(crate) composite_operands: Vec<ResolvedField>,
    pub(crate) exceptions: Vec<Exception>,
    /// The short words, by the node that declares them.
    short_words: ShortWords,
    pub(crate) features: Features,
    pub(crate) requirements: Vec<Requirement>,
    /// The rows of all `flow` sections.
    pub(crate) flows: Vec<FlowRow>,
    /// The Rust functions in conditions.
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) syntaxes: Vec<Syntax>,
    pub(crate) opcodes: Vec<Opcode>,
    pub(crate) aliases: Vec<Alias>,
    /// The lists of rows that are parsed before an opcode or alias. Each list is stored once; the
    /// first list is empty.
    pub(crate) orders: Vec<ParseOrder>,
    pub(crate) included: Vec<Included>,
    pub(crate) imported: Vec<Imported>,
    pub(crate) exports: TokenStream,
    /// Answers questions about sets of words.
    pub(crate) search: Rc<WordSearch>,
}

impl Model {
    /// Returns the type of a field or composite operand.
    pub(crate) fn type_of(&self, field: &ResolvedField) -> &FieldType {
        &self.field_types[field.ty]
    }

    /// Returns the field or composite operand of `opcode` at index `place`.
    pub(crate) fn at(&self, opcode: &Opcode, place: usize) -> &ResolvedField {
        match opcode.composite(place) {
            Some(view) => &self.composite_operands[view.index],
            None => &self.fields[opcode.fields[place]],
        }
    }

    /// Returns whether the parser accepts the text `written` for `word`, a word of the
    /// specification.
    pub(crate) fn is_parsed_as(&self, word: &str, written: &str) -> bool {
        word == written || self.any_case.is_some() && word.eq_ignore_ascii_case(written)
    }

    /// Returns the opcodes without errors, to which rules can be applied.
    pub(crate) fn valid_opcodes(&self) -> impl Iterator<Item = &Opcode> {
        self.opcodes.iter().filter(|opcode| opcode.is_valid)
    }

    /// Returns all rows that an assembly text can match: the opcodes, followed by the aliases as
    /// opcodes with their own syntax.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &Opcode> {
        self.opcodes.iter().chain(self.aliases.iter().map(|alias| &alias.row))
    }

    /// Returns the opcodes and aliases without errors.
    pub(crate) fn valid_spellings(&self) -> impl Iterator<Item = &Opcode> {
        self.spellings().filter(|opcode| opcode.is_valid)
    }

    /// Returns the aliases of each opcode as indexes. They are in the order in which they are
    /// tried: those that are printed come first.
    pub(crate) fn aliases_by_opcode(&self) -> Vec<Vec<usize>> {
        let mut aliases = vec![Vec::new(); self.opcodes.len()];
        for (place, alias) in self.aliases.iter().enumerate() {
            aliases[alias.of].push(place);
        }
        aliases
    }

    /// Returns the opcodes whose fields have no errors. The checks of encodings apply only to these
    /// opcodes.
    pub(crate) fn opcodes_with_valid_fields(&self) -> impl Iterator<Item = &Opcode> {
        self.opcodes.iter().filter(|opcode| opcode.has_valid_fields)
    }

    /// Returns, for each node of this call that has examples, those of `opcodes` that inherit from
    /// it.
    pub(crate) fn descendants_with_examples<'o>(
        &self,
        opcodes: impl Iterator<Item = &'o Opcode>,
    ) -> Vec<Vec<&'o Opcode>> {
        let mut heirs = vec![Vec::new(); self.nodes.len()];
        for opcode in opcodes {
            for &node in &self.lineage[opcode.node] {
                let decl = &self.nodes[node];
                if decl.origin.is_this_call() && !decl.examples.is_empty() {
                    heirs[node].push(opcode);
                }
            }
        }
        heirs
    }

    /// Returns whether a part of the node, or of one of its ancestors, could not be parsed.
    pub(crate) fn is_incomplete(&self, node: usize) -> bool {
        self.lineage[node].iter().any(|&ancestor| self.nodes[ancestor].incomplete)
    }
}

/// A template with its placeholders.
#[derive(Debug, Clone)]
pub(crate) struct Syntax {
    pub(crate) mnemonic: String,
    pub(crate) placeholders: Vec<Placeholder>,
    pub(crate) before: Vec<TemplateItem>,
    pub(crate) modifiers: Vec<TemplateModifier>,
    pub(crate) after: Vec<TemplateItem>,
    pub(crate) source: String,
    /// The section that contains the innermost template.
    pub(crate) span: Span,
}

impl Syntax {
    /// Returns the placeholders of operands, in the order of the template.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &Placeholder> {
        self.placeholders.iter().filter(|symbol| symbol.is_operand())
    }
}

/// A placeholder of a template: an operand, modifier, operator or trailing attribute.
#[derive(Debug, Clone)]
pub(crate) struct Placeholder {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) role: Role,
}

impl Placeholder {
    /// Returns whether the placeholder is an operand.
    pub(crate) fn is_operand(&self) -> bool {
        matches!(self.role, Role::Slot(_))
    }
}

/// The rule by which an opcode binds a placeholder to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    /// The operand with this index in `Order`.
    Slot(usize),
    /// The sub-field with this name of the operand with this index, or else the field of this name.
    Sub(usize, String),
    /// The field of this name, as a modifier.
    Field(String),
    /// The field of this name, as a trailing attribute. A trailing attribute is at another position
    /// in the text than a modifier.
    Setting(String),
    /// The operand in the field of this name, which the text does not show.
    Hidden(String),
}

/// A modifier of the mnemonic.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TemplateModifier {
    pub(crate) symbol: usize,
    pub(crate) optional: bool,
    pub(crate) only: Option<u64>,
}

/// An item of a resolved template.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum TemplateItem {
    Text(String),
    Slot { symbol: usize, affixes: Vec<Affix>, suffixes: Vec<usize> },
    Optional(Vec<TemplateItem>),
    Tags(Vec<usize>),
}

/// A prefix or suffix operator of an operand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Affix {
    pub(crate) symbol: usize,
    /// The value of the field if the operator is present, in the opcodes of the syntax.
    pub(crate) present: u64,
    pub(crate) open: String,
    pub(crate) close: String,
    /// The number of the operand's modifiers that are printed before `close`.
    pub(crate) inside: usize,
}

/// An opcode with its inherited parts.
#[derive(Debug)]
pub(crate) struct Opcode {
    /// The node that declares the opcode, an index into [`Model::nodes`].
    pub(crate) node: usize,
    pub(crate) name: Ident,
    /// The name of the opcode's type.
    pub(crate) type_name: Ident,
    pub(crate) bits: u8,
    /// The words that are shorter than `bits`, if there are any.
    pub(crate) short: Option<Rc<ResolvedShortWord>>,
    /// The fields as indexes into [`Model::fields`], inherited ones first.
    pub(crate) fields: Vec<usize>,
    /// The composite operands. Their indexes follow those of the fields.
    pub(crate) composite_operands: Vec<CompositeOperand>,
    pub(crate) fixed: Cube,
    pub(crate) unused: u128,
    /// The bits that no text shows.
    pub(crate) ignored: u128,
    /// The invalid words: those with reserved values and those that an exception rejects.
    pub(crate) illegal: Vec<Cube>,
    /// The words that are invalid only for some results of the functions in conditions.
    pub(crate) unsure: Vec<Cube>,
    /// The exceptions, as indexes into [`Model::exceptions`].
    pub(crate) exceptions: Vec<usize>,
    /// The requirements that apply to some of its words, as indexes into [`Model::requirements`].
    pub(crate) requirements: Vec<usize>,
    /// The rows that are parsed before this opcode, as an index into [`Model::orders`].
    pub(crate) parse_order: usize,
    /// The opcodes that this one is declared to be a special case of.
    pub(crate) inside: Vec<GeneralForm>,
    /// The syntax, an index into [`Model::syntaxes`].
    pub(crate) syntax: usize,
    /// For each placeholder of the syntax, the index of a field or of a composite operand.
    pub(crate) bind: Vec<Option<usize>>,
    /// The template of the syntax, without the parts for fields that this opcode does not have.
    pub(crate) text: OpcodeTemplate,
    pub(crate) operands: Vec<OpcodeOperand>,
    pub(crate) lanes: Vec<LaneRow>,
    /// The operands that the text does not show, by the names of their fields.
    pub(crate) hidden: Vec<Placeholder>,
    /// Whether the specification lists the operands that the opcode reads and writes. A list may be
    /// empty.
    pub(crate) has_lists: bool,
    pub(crate) formats: Vec<FieldFormat>,
    /// The nodes that contain the semantics and the guard.
    pub(crate) semantics: Option<usize>,
    pub(crate) guard: Option<usize>,
    /// The rows of its `flow`, as indexes into [`Model::flows`], each with the index of the
    /// target's field.
    pub(crate) flow: Vec<(usize, Option<usize>)>,
    /// The value of each property of the call: a number, 1 for `true`, or the bits of a named value.
    pub(crate) properties: Vec<i64>,
    /// Whether the opcode and its ancestors have no errors.
    pub(crate) is_valid: bool,
    /// Whether the fields of the opcode have no errors, even if its syntax or operands do.
    pub(crate) has_valid_fields: bool,
    /// Whether no error is reported in the opcode's semantics.
    pub(crate) has_valid_semantics: bool,
    /// The search of the model. Searches for words of this opcode use up its steps.
    pub(crate) search: Rc<WordSearch>,
}

impl Opcode {
    /// Returns the fields, inherited ones first.
    pub(crate) fn fields_in<'m>(
        &self,
        model: &'m Model,
    ) -> impl Iterator<Item = &'m ResolvedField> {
        self.fields.iter().map(|&id| &model.fields[id])
    }

    /// Returns the field at index `place` of this opcode.
    pub(crate) fn field_at<'m>(&self, model: &'m Model, place: usize) -> &'m ResolvedField {
        &model.fields[self.fields[place]]
    }

    /// Returns the words that have the opcode's fixed bits and 0 in all bits outside its fields.
    pub(crate) fn identity(&self) -> Cube {
        Cube { mask: self.fixed.mask | self.unused, value: self.fixed.value }
    }

    /// Returns whether every word with this opcode's fixed bits also has the fixed bits of
    /// `general`, and `general` accepts more words.
    pub(crate) fn is_special_case_of(&self, general: &Opcode) -> bool {
        let (own, wider) = (self.identity(), general.identity());
        self.widths() == general.widths() && wider.covers(own) && wider != own
    }

    /// Returns the width of the words. If some are shorter, also returns the width of these and the
    /// long words.
    fn widths(&self) -> (u8, Option<(u8, &[Cube])>) {
        (self.bits, self.short.as_deref().map(|short| (short.bits, &short.long[..])))
    }

    /// Returns the value that has the same name as the opcode, if the type of an open field has
    /// such a value. This value most likely distinguishes the opcode from others.
    pub(crate) fn namesake<'m>(
        &self,
        field: &ResolvedField,
        model: &'m Model,
    ) -> Option<&'m NamedValue> {
        let open = !field.is_fixed() && field.name.sub.is_none();
        let mut values = model.type_of(field).values().iter();
        values.find(|value| open && value.name == self.name)
    }

    /// Returns the value to which the opcode would most likely fix an open field: the value with
    /// the opcode's own name, or a placeholder if another opcode fixes the same field.
    pub(crate) fn identifying(&self, field: &ResolvedField, model: &Model) -> Option<String> {
        if field.is_fixed() || field.name.sub.is_some() || !model.type_of(field).is_set() {
            return None;
        }
        let is_same = |other: &&ResolvedField| {
            other.is_fixed() && other.text == field.text && other.pieces == field.pieces
        };
        let others = || model.fields.iter().find(is_same).map(|_| "VALUE".to_owned());
        self.namesake(field, model).map(|value| value.name.to_string()).or_else(others)
    }

    /// Returns the words that contain a reserved value.
    pub(crate) fn reserved(&self, model: &Model) -> Vec<Cube> {
        let fields = self.fields_in(model);
        let lifted = fields
            .filter(|field| !field.is_fixed())
            .flat_map(|field| model.type_of(field).reserved.iter().map(|&cube| field.lift(cube)));
        lifted.collect()
    }

    /// Returns whether a valid word matches all masked patterns in `cubes`. Also returns false if
    /// the search exceeds its limit.
    pub(crate) fn has_valid_word(&self, mut cubes: impl Iterator<Item = Cube>) -> bool {
        let words = cubes.try_fold(self.identity(), |words, cube| words.and(cube));
        words.is_some_and(|words| matches!(self.word_of(words, &self.illegal), Ok(Some(_))))
    }

    /// Searches for a word that matches `within` and none of `without`. If the search exceeds its
    /// limit, this opcode is recorded.
    pub(crate) fn word_of(&self, within: Cube, without: &[Cube]) -> SearchResult {
        self.search.witness(&[&self.name], within, without)
    }

    /// Returns the words that are or may be invalid.
    pub(crate) fn all_illegal(&self) -> Vec<Cube> {
        [&self.illegal[..], &self.unsure].concat()
    }

    /// Searches for a word that is valid for `other` and not for this opcode. Words that are
    /// invalid for this opcode only for some results of functions are treated as invalid.
    pub(crate) fn lacks(&self, other: &Opcode) -> SearchResult {
        let words = ValidWords { identity: self.identity(), illegal: &self.all_illegal() };
        let others = ValidWords { identity: other.identity(), illegal: &other.illegal };
        words.lacks(&others, |words, without| {
            self.search.witness(&[&self.name, &other.name], words, without)
        })
    }

    /// Returns [`Opcode::identity`] with 0 in the bits above the word.
    pub(crate) fn plain(&self) -> Cube {
        self.identity().as_numbers(self.bits)
    }

    /// Returns the composite operand at index `place`.
    pub(crate) fn composite(&self, place: usize) -> Option<&CompositeOperand> {
        self.composite_operands.get(place.checked_sub(self.fields.len())?)
    }

    /// Returns the indexes of the fields that the text shows for a field or composite operand.
    pub(crate) fn covered<'o>(&'o self, place: &'o usize) -> &'o [usize] {
        self.composite(*place).map_or(std::slice::from_ref(place), |view| &view.of)
    }

    /// Returns whether the text shows the field at index `place`, alone or as part of a composite
    /// operand.
    pub(crate) fn binds(&self, place: usize) -> bool {
        self.bind.iter().flatten().any(|bound| self.covered(bound).contains(&place))
    }

    /// Returns the index of the field or composite operand that is bound to the placeholder
    /// `symbol`.
    pub(crate) fn bound(&self, symbol: usize) -> Option<usize> {
        self.bind.get(symbol).copied().flatten()
    }

    /// Returns the text format of the field at `place`.
    pub(crate) fn format_of(&self, place: usize) -> Option<&FieldFormat> {
        self.formats.iter().find(|format| format.field == place)
    }

    /// Returns the index of the field `name` in `fields`.
    pub(crate) fn field(&self, model: &Model, name: &str) -> Option<usize> {
        self.fields.iter().position(|&field| model.fields[field].text == name)
    }

    /// Returns the index of the sub-field `sub` of the operand at `place`. If there is no such
    /// sub-field, returns the index of the field called `sub`.
    pub(crate) fn sub_field(&self, place: usize, sub: &str, model: &Model) -> Option<usize> {
        let base = &model.at(self, place).text;
        self.field(model, &format!("{base}.{sub}")).or_else(|| self.field(model, sub))
    }

    /// Returns the composite operand or field that an operand placeholder names, as written or in
    /// lower case.
    pub(crate) fn slot_by_name(&self, name: &str, model: &Model) -> Option<usize> {
        let lower = name.to_lowercase();
        let view = self.composite_named(name).or_else(|| self.composite_named(&lower));
        view.or_else(|| self.field(model, name)).or_else(|| self.field(model, &lower))
    }

    /// Returns the index of the composite operand `name`.
    pub(super) fn composite_named(&self, name: &str) -> Option<usize> {
        let at = self.composite_operands.iter().position(|view| view.name == name)?;
        Some(self.fields.len() + at)
    }

    /// Returns the composite operand that has the name of the field at `place` and is shown instead
    /// of it, or else `place`.
    pub(super) fn composite_for(&self, place: usize, model: &Model) -> usize {
        self.composite_named(&model.at(self, place).text).unwrap_or(place)
    }

    /// Returns the index of the field that is the operand at `place`. For a composite operand it is
    /// the field of the same name.
    pub(super) fn operand_at(&self, place: usize, model: &Model) -> Option<usize> {
        match self.composite(place) {
            Some(view) => self.field(model, &view.name),
            None => Some(place),
        }
    }
}

/// The valid words of an opcode.
pub(crate) struct ValidWords<'o> {
    pub(crate) identity: Cube,
    pub(crate) illegal: &'o [Cube],
}

impl ValidWords<'_> {
    /// Searches with `witness` for a word that is valid for `other` and not for this opcode.
    pub(crate) fn lacks(
        &self,
        other: &ValidWords<'_>,
        witness: impl Fn(Cube, &[Cube]) -> SearchResult,
    ) -> SearchResult {
        let outside = self.identity.complement().into_iter().chain(self.illegal.iter().copied());
        for words in outside.filter_map(|cube| cube.and(other.identity)) {
            if let Some(word) = witness(words, other.illegal)? {
                return Ok(Some(word));
            }
        }
        Ok(None)
    }
}

/// Another spelling of some words of an opcode.
#[derive(Debug)]
pub(crate) struct Alias {
    /// The alias as an opcode with its own words and syntax. It inherits everything else from its
    /// opcode.
    pub(crate) row: Opcode,
    /// The opcode, an index into [`Model::opcodes`].
    pub(crate) of: usize,
    /// Whether the words of the alias are printed in its spelling.
    pub(crate) printed: bool,
    /// The nodes of the aliases that this one is printed before. Chains of aliases are not
    /// included.
    pub(crate) before: Vec<usize>,
}

/// A general opcode that a special case names after `inside`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GeneralForm {
    /// The opcode, an index into [`Model::opcodes`].
    pub(crate) opcode: usize,
    /// The position of the declaration.
    pub(crate) span: Span,
}

/// A composite operand: several fields that the text shows in one operand placeholder.
#[derive(Debug)]
pub(crate) struct CompositeOperand {
    pub(crate) name: String,
    /// An index into [`Model::composite_operands`].
    pub(crate) index: usize,
    /// The indexes of the fields, the most significant first.
    pub(crate) of: Vec<usize>,
}

/// The text format of one field or composite operand.
#[derive(Debug)]
pub(crate) struct FieldFormat {
    /// The index of the field or composite operand.
    pub(crate) field: usize,
    /// The format, an index into [`Model::formats`].
    pub(crate) format: usize,
    /// The indexes of the fields that the text depends on.
    pub(crate) args: Vec<usize>,
}

/// Returns the keyword and name of a node, for messages.
pub(crate) fn describe(node: &NodeDecl) -> String {
    node.describe()
}

/// Returns whether a node is an opcode of this call.
pub(crate) fn is_own_opcode(node: &NodeDecl) -> bool {
    node.level == Level::Opcode && node.origin.is_this_call()
}

/// Sets the node as the item that messages are about.
pub(crate) fn at_node(node: &NodeDecl, diag: &mut Diagnostics) {
    diag.at_item(node.level.keyword(), &node.name);
}
