//! Aliases: other spellings of some words of an opcode.
//!
//! An alias is an opcode that the decoder does not contain: it inherits from its opcode, fixes more
//! of the fields, and has its own template. If several aliases match a word, this file determines
//! which is printed: the alias that is declared `before` the other, or else the alias that matches
//! only some words of the other. If neither applies, a rule reports that the order is not declared.

use std::collections::{BTreeMap, BTreeSet};

use super::cube::{Cube, CubeIndex};
use super::opcodes::{exceptions_by_node, lower_opcode};
use super::special_cases::{illegal, unsure};
use super::word_search::SearchResult;
use super::{Alias, Model, ValidWords, at_node};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{Level, NodeDecl};

/// Returns the opcode of an alias. Reports a name that does not exist.
pub(super) fn opcode_of(
    node: &mut NodeDecl,
    opcodes: &BTreeMap<String, usize>,
    all: &BTreeMap<String, usize>,
    diag: &mut Diagnostics,
) -> Option<usize> {
    let of = node.of.clone()?;
    let found = opcodes.get(&of.to_string()).copied();
    if found.is_none() {
        let message = if all.contains_key(&of.to_string()) {
            format!(
                "`{of}` is not an opcode of this call; declare an alias in the call of its \
                     opcode"
            )
        } else {
            let hint = did_you_mean(&of.to_string(), opcodes.keys().map(String::as_str));
            format!(
                "this call has no opcode `{of}`{hint}\nhelp: declare an alias in the call of its \
                 opcode"
            )
        };
        diag.error(Code::UnknownParent, of.span(), message);
        node.incomplete = true;
    }
    found
}

/// Creates the rows of all aliases. Those that are printed come first.
pub(super) fn lower_aliases(model: &mut Model, bits: u8, diag: &mut Diagnostics) {
    let mut aliases = Vec::new();
    let opcodes: BTreeMap<usize, usize> =
        model.opcodes.iter().enumerate().map(|(place, opcode)| (opcode.node, place)).collect();
    let exceptions = exceptions_by_node(model);
    for (node, decl) in model.nodes.iter().enumerate().filter(|(_, node)| node.level.is_alias()) {
        let parent = model.lineage[node].iter().rev().nth(1);
        let Some(&of) = parent.and_then(|parent| opcodes.get(parent)) else { continue };
        at_node(decl, diag);
        let mut row = lower_opcode(model, node, &exceptions, bits, diag);
        let opcode = &model.opcodes[of];
        let special = |id: &&usize| model.exceptions[**id].special.is_some();
        row.exceptions.extend(opcode.exceptions.iter().filter(special));
        row.requirements.clone_from(&opcode.requirements);
        row.illegal = illegal(model, &row);
        // Exceptions of the opcode are left out: the results of their functions are the same for
        // all aliases of the opcode.
        row.unsure = unsure(model, &row, &opcode.exceptions);
        row.is_valid &= opcode.has_valid_fields;
        row.has_valid_fields &= opcode.has_valid_fields;
        aliases.push(Alias { row, of, printed: decl.level == Level::Alias, before: Vec::new() });
    }
    diag.leave_item();
    set_before(model, &mut aliases);
    model.aliases = in_order(aliases);
}

/// Sets the aliases that each alias is printed before. Each pair is considered alone.
fn set_before(model: &Model, aliases: &mut [Alias]) {
    let mut by_opcode: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, alias) in aliases.iter().enumerate() {
        by_opcode.entry(alias.of).or_default().push(place);
    }
    for places in by_opcode.into_values() {
        let silent: Vec<usize> =
            places.iter().copied().filter(|&place| !aliases[place].printed).collect();
        let printed: Vec<usize> =
            places.iter().copied().filter(|&place| aliases[place].printed).collect();
        let named: BTreeMap<String, usize> =
            printed.iter().map(|&place| (aliases[place].row.name.to_string(), place)).collect();
        let cubes: Vec<Cube> = printed.iter().map(|&place| aliases[place].row.identity()).collect();
        let index = CubeIndex::new(&cubes);
        for (&place, &cube) in printed.iter().zip(&cubes) {
            let first = &aliases[place];
            let said = &model.nodes[first.row.node].before;
            let said = said.iter().filter_map(|name| named.get(&name.to_string()).copied());
            let near = index.meeting(cube).into_iter().map(|other| printed[other]).chain(said);
            let near: BTreeSet<usize> = near.collect();
            let others =
                near.into_iter().filter(|&other| comes_before(model, first, &aliases[other]));
            let mut before: Vec<usize> = others.chain(silent.iter().copied()).collect();
            before.sort_unstable();
            let nodes = before.into_iter().map(|other| aliases[other].row.node).collect();
            aliases[place].before = nodes;
        }
    }
}

/// Sorts the aliases. A word is printed as the first alias that contains it.
fn in_order(aliases: Vec<Alias>) -> Vec<Alias> {
    // For each node, the number of remaining aliases that come before it.
    let mut waits: BTreeMap<usize, usize> = BTreeMap::new();
    for node in aliases.iter().flat_map(|alias| &alias.before) {
        *waits.entry(*node).or_default() += 1;
    }
    let places: BTreeMap<usize, usize> =
        aliases.iter().enumerate().map(|(place, alias)| (alias.row.node, place)).collect();
    let mut rest: Vec<Option<Alias>> = aliases.into_iter().map(Some).collect();
    let mut left: BTreeSet<usize> = (0..rest.len()).collect();
    let waiting = |alias: &Alias| waits.get(&alias.row.node).is_some_and(|&count| count > 0);
    let mut ready: BTreeSet<usize> =
        left.iter().copied().filter(|&place| !rest[place].as_ref().is_some_and(waiting)).collect();
    let mut sorted = Vec::new();
    // If all remaining aliases wait for each other, the loop continues with the first of them.
    // Another check reports the cycle.
    while let Some(place) = ready.first().or(left.first()).copied() {
        ready.remove(&place);
        left.remove(&place);
        let Some(next) = rest[place].take() else { continue };
        for node in &next.before {
            let Some(count) = waits.get_mut(node) else { continue };
            *count -= 1;
            ready.extend(places.get(node).filter(|place| *count == 0 && left.contains(place)));
        }
        sorted.push(next);
    }
    sorted
}

/// Returns whether `first` is printed for words that both printed aliases of one opcode contain.
/// Only these two aliases are considered.
fn comes_before(model: &Model, first: &Alias, second: &Alias) -> bool {
    if first.row.node == second.row.node {
        return false;
    }
    let says = |a: &Alias, b: &Alias| model.nodes[a.row.node].before.contains(&b.row.name);
    says(first, second) || !says(second, first) && is_inside(model, first, second)
}

/// Returns whether `outer` contains each word of `inner` and also other words. Returns false if the
/// search exceeds its limit.
fn is_inside(model: &Model, inner: &Alias, outer: &Alias) -> bool {
    let lacks = |one: &Alias, other: &Alias| lacks(model, one, other);
    let meet = inner.row.identity().and(outer.row.identity()).is_some();
    meet && lacks(outer, inner) == Ok(None) && matches!(lacks(inner, outer), Ok(Some(_)))
}

/// Searches for a word of `other` that `alias`, of the same opcode, does not contain. Words that
/// are invalid for `alias` only for some results of functions are treated as invalid.
pub(crate) fn lacks(model: &Model, alias: &Alias, other: &Alias) -> SearchResult {
    // Words that are invalid for the opcode are invalid for all its aliases.
    let aside = &model.opcodes[alias.of].illegal;
    let a = [&alias.row.all_illegal()[..], aside].concat();
    let b = [&other.row.illegal[..], aside].concat();
    let [a, b] = [(&alias.row, &a), (&other.row, &b)]
        .map(|(row, illegal)| ValidWords { identity: row.identity(), illegal });
    a.lacks(&b, |words, without| {
        model.search.witness(&[&alias.row.name, &other.row.name], words, without)
    })
}
