//! Checks the lines `Bitwidth` and `AsmFormat`: each must have an effect on an opcode.

use crate::diag::{Code, Diagnostics};
use crate::model::{Model, Opcode, describe};
use crate::syntax::ast::{FieldName, NodeDecl};

/// Reports a line that has no effect on any opcode or alias of this call that inherits it. A `Bitwidth`
/// line has no effect if its field is not an operand. An `AsmFormat` line has no effect if no template
/// shows its field.
pub(crate) fn check_lines(model: &Model, diag: &mut Diagnostics) {
    let has_lines = |node: &NodeDecl| {
        node.origin.is_none()
            && !(node.operands.widths.is_empty() && node.operands.formats.is_empty())
    };
    let mut heirs: Vec<Vec<&Opcode>> = vec![Vec::new(); model.nodes.len()];
    for opcode in model.spellings() {
        for &node in model.lineage[opcode.node].iter().filter(|&&it| has_lines(&model.nodes[it])) {
            heirs[node].push(opcode);
        }
    }
    for (node, heirs) in model.nodes.iter().zip(heirs) {
        if heirs.is_empty() || !heirs.iter().all(|opcode| opcode.sound) {
            continue;
        }
        for (name, _) in &node.operands.widths {
            if !heirs.iter().any(|opcode| is_operand(model, opcode, name)) {
                report_width(node, name, diag);
            }
        }
        for format in &node.operands.formats {
            if !heirs.iter().any(|opcode| is_shown(model, opcode, &format.field)) {
                report_format(node, &format.field, diag);
            }
        }
    }
}

fn is_operand(model: &Model, opcode: &Opcode, name: &FieldName) -> bool {
    let place = opcode.field(model, &name.dotted());
    place.is_some_and(|place| opcode.operands.iter().any(|operand| operand.field == place))
}

/// Returns whether the template of `opcode` shows the field or composite operand `name`.
fn is_shown(model: &Model, opcode: &Opcode, name: &FieldName) -> bool {
    let name = name.dotted();
    opcode.text.shown.iter().any(|shown| model.at(opcode, shown.place).text == name)
}

fn report_width(node: &NodeDecl, name: &FieldName, diag: &mut Diagnostics) {
    let name_text = name.dotted();
    let message = format!(
        "`{name_text}` is not an operand of {}, so its `Bitwidth` has no effect\nhelp: add `{name_text}` \
         to `InList` or `OutList`, or leave the line out",
        heir(node)
    );
    diag.error(Code::OperandLists, name.span(), message);
}

fn report_format(node: &NodeDecl, name: &FieldName, diag: &mut Diagnostics) {
    let name_text = name.dotted();
    let message = format!(
        "no template of {} has `{name_text}`, so its `AsmFormat` has no effect\nhelp: add the slot to \
         the template, or leave the line out",
        heir(node)
    );
    diag.error(Code::SlotMismatch, name.span(), message);
}

/// Describes the opcodes that a line applies to.
fn heir(node: &NodeDecl) -> String {
    match node.level.is_group() {
        true => format!("the opcodes of {}", describe(node)),
        false => describe(node),
    }
}
