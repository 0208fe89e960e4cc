//! Checks the size of opcodes: the tables store indexes of fields and of template names in one byte
//! each.

use crate::diag::{Code, Diagnostics};
use crate::model::{MOST_FIELDS, MOST_NAMES, Model};

/// Reports opcodes and aliases with too many fields, or with too many names in the template. The
/// maximum length of a line is checked later by rustc, because only rustc knows the length of operand
/// text.
pub(crate) fn check_size(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.sound_spellings() {
        let fields = opcode.fields.len() + opcode.views.len();
        let symbols = model.syntaxes[opcode.syntax].symbols.len();
        let message = if fields > MOST_FIELDS {
            format!(
                "`{}` has {fields} fields and composite operands, expected at most {MOST_FIELDS}\nhelp: \
                 join fields that belong together",
                opcode.name
            )
        } else if symbols > MOST_NAMES {
            format!(
                "the template of `{}` has {symbols} names, expected at most {MOST_NAMES}\nhelp: print \
                 several fields as one operand: `AsmFormat<slot: field, field> = Format();`",
                opcode.name
            )
        } else {
            continue;
        };
        diag.error_of(&opcode.name, Code::TooLarge, opcode.name.span(), message);
    }
}
