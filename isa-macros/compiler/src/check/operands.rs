//! Checks the lines of `operands` sections: `Bitwidth` and `AsmFormat` must have an effect on an opcode,
//! and `Lanes` must name an operand and describe lanes within its width.

use proc_macro2::Span;

use crate::diag::{Code, Diagnostics, bits};
use crate::model::{LaneRow, Model, Opcode, describe};
use crate::syntax::ast::{FieldName, LaneMask, LanesDecl, NodeDecl, OperandLists};

/// Reports a line that has no effect on any opcode or alias of this call that inherits it. A `Bitwidth`
/// line has no effect if its field is not an operand. An `AsmFormat` line has no effect if no template
/// shows its field.
pub(crate) fn check_lines(model: &Model, diag: &mut Diagnostics) {
    let has_lines = |node: &NodeDecl| {
        let OperandLists { widths, lanes, formats, .. } = &node.operands;
        let has_width = !widths.is_empty() || lanes.iter().any(|lanes| lanes.is_width);
        node.origin.is_this_call() && (has_width || !formats.is_empty())
    };
    let mut heirs: Vec<Vec<&Opcode>> = vec![Vec::new(); model.nodes.len()];
    for opcode in model.spellings() {
        for &node in model.lineage[opcode.node].iter().filter(|&&it| has_lines(&model.nodes[it])) {
            heirs[node].push(opcode);
        }
    }
    for (node, heirs) in model.nodes.iter().zip(heirs) {
        if heirs.is_empty() || !heirs.iter().all(|opcode| opcode.is_valid) {
            continue;
        }
        let counted = node.operands.lanes.iter().filter(|lanes| lanes.is_width);
        let counted = counted.map(|lanes| &lanes.field);
        for name in node.operands.widths.iter().map(|(name, _)| name).chain(counted) {
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
        "`{name_text}` is not an operand of {}, so its `Bitwidth` has no effect\nhelp: add \
         `{name_text}` to `InList` or `OutList`, or remove the line",
        heir(node)
    );
    diag.error(Code::OperandLists, name.span(), message);
}

fn report_format(node: &NodeDecl, name: &FieldName, diag: &mut Diagnostics) {
    let name_text = name.dotted();
    let message = format!(
        "no template of {} contains `{name_text}`, so its `AsmFormat` has no effect\nhelp: add \
         the placeholder to the template, or remove the line",
        heir(node)
    );
    diag.error(Code::PlaceholderMismatch, name.span(), message);
}

/// Describes the opcodes that a line applies to.
fn heir(node: &NodeDecl) -> String {
    match node.level.is_group() {
        true => format!("the opcodes of {}", describe(node)),
        false => describe(node),
    }
}

/// The maximum number of lanes of an operand: a lane mask has one bit for each.
const MOST_LANES: u64 = 64;

/// The maximum number of fields that a lane function takes.
const MOST_FIELDS: usize = 4;

/// Checks that each line names an operand, that the width of a lane divides the operand's width, and
/// that a constant mask selects some of these lanes and no others.
pub(crate) fn check_lanes(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.valid_opcodes() {
        for row in &opcode.lanes {
            let fault =
                operand_fault(model, opcode, row).or_else(|| shape_fault(opcode, row, model));
            if let Some((span, message)) = fault {
                diag.error_of(&opcode.name, Code::Lanes, span, message);
            }
        }
    }
}

/// Explains why the field that a line names cannot have lanes.
fn operand_fault(model: &Model, opcode: &Opcode, row: &LaneRow) -> Option<(Span, String)> {
    let field = opcode.field_at(model, row.field);
    let (kind, name, span) = (model.type_of(field), &field.text, row.decl(model).field.span());
    if kind.is_set() {
        let message = format!(
            "`{name}` is a value of `{}`, so it cannot have lanes\nhelp: name an operand that is \
             read or written",
            kind.name
        );
        return Some((span, message));
    }
    if row.decl(model).is_width {
        return None;
    }
    let mut widths = opcode.lanes.iter().filter(|other| other.field == row.field);
    if widths.any(|other| other.decl(model).is_width) {
        let message = format!(
            "the width of `{name}` depends on fields, so it cannot have `Lanes`\nhelp: remove one \
             of the two lines; all lanes of a width that depends on fields are used"
        );
        return Some((span, message));
    }
    let is_operand = opcode.operands.iter().any(|operand| operand.field == row.field);
    let message = format!(
        "`{name}` is not an operand of `{}`, so it cannot have lanes\nhelp: add it to `InList` \
         or `OutList`, or remove the line",
        opcode.name
    );
    (!is_operand).then_some((span, message))
}

/// Explains why the declared lanes of an operand are invalid.
fn shape_fault(opcode: &Opcode, row: &LaneRow, model: &Model) -> Option<(Span, String)> {
    let LanesDecl { is_width, field, bits: lane, mask } = row.decl(model);
    let name = field.dotted();
    if let LaneMask::Call(call) = mask
        && let Some(beyond) = call.fields.get(MOST_FIELDS)
    {
        let what = if *is_width { "widths" } else { "lanes" };
        let message = format!(
            "a function of {what} has at most {MOST_FIELDS} fields\nhelp: remove the fields on \
             which the {what} do not depend"
        );
        return Some((beyond.span(), message));
    }
    let operand = opcode.operands.iter().find(|operand| operand.field == row.field)?;
    let width = u64::from(operand.bits);
    if lane.value == 0 {
        return Some((lane.span, "a lane must have at least one bit".to_owned()));
    }
    // Only rustc knows the width that the operand type declares.
    if width == 0 || *is_width {
        return None;
    }
    let count = width / lane.value;
    if count == 0 || !width.is_multiple_of(lane.value) || count > MOST_LANES {
        let message = format!(
            "lanes of {} do not divide `{name}`, which has {}\nhelp: the width of a lane must \
             divide the width of the operand into at most {MOST_LANES} lanes",
            bits(lane.value),
            bits(width),
        );
        return Some((lane.span, message));
    }
    let all = u64::MAX >> (64 - count);
    let LaneMask::Number(mask) = mask else { return None };
    let message = format!(
        "invalid lane mask for `{name}`: expected at least one of the lanes {all:#b}, and no other lane\nhelp: bit i of the \
         mask represents lane i; lane 0 has the lowest bits"
    );
    (mask.value == 0 || mask.value & !all != 0).then_some((mask.span, message))
}
