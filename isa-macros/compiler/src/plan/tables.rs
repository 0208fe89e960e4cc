//! Lays out the tables of a call: which rows are similar, and which data they share.

use isa_bdd::HashMap;

use super::assembly_length::{LongestLine, longest};
use super::field_positions::{ValueBits, places, read_places};
use super::merged_parser::{by_mnemonic, is_alone, joint};
use super::parse_steps::{ParseStep, parse_steps};
use super::print_program::PrintPrograms;
use super::properties::PropertyValues;
use super::row_layout::{Lineages, OpcodeRows};
use super::row_sharing::RowGroups;
use super::validity_check::Screens;
use crate::model::{DefaultValue, Init, LaneRow, Model, Opcode, ResolvedField, Syntax};

/// All tables except the table of the set.
#[derive(Debug)]
pub(crate) struct Tables<'m> {
    /// The fields. Fixed fields with the same name, bits, operand type and documentation share a row.
    pub(crate) fields: RowGroups,
    /// The syntaxes. Many differ only in their mnemonic.
    pub(crate) syntaxes: Vec<SimilarSyntaxes>,
    /// The merged steps of mnemonics with several syntaxes.
    pub(crate) merged_steps: Vec<Vec<ParseStep>>,
    pub(crate) programs: PrintPrograms,
    pub(crate) lineages: Lineages,
    pub(crate) opcodes: OpcodeRows<'m>,
    pub(crate) aliases: OpcodeRows<'m>,
    pub(crate) lines: Vec<LongestLine<'m>>,
    /// The lanes of operands, sorted and without duplicates.
    pub(crate) lanes: Vec<&'m LaneRow>,
    /// The values of properties.
    pub(crate) properties: PropertyValues,
}

/// Syntaxes that differ only in their mnemonics.
#[derive(Debug)]
pub(crate) struct SimilarSyntaxes {
    /// Indexes into [`Model::syntaxes`].
    pub(crate) members: Vec<usize>,
    pub(crate) parser: SyntaxParser,
}

/// The steps by which the fast parser parses a syntax.
#[derive(Debug)]
pub(crate) enum SyntaxParser {
    /// For a mnemonic with only one syntax: the steps, and for each placeholder the position of its
    /// value, if that is the same in all opcodes.
    Alone(Vec<ParseStep>, Vec<Option<ValueBits>>),
    /// For a mnemonic with several syntaxes: the merged steps of all of them, as an index into
    /// [`Tables::merged_steps`].
    Joint(usize),
}

impl<'m> Tables<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let mut programs = PrintPrograms::new(model);
        let (mut steps, mut screens) = (std::mem::take(&mut programs.steps), Screens::default());
        let others = steps.split_off(model.opcodes.len());
        let opcodes = model.opcodes.iter().zip(steps).zip(model.aliases_by_opcode());
        let aliases = model.aliases.iter().map(|alias| &alias.row).zip(others);
        let aliases = aliases.map(|alias| (alias, Vec::new()));
        let lineages = Lineages::of(model);
        let (syntaxes, merged_steps) = syntaxes(model);
        Tables {
            fields: fields(model),
            syntaxes,
            merged_steps,
            programs,
            opcodes: OpcodeRows::of(model, (&mut screens, &lineages), opcodes),
            aliases: OpcodeRows::of(model, (&mut screens, &lineages), aliases),
            lineages,
            lines: longest(model),
            lanes: lanes(model),
            properties: PropertyValues::of(model),
        }
    }
}

/// Returns the lane rows of all opcodes and aliases, without duplicates.
fn lanes(model: &Model) -> Vec<&LaneRow> {
    let mut rows: Vec<&LaneRow> = model.spellings().flat_map(|row| &row.lanes).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn fields(model: &Model) -> RowGroups {
    let key = |field: &'_ ResolvedField| match field.init {
        Init::Fixed(_) => Some((field.text.clone(), field.pieces.clone(), field.ty)),
        _ => None,
    };
    RowGroups::of(model.fields.iter().map(|field| Some((key(field)?, field.docs.text.trim()))))
}

/// Returns the syntaxes, and the merged steps of mnemonics with several syntaxes.
fn syntaxes(model: &Model) -> (Vec<SimilarSyntaxes>, Vec<Vec<ParseStep>>) {
    let mut heirs: Vec<Vec<&Opcode>> = vec![Vec::new(); model.syntaxes.len()];
    model.spellings().for_each(|row| heirs[row.syntax].push(row));
    let (joint_of, joints) = merged_steps(model);
    let rows = model.syntaxes.iter().zip(&heirs).zip(&joint_of);
    let alike = super::row_sharing::alike(rows.map(|((syntax, heirs), joint)| {
        let Syntax { placeholders, before, modifiers, after, .. } = syntax;
        let names: Vec<&str> = placeholders.iter().map(|symbol| symbol.name.as_str()).collect();
        // Steps that are not merged also depend on this data.
        let read = joint.is_none().then(|| read_alike(model, heirs));
        Some((names, before, modifiers, after, read, *joint))
    }));
    let syntaxes = alike.into_iter().map(|members| {
        let parser = match joint_of[members[0]] {
            Some(joint) => SyntaxParser::Joint(joint),
            None => {
                let heirs = &heirs[members[0]];
                let steps = parse_steps(model, members[0], heirs);
                let places = read_places(model, heirs, &steps);
                SyntaxParser::Alone(steps, places)
            }
        };
        SimilarSyntaxes { members, parser }
    });
    (syntaxes.collect(), joints)
}

/// Merges the steps of mnemonics with several syntaxes. Returns the index of the merged steps for each
/// of these syntaxes, and the merged steps without duplicates.
fn merged_steps(model: &Model) -> (Vec<Option<usize>>, Vec<Vec<ParseStep>>) {
    let mut joint_of = vec![None; model.syntaxes.len()];
    let (mut known, mut joints) = (HashMap::default(), Vec::new());
    for spellings in by_mnemonic(model).into_values().filter(|rows| !is_alone(rows)) {
        let steps = joint(model, &spellings);
        let number = *known.entry(steps).or_insert_with_key(|steps: &Vec<ParseStep>| {
            joints.push(steps.clone());
            joints.len() - 1
        });
        spellings.iter().for_each(|row| joint_of[row.syntax] = Some(number));
    }
    (joint_of, joints)
}

/// Returns everything that the steps of the fast parser depend on, as numbers: for each opcode of a
/// syntax, the fields that are bound to the placeholders.
fn read_alike(model: &Model, heirs: &[&Opcode]) -> Vec<u64> {
    let mut key = vec![heirs.len() as u64];
    for opcode in heirs {
        for (place, (position, width)) in opcode.bind.iter().zip(places(model, opcode)) {
            key.extend([position, width].map(u64::from));
            let Some(place) = *place else {
                key.push(u64::MAX);
                continue;
            };
            let field = model.at(opcode, place);
            let (init, raw) = match field.init {
                Init::Fixed(raw) => (0, raw),
                Init::Default(DefaultValue::Number(raw)) => (1, raw),
                Init::Default(DefaultValue::Named(..)) => {
                    (2, opcode.fields.get(place).map_or(u64::MAX, |&field| field as u64))
                }
                Init::Required => (3, 0),
            };
            let view = opcode.composite(place).map_or(0, |view| 1 + view.index as u64);
            key.extend([place as u64, field.ty as u64, view, init, raw]);
            if let Some(format) = opcode.format_of(place) {
                key.extend([format.format as u64, format.args.len() as u64]);
                key.extend(format.args.iter().map(|&arg| arg as u64));
            }
        }
    }
    key
}
