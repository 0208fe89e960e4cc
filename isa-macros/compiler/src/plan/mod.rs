//! Every decision of how a specification is laid out, as plain data that `emit` writes.
//!
//! Tables of a call have rows that are alike once ([`tables`], [`rows`]); a word leads to its row by
//! a tree and is held against a screen ([`tree`], [`window`], [`sieve`], [`map`]); a template is printed
//! and read by steps ([`program`], [`reader`]); opcodes with the same methods share a type ([`shape`]),
//! and what many have stands behind a gate ([`gate`]). Opcodes share semantics ([`semantics`]), which see
//! operands and settings ([`slot`], [`setting`]). What the numbers mean to `isa-core` is in [`limits`].

mod alike;
mod body;
mod effects;
mod gate;
mod gather;
mod joint;
mod layout;
mod length;
pub(crate) mod limits;
mod lineage;
mod map;
mod places;
mod program;
mod reader;
mod rows;
mod semantics;
mod set;
mod setting;
mod shape;
mod short;
mod sieve;
mod slot;
mod tables;
mod text_fns;
pub(crate) mod tree;
mod width;
mod window;

use crate::model::Model;

pub(crate) use alike::Differing;
pub(crate) use body::find;
pub(crate) use effects::Effects;
pub(crate) use gate::{Condition, Gate, Pass};
pub(crate) use gather::Gather;
pub(crate) use layout::Run;
pub(crate) use length::Longest;
pub(crate) use lineage::Lineages;
pub(crate) use map::Map;
pub(crate) use places::{ReadDefault, ReadPlace};
pub(crate) use program::{Part, Programs, Texts, Whole};
pub(crate) use reader::{
    Read, ReadArg, ReadKind, ReadMark, ReadName, ReadNames, ReadSlot, ReadSuffix,
};
pub(crate) use rows::{Own, Row, Rows};
pub(crate) use semantics::{Bits, Caller, Given, Sections, Semantics};
pub(crate) use set::{Example, Finder, Member, Mnemonic, Set};
pub(crate) use setting::Setting;
pub(crate) use shape::Shape;
pub(crate) use short::ShortText;
pub(crate) use sieve::{Screen, Sieve};
pub(crate) use slot::{OwnOperand, Slot};
pub(crate) use tables::{Reader, Syntaxes, Tables};
pub(crate) use text_fns::TextFns;
pub(crate) use tree::{Root, Tree};
pub(crate) use width::Width;

/// How a call is laid out.
#[derive(Debug)]
pub(crate) struct Plan<'m> {
    pub(crate) model: &'m Model,
    /// The opcodes by what methods they have.
    pub(crate) shapes: Vec<Shape>,
    pub(crate) gates: Vec<Gate<'m>>,
    pub(crate) tables: Tables<'m>,
    pub(crate) semantics: Sections<'m>,
    pub(crate) set: Set<'m>,
}

/// Lays out what a call defines.
pub(crate) fn plan(model: &Model) -> Plan<'_> {
    let gates = gate::gates(model);
    Plan {
        model,
        shapes: shape::shapes(model, &gates),
        gates,
        tables: Tables::of(model),
        semantics: Sections::of(model),
        set: Set::of(model),
    }
}
