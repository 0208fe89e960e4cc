//! Collects the groups and semantic functions to which the rows of a call refer.

use crate::model::{Model, Opcode};
use crate::syntax::ast::Level;

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
