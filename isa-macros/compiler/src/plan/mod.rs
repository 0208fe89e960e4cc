//! Decides how a specification is laid out, as plain data that `emit` prints.
//!
//! Each table contains equal data only once ([`tables`], [`rows`]). A tree maps a word to its row, and
//! a validity check confirms the row ([`tree`], [`window`], [`validity_table`], [`truth_table`]). A
//! template is compiled to a print program and to steps of the fast parser ([`program`], [`reader`]).
//! Opcodes with the same methods share a type ([`method_group`]), and accessors that many opcodes have
//! are traits ([`accessor_trait`]). Opcodes also share semantic functions ([`semantics`]), whose
//! parameters are operands ([`slot`]) and settings, which are fields that are not operands
//! ([`setting`]). [`limits`] defines the numbers that `isa-core` must agree with.

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
pub(crate) use places::{ReadDefault, ValueBits};
pub(crate) use program::{Part, Programs, Texts, Whole};
pub(crate) use reader::{
    ParseAffix, ParseArg, ParseKind, ParseName, ParseNames, ParseSlot, ParseSuffix, Read,
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

/// The layout of a call.
#[derive(Debug)]
pub(crate) struct Plan<'m> {
    pub(crate) model: &'m Model,
    /// The opcodes, grouped by their methods.
    pub(crate) method_groups: Vec<MethodGroup>,
    pub(crate) accessor_traits: Vec<AccessorTrait<'m>>,
    pub(crate) tables: Tables<'m>,
    pub(crate) semantics: Sections<'m>,
    pub(crate) set: Set<'m>,
}

/// Lays out the items that a call defines.
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
