//! Opcodes and aliases that are parsed only if others do not accept the text: `else FORM`.

use crate::random::Random;
use crate::spec::{KindText, Node, Spec};
use crate::texts::Texts;

/// Declares for some opcodes and aliases that others are parsed first. It does nothing if the
/// specification has labels, because the result would then depend on the labels of the program.
pub(crate) fn choose(random: &mut Random, spec: &mut Spec) {
    if spec.kinds.iter().any(|kind| kind.text == KindText::Target) || !random.chance(30) {
        return;
    }
    let mut nodes: Vec<&mut Node> = spec.opcodes.iter_mut().collect();
    nodes.extend(spec.aliases.iter_mut().map(|alias| &mut alias.node));
    // A random order ensures that no node is parsed before itself.
    random.shuffle(&mut nodes);
    let mut first: Vec<String> = Vec::new();
    let last = nodes.len().saturating_sub(1);
    for (place, node) in nodes.into_iter().enumerate() {
        let all = place == last && random.chance(50);
        node.after = first.iter().filter(|_| all || random.chance(40)).cloned().collect();
        first.push(node.name.clone());
    }
}

/// Returns the names that a specification lists after the `else` of a node. The first node of the
/// specification that is parsed after all descendants of a group names the group instead of its
/// descendants.
pub(crate) fn written(spec: &Spec, node: &Node) -> Vec<String> {
    let mut nodes = spec.opcodes.iter().chain(spec.aliases.iter().map(|alias| &alias.node));
    let grouped = |node: &Node| {
        let groups = 0..spec.groups.len();
        groups.map(|group| (group, heirs(spec, group, &node.name))).find(|(_, heirs)| {
            !heirs.is_empty() && heirs.iter().all(|heir| node.after.contains(heir))
        })
    };
    let chosen = nodes.find_map(|node| Some((&node.name, grouped(node)?)));
    let Some((_, (group, heirs))) = chosen.filter(|(name, _)| **name == node.name) else {
        return node.after.clone();
    };
    let others = node.after.iter().filter(|name| !heirs.contains(name)).cloned();
    std::iter::once(spec.groups[group].name.clone()).chain(others).collect()
}

/// Returns the opcodes and aliases that inherit from a group, except one.
fn heirs(spec: &Spec, group: usize, but: &str) -> Vec<String> {
    let inherits = |opcode: &&Node| {
        let mut line = Vec::new();
        opcode.parents.iter().for_each(|&parent| spec.ancestors(parent, &mut line));
        line.contains(&group)
    };
    let mut names: Vec<String> =
        spec.opcodes.iter().filter(inherits).map(|opcode| opcode.name.clone()).collect();
    let aliases = spec.aliases.iter().filter(|alias| names.contains(&alias.of));
    let aliases: Vec<String> = aliases.map(|alias| alias.node.name.clone()).collect();
    names.extend(aliases);
    names.retain(|name| name != but);
    names
}

impl Texts<'_> {
    /// Returns whether one of two rows declares that the other is parsed first.
    #[must_use]
    pub fn is_ordered(&self, one: usize, other: usize) -> bool {
        let names =
            |row: usize, other: usize| self.rows[row].after.contains(&self.rows[other].name);
        names(one, other) || names(other, one)
    }

    /// Returns the rows that own a text: those for which no row that they list as first accepts the
    /// text.
    #[must_use]
    pub fn owners(&self, readings: &[(usize, u128)]) -> Vec<(usize, u128)> {
        let is_first = |&&(row, _): &&(usize, u128)| {
            let after = &self.rows[row].after;
            !readings.iter().any(|(other, _)| after.contains(&self.rows[*other].name))
        };
        readings.iter().filter(is_first).copied().collect()
    }

    /// Returns whether the text of a word belongs to a row that is parsed first and that parses it
    /// as another word.
    #[must_use]
    pub fn is_read_otherwise(&self, text: &str, word: u128) -> bool {
        self.owners(&self.readings(text)).iter().all(|(_, own)| *own != word)
    }
}
