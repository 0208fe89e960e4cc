//! Reports questions about encodings that no rule could answer within the search limit.

use crate::diag::{Code, Diagnostics, quoted_first};
use crate::model::Model;

/// Reports the opcodes whose valid encodings were too hard to compare. No rule has reported an error
/// that depends on the answer.
pub(super) fn report_hard(model: &Model, diag: &mut Diagnostics) {
    let names = model.search.open();
    let Some(first) = names.first() else { return };
    let message = format!(
        "it is too hard to find out which words of {} are legal: their exceptions depend on each \
         other in too many ways\nhelp: let each exception be about few fields, or make an opcode of \
         its own of each group of legal values",
        quoted_first(names.iter())
    );
    diag.error(Code::ExceptionSize, first.span(), message);
}
