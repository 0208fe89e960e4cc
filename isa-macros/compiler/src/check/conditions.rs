//! Checks conditions: each exception must exclude an encoding that would otherwise be valid, and each
//! row of a `flow` section must apply to some encoding.

use std::collections::{BTreeMap, BTreeSet};

use crate::diag::{Code, Diagnostics, quoted_or};
use crate::model::cube::{Cube, CubeIndex};
use crate::model::{Exception, Model, Opcode, at_node};

/// Returns the exceptions that this call declares, each with the opcodes that inherit it. For an
/// exception of an alias, these are the aliases that inherit it. An exception is left out if one of the
/// opcodes or aliases has an error.
fn own_exceptions(model: &Model) -> impl Iterator<Item = (usize, &Exception, Vec<&Opcode>)> {
    // An alias inherits the exceptions of its opcode; these are checked for the opcode only.
    let of_alias = |id: usize| model.nodes[model.exceptions[id].node].level.is_alias();
    let mut heirs: Vec<Vec<&Opcode>> = vec![Vec::new(); model.exceptions.len()];
    for opcode in &model.opcodes {
        let own = opcode.exceptions.iter().filter(|id| !of_alias(**id));
        own.for_each(|&id| heirs[id].push(opcode));
    }
    for alias in &model.aliases {
        let own: BTreeSet<usize> = alias.row.exceptions.iter().copied().collect();
        own.into_iter().filter(|&id| of_alias(id)).for_each(|id| heirs[id].push(&alias.row));
    }
    let own = model.exceptions.iter().enumerate().zip(heirs).filter(|((_, exception), _)| {
        // Exceptions with functions are skipped, because the results of the functions are not known
        // here.
        let is_known = exception.special.is_none() && exception.cases.is_empty();
        is_known && model.nodes[exception.node].origin.is_this_call()
    });
    own.filter_map(|((id, exception), heirs)| {
        let sound = heirs.iter().all(|opcode| opcode.has_valid_fields);
        (sound && !heirs.is_empty()).then_some((id, exception, heirs))
    })
}

/// Returns whether an exception excludes an encoding of the opcode that matches none of the patterns
/// `others`. Also returns true if the search exceeds its limit.
fn excludes_more(exception: &Exception, opcode: &Opcode, others: &[Cube]) -> bool {
    let of_opcode = exception.cubes.iter().filter_map(|cube| cube.and(opcode.identity()));
    of_opcode.into_iter().any(|cube| opcode.word_of(cube, others) != Ok(None))
}

/// Searches the opcodes for an encoding that the exception excludes, but that contains no reserved
/// value.
fn excluded_word(exception: &Exception, heirs: &[&Opcode], reserved: &[Vec<Cube>]) -> Option<u128> {
    heirs.iter().zip(reserved).find_map(|(heir, reserved)| {
        let mut cubes = exception.cubes.iter().filter_map(|cube| cube.and(heir.identity()));
        cubes.find_map(|cube| heir.word_of(cube, reserved).ok().flatten())
    })
}

/// Checks that each exception excludes an encoding of one of its opcodes.
pub(crate) fn check_never(model: &Model, diag: &mut Diagnostics) {
    for (_, exception, heirs) in own_exceptions(model) {
        // The condition of a `where` is allowed to hold for every encoding.
        let may_be = exception.unmet.is_some();
        if may_be || heirs.iter().any(|heir| excludes_more(exception, heir, &heir.reserved(model)))
        {
            continue;
        }
        let heirs = quoted_or(heirs.iter().map(|heir| &heir.name), ", ");
        let message = format!(
            "this condition is never true in {heirs}, so the exception rejects nothing: fixed \
             fields and reserved values already exclude it\nhelp: remove the exception, or move \
             it to the opcodes that need it"
        );
        diag.error(Code::ExceptionWithoutEffect, exception.span, message);
    }
}

/// The exceptions of an opcode, indexed by their masked patterns.
struct Exceptions {
    cubes: CubeIndex,
    /// For each masked pattern, its exception.
    of: Vec<usize>,
}

impl Exceptions {
    fn of(model: &Model, opcode: &Opcode) -> Self {
        let ids = opcode.exceptions.iter().copied();
        let all = ids.flat_map(|id| model.exceptions[id].cubes.iter().map(move |cube| (*cube, id)));
        let (cubes, of): (Vec<Cube>, _) = all.unzip();
        Exceptions { cubes: CubeIndex::new(&cubes), of }
    }

    /// Returns the indexes of the exceptions that exclude a word, in ascending order.
    fn with(&self, word: u128) -> BTreeSet<usize> {
        let cubes = self.cubes.meeting(Cube { mask: u128::MAX, value: word });
        cubes.into_iter().map(|cube| self.of[cube]).collect()
    }
}

/// Reports an exception if another exception also excludes all encodings that it excludes.
pub(crate) fn check_implied(model: &Model, diag: &mut Diagnostics) {
    let mut redundant = vec![false; model.exceptions.len()];
    let all: Vec<_> = own_exceptions(model).collect();
    let mut known: BTreeMap<usize, Exceptions> = BTreeMap::new();
    // If two exceptions are equivalent, the later one is reported as redundant.
    let exceptions = all.iter().rev().filter(|(_, exception, _)| exception.unmet.is_none());
    for (id, exception, heirs) in exceptions {
        let reserved: Vec<Vec<Cube>> = heirs.iter().map(|heir| heir.reserved(model)).collect();
        let with_reserved = || heirs.iter().zip(&reserved);
        let Some(word) = excluded_word(exception, heirs, &reserved) else { continue };
        let implies = |other: usize| {
            let cubes = &model.exceptions[other].cubes;
            heirs.iter().all(|heir| heir.exceptions.contains(&other))
                && with_reserved().all(|(heir, reserved)| {
                    !excludes_more(exception, heir, &[&reserved[..], cubes].concat())
                })
        };
        // One word that this exception excludes rules out most of the other exceptions: only an
        // exception that also excludes this word can make this one redundant.
        let first = heirs[0];
        let known = known.entry(first.node).or_insert_with(|| Exceptions::of(model, first));
        let mut others = known.with(word).into_iter().filter(|other| {
            other != id && !redundant[*other] && model.exceptions[*other].special.is_none()
        });
        let Some(other) = others.find(|&other| implies(other)) else { continue };
        redundant[*id] = true;
        let other = &model.exceptions[other];
        let said = match &other.unmet {
            Some(condition) => format!("where {condition}"),
            None => other.condition.clone(),
        };
        let message = format!(
            "this exception is redundant: `{said}` already rejects the same encodings\nhelp: \
             remove the exception, or correct its condition"
        );
        if !model.nodes[other.node].origin.is_this_call() {
            diag.error(Code::RedundantException, exception.span, message);
        } else {
            let what = if other.unmet.is_some() { "condition" } else { "exception" };
            let note = format!("this {what} rejects at least the same encodings");
            diag.error_with(Code::RedundantException, exception.span, message, other.span, note);
        }
    }
}

/// Checks that each row applies to a valid encoding of some opcode: the encoding must meet the
/// condition of the row, and must not meet the condition of an earlier row.
pub(crate) fn check_flows(model: &Model, diag: &mut Diagnostics) {
    for (index, row) in model.flows.iter().enumerate() {
        let same = model.flows[..index].iter().filter(|other| other.node == row.node);
        let mut before = same.peekable();
        at_node(&model.nodes[row.node], diag);
        let is_first = before.peek().is_none();
        if !model.nodes[row.node].origin.is_this_call() || is_first && row.condition.is_none() {
            continue;
        }
        if let Some(whole) = before.clone().find(|other| other.condition.is_none()) {
            let message = "unreachable row: an earlier row without `if` applies to every \
                           encoding\nhelp: move the row without `if` to the end, or add a \
                           condition to it";
            let note = "this row has no `if`";
            diag.error_with(Code::Flow, row.span, message, whole.span, note);
            continue;
        }
        let heirs: Vec<&Opcode> = model
            .opcodes
            .iter()
            .filter(|opcode| opcode.flow.iter().any(|(own, _)| *own == index))
            .collect();
        let before: Vec<Cube> = before.flat_map(|other| other.cubes.iter().copied()).collect();
        let comes = |opcode: &&Opcode| {
            let without = [&opcode.illegal[..], &before].concat();
            let words = row.cubes.iter().filter_map(|cube| cube.and(opcode.identity()));
            words.into_iter().any(|words| opcode.word_of(words, &without) != Ok(None))
        };
        // Rows with functions are skipped, because the results of the functions are not known here.
        let is_known = row.cases.is_empty() && heirs.iter().all(|opcode| opcode.has_valid_fields);
        if heirs.is_empty() || !is_known || heirs.iter().any(comes) {
            continue;
        }
        let heirs = quoted_or(heirs.iter().map(|opcode| &opcode.name), ", ");
        let message = match row.condition {
            Some(_) => format!(
                "unreachable row: in {heirs}, an earlier row applies whenever this condition is \
                 true\nhelp: remove the row, move it before the others, or correct the condition"
            ),
            None => format!(
                "unreachable row: the earlier rows apply to every encoding of {heirs}\nhelp: \
                 remove the row, or correct the conditions of the earlier rows"
            ),
        };
        diag.error(Code::Flow, row.span, message);
    }
    diag.leave_item();
}
