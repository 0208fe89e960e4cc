//! The names and paths that generated code uses.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::shape;
use crate::model::{Field, Kind, Model, Opcode, Shape, derived};
use crate::text::Writer;

/// Names of hidden items, derived from the name of the set.
pub(crate) struct Names {
    pub(crate) fields: Ident,
    pub(crate) exceptions: Ident,
    pub(crate) syntax: Ident,
    pub(crate) opcodes: Ident,
    pub(crate) aliases: Ident,
    pub(crate) texts: Ident,
    pub(crate) apart: Ident,
    pub(crate) rows: Ident,
    pub(crate) type_names: Ident,
    pub(crate) set: Ident,
    /// The type of the call's instructions.
    pub(crate) instruction: Ident,
    /// What its opcodes are.
    pub(crate) opcode_trait: Ident,
    /// What its opcodes with semantics are.
    pub(crate) execute_trait: Ident,
    /// For each opcode's node, what an instruction of the opcode is generic over.
    types: HashMap<usize, TokenStream>,
}

impl Names {
    pub(crate) fn new(model: &Model, shapes: &[shape::Shape]) -> Self {
        let set = &model.header.name;
        let hidden = |what: &str| format_ident!("__{set}_{what}", span = Span::call_site());
        let public = |what: &str| derived(&format!("{set}{what}"), set);
        let types = shapes.iter().flat_map(|shape| {
            let opcodes = shape.members.iter().map(|&index| &model.opcodes[index]);
            opcodes.map(|opcode| (opcode.node, shape.opcode_type(opcode)))
        });
        Names {
            types: types.collect(),
            fields: hidden("FIELDS"),
            exceptions: hidden("EXCEPTIONS"),
            syntax: hidden("SYNTAX"),
            opcodes: hidden("OPCODES"),
            aliases: hidden("ALIASES"),
            texts: hidden("TEXTS"),
            apart: hidden("APART"),
            rows: hidden("ROWS"),
            type_names: hidden("NAMES"),
            set: hidden("SET"),
            instruction: public("Instruction"),
            opcode_trait: public("Opcode"),
            execute_trait: public("Execute"),
        }
    }
}

impl Names {
    /// What an instruction of an opcode is generic over.
    pub(crate) fn opcode_type(&self, opcode: &Opcode) -> &TokenStream {
        &self.types[&opcode.node]
    }
}

/// A name at the place where a kind is declared.
fn at_origin(origin: &Option<TokenStream>, name: &Ident) -> TokenStream {
    match origin {
        Some(module) => quote!(#module::#name),
        None => quote!(#name),
    }
}

/// Whether a path has generic arguments: `Signed<12>`.
pub(crate) fn has_arguments(path: &TokenStream) -> bool {
    path.clone().into_iter().any(|tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '<'))
}

/// The Rust type of a kind. Of a path that leads nowhere rustc speaks once, where it is imported
/// under the kind's name.
pub(crate) fn kind_type(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &kind.name)
}

/// The table entry of a kind.
pub(crate) fn kind_static(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &hidden_kind(&kind.name))
}

/// The text functions of an operand kind.
pub(crate) fn text_static(kind: &Kind) -> TokenStream {
    at_origin(&kind.origin, &hidden_text(&kind.name))
}

/// The name of the table entry, where the kind is declared.
pub(crate) fn hidden_kind(name: &Ident) -> Ident {
    format_ident!("__isa_kind_{name}")
}

/// The name of the text functions, where the kind is declared.
pub(crate) fn hidden_text(name: &Ident) -> Ident {
    format_ident!("__isa_text_{name}")
}

/// The text functions of an operand kind, for assertions. Those of `isa_core` have one path in
/// all sets.
pub(crate) fn kind_text(kind: &Kind) -> TokenStream {
    match &kind.shape {
        Shape::Operand(Some(path)) if is_core(path) => {
            quote!(::isa_core::operand::text_of::<::#path>())
        }
        _ => at_origin(&kind.origin, &hidden_text(&kind.name)),
    }
}

/// The text functions of a field that a Rust type writes.
pub(crate) fn writer_static(model: &Model, writer: Writer) -> Option<TokenStream> {
    match writer {
        Writer::Names => None,
        Writer::Kind(kind) => Some(text_static(&model.kinds[kind])),
        Writer::Format(format) => Some(format_static(&model.formats[format])),
    }
}

/// The text functions of a format, for assertions.
pub(crate) fn format_text(format: &crate::model::Format) -> TokenStream {
    match &format.path {
        Some(path) if is_core(path) => quote!(::isa_core::operand::format_of::<::#path>()),
        _ => format_static(format),
    }
}

fn is_core(path: &TokenStream) -> bool {
    path.clone().into_iter().next().is_some_and(|first| first.to_string() == "isa_core")
}

/// The text functions of a format.
pub(crate) fn format_static(format: &crate::model::Format) -> TokenStream {
    at_origin(&format.origin, &hidden_text(&format.name))
}

/// `rb_neg`
pub(crate) fn setter(field: &Field) -> Ident {
    match &field.name.sub {
        Some(sub) => derived(&format!("{}_{sub}", field.name.base), sub),
        None => escape(&field.name.base),
    }
}

/// `get_rb_neg`
pub(crate) fn getter(field: &Field) -> Ident {
    derived(&format!("get_{}", field.text.replace('.', "_")), field.name.last())
}

/// An identifier that is no keyword.
pub(crate) fn escape(name: &Ident) -> Ident {
    if syn::parse2::<Ident>(quote!(#name)).is_ok() {
        return name.clone();
    }
    Ident::new_raw(&name.to_string(), name.span())
}

/// The type that names an opcode: `Hadd2RrOpcode`.
pub(crate) fn marker(opcode: &Opcode) -> Ident {
    derived(&format!("{}Opcode", opcode.type_name), &opcode.name)
}

/// The type of a word.
pub(crate) fn word_type(bits: u8) -> Ident {
    format_ident!("u{bits}")
}

/// The widest word of the set.
pub(crate) fn set_bits(model: &Model) -> u8 {
    model.header.widths.iter().map(|width| width.value as u8).max().unwrap_or(128)
}

/// The visibility of an item: its own, or else that of the set.
pub(crate) fn visibility(own: &TokenStream, model: &Model) -> TokenStream {
    if own.is_empty() { model.header.vis.clone() } else { own.clone() }
}

/// `, ` between the words of a doc line for a field: `rb.neg, bit 96, SignModi`.
pub(crate) fn describe_field(field: &Field, kind: &Kind) -> String {
    let places: Vec<String> = field
        .pieces
        .iter()
        .map(|&(position, width)| match width {
            1 => format!("bit {position}"),
            _ => format!("bits {position}..={}", position + width - 1),
        })
        .collect();
    format!("`{}`: `{}`, {}", field.text, kind.name, places.join(" and "))
}

/// The hidden name of something that belongs to an opcode's semantics, named after the node that
/// has them.
pub(crate) fn semantics_name(model: &Model, opcode: &Opcode, what: &str) -> Ident {
    let node = &model.nodes[opcode.semantics.unwrap_or(opcode.node)];
    format_ident!("__{}_{}_{what}", model.header.name, node.name, span = node.name.span())
}
