//! Checks the resolved specification. Each function is one rule; none changes the model.

mod aliases;
mod bytes;
mod conditions;
mod encodings;
mod error_grouping;
mod examples;
mod flow;
mod lanes;
mod limits;
mod operands;
mod overlap;
mod pattern;
mod semantics;
mod texts;
mod unresolved;

use crate::diag::Diagnostics;
use crate::model::Model;

pub(crate) use overlap::{Disjoint, fixed_fields};
pub(crate) use semantics::namesake;
pub(crate) use texts::{Checked, DisjointnessClaim, Forms, Pairs, Side};

type Rule = fn(&Model, &mut Diagnostics);

/// The rules that check each encoding by itself.
const RULES: &[Rule] = &[limits::check_size, encodings::check_inside, encodings::check_legal];

/// The rules that run after the comparison of all encodings and before the rules for assembly text.
const MORE_RULES: &[Rule] = &[
    aliases::check_aliases,
    aliases::check_order,
    conditions::check_never,
    conditions::check_implied,
    flow::check_flows,
    lanes::check_lanes,
    operands::check_lines,
    bytes::check_byte_order,
    bytes::check_halfwords,
];

/// The rules that run after the rules for assembly text.
const LATER_RULES: &[Rule] = &[
    examples::check_examples,
    semantics::check_lists,
    semantics::check_sets,
    semantics::check_untouched,
    semantics::check_handle,
    semantics::check_traps,
];

/// Applies every rule. The rules with the most far-reaching errors come first. Returns the assertions
/// that the expansion must contain because only rustc can check them, and the summaries of the assembly
/// text.
pub(crate) fn check(model: &Model, diag: &mut Diagnostics) -> Checked {
    RULES.iter().for_each(|rule| rule(model, diag));
    let overlapping = overlap::check_overlap(model, diag);
    MORE_RULES.iter().for_each(|rule| rule(model, diag));
    let mut checked = texts::check_texts(model, &overlapping, diag);
    checked.disjoint = overlapping.apart;
    LATER_RULES.iter().for_each(|rule| rule(model, diag));
    unresolved::report_hard(model, diag);
    checked
}
