//! Lays out the rows of opcodes and aliases, and finds the data that many rows share.

use super::bit_gather::BitRun;
use super::effects::known_effects;
use super::field_positions::places;
use super::limits::{SKIP, WHOLE};
use super::print_program::PrintStep;
use super::row_sharing::{Differing, RowGroups};
use super::validity_check::{Screen, Screens, TruthTable, ValidityTable};
use crate::model::{DefaultValue, Init, LaneRow, Model, Opcode};
use crate::syntax::ast::Level;

/// A table of rows.
#[derive(Debug)]
pub(crate) struct OpcodeRows<'m> {
    pub(crate) rows: Vec<OpcodeRow<'m>>,
    pub(crate) groups: RowGroups,
    /// For each list of similar rows, the positions at which they differ.
    pub(crate) differing: Vec<RowDifferences>,
}

/// The positions at which the rows of a list differ.
#[derive(Debug)]
pub(crate) struct RowDifferences {
    /// The positions at which the lists of fields differ, and the fields there as indexes into
    /// [`Model::fields`].
    pub(crate) fields: Differing<usize>,
    pub(crate) steps: Differing<PrintStep>,
}

/// An opcode or an alias with the contents of its row.
#[derive(Debug)]
pub(crate) struct OpcodeRow<'m> {
    pub(crate) opcode: &'m Opcode,
    pub(crate) screen: Screen,
    /// The steps of its print program.
    pub(crate) steps: Vec<PrintStep>,
    /// For each placeholder of its syntax, the position and width of its field.
    pub(crate) places: Vec<BitRun>,
    /// The word with all field values that the macro knows.
    pub(crate) start: u128,
    /// The fields whose defaults the macro does not know.
    pub(crate) named: Vec<usize>,
    /// The bits of `isa_core::table::Effects`, if the effects are known.
    pub(crate) effects: Option<u8>,
    /// The aliases of the opcode, as indexes into [`Model::aliases`].
    pub(crate) aliases: Vec<usize>,
    /// The indexes of its semantic function and its groups.
    pub(crate) lineage: Vec<u8>,
}

impl<'m> OpcodeRow<'m> {
    fn new(
        model: &'m Model,
        (screens, lineages): (&mut Screens, &Lineages),
        opcode: &'m Opcode,
        steps: Vec<PrintStep>,
        aliases: Vec<usize>,
    ) -> Self {
        let (mut start, mut named) = (0, Vec::new());
        for &id in &opcode.fields {
            let field = &model.fields[id];
            match field.init {
                Init::Fixed(raw) | Init::Default(DefaultValue::Number(raw)) => {
                    start |= field.spread(raw.into());
                }
                Init::Default(DefaultValue::Named(..)) => named.push(id),
                Init::Required => {}
            }
        }
        OpcodeRow {
            opcode,
            screen: screens.screen(opcode.plain(), &opcode.illegal),
            steps,
            places: places(model, opcode),
            start,
            named,
            effects: known_effects(model, opcode),
            aliases,
            lineage: lineages.own(model, opcode),
        }
    }

    /// Returns the data that all rows of one list have in common, as numbers. Returns `None` for a row
    /// that shares no data.
    fn key(&self, model: &Model) -> Option<Vec<u128>> {
        let OpcodeRow { opcode, screen, steps, places, start, named, effects, aliases, lineage: _ } =
            self;
        let Opcode {
            fields,
            composite_operands: views,
            exceptions,
            requirements,
            bind,
            operands,
            lanes,
            formats,
            ..
        } = opcode;
        let ones = opcode.fixed.value;
        let Screen { plain, validity_tables, maps, rest } = screen;
        let mut key = vec![
            opcode.bits.into(),
            opcode.fixed.mask,
            opcode.unused,
            plain.mask,
            plain.value & !ones,
            start & !ones,
            opcode.ignored,
            opcode.parse_order as u128,
            effects.unwrap_or_default().into(),
            // The fields and steps of the rows of a list may differ, but their number must be equal.
            fields.len() as u128,
            steps.len() as u128,
        ];
        let mut list = |values: Vec<u128>| {
            key.push(values.len() as u128);
            key.extend(values);
        };
        let places_of = |places: &[usize]| places.iter().map(|&place| place as u128).collect();
        list(places_of(named));
        list(places_of(exceptions));
        list(places_of(requirements));
        list(views.iter().map(|view| view.index as u128).collect());
        list(bind.iter().map(|place| place.map_or(0, |place| 1 + place as u128)).collect());
        list(
            places.iter().flat_map(|&(position, width)| [position.into(), width.into()]).collect(),
        );
        let validity_table = |validity_table: &ValidityTable| {
            let ValidityTable { half, mask, magic, legal } = *validity_table;
            [half.into(), mask.into(), magic.into(), legal.into()]
        };
        list(validity_tables.iter().flat_map(validity_table).collect());
        // These steps must be equal, because they determine which other steps are executed.
        let whole = steps.iter().enumerate().filter(|(_, step)| matches!(step[0], WHOLE | SKIP));
        let numbers = |(place, step): (usize, &PrintStep)| {
            std::iter::once(place as u128).chain(step.map(u128::from)).collect::<Vec<_>>()
        };
        list(whole.flat_map(numbers).collect());
        list(rest.iter().flat_map(|cube| [cube.mask, cube.value]).collect());
        for TruthTable { runs, illegal } in maps {
            list(
                runs.iter()
                    .flat_map(|&(position, width)| [position, width].map(u128::from))
                    .collect(),
            );
            list(illegal.iter().map(|&byte| byte.into()).collect());
        }
        for operand in operands {
            // The width may come from the operand type.
            let kind = model.fields[fields[operand.field]].ty;
            let access = u128::from(operand.read) | u128::from(operand.written) << 1;
            let width = u128::from(operand.bits);
            list(vec![operand.field as u128, access, width, kind as u128]);
        }
        for LaneRow { node, line, field, args } in lanes {
            list([*node, *line, *field].iter().chain(args).map(|&place| place as u128).collect());
        }
        for format in formats {
            list(vec![format.field as u128, format.format as u128]);
            list(places_of(&format.args));
        }
        list(
            opcode
                .flow
                .iter()
                .flat_map(|(row, target)| [*row, target.map_or(0, |place| 1 + place)])
                .map(|number| number as u128)
                .collect(),
        );
        let nodes = model.lineage[opcode.node].iter();
        let spoken = nodes.filter(|&&node| !model.nodes[node].examples.is_empty());
        list(spoken.map(|&node| node as u128).collect());
        aliases.is_empty().then_some(key)
    }
}

impl<'m> OpcodeRows<'m> {
    /// Creates the rows of `opcodes`. Each opcode is paired with its print program and the indexes
    /// of its aliases.
    pub(super) fn of(
        model: &'m Model,
        (screens, lineages): (&mut Screens, &Lineages),
        opcodes: impl Iterator<Item = ((&'m Opcode, Vec<PrintStep>), Vec<usize>)>,
    ) -> Self {
        let row = |((opcode, steps), aliases)| {
            OpcodeRow::new(model, (screens, lineages), opcode, steps, aliases)
        };
        let rows: Vec<OpcodeRow<'m>> = opcodes.map(row).collect();
        let groups = RowGroups::of(rows.iter().map(|row| row.key(model)));
        let own = |members: &Vec<usize>| {
            let all = || members.iter().map(|&row| &rows[row]);
            let fields: Vec<_> = all().map(|row| row.opcode.fields.as_slice()).collect();
            let steps: Vec<_> = all().map(|row| row.steps.as_slice()).collect();
            RowDifferences { fields: Differing::of(&fields), steps: Differing::of(&steps) }
        };
        let differing = groups.shared.iter().map(own).collect();
        OpcodeRows { rows, groups, differing }
    }
}

/// The lists that the rows of a call refer to by index.
#[derive(Debug)]
pub(crate) struct Lineages {
    /// The groups and optypes that the opcodes inherit from, as indexes into [`Model::nodes`].
    pub(crate) groups: Vec<usize>,
    /// The nodes with the semantic functions of the opcodes.
    pub(crate) bodies: Vec<usize>,
}

impl Lineages {
    pub(super) fn of(model: &Model) -> Self {
        let (mut groups, mut bodies) = (Vec::new(), Vec::new());
        for opcode in &model.opcodes {
            groups.extend(groups_of(model, opcode));
            bodies.extend(opcode.semantics);
        }
        for list in [&mut groups, &mut bodies] {
            list.sort_unstable();
            list.dedup();
        }
        Lineages { groups, bodies }
    }

    /// Returns the indexes for the row of an opcode or alias, two bytes each. The first is the index of
    /// the semantic function plus 1, or 0. The indexes of the groups follow, the most distant group
    /// first.
    pub(super) fn own(&self, model: &Model, opcode: &Opcode) -> Vec<u8> {
        let place = |list: &[usize], node| list.binary_search(&node).unwrap_or_default();
        let body = opcode.semantics.map_or(0, |node| 1 + place(&self.bodies, node));
        let groups = groups_of(model, opcode).map(|node| place(&self.groups, node));
        let numbers = [body].into_iter().chain(groups);
        numbers.flat_map(|number| u16::try_from(number).unwrap_or(0).to_le_bytes()).collect()
    }
}

fn groups_of(model: &Model, opcode: &Opcode) -> impl Iterator<Item = usize> {
    let is_group = |node: &usize| matches!(model.nodes[*node].level, Level::Group | Level::Optype);
    model.lineage[opcode.node].iter().copied().filter(is_group)
}
