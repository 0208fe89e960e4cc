//! The specification with every name resolved: plain data that the later phases read.

mod after;
mod aliases;
mod blanks;
mod bodies;
mod conditions;
pub(crate) mod cube;
mod declared;
mod duplicated_fields;
mod exceptions;
mod fields;
mod flow;
mod format_template;
mod hidden;
pub(crate) mod index;
mod inherited;
mod kinds;
mod lanes;
mod lower;
mod marks;
mod names;
mod operands;
mod order;
pub(crate) mod paths;
mod predicates;
mod references;
mod relation;
pub(crate) mod search;
mod special_cases;
mod syntax;
mod template;
pub(crate) mod text;
mod views;
mod words;

use std::rc::Rc;

use cube::Cube;
use proc_macro2::{Ident, Span, TokenStream};

use crate::syntax::ast::{Header, Imported, Included, Level, NodeDecl};
use crate::syntax::byte_order::ByteOrder;
use search::{Found, Search};
use text::OwnText;

pub(crate) use after::{NO_ORDER, Order};
pub(crate) use aliases::lacks;
pub(crate) use blanks::is_word;
pub(crate) use exceptions::Exception;
pub(crate) use flow::FlowRow;
pub(crate) use kinds::{DefaultValue, Field, Format, Init, Kind, Shape, Value, Values};
pub(crate) use lanes::LaneRow;
pub(crate) use lower::{at_node, lower};
pub(crate) use names::{camel, derived};
pub(crate) use operands::Operand;
pub(crate) use predicates::{Case, Predicate, needed};

/// The most fields of an opcode, composite operands included.
pub(crate) const MOST_FIELDS: usize = 254;

/// The most names in a template.
pub(crate) const MOST_NAMES: usize = 64;

/// A whole call.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) header: Header,
    /// A number that calls with other tokens hardly share.
    pub(crate) fingerprint: u64,
    pub(crate) machine: Option<TokenStream>,
    /// The type of what stops an instruction.
    pub(crate) trap: Option<TokenStream>,
    /// The place where it is said that text is read in any letter case.
    pub(crate) any_case: Option<Span>,
    /// In which order the bytes of words stand in memory.
    pub(crate) byte_order: ByteOrder,
    /// The width of addresses in bits.
    pub(crate) address_bits: u8,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) formats: Vec<Format>,
    pub(crate) nodes: Vec<NodeDecl>,
    /// For each node, itself and its ancestors, the most distant first.
    pub(crate) lineage: Vec<Vec<usize>>,
    pub(crate) fields: Vec<Field>,
    /// What several fields are in texts that show them together.
    pub(crate) views: Vec<Field>,
    pub(crate) exceptions: Vec<Exception>,
    /// The rows of all `flow` sections.
    pub(crate) flows: Vec<FlowRow>,
    /// The Rust functions in conditions.
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) syntaxes: Vec<Syntax>,
    pub(crate) opcodes: Vec<Opcode>,
    pub(crate) aliases: Vec<Alias>,
    /// What opcodes and aliases are parsed after, each list once. The first list is empty.
    pub(crate) orders: Vec<Order>,
    pub(crate) included: Vec<Included>,
    pub(crate) imported: Vec<Imported>,
    pub(crate) exports: TokenStream,
    /// Answers what is asked of words.
    pub(crate) search: Rc<Search>,
}

impl Model {
    /// The field at a place of an opcode, or the view that stands there.
    pub(crate) fn at(&self, opcode: &Opcode, place: usize) -> &Field {
        match opcode.view(place) {
            Some(view) => &self.views[view.index],
            None => &self.fields[opcode.fields[place]],
        }
    }

    /// Whether a word of the specification is read where this one stands.
    pub(crate) fn is_read_as(&self, word: &str, written: &str) -> bool {
        word == written || self.any_case.is_some() && word.eq_ignore_ascii_case(written)
    }

    /// The opcodes without a fault, to which rules can be applied.
    pub(crate) fn sound_opcodes(&self) -> impl Iterator<Item = &Opcode> {
        self.opcodes.iter().filter(|opcode| opcode.sound)
    }

    /// The opcodes, and behind them the aliases as opcodes with a text of their own: all that
    /// assembly text can be.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &Opcode> {
        self.opcodes.iter().chain(self.aliases.iter().map(|alias| &alias.row))
    }

    /// The opcodes and aliases without a fault.
    pub(crate) fn sound_spellings(&self) -> impl Iterator<Item = &Opcode> {
        self.spellings().filter(|opcode| opcode.sound)
    }

    /// For each opcode its aliases, as indices, those that are printed first, in the order in which
    /// they are tried.
    pub(crate) fn aliases_by_opcode(&self) -> Vec<Vec<usize>> {
        let mut aliases = vec![Vec::new(); self.opcodes.len()];
        for (place, alias) in self.aliases.iter().enumerate() {
            aliases[alias.of].push(place);
        }
        aliases
    }

    /// The opcodes whose fields are without a fault, to which rules over encodings apply.
    pub(crate) fn encoding_opcodes(&self) -> impl Iterator<Item = &Opcode> {
        self.opcodes.iter().filter(|opcode| opcode.encodes)
    }

    /// For each node of this call that has examples, those of some opcodes that inherit from it.
    pub(crate) fn heirs_with_examples<'o>(
        &self,
        opcodes: impl Iterator<Item = &'o Opcode>,
    ) -> Vec<Vec<&'o Opcode>> {
        let mut heirs = vec![Vec::new(); self.nodes.len()];
        for opcode in opcodes {
            for &node in &self.lineage[opcode.node] {
                let decl = &self.nodes[node];
                if decl.origin.is_none() && !decl.examples.is_empty() {
                    heirs[node].push(opcode);
                }
            }
        }
        heirs
    }

    /// Whether a part of the node, or of what it inherits, could not be read.
    pub(crate) fn is_incomplete(&self, node: usize) -> bool {
        self.lineage[node].iter().any(|&ancestor| self.nodes[ancestor].incomplete)
    }
}

/// A template with its symbols.
#[derive(Debug, Clone)]
pub(crate) struct Syntax {
    pub(crate) mnemonic: String,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) before: Vec<Item>,
    pub(crate) modifiers: Vec<Modifier>,
    pub(crate) after: Vec<Item>,
    pub(crate) source: String,
    /// The section that has the innermost template.
    pub(crate) span: Span,
}

impl Syntax {
    /// The symbols that are operands, in the order of the text.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter().filter(|symbol| matches!(symbol.role, Role::Slot(_)))
    }
}

/// What a template speaks of.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) role: Role,
}

/// How an opcode binds a symbol to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    /// The n-th operand in `Order`.
    Slot(usize),
    /// The sub-field of the n-th operand, or else the field of that name.
    Sub(usize, String),
    /// The field of this name, as a modifier.
    Field(String),
    /// The field of this name, as a trailing setting: another place than that of a modifier.
    Setting(String),
    /// The operand in the field of this name, which no part of the text stands for.
    Hidden(String),
}

/// A modifier of the mnemonic.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Modifier {
    pub(crate) symbol: usize,
    pub(crate) optional: bool,
    pub(crate) only: Option<u64>,
}

/// A piece of a resolved template.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Text(String),
    Slot { symbol: usize, affixes: Vec<Affix>, suffixes: Vec<usize> },
    Optional(Vec<Item>),
    Tags(Vec<usize>),
}

/// A mark at an operand.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Affix {
    pub(crate) symbol: usize,
    /// The value that the mark stands for in the opcodes of the syntax.
    pub(crate) present: u64,
    pub(crate) open: String,
    pub(crate) close: String,
    /// The number of the operand's modifiers that are printed before `close`.
    pub(crate) inside: usize,
}

/// An opcode, flattened.
#[derive(Debug)]
pub(crate) struct Opcode {
    /// The node that declares the opcode, an index into [`Model::nodes`].
    pub(crate) node: usize,
    pub(crate) name: Ident,
    /// The name of the opcode's type.
    pub(crate) type_name: Ident,
    pub(crate) bits: u8,
    /// Indices into [`Model::fields`], inherited ones first.
    pub(crate) fields: Vec<usize>,
    /// What its text shows of several fields together. Their places are behind those of the fields.
    pub(crate) views: Vec<View>,
    pub(crate) fixed: Cube,
    pub(crate) unused: u128,
    /// The bits that no text shows.
    pub(crate) ignored: u128,
    /// Reserved values and exceptions.
    pub(crate) illegal: Vec<Cube>,
    /// The words that are illegal only where functions in conditions say so.
    pub(crate) unsure: Vec<Cube>,
    /// Indices into [`Model::exceptions`].
    pub(crate) exceptions: Vec<usize>,
    /// What it is parsed after, an index into [`Model::orders`].
    pub(crate) after: usize,
    /// The opcodes of which this one is said to be a special case.
    pub(crate) inside: Vec<General>,
    /// The syntax, an index into [`Model::syntaxes`].
    pub(crate) syntax: usize,
    /// For each symbol of the syntax, the place of a field or of a view.
    pub(crate) bind: Vec<Option<usize>>,
    /// The template without what the opcode lacks.
    pub(crate) text: OwnText,
    pub(crate) operands: Vec<Operand>,
    pub(crate) lanes: Vec<LaneRow>,
    /// The operands that the text does not show, by the names of their fields.
    pub(crate) hidden: Vec<Symbol>,
    /// Whether lists say what the opcode reads and writes, be it nothing.
    pub(crate) has_lists: bool,
    pub(crate) formats: Vec<FieldFormat>,
    /// The nodes that have the semantics and the guard.
    pub(crate) semantics: Option<usize>,
    pub(crate) guard: Option<usize>,
    /// The rows of its `flow`, as indices into [`Model::flows`], each with the place of its target.
    pub(crate) flow: Vec<(usize, Option<usize>)>,
    /// Whether no fault was met in the opcode or in what it inherits.
    pub(crate) sound: bool,
    /// Whether the fields of the opcode are without a fault, whatever its syntax and operands are.
    pub(crate) encodes: bool,
    /// Whether the body of the opcode's semantics is without a fault that is reported.
    pub(crate) runs: bool,
    /// The search of the model, which questions about the opcode's words use up.
    pub(crate) search: Rc<Search>,
}

impl Opcode {
    /// The words that have the opcode's fixed bits and no bit outside its fields.
    pub(crate) fn identity(&self) -> Cube {
        Cube { mask: self.fixed.mask | self.unused, value: self.fixed.value }
    }

    /// Whether every word with this opcode's bits has those of `general` too, which has others.
    pub(crate) fn is_special_case_of(&self, general: &Opcode) -> bool {
        let (own, wider) = (self.identity(), general.identity());
        self.bits == general.bits && wider.covers(own) && wider != own
    }

    /// The value of an open field that has the opcode's own name, by which it is most likely told
    /// from others.
    pub(crate) fn namesake<'m>(&self, field: &Field, model: &'m Model) -> Option<&'m Value> {
        let open = !field.is_fixed() && field.name.sub.is_none();
        let mut values = model.kinds[field.kind].values().iter();
        values.find(|value| open && value.name == self.name)
    }

    /// What the opcode would most likely fix a field to that is open: its own name, or some value
    /// where others fix the field.
    pub(crate) fn identifying(&self, field: &Field, model: &Model) -> Option<String> {
        if field.is_fixed() || field.name.sub.is_some() || !model.kinds[field.kind].is_set() {
            return None;
        }
        let is_same = |other: &&Field| {
            other.is_fixed() && other.text == field.text && other.pieces == field.pieces
        };
        let others = || model.fields.iter().find(is_same).map(|_| "VALUE".to_owned());
        self.namesake(field, model).map(|value| value.name.to_string()).or_else(others)
    }

    /// The words with a reserved value.
    pub(crate) fn reserved(&self, model: &Model) -> Vec<Cube> {
        let fields = self.fields.iter().map(|&id| &model.fields[id]);
        let lifted = fields.filter(|field| !field.is_fixed()).flat_map(|field| {
            model.kinds[field.kind].reserved.iter().map(|&cube| field.lift(cube))
        });
        lifted.collect()
    }

    /// Whether a legal word is in all of these cubes; not so, too, where that cannot be found out.
    pub(crate) fn has_legal_word(&self, mut cubes: impl Iterator<Item = Cube>) -> bool {
        let words = cubes.try_fold(self.identity(), |words, cube| words.and(cube));
        words.is_some_and(|words| matches!(self.word_of(words, &self.illegal), Ok(Some(_))))
    }

    /// A word of `within` that is in none of `without`: a question about this opcode.
    pub(crate) fn word_of(&self, within: Cube, without: &[Cube]) -> Found {
        self.search.witness(&[&self.name], within, without)
    }

    /// The words that may be illegal.
    pub(crate) fn all_illegal(&self) -> Vec<Cube> {
        [&self.illegal[..], &self.unsure].concat()
    }

    /// A legal word of `other` that is no legal word of this one, if there is one, or as far as
    /// functions are not known may be one.
    pub(crate) fn lacks(&self, other: &Opcode) -> Found {
        let words = Legal { identity: self.identity(), illegal: &self.all_illegal() };
        let others = Legal { identity: other.identity(), illegal: &other.illegal };
        words.lacks(&others, |words, without| {
            self.search.witness(&[&self.name, &other.name], words, without)
        })
    }

    /// As [`Opcode::identity`], with 0 in the bits above the word.
    pub(crate) fn plain(&self) -> Cube {
        self.identity().as_numbers(self.bits)
    }

    /// The view at a place.
    pub(crate) fn view(&self, place: usize) -> Option<&View> {
        self.views.get(place.checked_sub(self.fields.len())?)
    }

    /// The places of the fields that the text shows where it shows what stands at a place.
    pub(crate) fn covered<'o>(&'o self, place: &'o usize) -> &'o [usize] {
        self.view(*place).map_or(std::slice::from_ref(place), |view| &view.of)
    }

    /// Whether the text shows the field at a place, by itself or with others.
    pub(crate) fn binds(&self, place: usize) -> bool {
        self.bind.iter().flatten().any(|bound| self.covered(bound).contains(&place))
    }

    /// The place of the field or view that a symbol of the syntax is bound to.
    pub(crate) fn bound(&self, symbol: usize) -> Option<usize> {
        self.bind.get(symbol).copied().flatten()
    }

    /// The text format of the field at `place`.
    pub(crate) fn format_of(&self, place: usize) -> Option<&FieldFormat> {
        self.formats.iter().find(|format| format.field == place)
    }

    /// The place in `fields` of the field of this name.
    pub(crate) fn field(&self, model: &Model, name: &str) -> Option<usize> {
        self.fields.iter().position(|&field| model.fields[field].text == name)
    }

    /// The sub-field of the operand at `place`, or else the field of that name.
    pub(crate) fn sub_field(&self, place: usize, sub: &str, model: &Model) -> Option<usize> {
        let base = &model.at(self, place).text;
        self.field(model, &format!("{base}.{sub}")).or_else(|| self.field(model, sub))
    }

    /// The view or field of a slot's name, as written or in lower case.
    pub(crate) fn slot_by_name(&self, name: &str, model: &Model) -> Option<usize> {
        let lower = name.to_lowercase();
        let view = self.view_named(name).or_else(|| self.view_named(&lower));
        view.or_else(|| self.field(model, name)).or_else(|| self.field(model, &lower))
    }

    /// The place of the view of this name.
    pub(super) fn view_named(&self, name: &str) -> Option<usize> {
        let at = self.views.iter().position(|view| view.name == name)?;
        Some(self.fields.len() + at)
    }

    /// The view of the name of the field at a place, which is shown in its stead, or that place.
    pub(super) fn view_for(&self, place: usize, model: &Model) -> usize {
        self.view_named(&model.at(self, place).text).unwrap_or(place)
    }

    /// The place of the field that is the operand where the text shows what stands at a place: of a
    /// view that of the field of its name.
    pub(super) fn operand_at(&self, place: usize, model: &Model) -> Option<usize> {
        match self.view(place) {
            Some(view) => self.field(model, &view.name),
            None => Some(place),
        }
    }
}

/// The legal words of an opcode.
pub(crate) struct Legal<'o> {
    pub(crate) identity: Cube,
    pub(crate) illegal: &'o [Cube],
}

impl Legal<'_> {
    /// A legal word of `other` that is no legal word of this opcode, as `witness` finds it.
    pub(crate) fn lacks(
        &self,
        other: &Legal<'_>,
        witness: impl Fn(Cube, &[Cube]) -> Found,
    ) -> Found {
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
    /// The alias as an opcode: its words and their text. It inherits all that its opcode has.
    pub(crate) row: Opcode,
    /// The opcode, an index into [`Model::opcodes`].
    pub(crate) of: usize,
    /// Whether the words of the alias are printed in its spelling.
    pub(crate) printed: bool,
    /// The nodes of the aliases that this one is printed before, by what is said of each pair
    /// alone.
    pub(crate) before: Vec<usize>,
}

/// An opcode that is said to have another inside it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct General {
    /// The opcode, an index into [`Model::opcodes`].
    pub(crate) opcode: usize,
    /// The place where it is said.
    pub(crate) span: Span,
}

/// What an opcode's text shows of several fields together, in one slot.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) name: String,
    /// An index into [`Model::views`].
    pub(crate) index: usize,
    /// The places of the fields, the most significant first.
    pub(crate) of: Vec<usize>,
}

/// A text format of one field or view.
#[derive(Debug)]
pub(crate) struct FieldFormat {
    /// The place of the field or view.
    pub(crate) field: usize,
    /// An index into [`Model::formats`].
    pub(crate) format: usize,
    /// The places of the fields that the text depends on.
    pub(crate) args: Vec<usize>,
}

/// The keyword and name of a node, for messages.
pub(crate) fn describe(node: &NodeDecl) -> String {
    node.describe()
}

/// Whether a node is an opcode of this call.
pub(crate) fn is_own_opcode(node: &NodeDecl) -> bool {
    node.level == Level::Opcode && node.origin.is_none()
}
