//! Every decision of how a specification is laid out, as plain data that `emit` writes.
//!
//! Tables of a call have rows that are alike once ([`tables`], [`rows`]); a word leads to its row by
//! a tree and is held against a screen ([`tree`], [`window`], [`validity_table`], [`truth_table`]); a template is printed
//! and read by steps ([`program`], [`reader`]); opcodes with the same methods share a type ([`method_group`]),
//! and what many have stands behind an accessor trait ([`accessor_trait`]). Opcodes share semantics ([`semantics`]), which see
//! operands and settings ([`slot`], [`setting`]). What the numbers mean to `isa-core` is in [`limits`].

mod accessor_trait;
mod bit_gather;
mod body;
mod effects;
mod layout;
mod length;
pub(crate) mod limits;
mod lineage;
mod merged_parser;
mod method_group;
mod places;
mod program;
mod reader;
mod row_sharing;
mod rows;
mod semantics;
mod set;
mod setting;
mod short;
mod slot;
mod tables;
mod text_fns;
pub(crate) mod tree;
mod truth_table;
mod validity_table;
mod width;
mod window;

use crate::model::Model;

pub(crate) use accessor_trait::{Access, AccessorTrait, Condition};
pub(crate) use bit_gather::Gather;
pub(crate) use body::find;
pub(crate) use effects::Effects;
pub(crate) use layout::Run;
pub(crate) use length::Longest;
pub(crate) use lineage::Lineages;
pub(crate) use method_group::MethodGroup;
pub(crate) use places::{ReadDefault, ReadPlace};
pub(crate) use program::{Part, Programs, Texts, Whole};
pub(crate) use reader::{
    Read, ReadArg, ReadKind, ReadMark, ReadName, ReadNames, ReadSlot, ReadSuffix,
};
pub(crate) use row_sharing::Differing;
pub(crate) use rows::{Own, Row, Rows};
pub(crate) use semantics::{Bits, Caller, Given, Sections, Semantics};
pub(crate) use set::{Example, Finder, Member, Mnemonic, Set};
pub(crate) use setting::Setting;
pub(crate) use short::ShortText;
pub(crate) use slot::{OwnOperand, Slot};
pub(crate) use tables::{Reader, Syntaxes, Tables};
pub(crate) use text_fns::TextFns;
pub(crate) use tree::{Root, Tree};
pub(crate) use truth_table::TruthTable;
pub(crate) use validity_table::{Screen, ValidityTable};
pub(crate) use width::Width;

/// How a call is laid out.
#[derive(Debug)]
pub(crate) struct Plan<'m> {
    pub(crate) model: &'m Model,
    /// The opcodes by what methods they have.
    pub(crate) method_groups: Vec<MethodGroup>,
    pub(crate) accessor_traits: Vec<AccessorTrait<'m>>,
    pub(crate) tables: Tables<'m>,
    pub(crate) semantics: Sections<'m>,
    pub(crate) set: Set<'m>,
}

/// Lays out what a call defines.
pub(crate) fn plan(model: &Model) -> Plan<'_> {
    let accessor_traits = accessor_trait::accessor_traits(model);
    Plan {
        model,
        method_groups: method_group::method_groups(model, &accessor_traits),
        accessor_traits,
        tables: Tables::of(model),
        semantics: Sections::of(model),
        set: Set::of(model),
    }
}
