//! A rule over the size of opcodes: the tables number their fields, and the names of a template, in
//! bytes.

use crate::diag::{Code, Diagnostics};
use crate::model::{MOST_FIELDS, MOST_NAMES, Model};

/// Reports opcodes and aliases with too many fields, or with too many names in the template. How long
/// a line can be, only the compiler of the expansion can see.
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
