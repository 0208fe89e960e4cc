//! Checks the resolved specification. Each function is one rule; none changes the model.

mod aliases;
mod conditions;
mod encodings;
mod error_grouping;
mod examples;
mod operands;
mod overlap;
mod properties;
mod semantics;
mod texts;

use crate::diag::Diagnostics;
use crate::model::Model;

pub(crate) use overlap::{Disjoint, fixed_fields};
pub(crate) use semantics::namesake;
pub(crate) use texts::{CheckResult, DisjointnessClaim, Pairs, TextStart, TokenPatterns};

type Rule = fn(&Model, &mut Diagnostics);

/// The rules that run before the comparison of all encodings. They check each encoding by itself.
const BEFORE_OVERLAP: &[Rule] =
    &[encodings::check_size, encodings::check_inside, encodings::check_legal];

/// The rules that run after the comparison of all encodings and before the rules for assembly text.
const BETWEEN_OVERLAP_AND_TEXTS: &[Rule] = &[
    aliases::check_aliases,
    aliases::check_order,
    conditions::check_never,
    conditions::check_implied,
    conditions::check_flows,
    operands::check_lanes,
    operands::check_lines,
    encodings::check_byte_order,
    encodings::check_halfwords,
    encodings::check_short_words,
    properties::check_property_names,
    properties::check_included_properties,
];

/// The rules that run after the rules for assembly text.
const AFTER_TEXTS: &[Rule] = &[
    examples::check_examples,
    semantics::check_lists,
    semantics::check_sets,
    semantics::check_untouched,
    semantics::check_handle,
    semantics::check_traps,
    encodings::report_unresolved,
];

/// Applies every rule. The rules with the most far-reaching errors come first. Returns the assertions
/// that the expansion must contain because only rustc can check them, and the summaries of the assembly
/// text.
pub(crate) fn check(model: &Model, diag: &mut Diagnostics) -> CheckResult {
    BEFORE_OVERLAP.iter().for_each(|rule| rule(model, diag));
    let overlapping = overlap::check_overlap(model, diag);
    BETWEEN_OVERLAP_AND_TEXTS.iter().for_each(|rule| rule(model, diag));
    let mut checked = texts::check_texts(model, &overlapping, diag);
    checked.disjoint = overlapping.apart;
    AFTER_TEXTS.iter().for_each(|rule| rule(model, diag));
    checked
}
