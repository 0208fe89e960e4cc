//! Decides how a specification is laid out, as plain data that `emit` prints.
//!
//! Each table contains equal data only once ([`tables`], [`row_layout`], [`row_sharing`]). A tree maps a
//! word to its row ([`tree`]), and a validity check confirms the row ([`validity_check`]). A template is
//! compiled to a print program ([`print_program`]) and to steps of the fast parser ([`parse_steps`],
//! [`merged_parser`]). Opcodes with the same methods share a type, and accessors that many opcodes have
//! are traits ([`methods`]). Opcodes also share semantic functions ([`semantics`]). The parameters of
//! these functions are operands and settings (fields that are not operands). [`effects`] finds the methods of
//! the machine that they call. [`limits`] defines the numbers that
//! `isa-core` must agree with.

mod assembly_length;
mod bit_gather;
mod common_members;
mod effects;
mod field_positions;
mod instruction_set;
pub(crate) mod limits;
mod merged_parser;
mod methods;
mod parse_steps;
mod print_program;
mod properties;
mod row_layout;
mod row_sharing;
mod semantics;
mod tables;
pub(crate) mod tree;
mod validity_check;
mod width;

use crate::model::Model;

pub(crate) use assembly_length::LongestLine;
pub(crate) use bit_gather::{BitRun, Gather};
pub(crate) use field_positions::{ReadDefault, ValueBits};
pub(crate) use instruction_set::{Example, Member, Mnemonic, MnemonicTable, Set};
pub(crate) use methods::{Access, AccessorCondition, AccessorTrait, MethodGroup};
pub(crate) use parse_steps::{
    ParseAffix, ParseArg, ParseKind, ParseName, ParseNames, ParseSlot, ParseStep, ParseSuffix,
};
pub(crate) use print_program::{CombinedPart, PrintPrograms, SelectedText, ShortText, TextTable};
pub(crate) use properties::PropertyValues;
pub(crate) use row_layout::{Lineages, OpcodeRow, OpcodeRows, RowDifferences};
pub(crate) use row_sharing::Differing;
pub(crate) use semantics::{
    ArgumentValue, Caller, Effects, Guards, OperandArgument, Sections, SemanticOperand, Semantics,
    Setting, ValueSource, find,
};
pub(crate) use tables::{SimilarSyntaxes, SyntaxParser, Tables};
pub(crate) use tree::{DecodeTree, Root};
pub(crate) use validity_check::{Screen, TruthTable, ValidityTable};
pub(crate) use width::WordWidth;

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
    let accessor_traits = methods::accessor_traits(model);
    Plan {
        model,
        method_groups: methods::method_groups(model, &accessor_traits),
        accessor_traits,
        tables: Tables::of(model),
        semantics: Sections::of(model),
        set: Set::of(model),
    }
}
