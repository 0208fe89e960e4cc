//! Lays out the values of the properties of opcodes: a table without duplicates.

use crate::model::{Model, Opcode};

/// The values of the properties of opcodes and aliases.
#[derive(Debug, Default)]
pub(crate) struct PropertyValues {
    /// The lists of values, each once and sorted.
    pub(crate) lists: Vec<Vec<i64>>,
}

impl PropertyValues {
    pub(super) fn of(model: &Model) -> Self {
        let mut lists: Vec<Vec<i64>> = match model.properties.is_empty() {
            true => Vec::new(),
            false => model.opcodes.iter().map(|opcode| opcode.properties.clone()).collect(),
        };
        lists.sort_unstable();
        lists.dedup();
        PropertyValues { lists }
    }

    /// Returns the index of the opcode's list of values.
    pub(crate) fn index_of(&self, opcode: &Opcode) -> usize {
        self.lists.binary_search(&opcode.properties).unwrap_or_default()
    }
}
