//! The opcodes and aliases that are parsed before another one: `else NAME, ...`.
//!
//! A name after `else` is the name of an opcode, an alias or a group. If it is a group, only its
//! opcodes and aliases with the mnemonic of the item matter, because no other member accepts a text
//! of the item. The lists therefore have an entry for each pair of items that share a mnemonic, and
//! equal lists are shared.

use std::collections::{BTreeMap, BTreeSet};

use isa_bdd::{HashMap, HashSet};
use proc_macro2::Ident;

use super::{Model, Opcode, at_node, is_own_opcode};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::NodeDecl;

/// The index in [`Model::orders`] of the list for items without `else`.
pub(crate) const NO_ORDER: usize = 0;

/// The rows that are parsed before an item.
#[derive(Debug, Default, PartialEq, Eq, Hash, Clone)]
pub(crate) struct ParseOrder {
    /// The nodes of the opcodes and aliases that are parsed first: those that `else` names, and the
    /// members of named groups that have the mnemonic of the item.
    pub(crate) first: Vec<usize>,
    /// The same nodes in ascending order.
    sorted: Vec<usize>,
    /// The nodes of the groups that `else` names.
    groups: Vec<usize>,
}

/// Sets [`Opcode::parse_order`] of all opcodes and aliases, and reports invalid names after `else`.
pub(super) fn lower_parse_order(model: &mut Model, diag: &mut Diagnostics) {
    if model.nodes.iter().all(|node| node.after.is_empty()) {
        return;
    }
    let (orders, places) = orders(model, diag);
    model.orders = orders;
    let aliases = model.aliases.iter_mut().map(|alias| &mut alias.row);
    for opcode in model.opcodes.iter_mut().chain(aliases) {
        opcode.parse_order = places.get(&opcode.node).copied().unwrap_or(NO_ORDER);
    }
}

/// Returns the distinct lists of a call and, for each node with `else`, the index of its list.
fn orders(model: &Model, diag: &mut Diagnostics) -> (Vec<ParseOrder>, HashMap<usize, usize>) {
    let resolved = OrderTargets::new(model).resolved();
    let (mut orders, mut places) = (vec![ParseOrder::default()], HashMap::default());
    let mut known: HashMap<ParseOrder, usize> = HashMap::default();
    let mut nodes: Vec<usize> = model.spellings().map(|opcode| opcode.node).collect();
    nodes.sort_unstable();
    for node in nodes {
        let decl = &model.nodes[node];
        if is_form(decl) && !decl.after.is_empty() {
            at_node(decl, diag);
            let order = resolved.order(node, diag);
            let place = *known.entry(order).or_insert_with_key(|order| {
                orders.push(order.clone());
                orders.len() - 1
            });
            places.insert(node, place);
        }
    }
    diag.leave_item();
    (orders, places)
}

/// Returns whether a node has assembly text: whether it is an opcode of this call or an alias.
fn is_form(node: &NodeDecl) -> bool {
    node.level.is_alias() || is_own_opcode(node)
}

/// Replaces the mnemonic number of a node whose mnemonic is unknown because of an error.
const UNKNOWN: usize = usize::MAX;

/// The items that the names after `else` refer to.
struct OrderTargets<'m> {
    model: &'m Model,
    by_name: HashMap<String, usize>,
    /// The number of each node's mnemonic. It is equal for mnemonics that differ only in letter
    /// case.
    mnemonics: Vec<usize>,
    /// For each group that follows some `else`: its members, except those whose own `else` names
    /// the group.
    members: BTreeMap<usize, Vec<usize>>,
    /// The same members, by group and mnemonic number.
    sharing: HashMap<(usize, usize), Vec<usize>>,
    /// Pairs of items, in which the first names the second directly after `else`.
    explicit: HashSet<(usize, usize)>,
}

impl<'m> OrderTargets<'m> {
    fn new(model: &'m Model) -> Self {
        let mut by_name = HashMap::default();
        for (place, node) in model.nodes.iter().enumerate() {
            if is_form(node) || node.level.is_group() {
                by_name.entry(node.name.to_string()).or_insert(place);
            }
        }
        let mut numbers: HashMap<String, usize> = HashMap::default();
        let mut mnemonics = vec![UNKNOWN; model.nodes.len()];
        for opcode in model.spellings() {
            if let Some(syntax) = model.syntaxes.get(opcode.syntax) {
                let next = numbers.len();
                let number = numbers.entry(syntax.mnemonic.to_ascii_lowercase()).or_insert(next);
                mnemonics[opcode.node] = *number;
            }
        }
        let mut named = OrderTargets {
            model,
            by_name,
            mnemonics,
            members: BTreeMap::new(),
            sharing: HashMap::default(),
            explicit: HashSet::default(),
        };
        named.collect();
        named
    }

    /// Collects the members of all groups that follow some `else`.
    fn collect(&mut self) {
        let forms = self.model.nodes.iter().enumerate().filter(|(_, node)| is_form(node));
        let forms: Vec<(usize, BTreeSet<usize>)> = forms
            .map(|(place, node)| (place, node.after.iter().filter_map(|name| self.node(name))))
            .map(|(place, named)| (place, named.collect()))
            .collect();
        for (place, named) in &forms {
            for &other in named {
                if is_form(&self.model.nodes[other]) {
                    self.explicit.insert((*place, other));
                } else {
                    self.members.entry(other).or_default();
                }
            }
        }
        if self.members.is_empty() {
            return;
        }
        for (place, named) in forms {
            let groups = self.model.lineage[place].iter();
            for group in groups.filter(|group| !named.contains(group)) {
                if let Some(all) = self.members.get_mut(group) {
                    all.push(place);
                    let key = (*group, self.mnemonics[place]);
                    self.sharing.entry(key).or_default().push(place);
                }
            }
        }
    }

    /// Returns the node that a name after `else` refers to.
    fn node(&self, name: &Ident) -> Option<usize> {
        self.by_name.get(&name.to_string()).copied()
    }

    /// Returns the members of a group that have the mnemonic of an item and do not name the item
    /// after `else`.
    fn sharing(&self, group: usize, node: usize) -> impl Iterator<Item = usize> {
        let mnemonic = self.mnemonics[node];
        let members = self.sharing.get(&(group, mnemonic)).filter(|_| mnemonic != UNKNOWN);
        members.into_iter().flatten().copied().filter(move |&other| self.is_apart(other, node))
    }

    /// Returns whether two items are different and the first does not name the second after `else`.
    fn is_apart(&self, item: usize, other: usize) -> bool {
        item != other && !self.explicit.contains(&(item, other))
    }

    /// Finds the items that are parsed before each other, which is an error.
    fn resolved(self) -> ResolvedTargets<'m> {
        let edges = |node: usize| -> Vec<usize> {
            let mut edges = Vec::new();
            for other in self.model.nodes[node].after.iter().filter_map(|name| self.node(name)) {
                match is_form(&self.model.nodes[other]) {
                    true => edges.push(other),
                    false => edges.extend(self.sharing(other, node)),
                }
            }
            edges
        };
        let nodes = self.model.nodes.iter().enumerate();
        let edges =
            nodes.map(|(place, node)| if is_form(node) { edges(place) } else { Vec::new() });
        let rings = rings(&edges.collect::<Vec<_>>());
        ResolvedTargets { named: self, rings }
    }
}

/// The names after `else` and the items that they order.
struct ResolvedTargets<'m> {
    named: OrderTargets<'m>,
    /// The index of each node's cycle. Two nodes have the same index if each is parsed before the
    /// other.
    rings: Vec<usize>,
}

impl ResolvedTargets<'_> {
    /// Returns the rows that are parsed before an item. Reports invalid names.
    fn order(&self, node: usize, diag: &mut Diagnostics) -> ParseOrder {
        let (model, own) = (self.named.model, &self.named.model.nodes[node]);
        let can_be_first = |other: &usize| self.rings[*other] != self.rings[node];
        let mut order = ParseOrder::default();
        for name in &own.after {
            let message = match self.named.node(name) {
                Some(place) if place == node => {
                    format!(
                        "`{name}` is declared `else` itself\nhelp: remove it from the list \
                             after `else`"
                    )
                }
                Some(place) if is_form(&model.nodes[place]) => {
                    // If the two items name each other, one of the two names is kept. Therefore no
                    // further error is reported about their texts.
                    order.first.extend((can_be_first(&place) || place < node).then_some(place));
                    if can_be_first(&place) {
                        continue;
                    }
                    format!(
                        "`{name}` and `{}` are each declared `else` the other\nhelp: remove one \
                         `else`: the name after `else` is parsed first",
                        own.name
                    )
                }
                Some(group) => {
                    let members: Vec<usize> = self.named.sharing(group, node).collect();
                    let before = order.first.len();
                    order.first.extend(members.iter().copied().filter(can_be_first));
                    order.groups.push(group);
                    let has_other = members.is_empty() && self.has_other(group, node);
                    if order.first.len() > before || has_other {
                        continue;
                    }
                    format!(
                        "no opcode or alias that inherits from `{name}` can be parsed before \
                         `{}`\nhelp: remove it from the list after `else`; items that are \
                         themselves declared `else {name}` do not count",
                        own.name
                    )
                }
                None => self.unknown(name),
            };
            diag.error(Code::AliasOrder, name.span(), message);
        }
        let mut seen = HashSet::default();
        order.first.retain(|&place| seen.insert(place));
        order.sorted.clone_from(&order.first);
        order.sorted.sort_unstable();
        order
    }

    /// Returns whether a group contains an item that may be parsed first, but has a different
    /// mnemonic than the item `node`.
    fn has_other(&self, group: usize, node: usize) -> bool {
        let OrderTargets { mnemonics, members, .. } = &self.named;
        let is_other = |&other: &usize| {
            (mnemonics[other], UNKNOWN) != (mnemonics[node], mnemonics[node])
                && self.named.is_apart(other, node)
        };
        members.get(&group).is_some_and(|members| members.iter().any(is_other))
    }

    fn unknown(&self, name: &Ident) -> String {
        let names = self.named.by_name.keys();
        let hint = did_you_mean(&name.to_string(), names.map(String::as_str));
        format!(
            "this call has no opcode, alias or group `{name}`{hint}\nhelp: `else` is followed by \
             the items that are parsed first"
        )
    }
}

/// Returns the strongly connected components of a graph: two nodes have the same number if each is
/// reachable from the other.
fn rings(edges: &[Vec<usize>]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let (mut found, mut low) = (vec![NONE; edges.len()], vec![NONE; edges.len()]);
    let mut rings = vec![NONE; edges.len()];
    let (mut stack, mut count) = (Vec::new(), 0);
    for root in 0..edges.len() {
        // The path to the current node. Each entry contains the number of edges that were already
        // followed from it.
        let mut way = Vec::new();
        if found[root] == NONE {
            way.push((root, 0));
        }
        while let Some((node, next)) = way.pop() {
            if next == 0 {
                (found[node], low[node]) = (count, count);
                count += 1;
                stack.push(node);
            }
            if let Some(&other) = edges[node].get(next) {
                way.push((node, next + 1));
                match (found[other], rings[other]) {
                    (NONE, _) => way.push((other, 0)),
                    (place, NONE) => low[node] = low[node].min(place),
                    _ => {}
                }
                continue;
            }
            if low[node] == found[node] {
                while let Some(member) = stack.pop() {
                    rings[member] = node;
                    if member == node {
                        break;
                    }
                }
            }
            if let Some(&(above, _)) = way.last() {
                low[above] = low[above].min(low[node]);
            }
        }
    }
    rings
}

impl Model {
    /// Returns whether the parser prefers `other` for a text that both items accept, because `item`
    /// names `other` or a group of it after `else`.
    pub(crate) fn yields_to(&self, item: &Opcode, other: &Opcode) -> bool {
        let ParseOrder { sorted, groups, .. } = &self.orders[item.parse_order];
        if sorted.binary_search(&other.node).is_ok() {
            return true;
        }
        // The list contains all relevant members with the same mnemonic.
        let [own, its] = [item, other].map(|opcode| self.syntaxes.get(opcode.syntax));
        let [own, its] = [own, its].map(|syntax| syntax.map_or("", |syntax| &syntax.mnemonic));
        let its_order = &self.orders[other.parse_order];
        !groups.is_empty()
            && !own.eq_ignore_ascii_case(its)
            && its_order.sorted.binary_search(&item.node).is_err()
            && groups.iter().any(|group| {
                self.lineage[other.node].contains(group) && !its_order.groups.contains(group)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::rings;

    #[test]
    fn nodes_of_a_ring_have_one_number() {
        let edges = [vec![1], vec![2, 3], vec![0], vec![4], vec![5], vec![4], vec![6], vec![3, 0]];
        let rings = rings(&edges);
        assert_eq!([rings[1], rings[2]], [rings[0]; 2]);
        assert_eq!(rings[4], rings[5]);
        let mut apart = [rings[0], rings[3], rings[4], rings[6], rings[7]];
        apart.sort_unstable();
        assert!(apart.windows(2).all(|two| two[0] != two[1]), "{rings:?}");
    }
}
