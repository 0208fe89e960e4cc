//! Rules over the resolved specification. Each function is one rule; none changes anything.

mod aliases;
mod conditions;
mod encodings;
mod examples;
mod hard;
mod overlap;
mod pattern;
mod semantics;
mod texts;

use crate::diag::Diagnostics;
use crate::model::Model;

pub(crate) use overlap::fixed_fields;
pub(crate) use semantics::namesake;
pub(crate) use texts::{Apart, Checked, Forms, Pairs, Side};

type Rule = fn(&Model, &mut Diagnostics);

/// The rules before those over texts, the most far-reaching first.
const RULES: &[Rule] = &[
    encodings::check_inside,
    encodings::check_legal,
    overlap::check_overlap,
    aliases::check_aliases,
    aliases::check_order,
    conditions::check_never,
    conditions::check_implied,
];

/// The rules behind those over texts.
const LATER_RULES: &[Rule] = &[
    examples::check_examples,
    semantics::check_lists,
    semantics::check_untouched,
    semantics::check_handle,
    semantics::check_traps,
];

/// Applies every rule. Gives what the expansion must assert, since only the compiler sees it, and the
/// texts that it hands on.
pub(crate) fn check(model: &Model, diag: &mut Diagnostics) -> Checked {
    RULES.iter().for_each(|rule| rule(model, diag));
    let checked = texts::check_texts(model, diag);
    LATER_RULES.iter().for_each(|rule| rule(model, diag));
    hard::report_hard(model, diag);
    checked
}
