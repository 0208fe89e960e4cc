//! Which opcodes and aliases are read where others do not read: `else FORM`.

use crate::random::Random;
use crate::spec::{KindText, Node, Spec};
use crate::texts::Texts;

/// Says of some opcodes and aliases that others are read first. Not where labels are read: whether a text is
/// read otherwise would depend on those of the program.
pub(crate) fn choose(random: &mut Random, spec: &mut Spec) {
    if spec.kinds.iter().any(|kind| kind.text == KindText::Target) || !random.chance(30) {
        return;
    }
    let mut nodes: Vec<&mut Node> = spec.opcodes.iter_mut().collect();
    nodes.extend(spec.aliases.iter_mut().map(|alias| &mut alias.node));
    // In an order of its own, so that none is read before itself.
    random.shuffle(&mut nodes);
    let mut first: Vec<String> = Vec::new();
    for node in nodes {
        node.after = first.iter().filter(|_| random.chance(40)).cloned().collect();
        first.push(node.name.clone());
    }
}

impl Texts<'_> {
    /// Whether one of two rows says that the other is read first.
    #[must_use]
    pub fn is_ordered(&self, one: usize, other: usize) -> bool {
        let names =
            |row: usize, other: usize| self.rows[row].after.contains(&self.rows[other].name);
        names(one, other) || names(other, one)
    }

    /// Of the rows that read a text those whose it is: none that they name reads it.
    #[must_use]
    pub fn owners(&self, readings: &[(usize, u128)]) -> Vec<(usize, u128)> {
        let is_first = |&&(row, _): &&(usize, u128)| {
            let after = &self.rows[row].after;
            !readings.iter().any(|(other, _)| after.contains(&self.rows[*other].name))
        };
        readings.iter().filter(is_first).copied().collect()
    }

    /// Whether the text of a word is that of a row which is read first, and which takes it for another word.
    #[must_use]
    pub fn is_read_otherwise(&self, text: &str, word: u128) -> bool {
        self.owners(&self.readings(text)).iter().all(|(_, own)| *own != word)
    }
}
