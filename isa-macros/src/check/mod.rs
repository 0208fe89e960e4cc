//! Rules over the resolved specification. Each function is one rule; none changes anything.

mod conditions;
mod encodings;
mod examples;
mod overlap;
mod pattern;
mod semantics;
mod texts;

use crate::diag::Diagnostics;
use crate::model::Model;

pub(crate) use overlap::fixed_fields;
pub(crate) use semantics::namesake;
pub(crate) use texts::{Apart, Forms, Side, apart, summarize};

/// Every rule, the most far-reaching first.
const RULES: &[fn(&Model, &mut Diagnostics)] = &[
    encodings::check_inside,
    encodings::check_legal,
    overlap::check_overlap,
    conditions::check_never,
    conditions::check_implied,
    texts::check_same_text,
    texts::check_modifiers,
    texts::check_reading,
    examples::check_examples,
    semantics::check_lists,
    semantics::check_untouched,
    semantics::check_handle,
    semantics::check_traps,
];

/// Applies every rule.
pub(crate) fn check(model: &Model, diag: &mut Diagnostics) {
    for rule in RULES {
        rule(model, diag);
    }
}
