//! Defines the names and paths in generated code, names that cannot conflict with names of a
//! specification, and tokens that messages show at another span.

use isa_bdd::HashMap;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::model::names::{format_static, text_static};
use crate::model::opcode_template::TextFns;
use crate::model::{Model, Opcode, ResolvedField, derived};
use crate::plan::{MethodGroup, Plan};
use crate::syntax::is_reserved;

/// Names of hidden items, derived from the name of the set.
pub(crate) struct GeneratedNames {
    pub(crate) fields: Ident,
    pub(crate) views: Ident,
    pub(crate) lanes: Ident,
    pub(crate) exceptions: Ident,
    pub(crate) requirements: Ident,
    /// The prefix of the names of truth tables for functions in conditions.
    pub(crate) predicates: Ident,
    pub(crate) joints: Ident,
    pub(crate) syntax: Ident,
    pub(crate) opcodes: Ident,
    /// The groups, the text of semantic functions, and the files of functions that they call.
    pub(crate) lineages: Ident,
    pub(crate) properties: Ident,
    pub(crate) property_values: Ident,
    pub(crate) aliases: Ident,
    pub(crate) orders: Ident,
    pub(crate) texts: Ident,
    pub(crate) apart: Ident,
    pub(crate) rows: Ident,
    pub(crate) set: Ident,
    /// The type of the call's instructions.
    pub(crate) instruction: Ident,
    /// The trait of the call's opcodes.
    pub(crate) opcode_trait: Ident,
    /// The trait of the call's opcodes with semantics.
    pub(crate) execute_trait: Ident,
    /// The function that evaluates the guards of the call for a warp.
    pub(crate) guarded: Ident,
    /// The type argument of each opcode's instruction type, by the node of the opcode.
    types: HashMap<usize, TokenStream>,
}

impl GeneratedNames {
    pub(crate) fn new(Plan { model, method_groups, .. }: &Plan<'_>) -> Self {
        let set = &model.header.name;
        let hidden = |what: &str| format_ident!("__{set}_{what}", span = Span::call_site());
        let public = |what: &str| derived(&format!("{set}{what}"), set);
        let types = method_groups.iter().flat_map(|group| {
            let opcodes = group.members.iter().map(|&index| &model.opcodes[index]);
            opcodes.map(|opcode| (opcode.node, opcode_type(group, opcode)))
        });
        GeneratedNames {
            types: types.collect(),
            fields: hidden("FIELDS"),
            views: hidden("VIEWS"),
            lanes: hidden("LANES"),
            exceptions: hidden("EXCEPTIONS"),
            requirements: hidden("REQUIREMENTS"),
            predicates: hidden("PREDICATE"),
            joints: hidden("JOINTS"),
            syntax: hidden("SYNTAX"),
            opcodes: hidden("OPCODES"),
            lineages: hidden("LINEAGES"),
            properties: hidden("PROPERTIES"),
            property_values: hidden("PROPERTY_VALUES"),
            aliases: hidden("ALIASES"),
            orders: hidden("ORDERS"),
            texts: hidden("TEXTS"),
            apart: hidden("APART"),
            rows: hidden("ROWS"),
            set: hidden("SET"),
            instruction: public("Instruction"),
            opcode_trait: public("Opcode"),
            execute_trait: public("Execute"),
            guarded: hidden("guarded"),
        }
    }
}

/// Returns the type argument of an opcode's instruction type.
fn opcode_type(group: &MethodGroup, opcode: &Opcode) -> TokenStream {
    let marker = marker(opcode);
    match &group.name {
        Some(group) => quote!(#group<#marker>),
        None => quote!(#marker),
    }
}

impl GeneratedNames {
    /// Returns the type argument of an opcode's instruction type.
    pub(crate) fn opcode_type(&self, opcode: &Opcode) -> &TokenStream {
        &self.types[&opcode.node]
    }
}

/// Returns the path of the text functions of a Rust type.
pub(crate) fn text_fns(model: &Model, text: TextFns) -> TokenStream {
    match text {
        TextFns::Kind(kind) => text_static(&model.field_types[kind]),
        TextFns::Format(format) => format_static(&model.formats[format]),
    }
}

/// Returns the name of the setter of a field, for example `rb_neg`.
pub(crate) fn setter(field: &ResolvedField) -> Ident {
    match &field.name.sub {
        Some(sub) => derived(&format!("{}_{sub}", field.name.base), sub),
        None => escape(&field.name.base),
    }
}

/// Returns the name of the getter of a field, for example `get_rb_neg`.
pub(crate) fn getter(field: &ResolvedField) -> Ident {
    derived(&format!("get_{}", field.text.replace('.', "_")), field.name.last())
}

/// Returns the name as an identifier, raw if Rust reserves the word in any edition.
pub(crate) fn escape(name: &Ident) -> Ident {
    let text = name.to_string();
    if is_reserved(&text) { Ident::new_raw(&text, name.span()) } else { name.clone() }
}

/// Returns the name of the type that represents an opcode, for example `Hadd2RrOpcode`.
pub(crate) fn marker(opcode: &Opcode) -> Ident {
    derived(&format!("{}Opcode", opcode.type_name), &opcode.name)
}

/// Returns the Rust type that holds a word.
pub(crate) fn word_type(bits: u8) -> Ident {
    format_ident!("u{}", bits.next_power_of_two())
}

/// Returns the width of the widest word of the set.
pub(crate) fn set_bits(model: &Model) -> u8 {
    model.header.widths.iter().map(|width| width.value as u8).max().unwrap_or(128)
}

/// Returns the visibility of an item: its own, or else the visibility of the set.
pub(crate) fn visibility(own: &TokenStream, model: &Model) -> TokenStream {
    if own.is_empty() { model.header.vis.clone() } else { own.clone() }
}

/// Returns the name of the executed word in the generated functions. Its hygiene makes it different from
/// every name of a specification, even with the same spelling.
pub(super) fn word() -> Ident {
    Ident::new("word", Span::mixed_site())
}

/// Returns the name of the machine that executes a word. It cannot conflict with a name of a
/// specification.
pub(super) fn machine() -> Ident {
    Ident::new("machine", Span::mixed_site())
}

/// Returns the token with unchanged hygiene, reported at `place` in messages.
pub(super) fn placed_at(mut tree: TokenTree, place: Span) -> TokenTree {
    tree.set_span(tree.span().located_at(place));
    tree
}
