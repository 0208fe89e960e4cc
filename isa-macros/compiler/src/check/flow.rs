//! Checks `flow` sections: each row must apply to some encoding.

use crate::diag::{Code, Diagnostics, quoted_or};
use crate::model::cube::Cube;
use crate::model::{Model, Opcode, at_node};

/// Checks that each row applies to a valid encoding of some opcode: the encoding must meet the
/// condition of the row, and must not meet the condition of an earlier row.
pub(crate) fn check_flows(model: &Model, diag: &mut Diagnostics) {
    for (index, row) in model.flows.iter().enumerate() {
        let same = model.flows[..index].iter().filter(|other| other.node == row.node);
        let mut before = same.peekable();
        at_node(&model.nodes[row.node], diag);
        let is_first = before.peek().is_none();
        if model.nodes[row.node].origin.is_some() || is_first && row.condition.is_none() {
            continue;
        }
        if let Some(whole) = before.clone().find(|other| other.condition.is_none()) {
            let message = "this row is never come to: the one before it is for all words\nhelp: put \
                           the row without `if` last, or give it a condition";
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
        let is_known = row.cases.is_empty() && heirs.iter().all(|opcode| opcode.encodes);
        if heirs.is_empty() || !is_known || heirs.iter().any(comes) {
            continue;
        }
        let heirs = quoted_or(heirs.iter().map(|opcode| &opcode.name), ", ");
        let message = match row.condition {
            Some(_) => format!(
                "this condition never holds in {heirs} where no row before it does\nhelp: leave the \
                 row out, put it before those, or correct it"
            ),
            None => format!(
                "no word of {heirs} is left to this row by those before it\nhelp: leave the row out, \
                 or correct the conditions before it"
            ),
        };
        diag.error(Code::Flow, row.span, message);
    }
    diag.leave_item();
}
