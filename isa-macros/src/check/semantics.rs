//! Rules over semantics: they need to know what is read and what is written.

use crate::diag::{Code, Diagnostics};
use crate::model::{Model, describe};

/// An opcode with semantics has operand lists.
pub(crate) fn check_lists(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.sound_opcodes() {
        let Some(node) = opcode.semantics else {
            continue;
        };
        if !opcode.has_lists {
            let message = format!(
                "{} has semantics, but `{}` does not say what is read and written\nhelp: add \
                 `operands {{ InList<...>; OutList<...>; }}`; a list may be empty",
                describe(&model.nodes[node]),
                opcode.name
            );
            diag.error(Code::OperandLists, opcode.name.span(), message);
        }
    }
}
