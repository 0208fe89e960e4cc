//! Aliases: other spellings of some words of an opcode.
//!
//! An alias is an opcode without a place in the decoder: it inherits from its opcode, fixes some
//! more of the fields, and has a template of its own. Which of those that fit a word is printed is
//! settled here, as far as the specification says it; a rule reports where it does not.

use std::collections::BTreeMap;

use super::inside::illegal;
use super::lower::lower_opcode;
use super::{Alias, Model};
use crate::diag::{Code, Diagnostics, did_you_mean};
use crate::syntax::ast::{Level, NodeDecl};

/// The opcode that an alias is of. A name that does not exist is reported.
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
            format!("`{of}` is no opcode of this call; only an opcode of the same call has aliases")
        } else {
            let hint = did_you_mean(&of.to_string(), opcodes.keys().map(String::as_str));
            format!(
                "no opcode of this call is called `{of}`{hint}\nhelp: an alias stands in the call \
                 of its opcode"
            )
        };
        diag.error(Code::UnknownParent, of.span(), message);
        node.incomplete = true;
    }
    found
}

/// Makes the rows of all aliases, those that are printed first.
pub(super) fn lower_aliases(model: &mut Model, bits: u8, diag: &mut Diagnostics) {
    let mut aliases = Vec::new();
    for (node, decl) in model.nodes.iter().enumerate().filter(|(_, node)| node.level.is_alias()) {
        let parent = model.lineage[node].iter().rev().nth(1);
        let of = parent.and_then(|parent| model.opcodes.iter().position(|o| o.node == *parent));
        let Some(of) = of else { continue };
        let mut row = lower_opcode(model, node, bits, diag);
        let opcode = &model.opcodes[of];
        let special = |id: &&usize| model.exceptions[**id].special.is_some();
        row.exceptions.extend(opcode.exceptions.iter().filter(special));
        row.illegal = illegal(model, &row);
        row.sound &= opcode.encodes;
        row.encodes &= opcode.encodes;
        aliases.push(Alias { row, of, printed: decl.level == Level::Alias });
    }
    model.aliases = in_order(model, aliases);
}

/// The aliases in an order in which the first that fits is the one that is meant.
fn in_order(model: &Model, mut rest: Vec<Alias>) -> Vec<Alias> {
    let mut sorted = Vec::new();
    while !rest.is_empty() {
        let is_next = |alias: &Alias| {
            let others = rest.iter().filter(|other| other.row.node != alias.row.node);
            others.into_iter().all(|other| !comes_before(model, other, alias))
        };
        // Where all wait for each other, which is reported, the first goes on.
        let next = rest.iter().position(is_next).unwrap_or(0);
        sorted.push(rest.remove(next));
    }
    sorted
}

/// Whether `first` is printed where `second` could be, too, as the two alone say.
pub(crate) fn comes_before(model: &Model, first: &Alias, second: &Alias) -> bool {
    if first.of != second.of || !first.printed || !second.printed {
        return first.of == second.of && first.printed && !second.printed;
    }
    let says = |a: &Alias, b: &Alias| model.nodes[a.row.node].before.contains(&b.row.name);
    says(first, second) || first.row.is_special_case_of(&second.row) && !says(second, first)
}
